"""The attention lab's nouns: its spec, its trace, and what is read out of them."""
