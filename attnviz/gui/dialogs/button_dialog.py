"""A dialog with a row of buttons at the bottom."""

from collections.abc import Callable

from PySide6.QtCore import SignalInstance
from PySide6.QtWidgets import QDialog, QLayout, QPushButton, QWidget

from attnviz.gui.widgets.labels import caption
from attnviz.gui.widgets.layouts import column_of, row_of


class ButtonDialog(QDialog):
    """Its parts are arranged vertically; the last row has a caption, and the buttons right of it."""

    def __init__(self, window: QWidget, title: str, *parts: QWidget | QLayout) -> None:
        """Create it from its parts, of which the first takes the spare room."""
        super().__init__(window)
        self.setWindowTitle(title)
        self.said = caption()
        """What has happened, in a few words."""
        self._buttons = row_of(None, self.said, gap=-1, wide=(self.said,))
        self.lines = column_of(self, *parts, self._buttons, gap=16, wide=parts[:1])
        self.lines.setContentsMargins(24, 24, 24, 16)

    def button(self, text: str, slot: Callable[..., object] | SignalInstance, *, primary: bool = False) -> QPushButton:
        """Add a button to the right of the others; Enter presses none of them by default."""
        button = QPushButton(text, autoDefault=False)
        if primary:
            button.setObjectName("primary")
        button.clicked.connect(slot)
        self._buttons.addWidget(button)
        return button
