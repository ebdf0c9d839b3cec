"""Functions of one number: kernels, the functions that points are drawn from, and typed formulas."""
