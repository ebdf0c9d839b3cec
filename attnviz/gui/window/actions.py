"""The window's actions: the table's rows, their texts, icons and shortcuts; undo and redo follow the undo stack."""

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import QObject, Qt, Slot
from PySide6.QtGui import QAction, QKeySequence, QUndoStack
from PySide6.QtWidgets import QApplication, QWidget

from attnviz.gui.session.manager import finish_typing
from attnviz.gui.theme import Look, icon
from attnviz.gui.widgets.labels import as_plain

FOR_AUDIENCE = "blank", "hide_numbers", "spotlight", "freeze"
"""The actions of Present alone."""
_LONGEST = 60
Shortcut = QKeySequence | QKeySequence.StandardKey | str


@dataclass(frozen=True, slots=True)
class ActionRow:
    """One action; ``slot`` is a method of a QObject of the window's thread, None if it is connected elsewhere."""

    key: str
    text: str
    icon: str
    shortcut: Shortcut | tuple[Shortcut, ...]
    """One, or several of which the first is named in tooltips."""
    slot: Callable[..., object] | None
    checkable: bool = False
    repeats: bool = True
    """Whether a held key repeats it."""
    where: str = ""
    """Where it works, for the list of shortcuts; "" is anywhere."""
    everywhere: bool = True
    """Whether its shortcut works in the whole window; else another part says where."""


class Actions:
    """The actions of a window by key."""

    def __init__(self, rows: tuple[ActionRow, ...], owner: QWidget) -> None:
        self._rows = rows
        self._actions: dict[str, QAction] = {}
        self._shown_as: dict[str, tuple[str, Look]] = {}
        for row in rows:
            action = QAction(row.text, owner)
            keys = row.shortcut if isinstance(row.shortcut, tuple) else (row.shortcut,)
            action.setShortcuts([QKeySequence(each) for each in keys if each])
            action.setCheckable(row.checkable)
            action.setAutoRepeat(row.repeats)
            action.setProperty("where", row.where)
            if row.slot is not None:
                action.triggered.connect(row.slot)
            if row.everywhere:
                owner.addAction(action)
            else:
                action.setShortcutContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
            self._actions[row.key] = action
            self.rename(row.key, row.text)

    def __getitem__(self, key: str) -> QAction:
        return self._actions[key]

    def rename(self, key: str, text: str) -> None:
        """Change an action's text in menus and in its tooltip, which also says its shortcut."""
        action = self._actions[key]
        keys = action.shortcut().toString(QKeySequence.SequenceFormat.NativeText)
        action.setText(text.replace("&", "&&"))  # as a menu shows a single & as a mnemonic
        action.setToolTip(as_plain(f"{text.removesuffix(' ...')} ({keys})" if keys else text))

    def restyle(self, look: Look) -> None:
        """Draw the icons in the theme's colour."""
        self._shown_as.clear()
        for row in self._rows:
            if row.icon:
                self._actions[row.key].setIcon(icon(row.icon, look.theme.text, look.px(16)))

    def show_as(self, key: str, text: str, icon_name: str, look: Look) -> None:
        """Give one action another text and icon, such as when run becomes pause."""
        if self._shown_as.get(key) != (icon_name, look):
            self._shown_as[key] = icon_name, look
            self.rename(key, text)
            self._actions[key].setIcon(icon(icon_name, look.theme.text, look.px(16)))


class UndoActions(QObject):
    """Connects undo and redo to the window's undo stack. Half-typed values are committed first."""

    def __init__(self, stack: QUndoStack, actions: Actions, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._stack, self._actions = stack, actions
        # The signals' own values: the stack also emits while it is being destroyed.
        stack.canUndoChanged.connect(actions["undo"].setEnabled)
        stack.canRedoChanged.connect(actions["redo"].setEnabled)
        stack.undoTextChanged.connect(self._name_undo)
        stack.redoTextChanged.connect(self._name_redo)
        actions["undo"].setEnabled(stack.canUndo())
        actions["redo"].setEnabled(stack.canRedo())
        self._name_undo(stack.undoText())
        self._name_redo(stack.redoText())
        for key in ("undo", "redo"):
            actions[key].triggered.connect(self._move)

    @Slot()
    def _move(self) -> None:
        undoes = self.sender() is self._actions["undo"]
        finish_typing(QApplication.focusWidget())
        if undoes:
            self._stack.undo()
        else:
            self._stack.redo()

    @Slot(str)
    def _name_undo(self, step: str) -> None:
        self._actions.rename("undo", f"{self.tr('Undo')} {_cut(step)}".rstrip())

    @Slot(str)
    def _name_redo(self, step: str) -> None:
        self._actions.rename("redo", f"{self.tr('Redo')} {_cut(step)}".rstrip())


def _cut(step: str) -> str:
    return step if len(step) <= _LONGEST else f"{step[: _LONGEST - 1]}…"
