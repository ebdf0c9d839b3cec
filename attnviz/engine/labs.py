"""The engine's registry of labs: how the runs of each are begun. A lab's modules are loaded by its first run."""

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from attnviz.definitions.registry import Registry
from attnviz.experiment.labs import LABS, Asked
from attnviz.experiment.regression.data import FileData
from attnviz.experiment.regression.spec import RegressionSpec
from attnviz.experiment.run import Cursor, Progress, Run, ShouldStop


class SingleRun:
    """A run of one step: what a function makes of what was asked for."""

    def __init__(self, asked: Any, make: Callable[[Any, ShouldStop], Any]) -> None:
        self.spec = asked
        self._make = make
        self._trace: Any = None

    @property
    def known(self) -> Cursor | None:
        """Its one place, once it is there."""
        return None if self._trace is None else Cursor()

    @property
    def final(self) -> bool:
        """Whether the step was taken."""
        return self._trace is not None

    @property
    def nbytes(self) -> int:
        """The bytes of the arrays of its trace."""
        held = vars(self._trace).values() if self.final else ()
        return sum(each.nbytes for each in held if isinstance(each, np.ndarray))

    def advance(self, should_stop: ShouldStop) -> bool:
        """Take the step; return False where it was asked to stop on the way."""
        if self._trace is None:
            self._trace = self._make(self.spec, should_stop)
        return self._trace is not None

    def at(self, cursor: Cursor) -> Any:
        """Return the trace of its one place.

        Raises:
            ValueError: there is no such place, or none yet.
        """
        if self._trace is None or cursor.step:
            raise ValueError(f"a run of one step has no {cursor}" if self.final else "the run has not begun")
        return self._trace


@dataclass(frozen=True, slots=True)
class EngineLab:
    """How one lab runs."""

    name: str
    start: Callable[[Any, Any, Progress], Run]
    """Makes the run of a spec, or of a question beside one; the others are as in `attnviz.engine.run.start`."""
    identity: Callable[[Any], Hashable]
    """See `identity`."""
    less_memory: str
    """What needs less memory, as the end of a sentence."""

    @property
    def title(self) -> str:
        """What the lab is called."""
        return LABS[self.name].title


def _start_attention(spec: Any, past: Run | None, progress: Progress) -> Run:
    del past, progress  # there are no steps
    from attnviz.engine.attention.run import attention_trace

    return SingleRun(spec, attention_trace)


def _start_regression(asked: Any, past: Any, progress: Progress) -> Run:
    if not isinstance(asked, RegressionSpec):
        from attnviz.engine.regression.studies import run_study

        return SingleRun(asked, run_study)
    from attnviz.engine.regression.run import RegressionRun

    return RegressionRun(asked, past, progress)


def _training(spec: RegressionSpec) -> Hashable:
    """Return what decides the steps of a training; a file of points counts as it is now."""
    if not spec.trains:
        return None
    if not isinstance(spec.data, FileData):
        return spec.past
    try:
        status = Path(spec.data.path).stat()
    except (OSError, ValueError):
        return None
    return spec.past, status.st_mtime_ns, status.st_size, status.st_ino


ENGINE_LABS: Registry[EngineLab] = Registry(
    "lab",
    (
        EngineLab("attention", _start_attention, lambda _: None, "fewer queries, keys, heads or batch items need less"),
        EngineLab("regression", _start_regression, _training, "fewer training points or queries need less"),
    ),
)


def identity(asked: Asked) -> Hashable:
    """Return what decides the steps of a run: runs of the same identity have the same past; None where none is kept."""
    return ENGINE_LABS[asked.lab].identity(asked)
