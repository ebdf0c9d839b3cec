"""The rooms of all labs: one row each. A room is imported when its lab is first entered."""

from collections.abc import Callable
from dataclasses import dataclass

from attnviz.definitions.labs import LAB_NAMES
from attnviz.definitions.registry import Registry
from attnviz.gui.labs.room import AnyRoom


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
    from attnviz.gui.labs.attention.room import Room

    return Room


def _regression() -> type[AnyRoom]:
    from attnviz.gui.labs.regression.room import Room

    return Room


ROOMS: Registry[LabRoom] = Registry("lab", (LabRoom("attention", _attention), LabRoom("regression", _regression)))
