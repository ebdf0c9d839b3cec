"""Lessons in the window: the current step, its panel, and the page that hides the picture until a guess."""
