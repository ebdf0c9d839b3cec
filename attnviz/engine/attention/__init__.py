"""The run of the attention lab."""

from attnviz.definitions.text import Text

LESS_MEMORY = Text("fewer queries, keys, heads or batch items need less")
"""A remedy for too little memory, as the end of a sentence."""
