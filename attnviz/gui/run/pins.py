"""The pinned runs of a window, at most one in each lab."""

from collections.abc import Iterable

from PySide6.QtCore import QObject, Signal, Slot

from attnviz.experiment.labs import LABS
from attnviz.experiment.pin import Pin


class Pins(QObject):
    """Holds a pin for each lab; rooms show them, sessions save them."""

    changed = Signal(str)
    """The pin of this lab was replaced, or is to be run again."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._pins: dict[str, Pin | None] = dict.fromkeys(LABS)

    def __getitem__(self, lab: str) -> Pin | None:
        """Return the pin of a lab; None if nothing is pinned there."""
        return self._pins[lab]

    @property
    def all(self) -> tuple[Pin, ...]:
        """Every pin, in the order of the labs."""
        return tuple(filter(None, self._pins.values()))

    @Slot(str, object)
    def put(self, lab: str, pin: Pin | None) -> None:
        """Pin a run in a lab, or unpin (None)."""
        if pin != self._pins[lab]:
            self._pins[lab] = pin
            self.changed.emit(lab)

    def put_all(self, pins: Iterable[Pin]) -> None:
        """Pin these runs and no others; a failed one is run again."""
        self._pins = dict.fromkeys(LABS) | {pin.lab: pin for pin in pins}
        for lab in self._pins:
            self.changed.emit(lab)
