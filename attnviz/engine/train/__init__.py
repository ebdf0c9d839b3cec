"""The run of the training lab."""

from attnviz.definitions.text import Text

LESS_MEMORY = Text("fewer layers, a smaller hidden size, fewer tokens or a smaller batch need less")
"""A remedy for too little memory, as the end of a sentence."""
