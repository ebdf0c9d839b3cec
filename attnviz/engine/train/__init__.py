"""The run of the training lab."""
