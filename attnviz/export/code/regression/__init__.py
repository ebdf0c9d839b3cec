"""The script of the kernel-regression lab."""
