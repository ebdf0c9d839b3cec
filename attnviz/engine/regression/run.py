"""The kernel-regression lab's run: one fit, or one after every training step; each can be revisited."""

import time
from collections.abc import Callable, Hashable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import torch

from attnviz.attention import NadarayaWatson
from attnviz.definitions.text import Refused
from attnviz.engine import memory
from attnviz.engine.machine import RunError, choose, wait_for
from attnviz.engine.regression import LESS_MEMORY
from attnviz.engine.regression.estimation import Estimate, Learned, Points, fixed_estimate
from attnviz.engine.regression.samples import make_samples
from attnviz.engine.regression.studies import run_study
from attnviz.engine.regression.training import History, Training, diverged, net_of
from attnviz.engine.single_run import SingleRun
from attnviz.experiment.arrays import read_only
from attnviz.experiment.regression.data import FileData
from attnviz.experiment.regression.spec import Overlay, RegressionSpec
from attnviz.experiment.regression.trace import OverlayCurve, RegressionTrace, mean_square
from attnviz.experiment.run import Cursor, Progress, Run, ShouldStop

_AT_ONCE = 4_000_000
"""If the overlays need more weights than this, a trace without them is emitted first."""

_CELLS_OF_A_STEP = 20_000
"""The number of weights that take as long as the shortest training step."""

_FAR = 1e15
"""Beyond this distance in widths, squares may overflow, in float32 first."""

_OBJECTS = 1 << 15
"""Bytes of a run apart from its arrays."""


def regression_bytes(spec: RegressionSpec, num_queries: int, num_train: int) -> int:
    """Return the peak bytes of a fit, including all arrays derived from it for the screen."""
    heads = spec.num_heads if spec.trains else 1
    # Heights and weights of each head and their average; differences, contributions, two transients, the colours.
    per_cell = 8 * (2 * heads + (2 if heads > 1 else 0) + 5)
    return per_cell * num_queries * num_train + memory.block_bytes(heads * num_train)


def start(asked: Any, past: Any, progress: Progress) -> Run:
    """Return the run of a spec, which continues from the steps of ``past``, or of a study, which has one step."""
    return RegressionRun(asked, past, progress) if isinstance(asked, RegressionSpec) else SingleRun(asked, run_study)


def training(asked: Any) -> Hashable:
    """Return a key of the steps of a training, including the content of a file of points; None without training."""
    if not asked.trains:
        return None
    past: Hashable = asked.past
    if not isinstance(asked.data, FileData):
        return past
    try:
        status = Path(asked.data.path).stat()
    except (OSError, ValueError):
        return None
    return past, status.st_mtime_ns, status.st_size, status.st_ino


