"""What a session is in the window: its spec, how it is looked at, the pinned run and the notes, each in its place."""

from typing import NamedTuple

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtGui import QUndoCommand

from attnviz.experiment.labs import Spec
from attnviz.experiment.presets import opening_spec
from attnviz.experiment.session import Session
from attnviz.gui.labs.room import AnyRoom
from attnviz.gui.labs.rooms import Rooms
from attnviz.gui.run.controller import Controller
from attnviz.gui.window.notes import Notes


class Work(NamedTuple):
    """What of a session is work that can be lost; how it is looked at is none."""

    spec: Spec
    pinned: Spec | None
    notes: str


class SessionParts(QObject):
    """Gathers a session from the window's parts, and hands a session's parts out to them."""

    changed = Signal()
    """`work` may be another."""

    def __init__(self, controller: Controller, rooms: Rooms, notes: Notes, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._controller, self._rooms, self._notes = controller, rooms, notes
        controller.spec_changed.connect(self.changed)
        notes.changed.connect(self.changed)
        rooms.built.connect(self._take_in)

    @property
    def work(self) -> Work:
        """What would be lost."""
        pinned = next((room.pinned_spec for room in self._rooms.values() if room.pinned_spec is not None), None)
        return Work(self._controller.spec, pinned, self._notes.text)

    def session(self) -> Session:
        """Return the session as it is now."""
        work = self.work
        view = self._rooms[work.spec.lab].view_settings()
        return Session(spec=work.spec, view=view, pinned=work.pinned, notes=work.notes)

    def new_session(self) -> Session:
        """Return what the current lab begins with, in the colours that are chosen."""
        spec = opening_spec(self._controller.spec.lab)
        view = self._rooms[spec.lab].view_settings()
        return Session(spec=spec, view=type(view)(colour_map=view.colour_map))

    def take_step(self, step: QUndoCommand) -> None:
        """Do something that can be undone."""
        self._controller.undo_stack.push(step)

    def lay_out(self, session: Session) -> None:
        """Show a session. Without a view of its own the look stays."""
        if session.spec != self._controller.spec:
            self._controller.make_current(session.spec)
        self.lay_out_around(session)

    def lay_out_around(self, session: Session) -> None:
        """Show all of a session but its spec, which is the current one."""
        if session.pinned is not None:
            self._rooms[session.pinned.lab].pin(session.pinned)
        else:
            for room in self._rooms.values():
                room.pin(None)
        if session.view is not None:
            self._rooms.set_map(session.view.colour_map)
            self._rooms[session.spec.lab].apply_view(session.view)
        self._notes.set_text(session.notes)

    @Slot(object)
    def _take_in(self, room: AnyRoom) -> None:
        room.pinned_changed.connect(self.changed)
