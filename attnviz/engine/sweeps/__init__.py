"""Runs of a sweep: one after the other in this process, or on many workers through Dask."""
