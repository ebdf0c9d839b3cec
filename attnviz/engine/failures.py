"""What an error that ended a run is for the user: a `Failure` with a code and one sentence."""

import re
from typing import Any

import torch

from attnviz.engine.devices import choose
from attnviz.engine.errors import RunError
from attnviz.engine.labs import ENGINE_LABS
from attnviz.engine.memory import readable
from attnviz.experiment.failure import Failure
from attnviz.experiment.labs import Asked
from attnviz.log import first_line, note_defect

_WANTED = re.compile(r"(?:tried|unable) to allocate ([\d.]+) ?(bytes|[KMGTPE]?i?B)\b", re.IGNORECASE)
"""How torch on a CPU, CUDA and MPS, and numpy, say what they could not get."""
_SIGNS = re.compile(
    r"(?:can't|cannot|could not|unable to|failed to|tried to) allocate|out of memory|not enough memory|ALLOC_FAILED",
    re.IGNORECASE,
)


def failure_of(asked: Asked, error: BaseException) -> Failure[Any]:
    """Return what the user is told of an error that ended a run, or what prepares its picture; it raises nothing.

    Its code is that of a `RunError`; else "out_of_memory", "run_failed" where a library or a file refuses, or
    "internal", which is a defect of ours. What a library refuses may be one too, such as shapes that do not fit; of
    both the log has the traceback.
    """
    if isinstance(error, RunError):
        return Failure(asked, error.code, str(error), error.numbers)
    said = first_line(error)
    if _is_of_memory(error, said):
        return _out_of_memory(asked, error, said)
    if _is_of_library(error):
        if not isinstance(error, OSError):
            note_defect("a run ended by what a library refused", error)
        return Failure(asked, "run_failed", f"the run failed: {said}")
    note_defect("a run ended by an exception that nobody expected", error)
    kind = type(error).__name__
    return Failure(asked, "internal", f"the run failed unexpectedly: {kind}{f': {said}' if said != kind else ''}")


def _is_of_library(error: BaseException) -> bool:
    """Return whether a library refused, which another device or another spec may not meet."""
    # NotImplementedError, a RuntimeError too, is how torch says that a device or a format has no such operation.
    return isinstance(error, RuntimeError | ValueError | OSError) and not isinstance(error, RecursionError)


def _is_of_memory(error: BaseException, said: str) -> bool:
    if isinstance(error, MemoryError | torch.OutOfMemoryError):
        return True
    return _is_of_library(error) and _SIGNS.search(said) is not None


def _out_of_memory(asked: Asked, error: BaseException, said: str) -> Failure[Any]:
    wanted = _WANTED.search(said)
    more = ""
    if wanted is not None:
        number, unit = wanted.groups()
        size = readable(int(number)) if unit == "bytes" and number.isdecimal() else f"{number} {unit}"
        more = f" when {size} more were asked for"
    # What a GPU computed goes through the memory of the machine, which may be the one that is too small.
    of_machine = isinstance(error, MemoryError) or "CPUAllocator" in said
    place = "cpu" if of_machine else _device_of(asked)
    message = f"the memory of {place} ran out{more}; {ENGINE_LABS[asked.lab].less_memory}"
    return Failure(asked, "out_of_memory", message, {"said": said})


def _device_of(asked: Asked) -> str:
    """Return where it ran; the name in the spec, where the device has gone meanwhile."""
    try:
        return str(choose(asked.device))
    except (RunError, RuntimeError):
        return asked.device
