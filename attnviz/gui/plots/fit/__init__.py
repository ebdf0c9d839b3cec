"""The fit of kernel regression, and points that can be dragged."""
