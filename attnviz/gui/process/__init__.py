"""What the process needs around the window: hooks, messages, garbage."""
