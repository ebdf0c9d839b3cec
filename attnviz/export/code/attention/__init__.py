"""The script of the attention lab."""
