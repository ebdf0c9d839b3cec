"""The attention lab's data types: its spec, its trace, and values derived from them."""
