"""The actions undo and redo: there only where they do something, and saying what."""

from PySide6.QtCore import QObject, Slot
from PySide6.QtGui import QUndoStack

from attnviz.gui.actions import Actions

_LONGEST = 60


class UndoActions(QObject):
    """Follows the undo stack of a window."""

    def __init__(self, stack: QUndoStack, actions: Actions, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._actions = actions
        # The stack is not asked: it also says so while it is being destroyed.
        stack.canUndoChanged.connect(actions["undo"].setEnabled)
        stack.canRedoChanged.connect(actions["redo"].setEnabled)
        stack.undoTextChanged.connect(self._name_undo)
        stack.redoTextChanged.connect(self._name_redo)
        for key in ("undo", "redo"):
            actions[key].setEnabled(False)

    @Slot(str)
    def _name_undo(self, step: str) -> None:
        self._actions.rename("undo", f"{self.tr('Undo')} {_cut(step)}".rstrip())

    @Slot(str)
    def _name_redo(self, step: str) -> None:
        self._actions.rename("redo", f"{self.tr('Redo')} {_cut(step)}".rstrip())


def _cut(step: str) -> str:
    return step if len(step) <= _LONGEST else f"{step[: _LONGEST - 1]}…"