class RegressionRun:
    """A fixed fit, which has one cursor, or a training, which has one before and after every step.

    Slow overlays come with the second step; a training that continues from another's past has them from the first.
    """

    def __init__(self, spec: RegressionSpec, past: "RegressionRun | None", progress: Progress) -> None:
        self.spec = spec
        self._progress = progress
        self._done = 0  # the number of steps taken, including those of overlays
        self._past = past
        self._fit: _Fit | None = None  # None before the first step
        self._training: Training | None = None  # may be further along, advanced by another run
        self._steps = 0
        self._curves_missing = True
        self._weighed: RegressionTrace | None = None  # the only trace of a fixed fit
        self._reach = 0.0
        self._seconds = 0.0  # the duration of the last step

    @property
    def known(self) -> Cursor | None:
        """The last cursor that can be shown."""
        return None if self._fit is None else Cursor(step=self._steps)

    @property
    def final(self) -> bool:
        """Whether its last step was taken and the overlays are ready."""
        return self._fit is not None and not self._curves_missing and self._steps == self._last_step

    @property
    def nbytes(self) -> int:
        """The approximate bytes it holds: its steps and points, without weights."""
        if self._fit is None:
            return _OBJECTS
        samples, training = self._fit.points.samples, self._training.nbytes if self._training else 0
        numbers = 2 * sum(each.nbytes for each in (samples.x_train, samples.y_train, samples.x_test, samples.y_truth))
        return _OBJECTS + numbers + training + sum(curve.y_hat.nbytes for curve in self._fit.curves)

    def advance(self, should_stop: ShouldStop) -> bool:
        """Prepare the points, or take a step; return False if stopped before it was complete.

        Raises:
            RunError: the device, the memory or the data are insufficient, or the training diverges.
        """
        if self.final:
            return False
        start = time.perf_counter()
        if self._fit is None:
            done = self._begin(should_stop)
        else:
            done = self._draw_curves(self._fit, should_stop) and self._take_step(should_stop)
        self._seconds = time.perf_counter() - start
        return done

    def at(self, cursor: Cursor) -> RegressionTrace:
        """Return the trace of a step; see `attnviz.experiment.run.Run`.

        Raises:
            ValueError: the step has not been taken.
            RunError: the device or the memory is insufficient, or the predictions are not finite.
        """
        step = self._steps if cursor.step is None else cursor.step
        if self._fit is None or not 0 <= step <= self._steps:
            raise Refused("step {step} must be in 0..{steps}", step=step, steps=self._steps)
        if step < self._steps:
            self._require_memory(self._fit.points)
        return self._trace(self._fit, step, self._steps)

    def rest(self) -> None:
        """Release memory while suspended; does nothing, since the run holds little."""

    @property
    def _last_step(self) -> int:
        return self.spec.epochs if self.spec.trains else 0

    def _begin(self, should_stop: ShouldStop) -> bool:
        """Prepare the first trace."""
        spec, past = self.spec, self._past
        device = choose(spec.device)
        if should_stop():
            return False
        before = past._fit if past is not None else None
        same_queries = before is not None and before.spec.x_test == spec.x_test
        points = before.points if before is not None and same_queries else Points(make_samples(spec), device)
        self._require_memory(points)
        fit, training = _Fit(spec, points), past._training if past is not None else None
        if spec.trains and training is None:
            training = Training(spec, points)
        steps = min(training.steps, self._last_step) if training is not None else 0
        if not _takes_long(fit) or steps:
            curves = _curves(fit, should_stop, self._count_step, before if same_queries else None)
            if should_stop():
                return False
            fit, self._curves_missing = replace(fit, curves=curves), False
        self._reach = fit.reach
        self._training, self._steps, self._fit, self._past = training, steps, fit, None
        return True

    def _draw_curves(self, fit: "_Fit", should_stop: ShouldStop) -> bool:
        if self._curves_missing:
            curves = _curves(fit, should_stop, self._count_step)
            if should_stop():
                return False
            self._fit, self._curves_missing = replace(fit, curves=curves), False
        return True

    def _take_step(self, should_stop: ShouldStop) -> bool:
        training, fit = self._training, self._fit
        if training is None or self._steps == self._last_step:
            return True
        assert fit is not None
        if training.steps == self._steps:
            if not training.advance(should_stop):
                return False
            self._count_step()
        step = self._steps + 1
        # If a prediction may not be finite, the run fails at the first such step, shown or not.
        if not np.abs(training.w_of(step)).max() * self._reach < _FAR:
            self._trace(fit, step, step)
        self._steps = step
        return True

    def _trace(self, fit: "_Fit", step: int, known: int) -> RegressionTrace:
        """Return the trace after a step; the history reaches as far as ``known``.

        Raises:
            RunError: the numbers of that step are not finite.
        """
        start = time.perf_counter() - (self._seconds if step == known else 0.0)
        training = self._training
        if training is None:
            self._weighed = fit.fixed(start) if self._weighed is None else replace(self._weighed, curves=fit.curves)
            return self._weighed
        history = training.history(known)
        if step == training.steps:
            net = training.net
        else:
            net = net_of(torch.tensor(history.w_path[step]), torch.tensor(history.mixture_path[step]), fit.points)
        trace = fit.learned(net, history, start, step)
        if step and not np.isfinite(trace.y_hat).all():
            raise diverged(self.spec, step, history.loss[step - 1], history.w_path[step, 0])
        return trace

    def _count_step(self) -> None:
        """Report a training step to the progress callback."""
        self._done += 1
        trainings = self.spec.trains + sum(overlay.estimator == "parametric" for overlay in self.spec.overlays)
        self._progress(self._done, trainings * self.spec.epochs)

    def _require_memory(self, points: Points) -> None:
        samples = points.samples
        needed = regression_bytes(self.spec, len(samples.x_test), len(samples.x_train))
        memory.require(needed, points.device, LESS_MEMORY)


