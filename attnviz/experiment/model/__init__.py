"""The model lab: a pretrained transformer from a folder, on a text, with interventions."""
