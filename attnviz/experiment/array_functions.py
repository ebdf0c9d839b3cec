"""The functions that formulas and records call, for numpy arrays."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from attnviz.definitions.formula import Functions


def _at(values: Any, *places: NDArray[np.int16]) -> Any:
    # Called for one cell at every mouse move: only that part of a large table is converted.
    while places and places[0].size == 1:
        values, places = values[int(places[0].item())], places[1:]
    return np.asarray(values, np.int16)[places]


def _searchsorted(values: tuple[int, ...], x: NDArray[np.int16]) -> Any:
    return np.searchsorted(np.asarray(values), x, side="right").astype(np.int16)


def _booleans(data: bytearray, shape: tuple[int, ...], like: NDArray[Any]) -> Any:
    del like  # numpy has one device
    return np.frombuffer(data, np.bool_).reshape(shape)


NUMPY: Functions = {
    "sin": np.sin,
    "cos": np.cos,
    "tan": np.tan,
    "asin": np.arcsin,
    "acos": np.arccos,
    "atan": np.arctan,
    "sinh": np.sinh,
    "cosh": np.cosh,
    "tanh": np.tanh,
    "exp": np.exp,
    "log": np.log,
    "ln": np.log,
    "log10": np.log10,
    "sqrt": np.sqrt,
    "abs": np.abs,
    "sign": np.sign,
    "floor": np.floor,
    "ceil": np.ceil,
    "sinc": np.sinc,
    "step": lambda u: np.heaviside(u, 1.0),
    "box": lambda u: np.where(np.isnan(u), u, (np.abs(u) < 1) * 1.0),
    "min": np.minimum,
    "max": np.maximum,
    "at": _at,
    "searchsorted": _searchsorted,
    "booleans": _booleans,
}
"""The functions of formulas for arrays and numbers, by the names that users type; and those of `INDEXING`."""
