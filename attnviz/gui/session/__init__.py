"""Session files: open, save, recent, dropped, kept for a start after a crash."""
