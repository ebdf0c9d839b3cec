"""The actions undo and redo: there only where they do something, and saying what."""

from PySide6.QtCore import QObject, Slot
from PySide6.QtGui import QUndoStack
from PySide6.QtWidgets import QApplication

from attnviz.gui.widgets.typing_end import finish_typing
from attnviz.gui.window.actions import Actions

_LONGEST = 60


class UndoActions(QObject):
    """Follows the undo stack of a window, and moves it. What stands half typed is the newest step, or none."""

    def __init__(self, stack: QUndoStack, actions: Actions, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._stack, self._actions = stack, actions
        # The stack is not asked: it also says so while it is being destroyed.
        stack.canUndoChanged.connect(actions["undo"].setEnabled)
        stack.canRedoChanged.connect(actions["redo"].setEnabled)
        stack.undoTextChanged.connect(self._name_undo)
        stack.redoTextChanged.connect(self._name_redo)
        for key, move in (("undo", self._undo), ("redo", self._redo)):
            actions[key].setEnabled(False)
            actions[key].triggered.connect(move)

    @Slot()
    def _undo(self) -> None:
        finish_typing(QApplication.focusWidget())
        self._stack.undo()

    @Slot()
    def _redo(self) -> None:
        finish_typing(QApplication.focusWidget())
        self._stack.redo()

    @Slot(str)
    def _name_undo(self, step: str) -> None:
        self._actions.rename("undo", f"{self.tr('Undo')} {_cut(step)}".rstrip())

    @Slot(str)
    def _name_redo(self, step: str) -> None:
        self._actions.rename("redo", f"{self.tr('Redo')} {_cut(step)}".rstrip())


def _cut(step: str) -> str:
    return step if len(step) <= _LONGEST else f"{step[: _LONGEST - 1]}…"
