"""The run of the kernel-regression lab."""
