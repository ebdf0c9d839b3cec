"""What is left to do until a window has been painted for the first time."""

from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtWidgets import QWidget
from typing_extensions import override


class FirstPaint(QObject):
    """Calls a slot once a window, with all that is in it, has been painted."""

    _seen = Signal()

    def __init__(self, window: QWidget, slot: Callable[[], None]) -> None:
        super().__init__(window)
        # Parts of the window are painted with it, in one event; what is queued in it comes after them all.
        self._seen.connect(slot, Qt.ConnectionType.QueuedConnection)
        window.installEventFilter(self)

    @override
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Paint:
            watched.removeEventFilter(self)
            self._seen.emit()
            self.deleteLater()
        return False
