"""The estimators of kernel regression: how a query weighs the training points."""

from typing import Any, Literal

from pydantic import Field

from attnviz.experiment.regression.data import Part

Estimator = Literal["average", "nonparametric", "parametric"]
Kernel = Literal["gaussian", "boxcar", "epanechnikov", "triangular", "constant"]

SHORT_KERNELS: tuple[Kernel, ...] = ("boxcar", "epanechnikov", "triangular")
"""Kernels that reach no farther than one width, so that a query may find no training point."""

TEACHING_WIDTHS = (0.1, 0.2, 0.5, 1.0)
"""The widths that the textbook's exercises compare."""

LEAST_WIDTH, GREATEST_WIDTH = 1e-6, 1e6


class Overlay(Part):
    """One estimator whose curve is drawn beside the spec's own, on the same points and queries."""

    estimator: Estimator = "average"
    kernel: Kernel = "gaussian"
    width: float = Field(1.0, ge=LEAST_WIDTH, le=GREATEST_WIDTH)

    @property
    def identity(self) -> tuple[Any, ...]:
        """What tells one curve from another: an average has neither kernel nor width, a learned width none."""
        match self.estimator:
            case "nonparametric" if self.kernel != "constant":
                return self.kernel, self.width
            case "parametric":
                return ("learned",)
            case _:
                return ("average",)
