"""The model lab: a pretrained transformer from a folder, on a text, and what interventions change in it."""
