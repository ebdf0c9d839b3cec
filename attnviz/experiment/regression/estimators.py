"""The estimators of kernel regression: how a query weights the training points."""

from typing import Annotated, Any, Literal

from pydantic import Field

from attnviz.definitions.kernels import KERNELS
from attnviz.experiment.knob import Number, OneOf
from attnviz.experiment.regression.data import Part

Estimator = Literal["average", "nonparametric", "parametric"]
KernelName = Annotated[str, OneOf(KERNELS)]

TEACHING_WIDTHS = (0.1, 0.2, 0.5, 1.0)
"""The widths that the textbook's exercises compare."""

LEAST_WIDTH, GREATEST_WIDTH = 1e-6, 1e6


class Overlay(Part):
    """One estimator whose curve is drawn beside the spec's own, on the same points and queries."""

    estimator: Estimator = "average"
    kernel: KernelName = "gaussian"
    width: Number = Field(1.0, ge=LEAST_WIDTH, le=GREATEST_WIDTH)

    @property
    def has_width(self) -> bool:
        """Whether it is a kernel of fixed width."""
        return self.estimator == "nonparametric" and KERNELS[self.kernel].has_width

    @property
    def is_average(self) -> bool:
        """Whether all weights are equal."""
        return self.estimator != "parametric" and not self.has_width

    @property
    def may_miss(self) -> bool:
        """Whether a query may have no training point in reach."""
        return self.estimator == "nonparametric" and KERNELS[self.kernel].is_compact

    @property
    def identity(self) -> tuple[Any, ...]:
        """A key that is equal for equal curves: an average ignores kernel and width, a learned width the width."""
        if self.estimator == "parametric":
            return ("learned",)
        return (self.kernel, self.width) if self.has_width else ("average",)
