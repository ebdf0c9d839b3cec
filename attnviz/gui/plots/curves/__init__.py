"""Curves on axes, and the fit of kernel regression with points that can be dragged."""
