"""How much of each there may be: what a spec may ask for, and what a file may hold."""

MAX_SIZE = 16_384
"""Queries, keys, features, or the lengths and the number of documents."""
MOST_ITEMS = 256
"""Items of a batch."""
MOST_HEADS = 1024
