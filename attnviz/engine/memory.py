"""Estimates of a run's memory, made before anything is allocated."""

import contextlib
import ctypes
import re

import psutil
import torch

from attnviz.definitions.text import Text
from attnviz.engine.machine import RunError
from attnviz.experiment.arrays import BLOCK_CELLS
from attnviz.experiment.files.given_weights import GivenWeights
from attnviz.log import first_line


def given_bytes(given: GivenWeights) -> int:
    """Return the bytes of given weights after reading: the weights, a scaled copy, colours and marks."""
    return int(2 * given.weights.nbytes + 3 * given.weights.size)


def block_bytes(cells_each: int) -> int:
    """Return the bytes of a forward and backward pass through one block; a query has ``cells_each`` weights."""
    # About 12 arrays are alive at a time; the allocator (glibc) retains about as much freed memory.
    return 26 * 8 * max(BLOCK_CELLS, cells_each)


def available_bytes(device: torch.device) -> int:
    """Return the free memory of a device."""
    if device.type == "cuda":
        # CUDA counts torch's cache as used, but it is available.
        cached = torch.cuda.memory_reserved(device) - torch.cuda.memory_allocated(device)
        return torch.cuda.mem_get_info(device)[0] + cached
    return int(psutil.virtual_memory().available)


def require(needed: int, device: torch.device, remedy: Text) -> None:
    """Raise a RunError with both numbers and the remedy if the device has less than ``needed`` bytes free."""
    has = available_bytes(device)
    if needed > has:
        values = {"size": readable(needed), "device": str(device), "free": readable(has), "remedy": remedy}
        sentence = "this run needs about {size}, but {device} has {free} free; {remedy}"
        raise RunError("not_enough_memory", sentence, **values, needed=needed, available=has)


def reuse_freed() -> None:
    """Let the C library reuse freed blocks of some megabytes; getting them from the system takes a tenth of a run.

    The process retains them until `give_back`.
    """
    _tell_glibc("mallopt", _MMAP_THRESHOLD, 32 << 20)
    _tell_glibc("mallopt", _TRIM_THRESHOLD, 64 << 20)


def give_back() -> None:
    """Return freed memory to the system where the C library retains it: blocks of some megabytes add up to hundreds."""
    _tell_glibc("malloc_trim", 0)


_TRIM_THRESHOLD, _MMAP_THRESHOLD = -1, -3  # M_TRIM_THRESHOLD and M_MMAP_THRESHOLD of malloc.h


def _tell_glibc(name: str, *numbers: int) -> None:
    with contextlib.suppress(OSError, AttributeError, TypeError):  # another system, or another C library
        getattr(ctypes.CDLL(None), name)(*numbers)


def readable(count: int) -> str:
    """Return a number of bytes as text with a unit."""
    size = float(count)
    for unit in ("B", "KiB", "MiB", "GiB", "TiB"):
        if size < 1024:
            return f"{size:.0f} {unit}" if unit == "B" else f"{size:.1f} {unit}"
        size /= 1024
    return f"{size:.1f} PiB"


_SIGNS = re.compile(
    r"(?:can't|cannot|could not|unable to|failed to|tried to) allocate|out of memory|not enough memory|ALLOC_FAILED",
    re.IGNORECASE,
)


def is_of_library(error: BaseException) -> bool:
    """Return whether a library raised the error, which another device or spec may avoid."""
    # torch raises NotImplementedError, a RuntimeError, for operations that a device or dtype lacks.
    return isinstance(error, RuntimeError | ValueError | OSError) and not isinstance(error, RecursionError)


def ran_out(error: BaseException) -> bool:
    """Return whether an error of any library means that memory ran out."""
    if isinstance(error, MemoryError | torch.OutOfMemoryError):
        return True
    return is_of_library(error) and _SIGNS.search(first_line(error)) is not None
