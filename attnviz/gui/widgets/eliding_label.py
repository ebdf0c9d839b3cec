"""Text that is shown as it is: a label of one line, whose end gives way to an ellipsis, and tooltips."""

import html

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QLabel, QWidget
from typing_extensions import override


class ElidingLabel(QLabel):
    """Plain text, never markup. `text()`, and so a screen reader, has the whole of it."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setTextFormat(Qt.TextFormat.PlainText)

    @property
    def shown_text(self) -> str:
        """What there is room for."""
        line = " ".join(self.text().splitlines())
        return self.fontMetrics().elidedText(line, Qt.TextElideMode.ElideRight, self.contentsRect().width())

    @override
    def minimumSizeHint(self) -> QSize:
        return QSize(1, super().minimumSizeHint().height())

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        self.drawFrame(painter)
        self.style().drawItemText(
            painter,
            self.contentsRect(),
            self.alignment(),
            self.palette(),
            self.isEnabled(),
            self.shown_text,
            self.foregroundRole(),
        )


def as_plain(text: str) -> str:
    """Return a text that a tooltip shows as it is: a token or a folder such as <s> would be taken for markup."""
    return f"<qt>{html.escape(text, quote=False)}</qt>" if "<" in text or "&" in text else text
