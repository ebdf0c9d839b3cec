"""The figure of the training lab."""
