"""The sources of a regression's points, its queries, and the values of a typed formula."""

import math
from typing import Annotated, Any, Literal, Self

import numpy as np
from numpy.typing import NDArray
from pydantic import ConfigDict, Field, model_validator

from attnviz.definitions.functions import formula
from attnviz.definitions.functions.formula import FormulaError, Functions, check
from attnviz.definitions.functions.sample_functions import SAMPLE_FUNCTIONS
from attnviz.definitions.text import Text
from attnviz.experiment.arrays import NUMPY, number_of_call
from attnviz.experiment.fields.knob import Number, Numbers, OneOf, Part, Whole, limits_of
from attnviz.experiment.fields.problems import Repair, problem

MAX_POINTS = 20_000
LEFT_OUT_UP_TO = 2_000
"""The most training points for which every fit has a leave-one-out error; it takes that number squared of weights."""

MOST_TYPED = 100_000
"""The limit of an unused formula in characters; the limit of one in use is lower and validated with it."""

_OF_THE_BOOK = 50
FARTHEST = 1e100
"""The largest coordinate of a point: its squared distance over the least width still fits float64."""

_ENDLESS = 10**12
_SMOOTH_FROM = 401
"""The number of points from which a line looks smooth."""


FunctionName = Annotated[str, OneOf(SAMPLE_FUNCTIONS)]


class BookData(Part):
    """The 50 training points of Zhang et al."""

    kind: Literal["book"] = "book"


class SyntheticData(Part):
    """Points drawn uniformly on [0, 5), sorted, with normal noise on a known function."""

    kind: Literal["synthetic"] = "synthetic"
    function: FunctionName = Field("book", title="Function")
    formula: str = Field("2*sin(x) + cos(3*x)", max_length=MOST_TYPED, title="Formula")
    """A formula of x; used if ``function`` is "formula"."""
    n_train: Whole = Field(50, ge=1, le=MAX_POINTS, title="Points", json_schema_extra={"slider": [5, 200]})
    noise: Number = Field(0.5, ge=0, le=1e6, title="Noise", json_schema_extra={"slider": [0, 2]})
    seed: Whole = Field(0, ge=0, le=2**31 - 1, title="Data seed", json_schema_extra={"slider": [0, 99]})

    @model_validator(mode="after")
    def _check(self) -> Self:
        _check_formula(self.function, self.formula)
        return self


class FileData(Part):
    """Two columns, x and y, of a CSV file; a header line is skipped."""

    kind: Literal["file"] = "file"
    path: str = Field("", max_length=4096)


class PointsData(Part):
    """Points written out in the spec, such as those moved with the mouse; they may belong to a known function."""

    model_config = ConfigDict(allow_inf_nan=True)  # so that the validation below can name the point

    kind: Literal["points"] = "points"
    x: Numbers = Field((), max_length=MAX_POINTS)
    y: Numbers = Field((), max_length=MAX_POINTS)
    function: FunctionName | None = None
    """The function without noise that the points were drawn from, if there is one."""
    formula: str = Field("", max_length=MOST_TYPED)

    @model_validator(mode="after")
    def _check(self) -> Self:
        _check_formula(self.function, self.formula)
        if len(self.x) != len(self.y) or not self.x:
            raise problem(
                "data",
                "points_unequal",
                "points need as many y as x, and at least one; got {xs} x and {ys} y; nearest: {nearest} of each",
                xs=len(self.x),
                ys=len(self.y),
                nearest=max(1, min(len(self.x), len(self.y))),
            )
        for name, values in (("x", self.x), ("y", self.y)):
            near = (
                np.abs(np.asarray(values)) <= FARTHEST
            )  # vectorised: a drag among thousands of points validates them every frame
            if not near.all():
                index = int(near.argmin())
                raise problem(
                    "data",
                    "point_too_far",
                    "{name} {value} of point {place} must be a finite number, at most {most} in size",
                    name=name,
                    value=values[index],
                    place=index,
                    most=f"{FARTHEST:g}",
                )
        return self


Data = Annotated[BookData | SyntheticData | FileData | PointsData, Field(discriminator="kind")]


