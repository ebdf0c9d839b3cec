"""One gesture of the hand: changes of one field that follow each other at once."""

import time
from dataclasses import dataclass

MERGE_WITHIN_S = 1.0
"""Two changes of one field that are farther apart are two gestures."""


@dataclass(frozen=True, slots=True)
class Gesture:
    """The changes of one field since it was taken in hand; they are one step of undo."""

    field: str = ""
    """"" is no field, and a change alone; a drag, "data#3", is one gesture until it ends, however long it pauses."""
    number: int = 0
    """Counts the gestures of a window."""
    began: int = 1
    """The generation of its first request, whose traces may be shown until the newest is there."""
    last: float = 0.0
    """When its last change was, by the monotonic clock."""

    def then(self, field: str, generation: int) -> "Gesture":
        """Return the gesture that a change now is part of, which the request of this generation is for."""
        now = time.monotonic()
        if field and field == self.field and ("#" in field or now - self.last < MERGE_WITHIN_S):
            return Gesture(field, self.number, self.began, now)
        return Gesture(field, self.number + 1, generation, now)
