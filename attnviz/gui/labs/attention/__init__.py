"""The attention lab's room."""
