"""The screen of the model lab: a pretrained transformer from a folder, inspected and with interventions."""
