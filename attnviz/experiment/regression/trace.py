"""The trace of the kernel-regression lab: the result of a run."""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from attnviz.definitions.contrasts import CONTRASTS
from attnviz.definitions.text import Text, number_said
from attnviz.experiment.arrays import read_only
from attnviz.experiment.bases import TraceBase
from attnviz.experiment.colours import WEIGHT_SCALE, Scale, quantise, stretched, stretched_scale, symmetric_scale
from attnviz.experiment.regression.data import FileData, written_out
from attnviz.experiment.regression.spec import Overlay, RegressionSpec

_LEVELS = {
    "differences": "difference_levels",
    "kernel": "kernel_levels",
    "weights": "levels",
    "contrast": "contrast_levels",
    "pooling": "contribution_levels",
}
"""The colour levels of each stage, and of weights up to the largest; other contrasts use their own names."""


@dataclass(frozen=True, eq=False)
class OverlayCurve:
    """An overlay's predictions and errors. Shape letter: Q queries."""

    overlay: Overlay
    y_hat: NDArray[np.float64]
    """(Q,), NaN where no training point is in reach; all NaN if the training diverged."""
    error_to_truth: float
    """As `RegressionTrace.error_to_truth`."""
    left_out_error: float
    """As `RegressionTrace.left_out_error`."""
    w: float | None
    """The learned w, of the first head if there are several; None if nothing is learned."""


