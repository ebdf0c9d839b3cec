"""The exports of the training lab beside its figures and its script."""
