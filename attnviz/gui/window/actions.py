"""Every action of the window in one table: key, text, icon, shortcut, slot."""

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QWidget

from attnviz.gui.icons import icon
from attnviz.gui.theme import Look


@dataclass(frozen=True, slots=True)
class ActionRow:
    """One action; ``slot`` is a method of a QObject of the window's thread, None where another part connects it."""

    key: str
    text: str
    icon: str
    shortcut: QKeySequence | QKeySequence.StandardKey | str
    slot: Callable[..., None] | None
    checkable: bool = False


class Actions:
    """The actions of a window by key."""

    def __init__(self, rows: tuple[ActionRow, ...], owner: QWidget) -> None:
        self._rows = rows
        self._actions: dict[str, QAction] = {}
        self._shown_as: dict[str, tuple[str, Look]] = {}
        for row in rows:
            action = QAction(row.text, owner)
            action.setShortcut(QKeySequence(row.shortcut))
            action.setCheckable(row.checkable)
            if row.slot is not None:
                action.triggered.connect(row.slot)
            owner.addAction(action)
            self._actions[row.key] = action
            self.rename(row.key, row.text)

    def __getitem__(self, key: str) -> QAction:
        return self._actions[key]

    def rename(self, key: str, text: str) -> None:
        """Call an action otherwise, in menus and in its tooltip, which also says its shortcut."""
        action = self._actions[key]
        keys = action.shortcut().toString(QKeySequence.SequenceFormat.NativeText)
        action.setText(text.replace("&", "&&"))  # which a menu shows as it is
        action.setToolTip(f"{text.removesuffix(' ...')} ({keys})" if keys else text)

    def restyle(self, look: Look) -> None:
        """Draw the icons in the theme's colour."""
        self._shown_as.clear()
        for row in self._rows:
            if row.icon:
                self._actions[row.key].setIcon(icon(row.icon, look.theme.text, look.px(16)))

    def show_as(self, key: str, text: str, icon_name: str, look: Look) -> None:
        """Give one action another text and icon, as run becomes pause."""
        if self._shown_as.get(key) != (icon_name, look):
            self._shown_as[key] = icon_name, look
            self.rename(key, text)
            self._actions[key].setIcon(icon(icon_name, look.theme.text, look.px(16)))
