"""The pictures of a layer of attention, which labs hold and feed. No lab."""
