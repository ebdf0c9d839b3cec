"""Autosave, and what a start finds after a crash."""
