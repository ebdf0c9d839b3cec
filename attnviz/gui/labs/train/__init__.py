"""The training lab: a transformer that learns."""
