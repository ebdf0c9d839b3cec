"""One room per lab: its form, stage and inspector."""
