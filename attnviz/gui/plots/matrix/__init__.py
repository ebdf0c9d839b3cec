"""Matrices drawn as cells: heatmaps, grids of heads, colour bars."""
