"""The kernel-regression lab's nouns: its spec, its data, its trace, its studies."""
