"""Studies of the residual stream of a model: what its parts add, and what it predicts at each layer."""
