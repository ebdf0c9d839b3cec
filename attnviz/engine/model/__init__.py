"""The run of the model lab: a real transformer, recorded while its own code runs."""
