"""The arrays of specs and traces: their usual dtype, size limits, and the functions that formulas call on them."""

import ast
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from attnviz.definitions.functions import formula
from attnviz.definitions.functions.formula import Functions

ScalarT = TypeVar("ScalarT", bound=np.generic)

Vector = NDArray[np.float64]
"""Numbers in double precision; a docstring gives the shape."""


def read_only(array: NDArray[ScalarT]) -> NDArray[ScalarT]:
    """Return the array itself, made read-only: traces share it among threads."""
    array.setflags(write=False)
    return array


MAX_SIZE = 16_384
"""The limit for queries, keys, features, and the lengths and number of documents."""
MOST_ITEMS = 256
"""The limit for items of a batch."""
MOST_HEADS = 1024

BLOCK_CELLS = 1 << 19
"""The number of regression weights computed at a time; a block of float64 then fits into a processor's cache.

An exported script uses the same blocks, so that it needs no more memory and adds its sums in the same order."""


def _at(values: Any, *indices: NDArray[np.int32]) -> Any:
    # Called for one cell at every mouse move: only that part of a large table is converted.
    while indices and indices[0].size == 1:
        values, indices = values[int(indices[0].item())], indices[1:]
    return np.asarray(values, np.int32)[indices]


def _searchsorted(values: tuple[int, ...], x: NDArray[np.int32]) -> Any:
    return np.searchsorted(np.asarray(values), x, side="right").astype(np.int32)


def _booleans(data: bytearray, shape: tuple[int, ...], like: NDArray[Any]) -> Any:
    del like  # numpy has one device
    return np.frombuffer(data, np.bool_).reshape(shape)


def _softmax(scores: NDArray[Any]) -> Any:
    with np.errstate(invalid="ignore"):  # -inf - -inf in an empty row
        powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return powers / powers.sum(axis=-1, keepdims=True)


def _sigmoid(scores: NDArray[Any]) -> Any:
    with np.errstate(over="ignore"):
        return 1 / (1 + np.exp(-scores))


def _sparsemax(scores: NDArray[Any]) -> Any:
    with np.errstate(invalid="ignore"):  # -inf - -inf in an empty row
        scores = scores - scores.max(axis=-1, keepdims=True)
        falling = -np.sort(-scores, axis=-1)
        sums = falling.cumsum(axis=-1) - 1
        support = (np.arange(1, scores.shape[-1] + 1) * falling > sums).sum(axis=-1, keepdims=True).clip(1)
        return np.maximum(scores - np.take_along_axis(sums, support - 1, -1) / support, 0)


_SAME = (
    *("sin", "cos", "tan", "sinh", "cosh", "tanh", "sinc", "exp", "log", "log10"),
    *("sqrt", "abs", "sign", "floor", "ceil"),
)
NUMPY: Functions = {
    **{name: getattr(np, name) for name in (*_SAME, "concatenate", "divide")},
    "asin": np.arcsin,
    "acos": np.arccos,
    "atan": np.arctan,
    "ln": np.log,
    "step": lambda u: np.heaviside(u, 1.0),
    "box": lambda u: np.where(np.isnan(u), u, (np.abs(u) < 1) * 1.0),
    "min": np.minimum,
    "max": np.maximum,
    "at": _at,
    "searchsorted": _searchsorted,
    "booleans": _booleans,
    "pad": lambda x, value: np.concatenate((x, np.full_like(x[..., :1], value)), -1),
    "softmax": _softmax,
    "sigmoid": _sigmoid,
    "sparsemax": _sparsemax,
}
"""The functions of formulas for arrays and numbers, by the names that users type; and those of `INDEXING`."""


def number_of(part: ast.expr) -> float | None:
    """Return the value of a formula's subtree without its variable; None if it contains the variable."""
    return formula.number_of(part, number_of_call)


def number_of_call(name: str, *values: float) -> float:
    """Return the value of a formula's function or sign of numbers: nan if undefined, inf on overflow."""
    function = formula.SIGNS.get(name) or NUMPY[name]
    with np.errstate(all="ignore"):
        return float(function(*map(np.float64, values)))  # Python's floats raise where these are inf or nan
