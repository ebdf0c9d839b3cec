"""What the matrices of a regression hold beside its weights, and the colour levels of each."""

from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from attnviz.experiment.colours.levels import WEIGHT_SCALE, Scale, quantise, read_only, symmetric_scale

_LEVELS = {
    "differences": "difference_levels",
    "kernel": "kernel_levels",
    "weights": "levels",
    "contrast": "contrast_levels",
    "pooling": "contribution_levels",
}
"""The colour levels of each stage, and of weights up to the largest."""


class RegressionColours:
    """The part of a trace that is worked out from its arrays when it is looked at.

    Shape letters: Q queries, K training points. The arrays below are the trace's own.
    """

    x_train: NDArray[np.float64]
    y_train: NDArray[np.float64]
    x_test: NDArray[np.float64]
    head_kernel_values: NDArray[np.float64]
    weights: NDArray[np.float64]
    shares: NDArray[np.float64]

    @property
    def kernel_values(self) -> NDArray[np.float64]:
        """(Q, K), the kernel's heights, averaged by the shares where there are several heads."""
        return self.head_kernel_values[0] if len(self.head_kernel_values) == 1 else self._mixed_kernel_values

    @cached_property
    def _mixed_kernel_values(self) -> NDArray[np.float64]:
        return read_only(np.tensordot(self.shares, self.head_kernel_values, 1))

    @cached_property
    def differences(self) -> NDArray[np.float64]:
        """(Q, K), query minus key: how far, and on which side, each training point lies."""
        return read_only(self.x_test[:, None] - self.x_train)

    @cached_property
    def contributions(self) -> NDArray[np.float64]:
        """(Q, K), weight times value: what each training point adds to the prediction of its row."""
        return read_only(self.weights * self.y_train)

    def contribution(self, query: int, key: int) -> float:
        """Return one cell of `contributions` without computing the others."""
        return float(self.weights[query, key] * self.y_train[key])

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

    @cached_property
    def contrast_scale(self) -> Scale:
        """What the colours of `contrast_levels` stand for."""
        most = float(np.fmax.reduce(self.weights, axis=None, initial=0.0))  # fmax passes over NaN rows
        return Scale(0.0, most or 1.0, per_head=True)

    def prepare_stage(self, stage: str) -> None:
        """Compute the colours of a stage, so that drawing it takes no longer than drawing; "contrast" are weights."""
        getattr(self, _LEVELS[stage])

    def is_prepared(self, stage: str) -> bool:
        """Return whether the colours of a stage are there."""
        return _LEVELS[stage] in vars(self)
