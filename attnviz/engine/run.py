"""The one bridge from a spec to torch: `run` yields traces, or one failure with a sentence."""

import importlib
from collections.abc import Callable, Iterator

import torch

from attnviz.engine.devices import choose
from attnviz.engine.errors import RunError
from attnviz.experiment.failure import Failure
from attnviz.experiment.labs import Event, Spec


def _never() -> bool:
    return False


def run(spec: Spec, *, should_stop: Callable[[], bool] = _never, untrained_first: bool = False) -> Iterator[Event]:
    """Yield what the spec's experiment produces: one trace, or one for every training step.

    It reads nothing but its spec: no global seed, no default device. What cannot be carried out ends in one `Failure`
    as the last event; this generator raises nothing that a user could cause.

    Args:
        spec: what to run.
        should_stop: asked between steps; True ends the run without a further event.
        untrained_first: also yield a trained lab's fit before its first step.
    """
    lab = importlib.import_module(f"attnviz.engine.{spec.lab}")
    try:
        yield from lab.run_lab(spec, should_stop, untrained_first)
    except RunError as error:
        yield Failure(spec, error.code, str(error), error.numbers)
    except (MemoryError, torch.OutOfMemoryError) as error:
        yield _out_of_memory(spec, error, lab.LESS_MEMORY)
    except (RuntimeError, ValueError, OSError) as error:
        if "allocate" in str(error) or "out of memory" in str(error):
            yield _out_of_memory(spec, error, lab.LESS_MEMORY)
        else:
            yield Failure(spec, "run_failed", f"the run failed: {_first_line(error)}")


def _out_of_memory(spec: Spec, error: BaseException, remedy: str) -> Failure[Spec]:
    message = f"the memory of {choose(spec.device)} ran out; {remedy}"
    return Failure(spec, "out_of_memory", message, {"said": _first_line(error)})


def _first_line(error: BaseException) -> str:
    return (str(error).splitlines() or [type(error).__name__])[0][:300]
