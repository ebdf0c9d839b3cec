"""The run of the training lab."""

LESS_MEMORY = "fewer layers, a smaller hidden size, fewer tokens or a smaller batch need less"
"""How to need less memory, as the end of a sentence."""
