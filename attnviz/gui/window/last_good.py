"""The mark over a picture that is not of what was asked for."""

from PySide6.QtCore import QEvent, QObject, Qt, QTimer
from PySide6.QtWidgets import QLabel, QWidget
from typing_extensions import override

from attnviz.gui.run.controller import Controller

LONG_MS = 100
"""How long a run may take before the picture on screen is marked."""
_GAP, _LINES_ABOVE = 16, 2.4
"""Its distance to the right edge in pixels, and to the upper edge in heights of its own."""


class LastGoodMark(QLabel):
    """Overlays the upper right of its parent, below the row of choices, and lets the mouse through to it."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(self.tr("Last good picture"), parent)
        self._over = parent
        self.setObjectName("lastGood")
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._late = QTimer(self, singleShot=True, interval=LONG_MS)
        self._late.timeout.connect(self._appear)
        parent.installEventFilter(self)
        self.hide()

    def show_for(self, controller: Controller, *, has_picture: bool, not_run: bool) -> None:
        """Show the mark if the picture is of an earlier run than the one asked for, or than what cannot be run yet.

        While that is under way, only after a tenth of a second.
        """
        if not has_picture or not (not_run or controller.shows_last_good):
            self._late.stop()
            self.hide()
        elif not_run or controller.has_failed or not controller.computing:
            self._appear()
        elif self.isHidden() and not self._late.isActive():
            self._late.start()

    @override
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize:
            self._fit()
        return False

    def _appear(self) -> None:
        self._late.stop()
        self._fit()
        self.show()
        self.raise_()

    def _fit(self) -> None:
        self.adjustSize()
        self.move(self._over.width() - self.width() - _GAP, round(_LINES_ABOVE * self.height()))
