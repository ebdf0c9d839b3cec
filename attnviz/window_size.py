"""The least and greatest size of the window, in pixels, for the command line, which does not import Qt."""

LEAST = (900, 600)
GREATEST = (7680, 4320)
