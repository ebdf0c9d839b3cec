"""The table of a sweep: a file that grows row by row, and is gone on with after whatever ended it."""
