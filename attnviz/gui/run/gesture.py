"""A gesture of the user: changes of one field in quick succession."""

import time
from dataclasses import dataclass

MERGE_WITHIN_S = 1.0
"""Two changes of one field that are further apart are two gestures."""


@dataclass(frozen=True, slots=True)
class Gesture:
    """Changes of one field that make one undo step."""

    field: str = ""
    """"" is no field: that change is a gesture by itself. A drag, "data#3", is one gesture, however long it pauses."""
    number: int = 0
    """The number of the gesture in its window."""
    began: int = 1
    """The generation of its first request; traces from this generation on may be shown until the newest arrives."""
    last: float = 0.0
    """The time of its last change, by the monotonic clock, in seconds."""

    def then(self, field: str, generation: int) -> "Gesture":
        """Return the gesture of a change made now, whose request has this generation."""
        now = time.monotonic()
        if field and field == self.field and ("#" in field or now - self.last < MERGE_WITHIN_S):
            return Gesture(field, self.number, self.began, now)
        return Gesture(field, self.number + 1, generation, now)
