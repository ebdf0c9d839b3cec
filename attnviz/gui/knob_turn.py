"""One turn of a knob: changes of one field that follow each other at once."""

import time

MERGE_WITHIN_S = 1.0
"""Two changes of one field that lie farther apart are two turns."""


class KnobTurn:
    """Remembers which request the turn at hand began with."""

    def __init__(self) -> None:
        self._field, self._last = "", 0.0
        self.began = 1
        """The generation of the turn's first request; its traces may be shown until the newest is there."""

    def change(self, field: str, generation: int) -> None:
        """Note a change of a field, which the request of this generation is for; "" is no knob, and a turn alone."""
        now = time.monotonic()
        if not field or field != self._field or now - self._last >= MERGE_WITHIN_S:
            self.began = generation
        self._field, self._last = field, now
