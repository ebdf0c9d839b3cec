"""The points in the script of a regression spec: drawn from the same generators as the run's, or written out."""

from attnviz.definitions.sample_functions import DOMAIN, SAMPLE_FUNCTIONS
from attnviz.experiment.regression.data import FARTHEST, BookData, Grid, PointsData, SyntheticData
from attnviz.experiment.regression.points import written_points
from attnviz.experiment.regression.spec import RegressionSpec
from attnviz.export.code.formula import function_code
from attnviz.export.code.text import vector

_BOOK_FORMULA = "2*sin(x) + x^0.8"
"""The textbook's function if no x is below 0; it gives the same numbers."""


def points_code(spec: RegressionSpec) -> list[str]:
    """Return the blocks that make ``x_train, y_train, x_test``, and ``f`` and ``y_truth`` if they are known.

    Raises:
        PointsError: the spec's file cannot be read, or holds no points.
    """
    function, typed = _function(spec)
    formula = "" if function is None else SAMPLE_FUNCTIONS[function].formula_with(typed)
    if function == "book" and spec.x_test.start >= 0:
        formula = _BOOK_FORMULA
    if isinstance(spec.data, SyntheticData):
        lines = _drawn(spec.data)
    else:
        x, y = written_points(spec.data)
        lines = [vector("x_train", x.tolist()), vector("y_train", y.tolist())]
    lines.append(_grid(spec.x_test))
    lines += ["y_truth = f(x_test)"] if formula else []
    if function is not None and not SAMPLE_FUNCTIONS[function].formula:  # a typed formula may be infinite in places
        near = f"y_truth.abs() <= {FARTHEST!r}"
        lines.append("# There is no truth where the function is infinite")
        lines.append(f"y_truth = torch.where({near}, y_truth, torch.nan)")
    return [*(function_code(formula) if formula else []), "\n".join(lines)]


def point_count(spec: RegressionSpec) -> int:
    """Return the number of training points of a spec; raises PointsError as `points_code` does."""
    return spec.data.n_train if isinstance(spec.data, SyntheticData) else len(written_points(spec.data)[0])


def _function(spec: RegressionSpec) -> tuple[str | None, str]:
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


def _grid(grid: Grid) -> str:
    # Not arange(start, stop, step), which rounds in another order.
    steps = f"{grid.step!r} * torch.arange({grid.count})"
    return f"x_test = {grid.start!r} + {steps}" if grid.start else f"x_test = {steps}"
