"""The kernel-regression lab's nouns: what came out of a run."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from attnviz.experiment.picture import WEIGHT_SCALE, Scale, quantise, read_only, symmetric_scale
from attnviz.experiment.regression import RegressionSpec


@dataclass(frozen=True, eq=False)
class RegressionTrace:
    """The fit after some training steps (0 where nothing is trained), with its spec. Arrays are read-only float64.

    Shape letters: Q queries, K training points.
    """

    spec: RegressionSpec
    x_train: NDArray[np.float64]
    """(K,), the keys."""
    y_train: NDArray[np.float64]
    """(K,), the values."""
    x_test: NDArray[np.float64]
    """(Q,), the queries."""
    y_truth: NDArray[np.float64]
    """(Q,), the function without noise; NaN where it is not known."""
    y_hat: NDArray[np.float64]
    """(Q,), the predictions; NaN where no training point is in reach."""
    kernel_values: NDArray[np.float64]
    """(Q, K), the kernel's height K(u) at each distance, 0..1; 1 throughout where all weights are equal."""
    weights: NDArray[np.float64]
    """(Q, K), the attention weights of ``y_hat``."""
    loss: NDArray[np.float64]
    """(steps,), the sum of squared errors before each step."""
    w: NDArray[np.float64]
    """(steps,), w after each step."""
    w_start: float | None
    """w before the first step; None where nothing is learned."""
    device: str
    dtype: str
    milliseconds: float
    """How long this step took."""

    @property
    def step(self) -> int:
        """How many training steps lie behind this fit."""
        return len(self.loss)

    @property
    def final(self) -> bool:
        """Whether no further trace of the same run follows."""
        return self.spec.estimator != "parametric" or self.step == self.spec.epochs

    @property
    def w_now(self) -> float | None:
        """The w that made the weights; None where nothing is learned."""
        return float(self.w[-1]) if self.step else self.w_start

    @cached_property
    def differences(self) -> NDArray[np.float64]:
        """(Q, K), query minus key: how far, and on which side, each training point lies."""
        return read_only(self.x_test[:, None] - self.x_train)

    @cached_property
    def contributions(self) -> NDArray[np.float64]:
        """(Q, K), weight times value: what each training point adds to the prediction of its row."""
        return read_only(self.weights * self.y_train)

    @cached_property
    def row_sums(self) -> NDArray[np.float64]:
        """(Q,), the sum of each row of weights."""
        return read_only(self.weights.sum(axis=-1))

    @cached_property
    def levels(self) -> NDArray[np.uint8]:
        """(Q, K) colour levels of the weights, 0..1."""
        return quantise(self.weights, None, WEIGHT_SCALE.low, WEIGHT_SCALE.high)

    @cached_property
    def contrast_levels(self) -> NDArray[np.uint8]:
        """(Q, K) colour levels of the weights, 0..their maximum."""
        return quantise(self.weights, None, 0.0, self.contrast_scale.high)

    @cached_property
    def difference_levels(self) -> NDArray[np.uint8]:
        """(Q, K) colour levels of the differences, on their scale."""
        return quantise(self.differences, None, self.difference_scale.low, self.difference_scale.high)

    @cached_property
    def difference_scale(self) -> Scale:
        """What the colours of `difference_levels` stand for."""
        x, x_i = self.x_test, self.x_train
        return symmetric_scale(np.array((x.max() - x_i.min(), x.min() - x_i.max())))  # the two farthest of them all

    @cached_property
    def kernel_levels(self) -> NDArray[np.uint8]:
        """(Q, K) colour levels of the kernel's heights, 0..1."""
        return quantise(self.kernel_values, None, WEIGHT_SCALE.low, WEIGHT_SCALE.high)

    @cached_property
    def contribution_levels(self) -> NDArray[np.uint8]:
        """(Q, K) colour levels of the contributions, on their scale."""
        return quantise(self.contributions, None, self.contribution_scale.low, self.contribution_scale.high)

    @cached_property
    def contribution_scale(self) -> Scale:
        """What the colours of `contribution_levels` stand for."""
        return symmetric_scale(self.contributions)

    @property
    def contrast_scale(self) -> Scale:
        """What the colours of `contrast_levels` stand for."""
        return Scale(0.0, float(self.weights.max(initial=0.0)) or 1.0, per_head=True)

    @cached_property
    def error_to_truth(self) -> float:
        """Mean squared error of the curve against the truth, over the queries that have both; NaN without any."""
        known = np.isfinite(self.y_hat) & np.isfinite(self.y_truth)
        return float(np.mean((self.y_hat - self.y_truth)[known] ** 2)) if known.any() else float("nan")

    def prepare_stage(self, stage: str) -> None:
        """Compute the colours of a stage, so that drawing it takes no longer than drawing."""
        match stage:
            case "differences":
                _ = self.difference_levels
            case "kernel":
                _ = self.kernel_levels
            case "pooling":
                _ = self.contribution_levels
            case _:
                _ = self.levels

    def prepare(self) -> None:
        """Compute what the screen will ask for, so that it is done in the worker."""
        _ = self.contrast_levels, self.row_sums, self.error_to_truth

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Return every array under its fixed name in a file."""
        names = ["x_train", "y_train", "x_test", "y_truth", "y_hat", "kernel_values", "weights"]
        if self.spec.estimator == "parametric":
            names += ["loss", "w"]
        return {name: getattr(self, name) for name in names}

    def summary(self) -> str:
        """Return a few lines for a terminal."""
        lines = [
            f"{self.spec.estimator}: weights (queries {len(self.x_test)}, training points {len(self.x_train)})",
            f"{self.device}, {self.dtype}, seed {self.spec.seed}, {self.milliseconds:.2f} ms a step",
        ]
        if np.isfinite(self.error_to_truth):
            lines.append(f"mean squared error to the truth {self.error_to_truth:.4f}")
        if self.step:
            lines.append(f"{self.step} steps: loss {self.loss[0]:.5g} -> {self.loss[-1]:.5g}, w -> {self.w[-1]:.5g}")
        return "\n".join(lines)
