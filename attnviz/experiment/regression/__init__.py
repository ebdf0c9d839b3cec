"""The kernel-regression lab's data types: its spec, its data, its trace, its studies."""
