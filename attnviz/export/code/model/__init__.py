"""The script of the model lab."""
