"""The numbers of the maps of tokens."""
