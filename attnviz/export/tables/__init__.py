"""The table of a sweep: a file that grows row by row and can be resumed after any interruption."""
