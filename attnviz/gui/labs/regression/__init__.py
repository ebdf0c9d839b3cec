"""The kernel-regression lab's room."""
