"""The protocol of runs, and the cursors at which their traces can be read."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

ShouldStop = Callable[[], bool]
"""Asked between the steps of long work; True asks the work to end."""
Progress = Callable[[int, int], None]
"""Called after each training step, those of overlays included, with the steps taken and their total."""


@dataclass(frozen=True, slots=True)
class Cursor:
    """One place of a run; None: not specified, or not applicable."""

    step: int | None = None
    """The number of training steps taken."""
    layer: int | None = None
    """Counted from 0."""

    def is_before(self, other: "Cursor") -> bool:
        """Return whether its training step is earlier than another's."""
        return (self.step or 0) < (other.step or 0)


class Run(Protocol):
    """One run: it advances step by step, and returns the trace at any cursor that it has passed.

    It belongs to one thread. A method that raises leaves the run unchanged: `advance` may be called again and retries
    the same step. A run of one step has one cursor.
    """

    @property
    def spec(self) -> Any:
        """The spec or study that is run."""

    @property
    def known(self) -> Cursor | None:
        """The last cursor that can be shown; None before the first."""

    @property
    def final(self) -> bool:
        """Whether the run is complete."""

    @property
    def nbytes(self) -> int:
        """Its approximate memory in bytes."""

    def advance(self, should_stop: ShouldStop) -> bool:
        """Take the next step; return False if stopped, in which case the step is not taken.

        The first step prepares the state before any training; without training it is usually the only one. No trace is
        made here: a training may run faster than it is shown.

        Raises:
            RunError: the device, the memory or the data are insufficient, or the training diverges.
        """

    def at(self, cursor: Cursor) -> Any:
        """Return the trace at a cursor, with the history of all steps taken so far; None parts mean the newest.

        Its numbers are bit for bit those that the run had there.

        Raises:
            ValueError: the run has not reached the cursor.
            RunError: the device or the memory is insufficient, or the trace is not finite.
        """


class StoppedError(Exception):
    """The user has cancelled the work."""


def never_stop() -> bool:
    """Return False: for work that cannot be cancelled."""
    return False


def check_stop(should_stop: ShouldStop) -> None:
    """Raise StoppedError if the work is to end."""
    if should_stop():
        raise StoppedError
