"""Lessons in the window: the step that is shown, the panel that tells it, and what hides the picture until a guess."""
