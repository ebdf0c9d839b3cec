"""Runs that a room shows beside the spec's own, such as the same input under other mask policies."""

from PySide6.QtCore import QObject, Slot

from attnviz.experiment.labs import Asked, Event, Trace
from attnviz.gui.labs.room import AnyRoom
from attnviz.gui.labs.rooms import Rooms
from attnviz.gui.run.controller import Controller


class SideRuns(QObject):
    """Requests them when the trace on screen is complete, and passes their results to the room."""

    def __init__(self, controller: Controller, rooms: Rooms, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._controller = controller
        self._rooms = rooms
        self._pending: tuple[Asked, ...] = ()
        controller.settled.connect(self.ask)
        controller.trace_accepted.connect(self._ask_while_running)
        controller.beside_accepted.connect(self._show)
        controller.state_changed.connect(self._notice_stop)
        rooms.built.connect(self._take_in)

    @Slot(object)
    def _take_in(self, room: AnyRoom) -> None:
        room.beside_changed.connect(self.ask)

    @Slot()
    def ask(self) -> None:
        """Request the specs that the current room shows beside the trace on screen."""
        shown = self._controller.shown
        if shown is None or not self._controller.up_to_date:
            return
        room = self._rooms[shown.spec.lab]
        if not shown.final and not room.beside_while_running:
            return
        asked = room.specs_beside(shown.spec)
        if asked and (asked != self._pending or not self._controller.computing_beside):
            self._pending = asked
            self._controller.run_beside(asked)

    @Slot(object)
    def _ask_while_running(self, trace: Trace) -> None:
        if self._rooms[trace.spec.lab].beside_while_running:
            self.ask()

    @Slot()
    def _notice_stop(self) -> None:
        """Tell the room if the user cancelled its side run."""
        controller, shown = self._controller, self._controller.shown
        if self._pending and shown is not None and controller.up_to_date and not controller.computing_beside:
            self._pending = ()
            self._rooms[shown.spec.lab].beside_stopped()

    @Slot(object)
    def _show(self, events: tuple[Event, ...]) -> None:
        self._pending = ()
        self._rooms[events[0].spec.lab].show_beside(events)
