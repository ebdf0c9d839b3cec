"""Lessons: Markdown files whose steps show a run, ask for a prediction or an act, and check it."""
