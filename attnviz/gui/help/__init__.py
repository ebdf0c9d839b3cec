"""Help: the manual beside the picture, the sheet of all keys and gestures, and what this program is."""
