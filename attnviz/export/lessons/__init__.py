"""Lessons on paper, on slides, and as one page for a browser."""
