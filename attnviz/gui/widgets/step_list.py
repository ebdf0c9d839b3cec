"""Steps of a computation, one line each: what is done, and the number that comes of it."""

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QLabel, QWidget


class StepList(QWidget):
    """Lines are made once and used again; as many are shown as there are steps."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._layout = QGridLayout(self)
        self._layout.setContentsMargins(0, 0, 0, 0)
        self._layout.setHorizontalSpacing(12)
        self._layout.setVerticalSpacing(3)
        self._layout.setColumnStretch(0, 1)
        self._lines: list[tuple[QLabel, QLabel]] = []
        self._steps: tuple[tuple[str, str], ...] = ()

    @property
    def steps(self) -> tuple[tuple[str, str], ...]:
        """What is on screen: names and numbers."""
        return self._steps

    def show_steps(self, steps: Sequence[tuple[str, str]]) -> None:
        """Show these steps."""
        while len(self._lines) < len(steps):
            self._add_line()
        self._steps = tuple(steps)
        for place, (name, value) in enumerate(self._lines):
            shown = place < len(steps)
            name.setVisible(shown)
            value.setVisible(shown)
            if shown:
                name.setText(steps[place][0])
                value.setText(steps[place][1])
                value.setAccessibleName(f"{steps[place][0]} {steps[place][1]}")

    def _add_line(self) -> None:
        name, value = QLabel(), QLabel()
        name.setObjectName("caption")
        name.setWordWrap(True)  # a cell may be masked for many reasons
        value.setObjectName("number")
        value.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignTop)
        value.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        line = len(self._lines)
        self._layout.addWidget(name, line, 0)
        self._layout.addWidget(value, line, 1)
        self._lines.append((name, value))
