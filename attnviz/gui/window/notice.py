"""A sentence over the top of the stage: a problem, or that something was done."""

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent, QMouseEvent
from PySide6.QtWidgets import QLabel, QWidget
from typing_extensions import override

INFO_MS, TOLD_MS = 4000, 20_000


class Notice(QLabel):
    """A problem of a run stays until the next good picture, anything else for some seconds; a click hides either.

    It overlays its parent, so that no picture moves when it appears or disappears.
    """

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("notice")
        self.setWordWrap(True)
        self.setTextFormat(Qt.TextFormat.PlainText)  # a line of a file may look like markup
        self.setToolTip(self.tr("Click to hide"))
        self.hide()
        self._outlives_next_picture = False
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(INFO_MS)
        self._timer.timeout.connect(self.hide)
        self._told = QTimer(self)
        self._told.setSingleShot(True)
        self._told.setInterval(TOLD_MS)
        self._told.timeout.connect(self.hide)

    def say(self, text: str, *, problem: bool = True, outlives_next_picture: bool = False) -> None:
        """Show a sentence. One about a fallback outlives the picture that the fallback makes."""
        self._outlives_next_picture = outlives_next_picture
        self.setProperty("kind", "problem" if problem else "info")
        self.style().unpolish(self)
        self.style().polish(self)
        self.setText(text)
        self.fit()
        self.show()
        self.raise_()
        if QAccessible.isActive():
            QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self, text))
        self._told.stop()
        if problem:
            self._timer.stop()
        else:
            self._timer.start()

    def tell(self, text: str, problem: bool = True) -> None:
        """Show a sentence that has nothing to do with the picture: a training under way would wipe it off at once."""
        self.say(text, problem=problem)
        if problem:
            self._told.start()

    def fit(self) -> None:
        """Take the width of the parent, and the height that the sentence needs."""
        over = self.parentWidget()
        if over is not None:
            self.setGeometry(0, 0, over.width(), self.heightForWidth(over.width()))

    @override
    def mousePressEvent(self, event: QMouseEvent) -> None:
        self.hide()

    def make_way(self) -> None:
        """Hide a problem: a good picture has arrived."""
        if self._outlives_next_picture:
            self._outlives_next_picture = False
        elif not self._timer.isActive() and not self._told.isActive():
            self.hide()
