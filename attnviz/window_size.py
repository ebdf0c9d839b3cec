"""The least and the greatest size of the window, known to the command line without Qt."""

LEAST = (900, 600)
GREATEST = (7680, 4320)
