"""From numbers to colour levels, and from levels to colours."""
