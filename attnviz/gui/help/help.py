"""Opens the manual at the current topic, the list of shortcuts, and About; each is imported on first use."""

from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QObject, Slot
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QApplication, QMainWindow, QWidget
from shiboken6 import isValid

from attnviz.gui.help.places import LEARNED_WEIGHTS, HelpPlace, place_of
from attnviz.gui.labs.room import AnyRoom
from attnviz.gui.theme import Look
from attnviz.gui.window.panels import Panels

if TYPE_CHECKING:
    from attnviz.gui.help.about import AboutDialog
    from attnviz.gui.help.manual import Manual
    from attnviz.gui.help.shortcuts import ShortcutsSheet


class HelpContext(NamedTuple):
    """The current state of the window."""

    room: AnyRoom
    look: Look
    devices: str


class Help(QObject):
    """The help of a window. ``shown`` returns the window's state."""

    def __init__(self, window: QMainWindow, panels: Panels, shown: Callable[[], HelpContext]) -> None:
        super().__init__(window)
        self._window, self._panels, self._shown = window, panels, shown
        self._focus: QWidget | None = None

    @cached_property
    def manual(self) -> "Manual":
        """The manual, beside the picture."""
        from attnviz.gui.help.manual import Manual

        manual = Manual()
        manual.close_asked.connect(self.close_manual)
        self._panels.add_beside(manual)
        self._panels.beside_folded.connect(self.close_manual)
        return manual

    @cached_property
    def shortcuts(self) -> "ShortcutsSheet":
        """The list of all shortcuts and gestures."""
        from attnviz.gui.help.shortcuts import ShortcutsSheet

        return ShortcutsSheet(self._window)

    @cached_property
    def about(self) -> "AboutDialog":
        """Versions and licence."""
        from attnviz.gui.help.about import AboutDialog

        return AboutDialog(self._window)

    @property
    def has_manual_open(self) -> bool:
        """Whether the manual is on screen."""
        return "manual" in self.__dict__ and self.manual.isVisibleTo(self._window)

    @property
    def has_focus(self) -> bool:
        """Whether the manual has the keyboard focus."""
        focus = QApplication.focusWidget()
        return self.has_manual_open and focus is not None and self.manual.isAncestorOf(focus)

    @Slot()
    def open_manual(self) -> None:
        """Show the manual at the section about the focused widget; from the manual itself, close it."""
        if self.has_focus:
            self.close_manual()
        else:
            self._open_at(place_of(QApplication.focusWidget(), self._shown().room))

    @Slot()
    def open_at_learning(self) -> None:
        """Show the manual at the section about learned weights."""
        self._open_at(LEARNED_WEIGHTS)

    def _open_at(self, place: HelpPlace) -> None:
        self._focus = QApplication.focusWidget()
        if not self.has_manual_open:
            self._panels.show_beside(self.manual)
        self.manual.go(place)
        self.manual.text.setFocus()

    @Slot()
    def close_manual(self) -> None:
        """Show the inspector again, and restore the focus."""
        self._panels.show_beside(None)
        if self._focus is not None and isValid(self._focus) and self._focus.isVisible():
            self._focus.setFocus()
        self._focus = None

    @Slot()
    def open_shortcuts(self) -> None:
        """Show all shortcuts and gestures."""
        from attnviz.gui.help.shortcuts import gestures_of

        native = QKeySequence.SequenceFormat.NativeText
        self.shortcuts.open_with(gestures_of(self._window.actions(), native), self._shown().look)

    @Slot()
    def open_about(self) -> None:
        """Show versions and licence."""
        shown = self._shown()
        self.about.open_with(shown.devices, shown.look)
