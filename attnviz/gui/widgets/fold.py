"""A part of a panel that is folded away until it is asked for."""

from PySide6.QtCore import QSize, Signal, Slot
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QPushButton, QSizePolicy, QVBoxLayout, QWidget

from attnviz.gui.theme import Look, icon


class Fold(QWidget):
    """A heading that opens and closes the part below it. A closed part cannot get the keyboard focus."""

    toggled = Signal(bool)
    """It was unfolded, or folded away, by the user or by code."""

    def __init__(self, title: str, part: QWidget, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("fold")
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        self.part = part
        self.header = QPushButton(title)
        self.header.setCheckable(True)  # which is how a screen reader learns that it is open
        self._folded, self._unfolded = QIcon(), QIcon()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(6)
        layout.addWidget(self.header)
        layout.addWidget(part)
        part.hide()
        self.header.toggled.connect(self._toggle)

    def isExpanded(self) -> bool:
        """Return whether the part is on screen."""
        return self.header.isChecked()

    def expand(self) -> None:
        """Show the part."""
        self.header.setChecked(True)

    def collapse(self) -> None:
        """Fold the part away."""
        self.header.setChecked(False)

    def restyle(self, look: Look) -> None:
        """Take another theme or type scale."""
        size = look.px(16)
        self._folded, self._unfolded = (icon(name, look.theme.muted, size) for name in ("folded", "unfolded"))
        self.header.setIconSize(QSize(size, size))
        self._turn_arrow()

    @Slot(bool)
    def _toggle(self, expanded: bool) -> None:
        self.part.setVisible(expanded)
        self._turn_arrow()
        self.toggled.emit(expanded)

    def _turn_arrow(self) -> None:
        self.header.setIcon(self._unfolded if self.isExpanded() else self._folded)
