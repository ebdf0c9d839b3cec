"""Encoder-decoders: how a decoder begins, and the rows of cross-attention that a generation adds."""
