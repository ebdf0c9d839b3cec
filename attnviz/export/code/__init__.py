"""PyTorch scripts."""
