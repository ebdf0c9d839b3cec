"""The files that are read and written: specs, sessions, arrays of numbers and given weights."""
