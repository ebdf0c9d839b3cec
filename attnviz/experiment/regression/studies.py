"""Studies of a spec's points: all kernels at several widths, the errors over the width, the loss over w.

A study has the spec whose points and queries it uses. It runs on demand, beside the fit on screen, with the same engine
and in the same worker. Shape letters: Q queries, k kernels, n widths or w.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from attnviz.definitions.functions.kernels import KERNELS
from attnviz.experiment.regression.spec import TEACHING_WIDTHS, KernelName, RegressionSpec
from attnviz.experiment.study import StudyOf, StudyResult

MOST_ROWS, MOST_COLUMNS = 96, 160
"""The most rows and columns stored of the weights of one kernel and width: a small picture shows no more."""


class _Study(StudyOf):
    of: RegressionSpec


class KernelGrid(_Study):
    """Every kernel at every width."""

    kernels: tuple[KernelName, ...] = Field(default_factory=lambda: tuple(KERNELS))
    widths: tuple[float, ...] = TEACHING_WIDTHS


class WidthErrors(_Study):
    """The errors of one kernel over its width."""

    kernel: KernelName
    count: int = Field(64, ge=2)


class LossOverW(_Study):
    """The sum of squares that the training minimises, for a single w from ``low`` to ``high``."""

    low: float
    high: float
    count: int = Field(161, ge=2)


@dataclass(frozen=True, eq=False)
class KernelGridTrace(StudyResult):
    """Fits and weights of every kernel at every width. Arrays are read-only float64."""

    spec: KernelGrid
    x_train: NDArray[np.float64]
    """(K,)."""
    y_train: NDArray[np.float64]
    """(K,)."""
    x_test: NDArray[np.float64]
    """(Q,)."""
    y_truth: NDArray[np.float64]
    """(Q,), NaN where it is unknown."""
    y_hat: NDArray[np.float64]
    """(k, n, Q), NaN where no training point is in reach."""
    weights: NDArray[np.float64]
    """(k, n, rows, columns), the (Q, K) weights, or the maxima of blocks of them if there are too many."""
    error_to_truth: NDArray[np.float64]
    """(k, n), as `RegressionTrace.error_to_truth`."""
    left_out_error: NDArray[np.float64]
    """(k, n), as `RegressionTrace.left_out_error`; NaN if there are many points."""


@dataclass(frozen=True, eq=False)
class WidthErrorsTrace(StudyResult):
    """Errors over the width. Arrays are read-only float64."""

    spec: WidthErrors
    widths: NDArray[np.float64]
    """(n,), evenly spaced by their logarithm."""
    error_to_truth: NDArray[np.float64]
    """(n,), over the queries in reach; all NaN if the truth is unknown."""
    left_out_error: NDArray[np.float64]
    """(n,), over the training points with another one in reach."""
    queries_reached: NDArray[np.float64]
    """(n,), the share of queries with a training point in reach."""
    points_reached: NDArray[np.float64]
    """(n,), the share of training points with another one in reach."""

    def best(self, errors: NDArray[np.float64], reached: NDArray[np.float64]) -> int | None:
        """Return the index of the least error among the widths with the largest reach; None without any number.

        A narrow kernel with few queries in reach may have small errors at these few.
        """
        known = np.isfinite(errors)
        if not known.any():
            return None
        fullest = known & (reached == reached[known].max())
        return int(np.where(fullest, errors, np.inf).argmin())


@dataclass(frozen=True, eq=False)
class LossOverWTrace(StudyResult):
    """The loss over w. Arrays are read-only float64."""

    spec: LossOverW
    w: NDArray[np.float64]
    """(n,)."""
    loss: NDArray[np.float64]
    """(n,)."""


Study = KernelGrid | WidthErrors | LossOverW
StudyTrace = KernelGridTrace | WidthErrorsTrace | LossOverWTrace
