"""A sentence above the stage: a problem, or that something was done."""

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QLabel, QWidget

INFO_MS = 4000


class Notice(QLabel):
    """A problem stays until the next good picture, anything else for a few seconds."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("notice")
        self.setWordWrap(True)
        self.hide()
        self._outlives_next_picture = False
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(INFO_MS)
        self._timer.timeout.connect(self.hide)

    def say(self, text: str, *, problem: bool = True, outlives_next_picture: bool = False) -> None:
        """Show a sentence. One about a fallback outlives the picture that the fallback makes."""
        self._outlives_next_picture = outlives_next_picture
        self.setProperty("kind", "problem" if problem else "info")
        self.style().unpolish(self)
        self.style().polish(self)
        self.setText(text)
        self.show()
        if problem:
            self._timer.stop()
        else:
            self._timer.start()

    def make_way(self) -> None:
        """Hide a problem: a good picture has arrived."""
        if self._outlives_next_picture:
            self._outlives_next_picture = False
        elif not self._timer.isActive():
            self.hide()
