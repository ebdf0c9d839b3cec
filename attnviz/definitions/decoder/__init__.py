"""The parts of a decoder that is trained: its positions, its initial values and its optimiser."""