@dataclass(frozen=True, eq=False)
class RegressionTrace(TraceBase):
    """The fit after some training steps (0 without training), with its spec. Arrays are read-only float64.

    The history may reach beyond this step: earlier steps of a training can be shown.

    Shape letters: Q queries, K training points, h heads (1 unless several w are learned), n steps taken so far.
    """

    spec: RegressionSpec
    x_train: NDArray[np.float64]
    """(K,), the keys."""
    y_train: NDArray[np.float64]
    """(K,), the values."""
    x_test: NDArray[np.float64]
    """(Q,), the queries."""
    y_truth: NDArray[np.float64]
    """(Q,), the function without noise; NaN where it is unknown."""
    head_kernel_values: NDArray[np.float64]
    """(h, Q, K), the kernel's height K(u) at each distance, 0..1; all 1 for the average."""
    head_weights: NDArray[np.float64]
    """(h, Q, K), the attention weights of each head."""
    weights: NDArray[np.float64]
    """(Q, K), the attention weights of ``y_hat``: those of the heads, averaged by their shares."""
    y_hat: NDArray[np.float64]
    """(Q,), the predictions; NaN where a row of weights is all 0."""
    head_y_hat: NDArray[np.float64]
    """(h, Q), the predictions of each head alone."""
    shares: NDArray[np.float64]
    """(h,), each head's share of the average; they sum to 1."""
    step: int
    """The number of training steps before this fit."""
    loss: NDArray[np.float64]
    """(n,), the sum of squared errors before each step."""
    w_path: NDArray[np.float64]
    """(n + 1, h), w before the first step and after each; (1, 0) if nothing is learned."""
    mixture_path: NDArray[np.float64]
    """(n + 1, h), the logits of the shares, as ``w_path``."""
    left_out_error: float
    """Mean squared error at each training point, predicted from all the others; NaN if not computed."""
    curves: tuple[OverlayCurve, ...]
    """The curves of the spec's overlays; empty until they are computed."""
    device: str
    dtype: str
    milliseconds: float
    """The duration of this step."""

    @property
    def num_heads(self) -> int:
        """The number of w; 1 if none is learned."""
        return len(self.head_weights)

    @property
    def untrained_note(self) -> Text:
        """A note that no training step was taken yet, with the origin of w; empty if nothing is learned or one was."""
        if not self.spec.trains or self.step:
            return Text()
        if self.spec.w_init is None:
            return Text("Untrained: random w, seed {seed}", {"seed": self.spec.seed})
        return Text("Untrained: w starts at {w}", {"w": number_said(self.spec.w_init)})

    @property
    def incomplete(self) -> Text:
        """A text about the missing part of a stopped run; empty if nothing is missing."""
        missing = len(self.curves) < len(self.spec.overlays)
        return Text("stopped before the overlays were there") if missing else Text()

    @property
    def known_steps(self) -> int:
        """The number of steps in the history: n."""
        return len(self.loss)

    @property
    def w(self) -> NDArray[np.float64]:
        """(n,) w after each step, (n, h) with several heads."""
        after = self.w_path[1:]
        return after[:, 0] if after.shape[1] == 1 else after

    @property
    def w_now(self) -> float | None:
        """The w of these weights, of the first head if there are several; None if nothing is learned."""
        return float(self.w_path[self.step, 0]) if self.w_path.size else None

    @property
    def width_now(self) -> float | None:
        """The width of `w_now`, 1 / |w|, infinite for w = 0; None if nothing is learned."""
        w = self.w_now
        return None if w is None else 1 / abs(w) if w else float("inf")

    @property
    def heads(self) -> tuple["RegressionTrace", ...]:
        """Each head on its own: its weights, predictions and w."""
        return self._heads if self.num_heads > 1 else (self,)

    @cached_property
    def _heads(self) -> tuple["RegressionTrace", ...]:
        # Not for a single head: a trace that refers to itself is freed only by the garbage collector.
        return tuple(self._head(head) for head in range(self.num_heads))

    def _head(self, head: int) -> "RegressionTrace":
        one = slice(head, head + 1)
        return replace(
            self,
            head_kernel_values=self.head_kernel_values[one],
            head_weights=self.head_weights[one],
            weights=self.head_weights[head],
            y_hat=self.head_y_hat[head],
            head_y_hat=self.head_y_hat[one],
            shares=read_only(np.ones(1)),
            w_path=self.w_path[:, one],
            mixture_path=self.mixture_path[:, one],
            left_out_error=float("nan"),
        )

    @cached_property
    def spec_written_out(self) -> RegressionSpec:
        """The spec, with the points of a file written out, so that studies use the same points."""
        if not isinstance(self.spec.data, FileData):
            return self.spec
        return self.spec.model_copy(update={"data": written_out(self.spec.data, self.x_train, self.y_train)})

    @property
    def kernel_values(self) -> NDArray[np.float64]:
        """(Q, K), the kernel's heights, averaged by the shares if there are several heads."""
        return self.head_kernel_values[0] if len(self.head_kernel_values) == 1 else self._mixed_kernel_values

    @cached_property
    def _mixed_kernel_values(self) -> NDArray[np.float64]:
        return read_only(np.tensordot(self.shares, self.head_kernel_values, 1))

    @cached_property
    def differences(self) -> NDArray[np.float64]:
        """(Q, K), query minus key: how far, and on which side, each training point is."""
        return read_only(self.x_test[:, None] - self.x_train)

    @cached_property
    def contributions(self) -> NDArray[np.float64]:
        """(Q, K), weight times value: each training point's contribution to the prediction of its row."""
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

    def weight_levels(self, contrast: str) -> NDArray[np.uint8]:
        """Return the (Q, K) colour levels of the weights under a record of `CONTRASTS`, or "", cached."""
        if contrast in ("", "head"):
            return self.contrast_levels if contrast else self.levels
        if contrast not in self._stretched:
            self._stretched[contrast] = stretched(self.weights, None, WEIGHT_SCALE, contrast)
        return self._stretched[contrast]

    def row_levels(self, query: int, contrast: str) -> NDArray[np.uint8]:
        """Return the (K,) colour levels of one query's weights, computing no more of `weight_levels` than needed."""
        if contrast in self._stretched or contrast == "without_first":
            row = self.weight_levels(contrast)[query]
        elif contrast == "head":
            row = quantise(self.weights[query], None, 0.0, self.contrast_scale.high)
        else:
            row = stretched(self.weights[[query]], None, WEIGHT_SCALE, contrast)[0]
        return cast("NDArray[np.uint8]", row)

    @cached_property
    def _stretched(self) -> dict[str, NDArray[np.uint8]]:
        return {}

    def weight_scale(self, contrast: str) -> Scale:
        """Return the colour scale of `weight_levels`."""
        if contrast == "head":
            return self.contrast_scale
        return stretched_scale(self.weights, WEIGHT_SCALE, contrast)

    @cached_property
    def difference_levels(self) -> NDArray[np.uint8]:
        """(Q, K) colour levels of the differences, on their scale."""
        return quantise(self.differences, None, self.difference_scale.low, self.difference_scale.high)

    @cached_property
    def difference_scale(self) -> Scale:
        """The colour scale of `difference_levels`."""
        x, x_i = self.x_test, self.x_train
        return symmetric_scale(np.array((x.max() - x_i.min(), x.min() - x_i.max())))  # the extreme differences

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
        """The colour scale of `contribution_levels`."""
        return symmetric_scale(self.contributions)

    @cached_property
    def contrast_scale(self) -> Scale:
        """The colour scale of `contrast_levels`."""
        most = float(np.fmax.reduce(self.weights, axis=None, initial=0.0))  # fmax ignores NaN rows
        return Scale(0.0, most or 1.0)

    def prepare_stage(self, stage: str) -> None:
        """Compute the colour levels of a stage ahead of drawing; a contrast means those of weights."""
        if stage in CONTRASTS and stage != "head":
            self.weight_levels(stage)
        else:
            getattr(self, _LEVELS["contrast" if stage == "head" else stage])

    def is_prepared(self, stage: str) -> bool:
        """Return whether the colour levels of a stage are computed."""
        return stage in self._stretched or _LEVELS.get("contrast" if stage == "head" else stage) in vars(self)

    @cached_property
    def empty_rows(self) -> NDArray[np.bool_]:
        """(Q,), the queries without a training point in reach, under any mask policy."""
        if not self.spec.own_overlay.may_miss:
            return read_only(np.zeros(len(self.x_test), bool))
        return read_only(np.logical_not((self.kernel_values > 0).any(axis=-1)))

    @cached_property
    def curve(self) -> NDArray[np.float64]:
        """(Q,), the predictions, with NaN where no training point is in reach."""
        return read_only(np.where(self.empty_rows, np.nan, self.y_hat))

    @cached_property
    def row_sums(self) -> NDArray[np.float64]:
        """(Q,), the sum of each row of weights."""
        return read_only(self.weights.sum(axis=-1))

    @cached_property
    def error_to_truth(self) -> float:
        """Mean squared error of the curve against the truth, over the queries that have both; NaN without any."""
        return mean_square(self.curve - self.y_truth)

    def prepare(self, watched: str = "") -> None:
        """Compute in the worker what the screen will need; ``watched`` is the shown stage, unknown ones are ignored."""
        _ = self.contrast_scale, self.row_sums, self.error_to_truth, self.curve
        self.prepare_stage(watched if watched in _LEVELS or watched in CONTRASTS else "contrast")

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Return every array under its fixed name in a file."""
        names = ["x_train", "y_train", "x_test", "y_truth", "y_hat"]
        arrays = {name: getattr(self, name) for name in names}
        if self.num_heads == 1:
            arrays |= {"kernel_values": self.kernel_values, "weights": self.weights}
        else:
            arrays |= {"kernel_values": self.head_kernel_values, "head_weights": self.head_weights}
            arrays |= {"weights": self.weights, "shares": self.shares}
        if self.spec.trains:
            arrays |= {"step": np.array(self.step), "loss": self.loss, "w": self.w}
        if self.curves:
            arrays["overlays_y_hat"] = np.stack([curve.y_hat for curve in self.curves])
        return arrays

    def summary(self) -> str:
        """Return a few lines for a terminal."""
        lines = [
            f"{self.spec.estimator}: weights (queries {len(self.x_test)}, training points {len(self.x_train)})",
            f"{self.device}, {self.dtype}, seed {self.spec.seed}, {self.milliseconds:.2f} ms a step",
        ]
        if np.isfinite(self.error_to_truth):
            lines.append(f"mean squared error to the truth {self.error_to_truth:.4f}")
        if np.isfinite(self.left_out_error):
            lines.append(f"leave-one-out error {self.left_out_error:.4f}")
        if self.step:
            w = ", ".join(f"{each:.5g}" for each in self.w_path[self.step])
            lines.append(f"{self.step} steps: loss {self.loss[0]:.5g} -> {self.loss[self.step - 1]:.5g}, w -> {w}")
        return "\n".join(lines)


def mean_square(errors: NDArray[np.float64]) -> float:
    """Return the mean square of the errors that are numbers; NaN if none is."""
    known = errors[np.isfinite(errors)]
    with np.errstate(over="ignore"):  # points may be 1e100 away
        return float(np.mean(known**2)) if known.size else float("nan")
