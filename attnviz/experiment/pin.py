"""The pinned run of a lab: a run that later ones are compared with."""

from dataclasses import dataclass
from typing import Self

from attnviz.experiment.labs import Spec, Trace
from attnviz.experiment.run import Cursor


@dataclass(frozen=True, slots=True)
class Pin:
    """A run and the cursor at which it is compared."""

    spec: Spec
    cursor: Cursor | None = None
    """None is the end of the run."""

    @classmethod
    def of(cls, trace: Trace) -> Self:
        """Return the pin of a trace."""
        return cls(trace.spec, None if trace.final else trace.cursor)

    @property
    def lab(self) -> str:
        """The lab that compares it."""
        return self.spec.lab

    @property
    def step(self) -> int:
        """The number of training steps after which it is compared."""
        step = None if self.cursor is None else self.cursor.step
        return self.spec.steps if step is None else step
