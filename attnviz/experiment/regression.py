"""The kernel-regression lab's nouns: what was asked. What came out is in `regression_trace`."""

import math
from collections.abc import Mapping
from typing import Annotated, Any, Literal, Self

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict, Field, model_validator

from attnviz.experiment.attention_fields import DEVICE_PATTERN
from attnviz.experiment.functions import FunctionName
from attnviz.experiment.knob import knob
from attnviz.experiment.problems import problem

Estimator = Literal["average", "nonparametric", "parametric"]
Kernel = Literal["gaussian", "boxcar", "epanechnikov", "constant"]

MAX_POINTS = 20_000
FARTHEST = 1e100
"""How far a point may lie: its squared distance over the least width still fits float64."""

_ENDLESS = 10**12


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)


class BookData(_Part):
    """The textbook's 50 training points."""

    kind: Literal["book"] = "book"


class SyntheticData(_Part):
    """Points drawn uniformly on [0, 5), sorted, with normal noise on a known function."""

    kind: Literal["synthetic"] = "synthetic"
    function: FunctionName = "book"
    n_train: int = Field(50, ge=1, le=MAX_POINTS, title="Points", json_schema_extra={"slider": [5, 200]})
    noise: float = Field(0.5, ge=0, le=1e6, title="Noise", json_schema_extra={"slider": [0, 2]})
    seed: int = Field(0, ge=0, le=2**31 - 1, title="Data seed", json_schema_extra={"slider": [0, 99]})


class FileData(_Part):
    """Two columns, x and y, of a CSV file; a header line is skipped."""

    kind: Literal["file"] = "file"
    path: str = Field("", max_length=4096)


class PointsData(_Part):
    """Points written out in the spec."""

    model_config = ConfigDict(allow_inf_nan=True)  # so that the check below can say which point it is

    kind: Literal["points"] = "points"
    x: tuple[float, ...] = Field((), max_length=MAX_POINTS)
    y: tuple[float, ...] = Field((), max_length=MAX_POINTS)

    @model_validator(mode="after")
    def _check(self) -> Self:
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
            for place, value in enumerate(values):
                if not abs(value) <= FARTHEST:
                    raise problem(
                        "data",
                        "point_too_far",
                        "{name} {value} of point {place} must be a finite number, at most {most} in size",
                        name=name,
                        value=value,
                        place=place,
                        most=f"{FARTHEST:g}",
                    )
        return self


Data = Annotated[BookData | SyntheticData | FileData | PointsData, Field(discriminator="kind")]


class Grid(_Part):
    """Evenly spaced query points: start, start + step, ... below stop."""

    start: float = Field(0.0, ge=-1e6, le=1e6, title="Start")
    stop: float = Field(5.0, ge=-1e6, le=2e6, title="Stop")
    step: float = Field(0.5, gt=0, le=1e6, title="Step")

    @property
    def count(self) -> int:
        """How many points there are; a hair's breadth of rounding does not add one at the end."""
        exact = (self.stop - self.start) / self.step
        return max(1, math.ceil(exact - 1e-9)) if exact < _ENDLESS else _ENDLESS

    @model_validator(mode="after")
    def _check(self) -> Self:
        if self.stop <= self.start:
            raise problem(
                "x_test",
                "grid_empty",
                "x_test stop {stop} must be above start {start}; nearest: {nearest}",
                stop=self.stop,
                start=self.start,
                nearest=self.start + self.step,
            )
        if self.count > MAX_POINTS:
            raise problem(
                "x_test",
                "grid_too_fine",
                "x_test step {step} makes more than {most} queries; nearest step: {nearest}",
                step=self.step,
                most=MAX_POINTS,
                # A little more than needed, so that rounding to six digits cannot make it too little.
                nearest=float(f"{(self.stop - self.start) / MAX_POINTS * 1.00001:.6g}"),
            )
        return self

    def points(self) -> NDArray[np.float64]:
        """Return the query points."""
        return self.start + self.step * np.arange(self.count, dtype=np.float64)


class RegressionSpec(BaseModel):
    """One kernel-regression experiment: queries are x, keys the training inputs, values the training outputs."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)

    lab: Literal["regression"] = knob("regression", "Lab", "Which experiment this is.", group="")
    data: Data = knob(BookData(), "Points", "Where the training points come from.", group="Data")
    x_test: Grid = knob(Grid(), "Queries", "Where the curve is predicted: start, stop, step.", group="Data")
    estimator: Estimator = knob(
        "nonparametric",
        "Weights",
        "average: all equal. nonparametric: a kernel of fixed width. parametric: the width is learned.",
        group="Estimator",
    )
    kernel: Kernel = knob("gaussian", "Kernel", "How weight falls with distance.", group="Estimator")
    width: float = knob(
        1.0,
        "Width σ",
        "How far a query looks; narrow copies the noise, wide smooths everything.",
        group="Estimator",
        slider=(0.05, 3),
        ge=1e-6,
        le=1e6,
    )
    leave_one_out: bool = knob(
        True,
        "Leave one out",
        "While training, a point is not among its own keys, so that it cannot copy itself.",
        group="Training",
    )
    learning_rate: float = knob(
        0.5,
        "Rate",
        "Step size of the gradient descent (SGD).",
        group="Training",
        slider=(0.001, 1),
        gt=0,
        le=1e6,
    )
    epochs: int = knob(
        5,
        "Epochs",
        "Training steps; each sees all points.",
        group="Training",
        slider=(1, 200),
        ge=1,
        le=100_000,
    )
    w_init: float | None = knob(
        None,
        "Start w",
        "First value of w = 1/width; empty draws it from [0, 1).",
        group="Training",
        ge=-1e6,
        le=1e6,
    )
    seed: int = knob(
        0,
        "Seed",
        "Decides the first w where it is drawn.",
        group="Training",
        slider=(0, 99),
        ge=0,
        le=2**31 - 1,
    )
    device: str = knob(
        "auto",
        "Device",
        "auto, cpu, mps or cuda:0; auto takes the fastest.",
        group="",
        pattern=DEVICE_PATTERN,
    )

    @model_validator(mode="after")
    def _check(self) -> Self:
        if self.estimator == "parametric" and self.kernel != "gaussian":
            raise problem(
                "kernel",
                "kernel_not_learnable",
                "kernel '{kernel}' cannot have a learned width here; nearest: gaussian",
                kernel=self.kernel,
            )
        return self

    @property
    def trains(self) -> bool:
        """Whether a run goes on in steps."""
        return self.estimator == "parametric"

    @classmethod
    def active_fields(cls, values: Mapping[str, Any]) -> frozenset[str]:
        """Return the fields that matter beside these (perhaps not yet valid) values."""
        training = {"leave_one_out", "learning_rate", "epochs", "w_init", "seed"}
        match values.get("estimator"):
            case "average":
                idle = training | {"kernel", "width"}
            case "parametric":
                idle = {"kernel", "width"}
            case _:
                idle = training | ({"width"} if values.get("kernel") == "constant" else set())
        return frozenset(cls.model_fields) - idle
