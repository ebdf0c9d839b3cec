"""How a run is played: one frozen value, and what the buttons of the transport and the worker make of it."""

from dataclasses import dataclass, replace
from enum import Enum, auto
from typing import Self

from attnviz.experiment.run import Cursor

HERE = Cursor()
"""The place where a run is."""


class Phase(Enum):
    """Whether a run takes steps."""

    PLAYING = auto()
    PAUSED = auto()
    OVER = auto()
    """It is finished, has failed, or was stopped. It may be looked back on, and played on."""


@dataclass(frozen=True, slots=True)
class Show:
    """What is due: the trace of a place."""

    cursor: Cursor


class Due(Enum):
    """What else may be due."""

    STEP = auto()
    END = auto()
    """The run was stopped."""


@dataclass(frozen=True, slots=True)
class Playback:
    """The state of one run's playing.

    Each method but `due` returns the state after an event.
    """

    phase: Phase = Phase.OVER
    begun: bool = False
    """Whether the worker has taken the run up."""
    stopped: bool = False
    """Whether it was told to end."""
    steps: int = 0
    """How many single steps a paused run is still to take."""
    target: Cursor = HERE
    """The run goes to this step at full speed, and is shown from there on."""
    seeking: Cursor | None = None
    """The place that is to be shown next."""
    pace: float = 0.0
    """Seconds from one step to the next at the least."""
    stepped_at: float = 0.0
    """When the last step began, by the monotonic clock."""

    def submit(self, *, paused: bool = False, target: Cursor = HERE) -> Self:
        """Return how another run begins, which is asked for in place of this one."""
        fresh = replace(self, phase=Phase.PAUSED if paused else Phase.PLAYING, begun=False, stopped=False, steps=0)
        return replace(fresh, target=target, seeking=None)

    def begin(self, now: float) -> Self:
        """Take the run up: the worker does."""
        return replace(self, begun=True, stepped_at=now)

    def play(self) -> Self:
        """Go on from the place on screen; a run that is on its way to a step is shown where it is."""
        here = self.seeking or HERE
        return replace(self, phase=Phase.PLAYING, stopped=False, steps=0, target=HERE, seeking=here)

    def pause(self) -> Self:
        """Wait between two steps, and show where that is."""
        if self.phase is Phase.OVER:
            return self
        return replace(self, phase=Phase.PAUSED, steps=0, target=HERE, seeking=self.seeking or HERE)

    def step(self) -> Self:
        """Take one step more, and wait."""
        return replace(self, phase=Phase.PAUSED, stopped=False, steps=self.steps + 1, target=HERE)

    def seek(self, cursor: Cursor) -> Self:
        """Show another place and wait there; a run that is over stays so, and one that has not begun goes first."""
        if not self.begun:
            return self
        phase = self.phase if self.phase is Phase.OVER else Phase.PAUSED
        return replace(self, phase=phase, steps=0, target=HERE, seeking=cursor)

    def stop(self) -> Self:
        """End after the step at hand."""
        return self if self.phase is Phase.OVER else replace(self, stopped=True)

    def at_pace(self, seconds: float) -> Self:
        """Limit how fast steps follow each other."""
        return replace(self, pace=seconds)

    def suspend(self) -> Self:
        """Wait, as the run did when it was left."""
        return replace(self, phase=Phase.PAUSED) if self.phase is Phase.PLAYING else self

    def finish(self) -> Self:
        """Be over: the run is at its end, or has failed."""
        return replace(self, phase=Phase.OVER, steps=0)

    def give_up(self) -> Self:
        """Be over because it was stopped, unless it was told to go on meanwhile."""
        return self.finish() if self.stopped else self

    def due(self, now: float) -> Due | Show | float | None:
        """Return what is to be done; or for how many seconds nothing is, None until something happens."""
        if self.stopped and self.phase is not Phase.OVER:
            return Due.END
        if self.seeking is not None:
            return Show(self.seeking)
        if self.phase is Phase.OVER or (self.phase is Phase.PAUSED and not self.steps):
            return None
        left = self.stepped_at + self.pace - now
        return left if left > 0 and self.phase is Phase.PLAYING else Due.STEP

    def do(self, task: Due | Show, now: float) -> Self:
        """Do what is due: the worker does."""
        if isinstance(task, Show):
            return replace(self, seeking=None)
        return replace(self, steps=max(0, self.steps - 1), stepped_at=now) if task is Due.STEP else self
