"""Figures of the attention lab's own pages."""
