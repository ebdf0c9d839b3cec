"""The parts of `check.py`: a bare Debian tree, a screen without a monitor, and the checks themselves."""
