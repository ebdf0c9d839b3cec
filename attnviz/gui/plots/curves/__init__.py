"""Curves on axes."""
