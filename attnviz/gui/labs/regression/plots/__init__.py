"""The curves of the regression lab: the fit, its kernels, its training and its errors."""
