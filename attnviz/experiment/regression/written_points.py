"""The points of a regression that are written down: in the textbook, in the spec itself, or in a file."""

import json
from functools import cache

import numpy as np
from numpy.typing import NDArray

from attnviz.experiment.colours.levels import read_only
from attnviz.experiment.regression.data import BookData, FileData, PointsData
from attnviz.experiment.regression.points_text import read_points
from attnviz.resources import resource

Vector = NDArray[np.float64]


def written_points(data: BookData | FileData | PointsData) -> tuple[Vector, Vector]:
    """Return x and y, (K,) each, in the order of x: that of the weights' columns, however they were written down.

    Raises:
        PointsError: the file cannot be read, or holds no points.
    """
    match data:
        case BookData():
            x, y = book_points()
        case FileData(path=path):
            x, y = read_points(path)
        case PointsData(x=xs, y=ys):
            x, y = np.array(xs, dtype=np.float64), np.array(ys, dtype=np.float64)
    order = np.argsort(x, kind="stable")
    return x[order], y[order]


@cache
def book_points() -> tuple[Vector, Vector]:
    """Return the textbook's x and y, (50,) each, read-only for all who share them."""
    document = json.loads(resource("data/kernel_regression_book.json").read_text(encoding="utf-8"))
    return read_only(np.array(document["x_train"])), read_only(np.array(document["y_train"]))
