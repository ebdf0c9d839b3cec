"""The run of the attention lab."""
