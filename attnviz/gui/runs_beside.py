"""Runs that a room shows beside the spec's own, such as the same input under other mask policies."""

from PySide6.QtCore import QObject, Slot

from attnviz.experiment.labs import Event
from attnviz.gui.controller import Controller
from attnviz.gui.labs.room import BaseRoom


class RunsBeside(QObject):
    """Asks for them once the trace on screen is complete, and hands them to the room; no room asks by itself."""

    def __init__(self, controller: Controller, rooms: dict[str, BaseRoom], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._controller = controller
        self._rooms = rooms
        controller.settled.connect(self.ask)
        controller.beside_accepted.connect(self._show)
        for room in rooms.values():
            room.beside_changed.connect(self.ask)

    @Slot()
    def ask(self) -> None:
        """Ask for what the current room wants to show beside the trace on screen."""
        shown = self._controller.shown
        if shown is not None and shown.final and self._controller.up_to_date:
            self._controller.run_beside(self._rooms[shown.spec.lab].specs_beside(shown.spec))

    @Slot(object)
    def _show(self, events: tuple[Event, ...]) -> None:
        self._rooms[events[0].spec.lab].show_beside(events)
