"""The message below the stage: a problem of a run, or a note about what was done."""

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent, QMouseEvent
from typing_extensions import override

from attnviz.gui.theme import set_state
from attnviz.gui.widgets.labels import WrappedLabel

INFO_MS, TOLD_MS, EXPIRED_MS = 4000, 20_000, 400


class Notice(WrappedLabel):
    """A problem of a run stays until the next good picture, other messages for some seconds; a click hides either.

    It has a row of its own below the stage, so that it covers no text, and the choices above the picture do not move.
    """

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("notice")
        self.setTextFormat(Qt.TextFormat.PlainText)  # a line of a file may look like markup
        self.setToolTip(self.tr("Click to hide"))
        self.hide()
        self._outlives_next_picture = False
        self._timer, self._expiry = QTimer(self, singleShot=True), QTimer(self, singleShot=True)
        for timer in (self._timer, self._expiry):
            timer.timeout.connect(self.hide)

    def say(self, text: str, *, problem: bool = True, outlives_next_picture: bool = False) -> None:
        """Show a message. One about a fallback outlives the fallback's picture."""
        self._outlives_next_picture = outlives_next_picture
        self._expiry.stop()
        set_state(self, "kind", "problem" if problem else "info")
        self.setText(text)
        self.show()
        if QAccessible.isActive():
            QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self, text))
        if problem:
            self._timer.stop()
        else:
            self._timer.start(INFO_MS)

    def tell(self, text: str, problem: bool = True) -> None:
        """Show a message unrelated to the picture: a running training would otherwise remove it at once."""
        self.say(text, problem=problem)
        if problem:
            self._timer.start(TOLD_MS)

    @override
    def mousePressEvent(self, event: QMouseEvent) -> None:
        self.hide()

    def expire(self) -> None:
        """Hide a problem whose subject is gone, after a delay: it may recur."""
        if not (self._outlives_next_picture or self._timer.isActive()):
            self._expiry.start(EXPIRED_MS)

    def make_way(self) -> None:
        """Hide a problem: a good picture has arrived."""
        if self._outlives_next_picture:
            self._outlives_next_picture = False
        elif not self._timer.isActive():
            self.hide()
