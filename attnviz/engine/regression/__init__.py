"""The run of the kernel-regression lab."""

from attnviz.definitions.text import Text

LESS_MEMORY = Text("fewer training points or queries need less")
"""How to need less memory, as the end of a sentence."""
