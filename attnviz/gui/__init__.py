"""The screen. PySide6, pyqtgraph and superqt; never torch."""
