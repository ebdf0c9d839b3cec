"""The mark of an outdated picture."""

from PySide6.QtCore import QTimer, Signal, Slot
from PySide6.QtWidgets import QLabel, QSizePolicy, QWidget

from attnviz.experiment.labs import Trace
from attnviz.gui.run.controller import Controller

LONG_MS = 100
"""The time in milliseconds after which the picture on screen is marked during a run."""


class LastGoodMark(QLabel):
    """Label before the sentence about the picture."""

    turned = Signal()
    """It has appeared or disappeared."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(self.tr("Last good picture"), parent)
        self.setObjectName("lastGood")
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self._of: Trace | None = None
        """The picture that was on screen when it was last asked."""
        self._late = QTimer(self, singleShot=True, interval=LONG_MS)
        self._late.timeout.connect(self._appear)
        self.hide()

    def show_for(self, controller: Controller, *, has_picture: bool, not_run: bool) -> None:
        """Show the mark if the picture belongs to an earlier run than requested, or the spec cannot be run yet.

        While the run is in progress, wait a tenth of a second for a new picture.
        """
        moved, self._of = controller.shown is not self._of, controller.shown
        self.setToolTip(
            self.tr("A field holds a value that cannot be run; the picture shows the spec without it")
            if not_run
            else ""
        )
        if not has_picture or not (not_run or controller.shows_last_good):
            self._turn(False)
        elif not_run or controller.has_failed or not controller.computing:
            self._turn(True)
        elif moved or (self.isHidden() and not self._late.isActive()):
            self._turn(False)
            self._late.start()

    @Slot()
    def _appear(self) -> None:
        self._turn(True)

    def _turn(self, on: bool) -> None:
        self._late.stop()
        if on is self.isHidden():
            self.setVisible(on)
            self.turned.emit()
