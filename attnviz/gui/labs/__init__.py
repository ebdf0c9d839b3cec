"""One room per lab: which form, which stage, which inspector."""
