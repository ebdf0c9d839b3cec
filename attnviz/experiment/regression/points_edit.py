"""Edits of points as a hand makes them: move one, add one, remove one.

Points are x (K,) and y (K,), in any order. An edit leaves them as they are and returns new ones, sorted by x; points
of one x keep their order.
"""

import math

import numpy as np
from numpy.typing import NDArray

from attnviz.experiment.regression.data import FARTHEST, MAX_POINTS

Vector = NDArray[np.float64]


def moved(x: Vector, y: Vector, index: int, to_x: float, to_y: float) -> tuple[Vector, Vector, int]:
    """Return the points with one of them elsewhere, and its index there.

    Where it meets others of the same x it stays on the side that it comes from.

    Raises:
        ValueError: it would lie too far away; the sentence names the nearest legal value.
        IndexError: there is no such point.
    """
    _check_near(to_x, to_y)
    new_x, new_y = np.array(x, np.float64), np.array(y, np.float64)
    new_x[index], new_y[index] = to_x, to_y
    return _sorted(new_x, new_y, index % len(new_x))


def added(x: Vector, y: Vector, new_x: float, new_y: float) -> tuple[Vector, Vector, int]:
    """Return the points with one more, and its index, which is behind others of the same x.

    Raises:
        ValueError: it would lie too far away (the sentence names the nearest legal value) or be one too many.
    """
    _check_near(new_x, new_y)
    if len(x) >= MAX_POINTS:
        raise ValueError(f"there are {len(x)} points already; at most {MAX_POINTS} are possible")
    return _sorted(np.append(x, new_x), np.append(y, new_y), len(x))


def removed(x: Vector, y: Vector, index: int) -> tuple[Vector, Vector]:
    """Return the points without one of them.

    Raises:
        ValueError: it is the only point.
        IndexError: there is no such point.
    """
    if len(x) == 1:
        raise ValueError("the only point cannot be removed; at least 1 is needed")
    new_x, new_y, _ = _sorted(np.delete(x, index), np.delete(y, index), 0)
    return new_x, new_y


def _sorted(x: Vector, y: Vector, index: int) -> tuple[Vector, Vector, int]:
    """Return the points sorted by x, and where the one at ``index`` is now."""
    order = np.argsort(x, kind="stable")
    return x[order], y[order], int(np.flatnonzero(order == index)[0])


def _check_near(x: float, y: float) -> None:
    for name, value in (("x", x), ("y", y)):
        if not abs(value) <= FARTHEST:
            nearest = 0.0 if math.isnan(value) else math.copysign(FARTHEST, value)
            raise ValueError(
                f"{name} {value:g} must be a finite number, at most {FARTHEST:g} in size; nearest: {nearest:g}"
            )
