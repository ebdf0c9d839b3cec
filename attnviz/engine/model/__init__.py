"""The run of the model lab: a real transformer, recorded while its own code runs."""

from attnviz.definitions.text import Text

LESS_MEMORY = Text("a shorter text or a smaller model needs less")
"""A remedy for too little memory, as the end of a sentence."""
LESS_TO_GENERATE = Text("fewer new tokens, a shorter text or a smaller model need less")
"""That of a generation."""
