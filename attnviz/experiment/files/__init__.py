"""Reading, writing and naming files, whatever they hold."""
