"""Largest sizes of specs and files, and of the blocks that a run computes at a time."""

MAX_SIZE = 16_384
"""Queries, keys, features, or the lengths and the number of documents."""
MOST_ITEMS = 256
"""Items of a batch."""
MOST_HEADS = 1024

BLOCK_CELLS = 1 << 19
"""How many weights of a regression are computed at a time; a block of float64 then fits a processor's cache.

An exported script uses the same blocks, so that it needs no more memory and adds its sums in the same order.
"""
