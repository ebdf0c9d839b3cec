"""Stepping through the stages of the mechanism, in whichever lab is on screen."""

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Slot
from PySide6.QtGui import QKeySequence

from attnviz.gui.labs.room import AnyRoom

if TYPE_CHECKING:
    from attnviz.gui.window.main_window import MainWindow


class StageSteps(QObject):
    """What the window's actions on stages do."""

    def __init__(self, window: "MainWindow") -> None:
        super().__init__(window)
        self._window = window
        window.rooms.built.connect(self._say_keys)

    @Slot()
    def play(self) -> None:
        """Step through the stages by themselves, or stop."""
        self._window.room.stage.player.toggle()

    @Slot()
    def next(self) -> None:
        """Show the next stage."""
        self._window.room.stage.strip.go(1)

    @Slot()
    def previous(self) -> None:
        """Show the stage before."""
        self._window.room.stage.strip.go(-1)

    @Slot(object)
    def _say_keys(self, room: AnyRoom) -> None:
        keys = self._window.actions_["play_stages"].shortcut()
        room.stage.player.say_keys(keys.toString(QKeySequence.SequenceFormat.NativeText))
