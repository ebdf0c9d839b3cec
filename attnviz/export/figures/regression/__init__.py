"""The figures of the kernel-regression lab."""
