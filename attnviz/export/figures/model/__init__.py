"""The figures of the model lab."""
