"""A run as an object, and the places at which it can be looked at."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

ShouldStop = Callable[[], bool]
"""Asked between the steps of long work; True asks the work to end."""
Progress = Callable[[int, int], None]
"""Is told after each training step how many have been taken, and of how many; those beside the run's own count too."""


@dataclass(frozen=True, slots=True)
class Cursor:
    """One place of a run; a part that is None is not asked for, or there is none."""

    step: int | None = None
    """How many training steps lie behind it."""
    layer: int | None = None
    """Counted from 0."""

    def is_before(self, other: "Cursor") -> bool:
        """Return whether it lies at an earlier training step than another one."""
        return (self.step or 0) < (other.step or 0)


class Run(Protocol):
    """One run: it goes on step by step, and gives the trace of any place that it has passed.

    It belongs to one thread. A method that raises leaves it where it was: `advance` may be called again, and tries the
    same step once more. A run of one step has one place.
    """

    @property
    def spec(self) -> Any:
        """What was asked for."""

    @property
    def known(self) -> Cursor | None:
        """How far it has come; None before there is anything to show."""

    @property
    def final(self) -> bool:
        """Whether nothing is left to do."""

    @property
    def nbytes(self) -> int:
        """About how much memory it holds."""

    def advance(self, should_stop: ShouldStop) -> bool:
        """Take the next step; return False where it was asked to stop on the way, and has not taken it.

        The first one makes what is shown before any training; where nothing is trained, it is mostly the only one. No
        trace is made here: a training may go faster than it is shown.

        Raises:
            RunError: the device, the memory or the data do not allow it, or the training diverges.
        """

    def at(self, cursor: Cursor) -> Any:
        """Return the trace of a place, whose history reaches as far as the run has come; a part left out is the newest.

        Its numbers are bit for bit those that the run had there.

        Raises:
            ValueError: the run has not come there.
            RunError: the device or the memory do not allow it, or the trace is not finite.
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
