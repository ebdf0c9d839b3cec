"""Whether a file of arrays holds given weights, decided by its names, or by its first numbers."""

from pathlib import Path
from typing import Any

import numpy as np

from attnviz.experiment.attention.inputs import FileInputs
from attnviz.experiment.given.arrays_file import ArraysOfFile, arrays_of
from attnviz.experiment.given.weights import ARRAYS, TOLERANCE

_INPUTS = {"queries", "keys", "values"}
_MOST_NUMBERS = 1 << 22


def holds_weights(path: Path) -> bool:
    """Return whether the arrays of an .npz or .npy file are to be shown as weights; False where that cannot be told.

    They are where an archive has ``weights`` but not all of queries, keys and values, and where an array alone has the
    dimensions of weights and no number (among the first few millions) beyond 0..1.
    """
    try:
        with arrays_of(path) as arrays:
            if path.suffix.lower() == ".npz":
                return ARRAYS[0] in arrays.names and not _INPUTS.issubset(arrays.names)
            return _looks_like_weights(arrays)
    except Exception:  # a corrupt file may raise anything in numpy and zipfile; the run reports it
        return False


def values_of_arrays(path: Path) -> dict[str, Any]:
    """Return the fields of an attention spec that is about a file of arrays: its inputs, or weights as they are."""
    inputs: dict[str, Any] = {"inputs": FileInputs(path=str(path))}
    return inputs | {"mechanism": "given"} if holds_weights(path) else inputs


def _looks_like_weights(arrays: ArraysOfFile) -> bool:
    announced = arrays.header("weights")
    dtype = announced.dtype
    if not 2 <= len(announced.shape) <= 4 or announced.size < 1 or dtype.kind != "f" or dtype.itemsize > 8:
        return False
    numbers = arrays.beginning("weights", _MOST_NUMBERS)
    low, high = (float(extreme.reduce(numbers)) for extreme in (np.fmin, np.fmax))
    return low >= -TOLERANCE and high <= 1 + TOLERANCE
