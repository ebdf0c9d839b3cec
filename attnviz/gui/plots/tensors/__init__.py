"""Tensors side by side, and how they are reshaped."""
