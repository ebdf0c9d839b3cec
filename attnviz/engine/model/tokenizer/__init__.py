"""The tokenizer of a folder, in a process of its own."""
