"""Lessons: Markdown files whose steps show a run, ask for a prediction or an action, and check it."""
