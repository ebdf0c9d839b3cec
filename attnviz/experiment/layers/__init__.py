"""One layer of attention from any source: its tensors, stages, rows, cells and sentences. Independent of labs."""
