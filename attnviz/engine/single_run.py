"""A run of one step."""

from collections.abc import Callable
from typing import Any

import numpy as np

from attnviz.experiment.run import Cursor, ShouldStop


class SingleRun:
    """A run of one step: the result of a function of a spec or study."""

    def __init__(self, asked: Any, make: Callable[[Any, ShouldStop], Any]) -> None:
        self.spec = asked
        self._make = make
        self._trace: Any = None

    @property
    def known(self) -> Cursor | None:
        """Its only cursor; None before the step."""
        return None if self._trace is None else Cursor()

    @property
    def final(self) -> bool:
        """Whether the step was taken."""
        return self._trace is not None

    @property
    def nbytes(self) -> int:
        """The bytes of its trace's arrays."""
        held = vars(getattr(self._trace, "layer", self._trace)).values() if self.final else ()
        return sum(each.nbytes for each in held if isinstance(each, np.ndarray))

    def advance(self, should_stop: ShouldStop) -> bool:
        """Take the step; return False if stopped before it was complete."""
        if self._trace is None:
            self._trace = self._make(self.spec, should_stop)
        return self._trace is not None

    def at(self, cursor: Cursor) -> Any:
        """Return the trace at its only cursor.

        Raises:
            ValueError: there is no such cursor, or the step has not been taken.
        """
        if self._trace is None or cursor.step:
            raise ValueError(f"a run of one step has no {cursor}" if self.final else "the run has not begun")
        return self._trace

    def rest(self) -> None:
        """Release memory while suspended; does nothing, since the run holds little."""
