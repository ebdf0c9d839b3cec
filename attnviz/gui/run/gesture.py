"""One turn of a knob: changes of one field that follow each other at once."""

import time

MERGE_WITHIN_S = 1.0
"""Two changes of one field that lie farther apart are two turns."""


def goes_on(field: str, before: str, apart: float) -> bool:
    """Return whether a change of a field goes on with the turn that one of ``before`` was part of, so many seconds ago.

    "" is no knob, and a turn alone; a drag, "data#3", is one turn until it ends, however long the hand pauses.
    """
    return bool(field) and field == before and ("#" in field or apart < MERGE_WITHIN_S)


class KnobTurn:
    """Remembers which request the turn at hand began with."""

    def __init__(self) -> None:
        self._field, self._last = "", 0.0
        self.began = 1
        """The generation of the turn's first request; its traces may be shown until the newest is there."""

    def change(self, field: str, generation: int) -> None:
        """Note a change of a field, which the request of this generation is for."""
        now = time.monotonic()
        if not goes_on(field, self._field, now - self._last):
            self.began = generation
        self._field, self._last = field, now
