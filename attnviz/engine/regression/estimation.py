"""Kernel regression: one estimator on one set of points, in blocks that stay small in memory.

Shape letters: Q queries, K training points, h heads.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor

from attnviz.attention import (
    Kernel,
    LearnedStages,
    MaskPolicy,
    NadarayaWatson,
    kernel_stages,
    kernel_weights,
    leave_one_out,
    predict,
)
from attnviz.engine.regression.samples import Samples
from attnviz.experiment.arrays import BLOCK_CELLS, read_only
from attnviz.experiment.colours import block_maxima
from attnviz.experiment.regression.data import LEFT_OUT_UP_TO
from attnviz.experiment.regression.spec import RegressionSpec
from attnviz.experiment.regression.trace import mean_square

Vector = np.ndarray


class Weighed(NamedTuple):
    """An estimator at every query; the fields are the trace's arrays of the same names."""

    head_kernel_values: Vector
    head_weights: Vector
    weights: Vector
    y_hat: Vector
    head_y_hat: Vector


@dataclass(frozen=True, slots=True)
class FixedKernel:
    """A kernel of fixed width; one without a width is the average."""

    kernel: Kernel
    width: float
    policy: MaskPolicy = "zero"
    num_heads: int = 1

    def with_gaps(self) -> "FixedKernel":
        """Return the kernel with mask policy "zero": weights of 0 where no training point is in reach."""
        return replace(self, policy="zero")

    def stages(self, queries: Tensor, keys: Tensor, mask: Tensor | None = None) -> LearnedStages:
        """Return heights and weights of the single head, (1, Q, K), and its weights, (Q, K)."""
        stages = kernel_stages(queries, keys, self.kernel, self.width, policy=self.policy, mask=mask)
        return LearnedStages(stages.kernel_values[None], stages.weights[None], stages.weights)

    def weights(self, queries: Tensor, keys: Tensor, mask: Tensor | None = None) -> Tensor:
        """Return only the weights (Q, K), without computing the heights."""
        return kernel_weights(queries, keys, self.kernel, self.width, policy=self.policy, mask=mask)


@dataclass(frozen=True, slots=True)
class Learned:
    """A `NadarayaWatson` with the w it has now."""

    net: NadarayaWatson

    @property
    def num_heads(self) -> int:
        """The number of learned w, one per head."""
        return self.net.w.numel()

    def with_gaps(self) -> "Learned":
        """Return itself: a gaussian reaches everywhere."""
        return self

    def stages(self, queries: Tensor, keys: Tensor, mask: Tensor | None = None) -> LearnedStages:
        """Return heights and weights of every head, (h, Q, K), and the averaged weights, (Q, K)."""
        return self.net.stages(queries, keys, mask)

    def weights(self, queries: Tensor, keys: Tensor, mask: Tensor | None = None) -> Tensor:
        """Return only the averaged weights (Q, K), without computing all the heights."""
        return self.net.weights(queries, keys, mask)


Estimate = FixedKernel | Learned
"""An estimator: computes the weights of keys (K,) at queries (Q,), under an optional mask (Q, K)."""


def fixed_estimate(spec: RegressionSpec) -> FixedKernel:
    """Return the estimator of a spec without training."""
    if spec.estimator == "average":
        return FixedKernel("constant", 1.0)
    return FixedKernel(spec.kernel, spec.width, spec.mask_policy)


