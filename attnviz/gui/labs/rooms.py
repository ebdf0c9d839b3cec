"""The rooms of all labs, one row each; a window's rooms, each built when its lab is first entered; their side runs."""

from collections.abc import Callable, Collection
from dataclasses import dataclass

from PySide6.QtCore import QObject, QSettings, Signal, Slot
from PySide6.QtWidgets import QWidget

from attnviz.definitions.labs import LAB_NAMES
from attnviz.definitions.registry import Registry
from attnviz.experiment.labs import Asked, Event, Trace
from attnviz.gui.labs.room import AnyRoom, RoomState
from attnviz.gui.run.background import Background
from attnviz.gui.run.controller import Controller
from attnviz.gui.run.mailbox import SideProgress
from attnviz.gui.run.pins import Pins
from attnviz.gui.theme import Look


@dataclass(frozen=True, slots=True)
class LabRoom:
    """The room of a lab, imported on demand."""

    name: str
    load: Callable[[], type[AnyRoom]]
    """Imports and returns the room's class."""

    @property
    def title(self) -> str:
        """The lab's title in the window."""
        return LAB_NAMES[self.name].title


def _attention() -> type[AnyRoom]:
    from attnviz.gui.labs.attention.room import AttentionRoom

    return AttentionRoom


def _regression() -> type[AnyRoom]:
    from attnviz.gui.labs.regression.room import RegressionRoom

    return RegressionRoom


def _train() -> type[AnyRoom]:
    from attnviz.gui.labs.train.room import TrainRoom

    return TrainRoom


def _model() -> type[AnyRoom]:
    from attnviz.gui.labs.model.room import ModelRoom

    return ModelRoom


ROOMS: Registry[LabRoom] = Registry(
    "lab",
    (
        LabRoom("attention", _attention),
        LabRoom("regression", _regression),
        LabRoom("train", _train),
        LabRoom("model", _model),
    ),
)


class Rooms(QObject):
    """Builds rooms with the current look and colour map.

    The window opens with one room, since the plots of another lab take as long to import and build as all the rest.
    """

    built = Signal(object)
    """A new room, emitted before it is used."""

    map_changed = Signal(str)
    """The colour map of weights has changed to this one."""

    def __init__(self, look: Look, window: QWidget) -> None:
        super().__init__(window)
        self._window = window
        self._look = look
        self.pins = Pins(self)
        """What is pinned in each lab."""
        self.pins.changed.connect(self._show_pin)
        self._map_name: str | None = None
        self._settings: QSettings | None = None
        self._rooms: dict[str, AnyRoom] = {}
        self._kept: dict[str, RoomState] = {}  # of another window's rooms, for those that are not built yet
        self._outdated: set[str] = set()
        self._loading = Background(self)

    def __getitem__(self, lab: str) -> AnyRoom:
        """Return the room of a lab, and build it if this is its first use."""
        if lab not in self._rooms:
            room: AnyRoom = ROOMS[lab].load()(self._look, self._window)
            self._rooms[lab] = room
            self.built.emit(room)
            room.restyle(self._look)
            if self._map_name is not None:
                room.set_map(self._map_name)
            if self._settings is not None:
                room.remember_in(self._settings)
            room.pin_asked.connect(self.pins.put)
            room.show_pin(self.pins[lab])
            if lab in self._kept:
                room.restore(self._kept.pop(lab))
        return self._rooms[lab]

    def remember_in(self, settings: QSettings) -> None:
        """Let every room, also later ones, store in settings what outlives the window."""
        self._settings = settings
        for room in self._rooms.values():
            room.remember_in(settings)

    def take_over(self, others: "Rooms") -> None:
        """Restore the views and colours of another window's rooms, once they are built."""
        if others._settings is not None:
            self.remember_in(others._settings)
        if others._map_name is not None:
            self.set_map(others._map_name)
        self._kept = others._kept | {lab: room.state() for lab, room in others._rooms.items()}
        for lab in self._kept.keys() & self._rooms.keys():
            self._rooms[lab].restore(self._kept.pop(lab))

    def values(self) -> Collection[AnyRoom]:
        """Return the rooms that are built."""
        return self._rooms.values()

    def restyle(self, look: Look, on_screen: Collection[str]) -> None:
        """Apply a theme and type scale to the rooms of the labs on screen; the others follow when they are entered."""
        self._look = look
        self._outdated = set(self._rooms)
        for lab in on_screen:
            self.enter(lab)

    def enter(self, lab: str) -> AnyRoom:
        """Return the room of a lab, which is about to be shown, in the current look."""
        room = self[lab]
        if lab in self._outdated:
            self._outdated.remove(lab)
            room.restyle(self._look)
        return room

    @Slot(str)
    def set_map(self, name: str) -> None:
        """Draw weights in another colour map."""
        self._map_name = name
        for room in self._rooms.values():
            room.set_map(name)
        self.map_changed.emit(name)

    @Slot(str)
    def _show_pin(self, lab: str) -> None:
        if lab in self._rooms:
            self._rooms[lab].show_pin(self.pins[lab])

    @Slot()
    def load_others(self) -> None:
        """Import the other rooms' modules in another thread, so that entering a lab does not wait for imports."""
        self._loading.start(_load)


def _load() -> None:
    for row in ROOMS.values():
        row.load()


class SideRuns(QObject):
    """Requests side runs when the trace on screen is complete, and passes their results to the room."""

    def __init__(self, controller: Controller, rooms: Rooms, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._controller = controller
        self._rooms = rooms
        self._pending: tuple[Asked, ...] = ()
        controller.settled.connect(self.ask)
        controller.trace_accepted.connect(self._ask_while_running)
        controller.beside_advanced.connect(self._show_part)
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
        if shown is None or not self._controller.up_to_date or self._controller.shows_stored:
            return
        room = self._rooms[shown.spec.lab]
        # A step of a run that plays by itself, such as a new token, counts once nothing more is computed.
        rests = not shown.spec.waits and not self._controller.computing
        if not (shown.final or room.beside_while_running or rests):
            return
        asked = room.specs_beside(shown.spec)
        if asked and (asked != self._pending or not self._controller.computing_beside):
            self._pending = asked
            self._controller.run_beside(asked)

    @Slot(object)
    def _ask_while_running(self, trace: Trace) -> None:
        if self._rooms[trace.spec.lab].beside_while_running or not trace.spec.waits:
            self.ask()

    @Slot()
    def _notice_stop(self) -> None:
        """Tell the room if the user cancelled its side run."""
        controller, shown = self._controller, self._controller.shown
        if self._pending and shown is not None and controller.up_to_date and not controller.computing_beside:
            self._pending = ()
            self._rooms[shown.spec.lab].beside_stopped()

    @Slot(object)
    def _show_part(self, part: SideProgress) -> None:
        self._rooms[part.asked.lab].show_part(part.asked, part.done, part.count)

    @Slot(object)
    def _show(self, events: tuple[Event, ...]) -> None:
        self._pending = ()
        self._rooms[events[0].spec.lab].show_beside(events)
