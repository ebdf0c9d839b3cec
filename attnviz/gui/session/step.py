"""The step of undo from one session to the next: each comes back with its file, its pinned run and its notes."""

from collections.abc import Callable

from PySide6.QtGui import QUndoCommand

from attnviz.experiment.session import Session
from attnviz.gui.session.source import Home

Left = tuple[Session, Home]
"""A session as it was left."""


class SessionStep(QUndoCommand):
    """From one session to another and back; ``swap`` shows the one it is given and returns the one it found."""

    def __init__(self, swap: Callable[[Left], Left], other: Left, said: str) -> None:
        super().__init__(said)
        self._swap, self._other = swap, other

    def redo(self) -> None:
        """Go to the newer session."""
        self._other = self._swap(self._other)

    def undo(self) -> None:
        """Go back to the older session."""
        self._other = self._swap(self._other)
