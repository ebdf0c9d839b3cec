"""Weights as lines between tokens."""
