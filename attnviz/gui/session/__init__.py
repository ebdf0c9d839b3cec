"""Session files: open, save, recent, dropped, restored after a crash."""
