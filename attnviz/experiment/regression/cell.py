"""One cell's arithmetic: from a query and a key to one weight, and to what it adds to the prediction.

Distance, height, weight and contribution are the trace's; steps between (u, the score, an exponential) are computed in
float64 from the trace's numbers.
"""

from dataclasses import dataclass

import numpy as np

from attnviz.experiment.regression.trace import RegressionTrace


@dataclass(frozen=True, slots=True)
class Gauss:
    """The gaussian's own steps. Far from every point each height underflows to 0; the softmax over the scores does not.

    So its weight is ``exponential / normaliser``, in which the row's largest score is taken off every score first.
    """

    score: float
    """-u² / 2."""
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
    """What the distance is divided by; None where it is not."""
    w: float | None
    """What the distance is multiplied by instead, the learned w of the trace; None where it is not."""
    u: float | None
    """The distance in widths; None where the weights do not hang on it."""
    gauss: Gauss | None
    """None for other kernels than the gaussian."""
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

    @property
    def quotient(self) -> float:
        """What the weight is worked out from: a height over the row's heights, 0 where these are 0 throughout."""
        if self.gauss is not None:
            return self.gauss.exponential / self.gauss.normaliser
        return self.kernel_value / self.kernel_sum if self.kernel_sum else 0.0


def regression_cell(trace: RegressionTrace, query: int, key: int) -> RegressionCell:
    """Return the arithmetic of one cell of a trace."""
    spec = trace.spec
    distances = trace.x_test[query] - trace.x_train
    fixed = spec.estimator == "nonparametric" and spec.kernel != "constant"
    width = spec.width if fixed else None
    w = trace.w_now
    # The same operation as the run's: a division and a multiplication by the inverse differ in the last place.
    us = distances / width if width is not None else distances * w if w is not None else None
    is_gaussian = us is not None and spec.kernel == "gaussian"
    return RegressionCell(
        x=float(trace.x_test[query]),
        x_i=float(trace.x_train[key]),
        distance=float(distances[key]),
        width=width,
        w=w,
        u=None if us is None else float(us[key]),
        gauss=_gauss(us, key) if us is not None and is_gaussian else None,
        kernel_value=float(trace.kernel_values[query, key]),
        kernel_sum=float(trace.kernel_values[query].sum()),
        weight=float(trace.weights[query, key]),
        y=float(trace.y_train[key]),
        contribution=trace.contribution(query, key),
        prediction=float(trace.y_hat[query]),
    )


def _gauss(us: np.ndarray, key: int) -> Gauss:
    with np.errstate(over="ignore"):  # a diverging w: such a score is -inf, and its exponential 0
        scores = -(us**2) / 2
    largest = scores.max()
    exponentials = np.exp(scores - largest)
    return Gauss(float(scores[key]), float(largest), float(exponentials[key]), float(exponentials.sum()))
