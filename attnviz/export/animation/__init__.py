"""GIF and APNG."""
