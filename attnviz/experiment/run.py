"""Runs: their protocol and cursors, early ends and failures, and facts about a trace."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Generic, Protocol, TypeVar, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from attnviz.definitions.text import Text

ShouldStop = Callable[[], bool]
"""Called between the steps of long work; True requests it to end."""
Progress = Callable[[int, int], None]
"""Called after each training step, those of overlays included, with the steps taken and their total."""


@dataclass(frozen=True, slots=True)
class Cursor:
    """A position in a run; None: not specified, or not applicable."""

    step: int | None = None
    """The number of training steps taken."""
    layer: int | None = None
    """Counted from 0."""
    side: str | None = None
    """Of an encoder-decoder: "encoder", "decoder" or "cross"."""

    def is_before(self, other: "Cursor") -> bool:
        """Return whether its training step is earlier than another's."""
        return (self.step or 0) < (other.step or 0)

    def moved_to(self, other: "Cursor") -> "Cursor":
        """Return the cursor with the specified parts of another one."""
        return Cursor(
            self.step if other.step is None else other.step,
            self.layer if other.layer is None else other.layer,
            self.side if other.side is None else other.side,
        )


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
        """Its approximate memory in bytes while suspended."""

    def advance(self, should_stop: ShouldStop) -> bool:
        """Take the next step; return False if stopped, in which case the step is not taken.

        The first step prepares the state before any training; without training it is usually the only one. No trace is
        made here: a training may run faster than it is shown.

        Raises:
            RunError: the device, the memory or the data are insufficient, or the training diverges.
        """

    def at(self, cursor: Cursor) -> Any:
        """Return the trace at a cursor, with the history of all steps taken so far; a step of None is the newest.

        Its numbers are bit for bit those that the run had there. A run with one trace per layer returns that of the
        cursor's layer (None: the first), or its last if there is no such layer.

        Raises:
            ValueError: the run has not reached the cursor.
            RunError: the device or the memory is insufficient, or the trace is not finite.
        """

    def rest(self) -> None:
        """Release as much memory as possible until the next call: the run is suspended."""


@runtime_checkable
class CarriedRun(Protocol):
    """A run whose states a session can store."""

    def carry(self, trained: Any) -> None:
        """Resume from the stored states of the same training; call it before the first step."""

    def carried(self, cursor: Cursor) -> Any:
        """Return the states to store, with that at a cursor if there is room; None before the first step.

        Raises:
            ValueError: they are too large to be stored.
        """

    def near(self, cursor: Cursor) -> Cursor:
        """Return a cursor on the way to an earlier one, or that one itself if it can be restored in a moment."""


class StoppedError(Exception):
    """The user has cancelled the work."""


def never_stop() -> bool:
    """Return False: for work that cannot be cancelled."""
    return False


def no_progress(done: int, count: int) -> None:
    """Do nothing: for work whose progress is not shown."""
    del done, count


def check_stop(should_stop: ShouldStop) -> None:
    """Raise StoppedError if the work is to end."""
    if should_stop():
        raise StoppedError


SpecT_co = TypeVar("SpecT_co", covariant=True)


@dataclass(frozen=True, slots=True)
class Failure(Generic[SpecT_co]):
    """A failed run: the spec, a code, and the text for the user."""

    spec: SpecT_co
    code: str
    text: Text

    @property
    def message(self) -> str:
        """The text in English."""
        return str(self.text)

    @property
    def numbers(self) -> Mapping[str, Any]:
        """The values of the text."""
        return self.text.values


def run_time(milliseconds: float) -> Text:
    """Return the duration of a run as text, from 10 s on in seconds."""
    if milliseconds >= 10_000:
        return Text("run {seconds} s", {"seconds": f"{milliseconds / 1000:.1f}"})
    return Text("run {ms} ms", {"ms": f"{milliseconds:.1f}"})


def row_sum_facts(row_sums: NDArray[np.floating], *, given: bool = False) -> tuple[Text, ...]:
    """Return facts about the row sums of weights, to be joined without spaces.

    Rows of 0 are empty. For ``given`` weights, rows that are not a number are counted separately.
    """
    sums = row_sums[row_sums != 0]
    empty = row_sums.size - sums.size
    not_numbers = int(np.isnan(sums).sum())
    if not_numbers and not (given and not_numbers < sums.size):
        return (Text("{count} rows are not a number", {"count": not_numbers}, one="1 row is not a number"),)
    sums = sums[~np.isnan(sums)]
    if not sums.size:
        return (Text("no row has a valid key"),)
    low, high = f"{sums.min():.3f}", f"{sums.max():.3f}"
    facts = [Text("rows sum to {sum}", {"sum": low if low == high else f"{low} .. {high}"})]
    facts += [Text(", {count} not a number", {"count": not_numbers})] if not_numbers else []
    facts += [Text(", {count} of {rows} empty", {"count": empty, "rows": row_sums.size})] if empty else []
    return tuple(facts)


class RichDisplay:
    """A value that notebooks display as a picture once there is a `drawer`, else as text."""

    drawer: ClassVar[Callable[[Any], bytes] | None] = None
    """Returns a trace as PNG."""

    def _repr_png_(self) -> bytes | None:
        """Return the picture for IPython, which calls this method by name."""
        draw = RichDisplay.drawer
        return None if draw is None else draw(self)
