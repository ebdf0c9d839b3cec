"""The points in the script of a regression spec: drawn from the run's generators, or written out."""

import json
from functools import cache

import numpy as np
from numpy.typing import NDArray

from attnviz.experiment.functions import DOMAIN, FunctionName, formula_of
from attnviz.experiment.points_text import read_points
from attnviz.experiment.regression import RegressionSpec
from attnviz.experiment.regression_data import FARTHEST, BookData, FileData, Grid, PointsData, SyntheticData
from attnviz.export.code_formula import function_code
from attnviz.export.code_text import vector
from attnviz.export.formula_reach import greatest
from attnviz.resources import resource

Vector = NDArray[np.float64]

_BOOK_FORMULA = "2*sin(x) + x^0.8"
"""What the textbook's function is where no x is below 0; the same numbers."""


def points_code(spec: RegressionSpec) -> list[str]:
    """Return the blocks that make ``x_train, y_train, x_test``, and ``f`` and ``y_truth`` where they are known.

    Raises:
        PointsError: the spec's file cannot be read, or holds no points.
    """
    function, typed = _function(spec)
    formula = "" if function is None else formula_of(function, typed)
    if function == "book" and spec.x_test.start >= 0:
        formula = _BOOK_FORMULA
    lines = _drawn(spec.data) if isinstance(spec.data, SyntheticData) else _written(spec)
    lines.append(_grid(spec.x_test))
    lines += ["y_truth = f(x_test)"] if formula else []
    ends = spec.x_test.start, spec.x_test.start + spec.x_test.step * (spec.x_test.count - 1)
    if formula and greatest(formula, max(map(abs, ends))) > FARTHEST / 2:
        near = f"y_truth.abs() <= {FARTHEST!r}"
        lines.append(f"y_truth = torch.where({near}, y_truth, torch.nan)  # where it is infinite there is none")
    return [*(function_code(formula) if formula else []), "\n".join(lines)]


def point_count(spec: RegressionSpec) -> int:
    """Return how many training points a spec has; raises PointsError as `points_code` does."""
    return spec.data.n_train if isinstance(spec.data, SyntheticData) else len(_sorted_points(spec)[0])


def _function(spec: RegressionSpec) -> tuple[FunctionName | None, str]:
    match spec.data:
        case BookData():
            return "book", ""
        case SyntheticData(function=function, formula=typed) | PointsData(function=function, formula=typed):
            return function, typed
    return None, ""


def _drawn(data: SyntheticData) -> list[str]:
    low, high = DOMAIN
    shift = f" + {low!r}" if low else ""
    return [
        f"generator = torch.Generator().manual_seed({data.seed})",
        f"x_train = torch.rand({data.n_train}, generator=generator).sort().values * {high - low:g}{shift}",
        *(
            [
                f"noise = torch.randn({data.n_train}, generator=generator) * {data.noise!r}",
                "y_train = f(x_train) + noise",
            ]
            if data.noise
            else ["y_train = f(x_train)"]
        ),
    ]


def _written(spec: RegressionSpec) -> list[str]:
    x, y = _sorted_points(spec)
    return [vector("x_train", x.tolist()), vector("y_train", y.tolist())]


def _sorted_points(spec: RegressionSpec) -> tuple[Vector, Vector]:
    match spec.data:
        case PointsData(x=xs, y=ys):
            x, y = np.array(xs, dtype=np.float64), np.array(ys, dtype=np.float64)
        case FileData(path=path):
            x, y = read_points(path)
        case _:
            x, y = _book_points()
    order = np.argsort(x, kind="stable")
    return x[order], y[order]


@cache
def _book_points() -> tuple[Vector, Vector]:
    document = json.loads(resource("data/kernel_regression_book.json").read_text(encoding="utf-8"))
    return np.array(document["x_train"]), np.array(document["y_train"])


def _grid(grid: Grid) -> str:
    # Not arange(start, stop, step), which rounds in another order.
    steps = f"{grid.step!r} * torch.arange({grid.count})"
    return f"x_test = {grid.start!r} + {steps}" if grid.start else f"x_test = {steps}"
