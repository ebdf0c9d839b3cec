"""Sweeps of the current spec: the page *Sweep* of each lab, which runs in a separate process."""
