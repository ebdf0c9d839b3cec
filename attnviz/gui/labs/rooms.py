"""The rooms of a window, one for each lab; a room is built when its lab is first entered."""

from collections.abc import Collection

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtWidgets import QWidget

from attnviz.gui.labs.registry import ROOMS
from attnviz.gui.labs.room import AnyRoom
from attnviz.gui.run.background import Background
from attnviz.gui.theme import Look


class Rooms(QObject):
    """Builds rooms with the current look and colour map.

    The window opens with one room, for the plots of another lab take as long to load and to build as all the rest.
    """

    built = Signal(object)
    """A new room, emitted before it is used."""

    map_changed = Signal(str)
    """The colour map of weights has changed to this one."""

    def __init__(self, look: Look, window: QWidget) -> None:
        super().__init__(window)
        self._window = window
        self._look = look
        self._map_name: str | None = None
        self._rooms: dict[str, AnyRoom] = {}
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
        return self._rooms[lab]

    def values(self) -> Collection[AnyRoom]:
        """Return the rooms that are built."""
        return self._rooms.values()

    def restyle(self, look: Look) -> None:
        """Apply a theme and type scale."""
        self._look = look
        for room in self._rooms.values():
            room.restyle(look)

    @Slot(str)
    def set_map(self, name: str) -> None:
        """Draw weights in another colour map."""
        self._map_name = name
        for room in self._rooms.values():
            room.set_map(name)
        self.map_changed.emit(name)

    @Slot()
    def load_others(self) -> None:
        """Import the other rooms' modules in another thread, so that entering a lab does not wait for imports."""
        self._loading.start(_load)


def _load() -> None:
    for row in ROOMS.values():
        row.load()
