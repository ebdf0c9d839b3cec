"""The trace of a stack of attention layers, which labs with whole models share."""
