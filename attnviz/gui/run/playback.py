"""The playback state of a run: one frozen value, and the transitions made by the window's buttons and the worker."""

from dataclasses import dataclass, replace
from enum import Enum, auto
from typing import Self

from attnviz.experiment.run import Cursor

HERE = Cursor()
"""The run's current cursor."""


class Phase(Enum):
    """Whether a run takes steps."""

    PLAYING = auto()
    PAUSED = auto()
    OVER = auto()
    """It is finished, has failed, or was stopped. Its earlier steps can be shown, and it can be resumed."""


@dataclass(frozen=True, slots=True)
class Show:
    """A task: show the trace of a cursor."""

    cursor: Cursor


class Due(Enum):
    """The other tasks."""

    STEP = auto()
    END = auto()
    """The run was stopped."""


@dataclass(frozen=True, slots=True)
class Playback:
    """The playback state of one run.

    Each method but `due` returns the state after an event.
    """

    phase: Phase = Phase.OVER
    begun: bool = False
    """Whether the worker has taken the request."""
    stopped: bool = False
    """Whether the user stopped it."""
    steps: int = 0
    """The number of single steps that a paused run must still take."""
    target: Cursor = HERE
    """The run goes to this step at full speed and is shown from there on, with this layer."""
    seeking: Cursor | None = None
    """The cursor to show next."""
    pace: float = 0.0
    """The least time from one step to the next, in seconds."""
    stepped_at: float = 0.0
    """The time when the last step began, by the monotonic clock, in seconds."""

    def submit(self, *, paused: bool = False, target: Cursor = HERE) -> Self:
        """Return the initial state of a run that replaces this one."""
        fresh = replace(self, phase=Phase.PAUSED if paused else Phase.PLAYING, begun=False, stopped=False, steps=0)
        return replace(fresh, target=target, seeking=None)

    def begin(self, now: float) -> Self:
        """Note that the worker has taken the request."""
        return replace(self, begun=True, stepped_at=now)

    def play(self) -> Self:
        """Play from the cursor on screen; a run that has not reached its target is shown at its current step."""
        here = self.seeking or HERE
        return replace(self, phase=Phase.PLAYING, stopped=False, steps=0, target=self._no_step, seeking=here)

    def pause(self) -> Self:
        """Pause between two steps, and show the current one."""
        if self.phase is Phase.OVER:
            return self
        return replace(self, phase=Phase.PAUSED, steps=0, target=self._no_step, seeking=self.seeking or HERE)

    def step(self) -> Self:
        """Take one more step, and pause."""
        return replace(self, phase=Phase.PAUSED, stopped=False, steps=self.steps + 1, target=self._no_step)

    def seek(self, cursor: Cursor) -> Self:
        """Show another cursor: a step, and pause there unless the run is over; or another layer, and continue.

        Before the run has begun, a step is ignored, and a layer is the first that is shown.
        """
        if not self.begun:
            return replace(self, target=self.target.moved_to(replace(cursor, step=None)))
        seeking = (self.seeking or HERE).moved_to(cursor)
        if cursor.step is None:
            return replace(self, seeking=seeking)
        phase = self.phase if self.phase is Phase.OVER else Phase.PAUSED
        return replace(self, phase=phase, steps=0, target=self._no_step, seeking=seeking)

    @property
    def _no_step(self) -> Cursor:
        """The target without a step."""
        return replace(self.target, step=None)

    def stop(self) -> Self:
        """Stop after the current step."""
        return self if self.phase is Phase.OVER else replace(self, stopped=True)

    def at_pace(self, seconds: float) -> Self:
        """Limit the speed of the steps."""
        return replace(self, pace=seconds)

    def resume(self) -> Self:
        """Pause where it was suspended, not at the target."""
        return replace(self, target=self._no_step)

    def finish(self) -> Self:
        """End: the run has taken its last step, or has failed."""
        return replace(self, phase=Phase.OVER, steps=0)

    def give_up(self) -> Self:
        """End a run that was stopped, unless it was resumed meanwhile."""
        return self.finish() if self.stopped else self

    def due(self, now: float) -> Due | Show | float | None:
        """Return the task that is due; or the seconds until one is due; or None if there is none before a change."""
        if self.stopped and self.phase is not Phase.OVER:
            return Due.END
        if self.seeking is not None:
            return Show(self.seeking)
        if self.phase is Phase.OVER or (self.phase is Phase.PAUSED and not self.steps):
            return None
        left = self.stepped_at + self.pace - now
        return left if left > 0 and self.phase is Phase.PLAYING else Due.STEP

    def do(self, task: Due | Show, now: float) -> Self:
        """Note that the worker begins a task."""
        if isinstance(task, Show):
            return replace(self, seeking=None)
        counted = task is Due.STEP and (self.steps or self.pace)  # at full speed a step changes nothing
        return replace(self, steps=max(0, self.steps - 1), stepped_at=now) if counted else self
