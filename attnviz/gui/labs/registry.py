"""The rooms of all labs: one row each. A room is imported when its lab is first entered."""

from collections.abc import Callable
from dataclasses import dataclass

from attnviz.definitions.labs import LAB_NAMES
from attnviz.definitions.registry import Registry
from attnviz.gui.labs.room import AnyRoom


@dataclass(frozen=True, slots=True)
class LabRoom:
    """Where the screen of a lab is."""

    name: str
    load: Callable[[], type[AnyRoom]]
    """Imports the room's class, which is made of the style and the window."""

    @property
    def title(self) -> str:
        """What the lab is called on screen."""
        return LAB_NAMES[self.name].title


def _attention() -> type[AnyRoom]:
    from attnviz.gui.labs.attention.room import Room

    return Room


def _regression() -> type[AnyRoom]:
    from attnviz.gui.labs.regression.room import Room

    return Room


ROOMS: Registry[LabRoom] = Registry("lab", (LabRoom("attention", _attention), LabRoom("regression", _regression)))
