"""Turns an error that ended a run into a `Failure` with a code and one sentence for the user."""

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
"""The size in out-of-memory messages of torch (CPU, CUDA, MPS) and numpy."""
_SIGNS = re.compile(
    r"(?:can't|cannot|could not|unable to|failed to|tried to) allocate|out of memory|not enough memory|ALLOC_FAILED",
    re.IGNORECASE,
)


def failure_of(asked: Asked, error: BaseException) -> Failure[Any]:
    """Return the failure for an error that ended a run or the preparation of its picture; never raises.

    Its code is that of a `RunError`; else "out_of_memory", "run_failed" (a library or a file raised), or "internal"
    (a defect of attnviz). A library's error may be caused by such a defect too, for example by shapes that do not fit;
    the log has the traceback of both.
    """
    if isinstance(error, RunError):
        return Failure(asked, error.code, str(error), error.numbers)
    said = first_line(error)
    if _is_of_memory(error, said):
        return _out_of_memory(asked, error, said)
    if _is_of_library(error):
        if not isinstance(error, OSError):
            note_defect("a library's error ended a run", error)
        return Failure(asked, "run_failed", f"the run failed: {said}")
    note_defect("an unexpected exception ended a run", error)
    kind = type(error).__name__
    return Failure(asked, "internal", f"the run failed unexpectedly: {kind}{f': {said}' if said != kind else ''}")


def _is_of_library(error: BaseException) -> bool:
    """Return whether a library raised; another device or spec may avoid such an error."""
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
    # Results of a GPU pass through main memory, which may be the one that is too small.
    of_machine = isinstance(error, MemoryError) or "CPUAllocator" in said
    place = "cpu" if of_machine else _device_of(asked)
    message = f"the memory of {place} ran out{more}; {ENGINE_LABS[asked.lab].less_memory}"
    return Failure(asked, "out_of_memory", message, {"said": said})


def _device_of(asked: Asked) -> str:
    """Return the device of the run; its name in the spec if the device is gone."""
    try:
        return str(choose(asked.device))
    except (RunError, RuntimeError):
        return asked.device
