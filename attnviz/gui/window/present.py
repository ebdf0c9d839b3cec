"""Present: the window for an audience. Its keys work only there, and Esc undoes the last mode first."""

from collections.abc import Callable

from PySide6.QtCore import QObject, Qt, Slot
from PySide6.QtGui import QScreen
from PySide6.QtWidgets import QPlainTextEdit, QWidget

from attnviz.gui.theme import Look
from attnviz.gui.widgets.layouts import column_of
from attnviz.gui.window.actions import FOR_AUDIENCE, Actions
from attnviz.gui.window.covers import Blank, Frozen, Spotlight
from attnviz.gui.window.notes import Notes
from attnviz.gui.window.panels import Panels
from attnviz.gui.window.screens import other_screen

_STEPS = ("present_previous", "present_next")
"""Those of the arrow keys, which move what is held while something is."""


class NotesWindow(QWidget):
    """The notes for reading, on another screen than the audience's."""

    def __init__(self, notes: Notes, window: QWidget) -> None:
        super().__init__(window, Qt.WindowType.Window)
        self._notes = notes
        self.setWindowTitle(self.tr("Notes - attnviz"))
        self.setAttribute(Qt.WidgetAttribute.WA_ShowWithoutActivating)
        self.text = QPlainTextEdit()
        self.text.setReadOnly(True)
        self.text.setAccessibleName(self.tr("Notes"))
        column_of(self, self.text)
        notes.changed.connect(self._follow)

    def show_on(self, screen: QScreen) -> None:
        """Fill most of a screen."""
        self._follow()
        room = screen.availableGeometry()
        self.setGeometry(room.adjusted(room.width() // 8, room.height() // 8, -room.width() // 8, -room.height() // 8))
        self.show()

    @Slot()
    def _follow(self) -> None:
        if self.text.toPlainText() != self._notes.text:
            self.text.setPlainText(self._notes.text)


class Presentation(QObject):
    """The covers of the window in Present, and the actions available there."""

    def __init__(self, window: QWidget, over: QWidget, panels: Panels, describe: Callable[[], str]) -> None:
        super().__init__(window)
        self._window, self._panels = window, panels
        self._describe = describe
        self._actions: Actions | None = None
        self._on = False
        self._held = self._asked = False
        self._focus: QWidget | None = None
        self.blank = Blank(over)
        self.frozen = Frozen(over, panels.page)
        self.spotlight = Spotlight(over)
        self.notes = NotesWindow(panels.notes, window)

    def take_actions(self, actions: Actions) -> None:
        """Take the window's actions, some of which work only in Present."""
        self._actions = actions
        for key in _STEPS:
            self._panels.stages.addAction(actions[key])
        self._enable()

    def restyle(self, look: Look) -> None:
        """Start or end Present, or apply a theme and type scale."""
        for part in (self.blank, self.frozen, self.spotlight):
            part.restyle(look)
        if look.present is not self._on:
            self._on = look.present
            self._enable()
            if self._on:
                self._begin()
            else:
                self._end()

    def take_held(self, held: bool) -> None:
        """Let the arrows move a locked cell, or step through the stages without one."""
        if held is not self._held:
            self._held = held
            self._enable()

    def take_question(self, asked: bool) -> None:
        """Leave the letter B to the choices of a lesson's question while one is asked."""
        self._asked = asked
        self._enable()

    def escape(self) -> bool:
        """Remove a cover; return whether there was one."""
        for cover in (self.blank, self.spotlight, self.frozen):
            if cover.on:
                cover.uncover()
                return True
        return False

    @Slot()
    def toggle_freeze(self) -> None:
        """Freeze the picture on screen, whatever runs behind it, or show the newest again."""
        if self.frozen.on:
            self.frozen.uncover()
        else:
            self.frozen.freeze(self.tr("Frozen: {0}").format(self._describe()), self._panels.strip_place)
            self.spotlight.raise_()

    def _enable(self) -> None:
        assert self._actions is not None
        for key in FOR_AUDIENCE:
            self._actions[key].setEnabled(self._on and not (key == "blank" and self._asked))
        for key in _STEPS:
            self._actions[key].setEnabled(self._on and not self._held)

    def _begin(self) -> None:
        self._focus = self._window.focusWidget()
        self._panels.focus_stage()
        screen = other_screen(self._window)
        if screen is not None and self._panels.notes.text:
            self.notes.show_on(screen)

    def _end(self) -> None:
        for cover in (self.blank, self.frozen, self.spotlight):
            cover.uncover()
        self.notes.hide()
        if self._focus is not None:
            self._focus.setFocus()
        self._focus = None
