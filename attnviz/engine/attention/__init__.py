"""The run of the attention lab."""

LESS_MEMORY = "fewer queries, keys, heads or batch items need less"
"""How to need less memory, as the end of a sentence."""
