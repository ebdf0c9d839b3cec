"""Weights and arrays that the user brings in files."""
