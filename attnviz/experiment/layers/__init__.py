"""One layer of attention, whatever made it: its tensors, stages, rows, cells and sentences. No lab."""
