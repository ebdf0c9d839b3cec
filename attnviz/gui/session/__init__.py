"""Session files: open, save, recent, dropped."""
