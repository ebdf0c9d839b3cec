"""The engine's registry of labs: how the runs of each are started."""

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Any

from attnviz.definitions.labs import LAB_NAMES
from attnviz.definitions.registry import Registry
from attnviz.engine.attention import run as attention
from attnviz.engine.regression import run as regression
from attnviz.engine.regression.samples import LESS_MEMORY
from attnviz.experiment.labs import Asked
from attnviz.experiment.run import Progress, Run


@dataclass(frozen=True, slots=True)
class EngineLab:
    """How one lab runs."""

    name: str
    start: Callable[[Any, Any, Progress], Run]
    """Makes the run of a spec or a study; the other arguments are those of `attnviz.engine.run.start`."""
    less_memory: str
    """How to need less memory, as the end of a sentence."""
    identity: Callable[[Any], Hashable] = lambda _: None
    """See `identity`."""
    takes_all_cores: Callable[[Any], bool] = lambda _: False
    """Whether a run is one large step that gains from all cores."""

    @property
    def title(self) -> str:
        """The lab's title."""
        return LAB_NAMES[self.name].title


_ATTENTION = EngineLab(
    "attention",
    attention.start,
    attention.LESS_MEMORY,
    takes_all_cores=attention.takes_all_cores,
)
_REGRESSION = EngineLab("regression", regression.start, LESS_MEMORY, identity=regression.training)
ENGINE_LABS: Registry[EngineLab] = Registry("lab", (_ATTENTION, _REGRESSION))


def identity(asked: Asked) -> Hashable:
    """Return a key of a run's steps: runs with equal keys take the same steps; None if steps are not reused."""
    return ENGINE_LABS[asked.lab].identity(asked)
