"""One cell's arithmetic: from a query and a key to one weight and its contribution to the prediction.

Distance, height, weight and contribution are the trace's; steps between (u, the score, an exponential) are computed in
float64 from the trace's numbers.
"""

from dataclasses import dataclass

import numpy as np

from attnviz.definitions.empty_rows import EMPTY_ROW_POLICIES, EmptyRowPolicy
from attnviz.definitions.functions.kernels import KERNELS, Kernel
from attnviz.experiment.arrays import NUMPY
from attnviz.experiment.regression.trace import RegressionTrace


@dataclass(frozen=True, slots=True)
class SoftmaxSteps:
    """The steps of a kernel whose weights are a softmax. Far from all points its heights underflow, these do not.

    The weight is ``exponential / normaliser``, after subtracting the row's largest score from every score.
    """

    score: float
    """log K(u)."""
    largest: float
    """The largest score of the row."""
    exponential: float
    """exp(score - largest)."""
    normaliser: float
    """The sum of the row's exponentials."""


@dataclass(frozen=True, slots=True)
class RegressionCell:
    """The steps to the weight of one query and key, and to its share of the prediction."""

    x: float
    """The query."""
    x_i: float
    """The key."""
    distance: float
    """x - x_i, the trace's."""
    width: float | None
    """The divisor of the distance; None if there is none."""
    w: float | None
    """The factor of the distance instead: the learned w of the trace; None if there is none."""
    u: float | None
    """The distance in widths; None if the weights do not depend on it."""
    softmax: SoftmaxSteps | None
    """None if each weight is its height over the sum of the row's heights."""
    kernel_value: float
    """K(u), the trace's."""
    kernel_sum: float
    """The sum of the row's K(u); 0 where no training point is in reach."""
    weight: float
    """The trace's."""
    y: float
    """The value y_i."""
    contribution: float
    """weight * y_i, the trace's."""
    prediction: float
    """The sum of the row's contributions, the trace's; NaN where no training point is in reach."""
    policy: EmptyRowPolicy
    """The policy that decides the weights where no training point is in reach."""

    @property
    def quotient(self) -> float:
        """The height over the sum of the row's heights; 0 if all of these are 0."""
        if self.softmax is not None:
            return self.softmax.exponential / self.softmax.normaliser
        return self.kernel_value / self.kernel_sum if self.kernel_sum else 0.0


def regression_cell(trace: RegressionTrace, query: int, key: int) -> RegressionCell:
    """Return the arithmetic of one cell of a trace."""
    spec = trace.spec
    distances = trace.x_test[query] - trace.x_train
    width = spec.width if spec.own_overlay.has_width else None
    w = trace.w_now
    # The same operation as the run's: a division and a multiplication by the inverse differ in the last digit.
    us = distances / width if width is not None else distances * w if w is not None else None
    return RegressionCell(
        x=float(trace.x_test[query]),
        x_i=float(trace.x_train[key]),
        distance=float(distances[key]),
        width=width,
        w=w,
        u=None if us is None else float(us[key]),
        softmax=None if us is None else _softmax_steps(KERNELS[spec.kernel], us, key),
        kernel_value=float(trace.kernel_values[query, key]),
        kernel_sum=float(trace.kernel_values[query].sum()),
        weight=float(trace.weights[query, key]),
        y=float(trace.y_train[key]),
        contribution=trace.contribution(query, key),
        prediction=float(trace.y_hat[query]),
        policy=EMPTY_ROW_POLICIES[spec.mask_policy],
    )


def _softmax_steps(kernel: Kernel, us: np.ndarray, key: int) -> SoftmaxSteps | None:
    if kernel.log_height is None:
        return None
    with np.errstate(over="ignore"):  # a diverging w: such a score is -inf, and its exponential 0
        scores = kernel.log_heights(us, NUMPY)
    largest = scores.max()
    exponentials = np.exp(scores - largest)
    return SoftmaxSteps(float(scores[key]), float(largest), float(exponentials[key]), float(exponentials.sum()))