class Grid(Part):
    """Evenly spaced query points: start, start + step, ... below stop."""

    start: Number = Field(0.0, ge=-1e6, le=1e6, title="Start")
    stop: Number = Field(5.0, ge=-1e6, le=2e6, title="End")
    step: Number = Field(0.5, gt=0, le=1e6, title="Spacing")

    @property
    def count(self) -> int:
        """The number of points; rounding does not add one at the end."""
        exact = (self.stop - self.start) / self.step
        return max(1, math.ceil(exact - 1e-9)) if exact < _ENDLESS else _ENDLESS

    @classmethod
    def bounds(cls, start: float, stop: float, step: float) -> dict[str, tuple[float, float]]:
        """Return the limits of each of the numbers given the two others; at least one query is left."""
        own = {name: limits_of(field) for name, field in cls.model_fields.items()}
        step = max(step, own["step"][0])
        most = step * (MAX_POINTS - 1)
        beside = {
            "start": (stop - most, stop - step),
            "stop": (start + step, start + most),
            "step": ((stop - start) / (MAX_POINTS - 1), math.inf),
        }
        return {name: (max(low, own[name][0]), min(high, own[name][1])) for name, (low, high) in beside.items()}

    @model_validator(mode="after")
    def _check(self) -> Self:
        if self.stop <= self.start:
            raise problem(
                "x_test",
                "grid_empty",
                "x_test stop {stop} must be above start {start}; nearest: {nearest}",
                "End {stop:g} must be above start {start:g}; nearest: {nearest}",
                (
                    Repair.of("x_test.stop", self.start + self.step),
                    Repair("x_test.start", self.stop - self.step, f"start {self.stop - self.step:g}"),
                ),
                stop=self.stop,
                start=self.start,
                nearest=self.start + self.step,
            )
        if self.count > MAX_POINTS:
            # A little more than needed, so that rounding to six digits cannot make it too small.
            nearest = float(f"{(self.stop - self.start) / MAX_POINTS * 1.00001:.6g}")
            raise problem(
                "x_test",
                "grid_too_fine",
                "x_test step {step} makes more than {most} queries; nearest step: {nearest}",
                "Spacing {step:g} makes more than {most} queries; nearest: {nearest}",
                (Repair.of("x_test.step", nearest),),
                step=self.step,
                most=MAX_POINTS,
                nearest=nearest,
            )
        return self

    def points(self) -> NDArray[np.float64]:
        """Return the query points, (Q,)."""
        return self.start + self.step * np.arange(self.count, dtype=np.float64)


def written_out(data: Data, x: NDArray[np.float64], y: NDArray[np.float64]) -> PointsData:
    """Return x (K,) and y (K,), edited from data, as new data that keep their function."""
    function, formula = function_of(data)
    return PointsData(x=tuple(x.tolist()), y=tuple(y.tolist()), function=function, formula=formula)


def function_of(data: Data) -> tuple[FunctionName | None, str]:
    """Return the name of the function that points are drawn from, None if unknown; and its formula if it is typed."""
    match data:
        case BookData():
            return "book", ""
        case SyntheticData() | PointsData():
            return data.function, data.formula if data.function == "formula" else ""
    return None, ""


def truth_line(data: Data, x: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the function without noise as a line from the first to the last of x (Q,): x (n,), y (n,).

    It passes through all of x, and through more points if those are few. y is NaN where the function is unknown.
    """
    function, typed = function_of(data)
    if function is None:
        return x, np.full_like(x, np.nan)
    if len(x) < _SMOOTH_FROM:
        x = np.union1d(x, np.linspace(x.min(), x.max(), _SMOOTH_FROM))
    with np.errstate(all="ignore"):
        y = evaluate_formula(SAMPLE_FUNCTIONS[function].formula_with(typed), x, NUMPY) + np.zeros_like(x)
        return x, np.where(np.abs(y) <= FARTHEST, y, np.nan)


def _check_formula(function: str | None, formula: str) -> None:
    if function != "formula":
        return
    try:
        check(formula)
    except FormulaError as error:
        raise problem("data.formula", error.code, error.text.template, **error.numbers) from error


def edit_text(old: Data, new: Data) -> Text:
    """Return a description of an edit of points, derived from their numbers before and after."""
    before, after = _count(old), _count(new)
    if before is None or after is None or before == after:
        return Text("Move a point")
    return Text("Add a point" if after > before else "Delete a point")


def _count(data: Data) -> int | None:
    """Return the number of points; None for a file, which is not read here."""
    match data:
        case PointsData():
            return len(data.x)
        case SyntheticData():
            return data.n_train
        case BookData():
            return _OF_THE_BOOK
    return None


def evaluate_formula(text: str, x: Any, functions: Functions) -> Any:
    """Return the formula at x, of any type that ``functions`` and Python's operators accept; raises FormulaError.

    A formula without x gives a float: nan if undefined, inf on overflow.
    """
    return formula.evaluate(text, x, functions, numbers=number_of_call)