@dataclass(frozen=True, slots=True)
class _Fit:
    """The data from which a run makes its traces."""

    spec: RegressionSpec
    points: Points
    curves: tuple[OverlayCurve, ...] = ()

    @property
    def reach(self) -> float:
        """An upper bound of the distance between two points."""
        return 2 * max(float(x.abs().max()) for x in (self.points.x_train, self.points.x_test))

    def fixed(self, start: float) -> RegressionTrace:
        """Return the trace of the average or of a kernel of fixed width."""
        nothing = read_only(np.empty((1, 0)))
        history = History(read_only(np.empty(0)), nothing, nothing)
        return self._trace(fixed_estimate(self.spec), read_only(np.ones(1)), history, 0, start)

    def learned(self, net: NadarayaWatson, history: History, start: float, step: int) -> RegressionTrace:
        """Return the trace of the net after a step, with the history of its training."""
        shares = read_only(net.shares().detach().double().cpu().numpy())
        return self._trace(Learned(net), shares, history, step, start)

    def _trace(
        self, estimate: Estimate, shares: np.ndarray, history: History, step: int, start: float
    ) -> RegressionTrace:
        weighed = self.points.weigh(estimate)
        left_out_error = self.points.left_out_error_of_few(estimate)
        wait_for(self.points.device)
        samples = self.points.samples
        return RegressionTrace(
            spec=self.spec,
            x_train=samples.x_train,
            y_train=samples.y_train,
            x_test=samples.x_test,
            y_truth=samples.y_truth,
            **weighed._asdict(),
            shares=shares,
            step=step,
            loss=history.loss,
            w_path=history.w_path,
            mixture_path=history.mixture_path,
            left_out_error=left_out_error,
            curves=self.curves,
            device=str(self.points.device),
            dtype=str(self.points.dtype).removeprefix("torch."),
            milliseconds=(time.perf_counter() - start) * 1e3,
        )


def _takes_long(fit: _Fit) -> bool:
    """Return whether the overlays take more than a moment."""
    Q, K = len(fit.points.x_test), len(fit.points.x_train)
    learned = sum(overlay.estimator == "parametric" for overlay in fit.spec.overlays)
    # A training step is a forward and backward pass over K² weights, with a fixed cost even if these are few.
    a_step = 3 * fit.spec.num_heads * K * K + _CELLS_OF_A_STEP
    return len(fit.spec.overlays) * (Q + K) * K + learned * fit.spec.epochs * a_step > _AT_ONCE


def _curves(
    fit: _Fit, should_stop: ShouldStop, on_step: Callable[[], None], before: _Fit | None = None
) -> tuple[OverlayCurve, ...]:
    """Return the curve of every overlay, reused from ``before`` if possible; invalid if stopped."""
    known = {before.spec.drawn_as(curve.overlay): curve for curve in before.curves} if before is not None else {}
    return tuple(
        known.get(fit.spec.drawn_as(each)) or _curve(fit, each, should_stop, on_step) for each in fit.spec.overlays
    )


def _curve(fit: _Fit, overlay: Overlay, should_stop: ShouldStop, on_step: Callable[[], None]) -> OverlayCurve:
    spec, points = fit.spec.drawn_as(overlay), fit.points
    training = Training(spec, points) if spec.trains else None
    try:
        while training is not None and training.steps < spec.epochs and training.advance(should_stop):
            on_step()
    except RunError:
        return _gap(fit, overlay)
    net = training.net if training is not None else None
    estimate: Estimate = Learned(net) if net else fixed_estimate(spec).with_gaps()
    y_hat = points.predict(estimate, should_stop)
    if net and not np.isfinite(y_hat).all():
        return _gap(fit, overlay)
    error = mean_square(y_hat - points.samples.y_truth)
    w = net.w.reshape(-1)[0].item() if net else None
    return OverlayCurve(overlay, y_hat, error, points.left_out_error_of_few(estimate), w)


def _gap(fit: _Fit, overlay: Overlay) -> OverlayCurve:
    """Return the curve of a training that diverged: NaN throughout, so that the other curves stay visible."""
    return OverlayCurve(overlay, read_only(np.full(len(fit.points.x_test), np.nan)), np.nan, np.nan, np.nan)
