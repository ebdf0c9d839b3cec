"""The image side of the model lab: families, files, their preparation, and loading."""
