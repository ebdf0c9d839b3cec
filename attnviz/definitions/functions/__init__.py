"""Functions of one number: kernels, functions for drawing points, and typed formulas."""
