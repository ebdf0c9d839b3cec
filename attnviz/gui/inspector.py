"""The column on the right: captions, facts and shapes of what is chosen; rooms put their own parts into it."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QLabel, QVBoxLayout, QWidget


class Inspector(QWidget):
    """A column of captioned sections."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("inspectorBody")
        self._layout = QVBoxLayout(self)
        self._layout.setContentsMargins(16, 0, 16, 16)
        self._layout.setSpacing(4)
        self._layout.addStretch(1)

    def add_section(self, caption: str, part: QWidget) -> QLabel:
        """Add a part under a caption; return the caption's label."""
        label = QLabel(caption.upper())
        label.setObjectName("group")
        label.setIndent(0)
        at = self._layout.count() - 1
        self._layout.insertWidget(at, label)
        self._layout.insertWidget(at + 1, part)
        return label


class Facts(QWidget):
    """Names and values in two columns."""

    def __init__(self, names: tuple[str, ...], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        layout = QGridLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setVerticalSpacing(4)
        layout.setHorizontalSpacing(12)
        layout.setColumnStretch(1, 1)
        self._values: list[QLabel] = []
        for row, name in enumerate(names):
            label, value = QLabel(name), QLabel()
            label.setObjectName("caption")
            value.setObjectName("number")
            value.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
            value.setAccessibleName(name)
            layout.addWidget(label, row, 0)
            layout.addWidget(value, row, 1)
            self._values.append(value)

    def show_facts(self, values: tuple[str, ...]) -> None:
        """Show one value per name."""
        for label, value in zip(self._values, values, strict=True):
            label.setText(value)

    def texts(self) -> tuple[str, ...]:
        """Return the values on screen."""
        return tuple(label.text() for label in self._values)
