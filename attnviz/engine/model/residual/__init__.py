"""What the parts of a model add to its residual stream, and what the stream predicts at each layer."""
