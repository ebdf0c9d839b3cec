"""Generation: a model continues its text, and every pass of it is recorded."""
