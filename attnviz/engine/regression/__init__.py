"""The run of the kernel-regression lab."""

LESS_MEMORY = "fewer training points or queries need less"
"""How to need less memory, as the end of a sentence."""
