"""Reading, writing and naming files of all kinds."""
