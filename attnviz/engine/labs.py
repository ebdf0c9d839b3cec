"""The engine's registry of labs: how each starts its runs, and with how many threads."""

import os
import pkgutil
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import torch

from attnviz.definitions.labs import LabRow
from attnviz.definitions.registry import Registry
from attnviz.definitions.text import Text
from attnviz.engine import attention, model, regression, train
from attnviz.engine.kept_results import KeptResults
from attnviz.experiment.labs import LABS, Asked
from attnviz.experiment.layers.studies import LayerAt
from attnviz.experiment.run import Progress, Run


@dataclass(frozen=True, slots=True)
class EngineLab(LabRow):
    """The engine's part of a lab."""

    start: Callable[[Any, Any, Progress], Run]
    """Creates the run of a spec or a study; the other arguments are those of `attnviz.engine.run.start`."""
    less_memory: Text
    """A remedy for too little memory, as the end of a sentence."""
    identity: Callable[[Any], Hashable] = lambda _: None
    """See `identity`."""
    past_for: Callable[[Any], Run | None] = lambda _: None
    """See `past_for`."""
    keeping: Callable[[Any, KeptResults], Run] | None = None
    """Creates a run that uses and extends a cache of results; None for a lab without one."""
    record: Callable[[Any, Any, int], Any] | None = None
    """Records a loaded model on inputs and continues them by some tokens; None for a lab without such models."""


def _later(path: str) -> Callable[..., Any]:
    """Return a function that imports a module of this package when called, and calls its function: "module:name"."""

    def call(*arguments: Any) -> Any:
        return pkgutil.resolve_name(f"attnviz.engine.{path}")(*arguments)

    return call


# Each lab's modules are imported by its first run, so that one broken import leaves the other labs usable.
_ATTENTION = EngineLab(
    "attention", _later("attention.run:start"), attention.LESS_MEMORY, keeping=_later("attention.run:start_keeping")
)
_REGRESSION = EngineLab(
    "regression",
    _later("regression.run:start"),
    regression.LESS_MEMORY,
    identity=_later("regression.run:training"),
)
_TRAIN = EngineLab(
    "train",
    _later("train.studies:start"),
    train.LESS_MEMORY,
    identity=_later("train.studies:identity"),
    past_for=_later("train.studies:past_for"),
)
_MODEL = EngineLab(
    "model", _later("model.studies:start"), model.LESS_MEMORY, record=_later("model.generating.record:recorded")
)
ENGINE_LABS: Registry[EngineLab] = Registry("lab", (_ATTENTION, _REGRESSION, _TRAIN, _MODEL))


def identity(asked: Asked) -> Hashable:
    """Return a key of a run's steps: runs with equal keys take the same steps; None if steps are not shared."""
    return ENGINE_LABS[asked.lab].identity(asked)


def record(loaded: Any, inputs: Any, generate: int) -> Any:
    """Return the recording of a loaded model on inputs, continued by some tokens, and these tokens.

    Raises:
        RunError: its attention cannot be recorded.
    """
    (made_by,) = (lab.record for lab in ENGINE_LABS.values() if lab.record is not None)
    return made_by(loaded, inputs, generate)


def past_for(asked: Asked) -> Run | None:
    """Return a run whose steps a study of a training can share with later studies; None for a lab without them.

    Raises:
        RunError: the device or the memory is insufficient.
    """
    return ENGINE_LABS[asked.lab].past_for(asked)


def take_cores_for(asked: Asked) -> None:
    """Let torch use all cores for a large run of one step, and all but one for any other.

    The order of some sums depends on the number of threads, on some processors even with MKL's order set. So every run
    has this number, wherever it is started, and its exported script too.

    A training shares its cores with the frames that show it, and on two cores it is even faster with one thread,
    because its operations are small (1 thread: 0 to 0.3 % of frames late, 2 threads: 15 to 26 %).
    """
    cores = os.cpu_count() or 2
    asked = asked.of if isinstance(asked, LayerAt) else asked
    torch.set_num_threads(cores if LABS[asked.lab].takes_all_cores(asked) else max(1, cores - 1))


@contextmanager
def cores_for(asked: Asked) -> Iterator[None]:
    """As `take_cores_for`, and restore the caller's number of threads afterwards."""
    before = torch.get_num_threads()
    try:
        take_cores_for(asked)
        yield
    finally:
        torch.set_num_threads(before)
