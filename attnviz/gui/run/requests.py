"""What the window asks of its worker, and what comes back."""

from dataclasses import dataclass
from enum import Enum, auto

from attnviz.experiment.labs import Asked, Event, RunEvent, Spec


@dataclass(frozen=True, slots=True)
class Request:
    """One run to carry out; it captures everything that the worker needs to know."""

    generation: int
    spec: Spec
    paused: bool = False
    from_step: int = 0
    """A training goes to this step at full speed, and is shown from there on."""
    asked_at: float = 0.0
    """When, by the monotonic clock."""


@dataclass(frozen=True, slots=True)
class Beside:
    """What is to be shown beside the run of this generation."""

    generation: int
    number: int
    """Counts what was asked beside runs; a newer one displaces it."""
    asked: tuple[Asked, ...]


@dataclass(frozen=True, slots=True)
class LookAt:
    """A training is to be shown as it was after this step."""

    step: int | None
    """None is where it is."""


class Turn(Enum):
    """What the worker may do where nothing new is asked of it."""

    STEP = auto()
    END = auto()
    """The run at hand is not to go on."""


@dataclass(frozen=True, slots=True)
class Arrival:
    """What came out of a request: its newest event, and whether the run is over."""

    generation: int
    event: RunEvent | None
    finished: bool
    before: RunEvent | None = None
    """The trace before a failure, where the window has not taken it yet."""
    beside: tuple[Event, ...] = ()
    """What was asked for beside the run; then nothing is said of the run itself."""


@dataclass(frozen=True, slots=True)
class Ready:
    """The worker has loaded the engine: what this machine can run on. Or it could not, and says why."""

    devices: tuple[tuple[str, str], ...] = ()
    problem: str = ""
