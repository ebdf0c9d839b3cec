"""Python's garbage collection, in the window's thread and nowhere else."""

import gc

from PySide6.QtCore import QObject, QTimer, Slot

INTERVAL_MS = 1000


class GarbageCollector(QObject):
    """Collects on a timer, in place of whichever thread happens to allocate.

    Widgets must be destroyed in the thread that made them; collected in the worker, one of them crashes Qt.
    """

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        gc.disable()
        self._timer = QTimer(self)
        self._timer.setInterval(INTERVAL_MS)
        self._timer.timeout.connect(self._collect)
        self._timer.start()

    def close(self) -> None:
        """Leave it to Python again, what was passed over included."""
        self._timer.stop()
        gc.unfreeze()
        gc.enable()

    @Slot()
    def keep_what_is_loaded(self) -> None:
        """Pass over all that there is from now on.

        Modules, torch's above all, are half a million objects that never go; going through them takes 0.1 s or more.
        """
        gc.freeze()

    @Slot()
    def _collect(self) -> None:
        """Collect the generations that are due, as Python would."""
        due = [count > most for count, most in zip(gc.get_count(), gc.get_threshold(), strict=True)]
        if due[0]:
            gc.collect(2 if all(due) else 1 if due[1] else 0)
