"""Widgets that draw traces."""