class Points:
    """The samples of a run as tensors on one device, and the results of estimators on them."""

    def __init__(self, samples: Samples, device: torch.device) -> None:
        self.samples = samples
        self.device = device
        # float64, because exact numbers matter here; Apple's GPUs lack it.
        self.dtype = torch.float32 if device.type == "mps" else torch.float64
        self.x_train, self.y_train, self.x_test = (
            torch.tensor(x, device=device, dtype=self.dtype) for x in (samples.x_train, samples.y_train, samples.x_test)
        )

    def weigh(self, estimate: Estimate) -> Weighed:
        """Return an estimator's results at every query, in float64."""
        h, Q, K = estimate.num_heads, len(self.x_test), len(self.x_train)
        heights, of_heads = np.empty((h, Q, K)), np.empty((h, Q, K))
        weights, y_hat, head_y_hat = of_heads[0] if h == 1 else np.empty((Q, K)), np.empty(Q), np.empty((h, Q))
        with torch.inference_mode():
            for rows in blocks(Q, h * K):
                stages = estimate.stages(self.x_test[rows], self.x_train)
                y_hat[rows] = _numbers(predict(stages.weights, self.y_train))
                heights[:, rows], of_heads[:, rows] = _numbers(stages.head_kernel_values), _numbers(stages.head_weights)
                head_y_hat[:, rows] = y_hat[rows]
                if h > 1:
                    weights[rows] = _numbers(stages.weights)
                    head_y_hat[:, rows] = _numbers(stages.head_weights @ self.y_train)
        return Weighed(*(read_only(each) for each in (heights, of_heads, weights, y_hat, head_y_hat)))

    def predict(self, estimate: Estimate, should_stop: Callable[[], bool] = lambda: False) -> Vector:
        """Return only y_hat (Q,), in the memory of one block; NaN from the point where it was stopped."""
        return self._predict(estimate, self.x_test, should_stop, left_out=False)

    def predict_points(self, estimate: Estimate, should_stop: Callable[[], bool] = lambda: False) -> Vector:
        """Return the prediction at each training point (K,), from all of them."""
        return self._predict(estimate, self.x_train, should_stop, left_out=False)

    def predict_left_out(self, estimate: Estimate, should_stop: Callable[[], bool] = lambda: False) -> Vector:
        """Return the prediction at each training point (K,) from all the others; NaN where none of them is in reach."""
        if len(self.x_train) < 2:
            return read_only(np.full(len(self.x_train), np.nan))
        return self._predict(estimate.with_gaps(), self.x_train, should_stop, left_out=True)

    def left_out_error_of_few(self, estimate: Estimate) -> float:
        """Return the mean squared error of `predict_left_out`, over the points with another one in reach.

        NaN if there are too many points to compute it for every fit.
        """
        if len(self.x_train) > LEFT_OUT_UP_TO:
            return float("nan")
        return mean_square(self.predict_left_out(estimate) - self.samples.y_train)

    def weigh_reduced(
        self, estimate: Estimate, rows: int, columns: int, should_stop: Callable[[], bool]
    ) -> tuple[Vector, Vector]:
        """Return y_hat (Q,) and the weights reduced to at most (rows, columns), each the maximum of a block."""
        y_hat, parts = np.full(len(self.x_test), np.nan), []
        at_once = -(-len(self.x_test) // rows)  # queries per row
        with torch.inference_mode():
            for some in blocks(len(self.x_test), len(self.x_train), multiple_of=at_once):
                if should_stop():
                    break
                weights = estimate.weights(self.x_test[some], self.x_train)
                y_hat[some] = _numbers(predict(weights, self.y_train))
                parts.append(block_maxima(_numbers(weights), at_once, -(-len(self.x_train) // columns)))
        return read_only(y_hat), read_only(np.concatenate(parts) if parts else np.zeros((1, 1)))

    def _predict(
        self, estimate: Estimate, queries: Tensor, should_stop: Callable[[], bool], *, left_out: bool
    ) -> Vector:
        y_hat, K = np.full(len(queries), np.nan), len(self.x_train)
        with torch.inference_mode():
            for rows in blocks(len(queries), estimate.num_heads * K):
                if should_stop():
                    break
                mask = self.others(rows) if left_out else None
                weights = estimate.weights(queries[rows], self.x_train, mask)
                y_hat[rows] = _numbers(predict(weights, self.y_train))
        return read_only(y_hat)

    def others(self, rows: slice) -> Tensor:
        """Return the mask (rows, K) of leave-one-out for these training points as queries."""
        numbers = torch.arange(rows.start, rows.stop, device=self.device)
        return leave_one_out(numbers, len(self.x_train))


def blocks(count: int, cells_each: int, multiple_of: int = 1) -> Iterator[slice]:
    """Yield slices over ``count`` queries, one block of cells each; lengths are multiples of ``multiple_of``."""
    size = max(1, BLOCK_CELLS // max(cells_each, 1) // multiple_of) * multiple_of
    for start in range(0, count, size):
        yield slice(start, min(start + size, count))


def _numbers(tensor: Tensor) -> Vector:
    return tensor.double().cpu().numpy()
