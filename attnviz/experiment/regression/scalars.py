"""The scalars of the kernel-regression lab: errors, and the results of a training."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from attnviz.definitions.text import Text
from attnviz.experiment.regression.spec import RegressionSpec
from attnviz.experiment.regression.trace import RegressionTrace
from attnviz.experiment.scalars import Scalar

_ERRORS = (
    Scalar(
        name="left_out_error",
        title=Text("Leave-one-out error"),
        help=Text("Mean squared error at each training point, predicted from all the others"),
        of=lambda trace: trace.left_out_error,
    ),
    Scalar(
        name="error_to_truth",
        title=Text("Error to the truth"),
        help=Text("Mean squared error of the curve against the function without noise"),
        of=lambda trace: trace.error_to_truth,
    ),
)


def _loss(trace: RegressionTrace) -> float:
    return float(trace.loss[trace.step - 1]) if trace.step else float("nan")


def _w(trace: RegressionTrace) -> NDArray[np.float64]:
    w: NDArray[np.float64] = trace.w_path[trace.step]
    return w


def _width(trace: RegressionTrace) -> NDArray[np.float64]:
    with np.errstate(divide="ignore"):
        return 1 / np.abs(_w(trace))


_LEARNED = (
    Scalar(name="loss", title=Text("Loss"), help=Text("The sum of squared errors before the last step"), of=_loss),
    Scalar(
        name="learned_w",
        title=Text("Learned w"),
        help=Text("The w of each head after the last step"),
        of=_w,
        per_head=True,
    ),
    Scalar(
        name="learned_width",
        title=Text("Learned width"),
        help=Text("1 / |w| of each head after the last step"),
        of=_width,
        per_head=True,
    ),
)


def scalars_of(spec: Any) -> tuple[Scalar, ...]:
    """Return the scalars of a spec's trace."""
    assert isinstance(spec, RegressionSpec)
    return (*_ERRORS, *_LEARNED) if spec.trains else _ERRORS
