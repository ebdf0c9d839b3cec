"""The screen of the model lab: a pretrained transformer from a folder, opened, taken apart and changed."""
