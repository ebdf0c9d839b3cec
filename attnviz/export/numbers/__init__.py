"""NPZ and CSV."""
