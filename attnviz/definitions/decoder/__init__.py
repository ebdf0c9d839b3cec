"""The parts of a trained decoder: its positions, its initial values and its optimiser."""
