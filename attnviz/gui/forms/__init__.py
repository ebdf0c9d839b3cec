"""Editors of a spec, built from its fields."""
