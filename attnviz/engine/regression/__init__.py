"""The run of the kernel-regression lab."""

from attnviz.definitions.text import Text

LESS_MEMORY = Text("fewer training points or queries need less")
"""A remedy for too little memory, as the end of a sentence."""
