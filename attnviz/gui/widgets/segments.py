"""A few buttons in one frame, one of them pressed."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QButtonGroup, QFrame, QHBoxLayout, QToolButton, QWidget


class Segments(QFrame):
    """Each choice is a value, its text, and a sentence about it."""

    chosen = Signal()
    """The user pressed another button."""

    def __init__(self, name: str, choices: tuple[tuple[str, str, str], ...], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(name)
        self.setObjectName("segments")
        layout = QHBoxLayout(self)
        layout.setContentsMargins(2, 2, 2, 2)
        layout.setSpacing(2)
        self._group = QButtonGroup(self)
        for value, text, help_text in choices:
            button = QToolButton()
            button.setObjectName("segment")
            button.setText(text)
            button.setToolTip(help_text)
            button.setCheckable(True)
            button.setProperty("value", value)
            button.setChecked(value == choices[0][0])
            button.clicked.connect(self.chosen)
            self._group.addButton(button)
            layout.addWidget(button)

    @property
    def value(self) -> str:
        """The pressed button's value."""
        pressed = self._group.checkedButton()
        return "" if pressed is None else str(pressed.property("value"))

    def offer(self, value: str, on: bool) -> None:
        """Show a choice, or hide it; the first takes the place of one that goes, without saying so."""
        for button in self._group.buttons():
            if button.property("value") == value:
                button.setVisible(on)
                if not on and button.isChecked():
                    self._group.buttons()[0].setChecked(True)

    def show_value(self, value: str) -> None:
        """Show which button is pressed, without saying so."""
        for button in self._group.buttons():
            if button.property("value") == value:
                button.setChecked(True)

    def press(self, value: str) -> None:
        """Press a button as a click does."""
        for button in self._group.buttons():
            if button.property("value") == value:
                button.click()
