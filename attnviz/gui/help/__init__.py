"""Help: the manual beside the picture, the list of all shortcuts and gestures, and the About dialog."""
