"""What an error that ended a run is for the user: a `Failure` with a code and one sentence."""

import importlib
import re
from types import ModuleType
from typing import Any

import torch

from attnviz.engine.devices import choose
from attnviz.engine.errors import RunError
from attnviz.engine.memory import readable
from attnviz.experiment.failure import Failure
from attnviz.experiment.labs import Asked
from attnviz.experiment.regression_studies import Study
from attnviz.log import note_defect

_LONGEST = 300
_WANTED = re.compile(r"(?:tried|unable) to allocate ([\d.]+) ?(bytes|[KMGTPE]?i?B)\b", re.IGNORECASE)
"""How torch on a CPU, CUDA and MPS, and numpy, say what they could not get."""
_SIGNS = ("allocate", "out of memory", "ALLOC_FAILED")


def lab_of(asked: Asked) -> ModuleType:
    """Return the module that runs what is asked for: its ``run_lab`` does, its ``LESS_MEMORY`` says what needs less."""
    kind = f"{asked.lab}_studies" if isinstance(asked, Study) else asked.lab
    return importlib.import_module(f"attnviz.engine.{kind}")


def failure_of(asked: Asked, error: BaseException) -> Failure[Any]:
    """Return what the user is told of an error that ended a run, or what prepares its picture; it raises nothing.

    Its code is that of a `RunError`; else "out_of_memory", "run_failed" where a library refuses, or "internal", which
    is a defect of ours; of that the log has the traceback.
    """
    if isinstance(error, RunError):
        return Failure(asked, error.code, str(error), error.numbers)
    said = _first_line(error)
    if _is_of_memory(error, said):
        return _out_of_memory(asked, error, said)
    if isinstance(error, RuntimeError | ValueError | OSError):
        return Failure(asked, "run_failed", f"the run failed: {said}")
    note_defect("a run ended by an exception that nobody expected", error)
    kind = type(error).__name__
    return Failure(asked, "internal", f"the run failed unexpectedly: {kind}{f': {said}' if said != kind else ''}")


def _is_of_memory(error: BaseException, said: str) -> bool:
    if isinstance(error, MemoryError | torch.OutOfMemoryError):
        return True
    return isinstance(error, RuntimeError | ValueError | OSError) and any(sign in said for sign in _SIGNS)


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
    message = f"the memory of {place} ran out{more}; {lab_of(asked).LESS_MEMORY}"
    return Failure(asked, "out_of_memory", message, {"said": said})


def _device_of(asked: Asked) -> str:
    """Return where it ran; the name in the spec, where the device has gone meanwhile."""
    name = asked.of.device if isinstance(asked, Study) else asked.device
    try:
        return str(choose(name))
    except (RunError, RuntimeError):
        return name


def _first_line(error: BaseException) -> str:
    try:
        lines = str(error).splitlines()
    except Exception:  # an error that cannot even say what it is
        lines = []
    return (lines or [type(error).__name__])[0][:_LONGEST]
