"""The kernel-regression lab's run: one trace, or one for every training step; and looking back on a training."""

import time
from collections.abc import Callable, Container, Iterator
from dataclasses import dataclass, replace
from itertools import count

import numpy as np
import torch

from attnviz.attention import NadarayaWatson
from attnviz.engine import memory
from attnviz.engine.devices import choose, wait_for
from attnviz.engine.errors import RunError
from attnviz.engine.regression.estimation import Estimate, Learned, Points, fixed_estimate
from attnviz.engine.regression.samples import Samples, make_samples
from attnviz.engine.regression.training import History, diverged, first_net, net_of, train, untrained
from attnviz.experiment.colours.levels import read_only
from attnviz.experiment.regression.estimators import Overlay
from attnviz.experiment.regression.spec import RegressionSpec
from attnviz.experiment.regression.trace import Curve, RegressionTrace, mean_square

LESS_MEMORY = "fewer training points or queries need less"

_AT_ONCE = 4_000_000
"""Overlays that take more weights than this are not waited for: a trace without them comes first."""

_CELLS_OF_A_STEP = 20_000
"""How many weights could be worked out in the time that a step of a training takes at the least."""

_FAR = 1e15
"""Where points are this many widths apart, squares may leave the finite numbers, in float32 first."""


def run_lab(
    spec: RegressionSpec,
    should_stop: Callable[[], bool],
    *,
    untrained_first: bool,
    steps: Container[int] | None,
    progress: Callable[[int, int], None],
) -> Iterator[RegressionTrace]:
    """Yield the trace of a fixed estimator, or one trace after every training step, or after these ``steps`` alone.

    ``untrained_first`` puts the fit before the first step in front. Asked to stop, it ends after the step at hand.
    Where the overlays take long, a trace without them comes first: that of a fixed estimator, or the untrained one.
    ``progress`` is told after each step how many have been taken, and of how many; those of the overlays count too.

    Raises:
        RunError: the device, the memory or the data do not allow it, or the training diverges.
    """
    device = choose(spec.device)
    if should_stop():
        return
    samples = make_samples(spec)
    memory.require(memory.regression_bytes(spec, len(samples.x_test), len(samples.x_train)), device, LESS_MEMORY)
    fit = _Fit(spec, Points(samples, device))
    taken = _counted(spec, progress)
    if spec.trains:
        yield from _trained(fit, should_stop, untrained_first, steps, taken)
    else:
        yield from _fixed(fit, should_stop, taken)


def look_back(trace: RegressionTrace, step: int) -> RegressionTrace:
    """Return the fit of a training after an earlier (or later) step that its history reaches, with the whole history.

    The numbers are those that the step had when it was taken, for they follow from the w that the history holds.

    Raises:
        RunError: the device or the memory do not allow it.
    """
    if not trace.w_path.size:
        return trace  # nothing was trained, so there is one fit only
    device = torch.device(trace.device)
    memory.require(memory.regression_bytes(trace.spec, *trace.weights.shape), device, LESS_MEMORY)
    samples = Samples(trace.x_train, trace.y_train, trace.x_test, trace.y_truth)
    fit = _Fit(trace.spec, Points(samples, device), trace.curves)
    net = net_of(torch.tensor(trace.w_path[step]), torch.tensor(trace.mixture_path[step]), fit.points)
    history = History(trace.loss, trace.w_path, trace.mixture_path)
    return fit.learned(net, history, time.perf_counter(), step=step)


@dataclass(frozen=True, slots=True)
class _Fit:
    """What a run needs to make its traces."""

    spec: RegressionSpec
    points: Points
    curves: tuple[Curve, ...] = ()

    @property
    def reach(self) -> float:
        """The greatest distance between two points, or more."""
        return 2 * max(float(x.abs().max()) for x in (self.points.x_train, self.points.x_test))

    def fixed(self, start: float) -> RegressionTrace:
        """Return the trace of the average or of a kernel of fixed width."""
        nothing = read_only(np.empty((1, 0)))
        history = History(read_only(np.empty(0)), nothing, nothing)
        return self._trace(fixed_estimate(self.spec), read_only(np.ones(1)), history, 0, start)

    def learned(self, net: NadarayaWatson, history: History, start: float, step: int | None = None) -> RegressionTrace:
        """Return the trace of a net, with the history of its training; ``step`` is the last unless another is named."""
        shares = read_only(net.shares().detach().double().cpu().numpy())
        return self._trace(Learned(net), shares, history, len(history.loss) if step is None else step, start)

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


def _counted(spec: RegressionSpec, progress: Callable[[int, int], None]) -> Callable[[], None]:
    """Return what is called after each training step of a run, also those of its overlays, and tells the progress."""
    trainings = spec.trains + sum(overlay.estimator == "parametric" for overlay in spec.overlays)
    done = count(1)
    return lambda: progress(next(done), trainings * spec.epochs)


def _fixed(fit: _Fit, should_stop: Callable[[], bool], taken: Callable[[], None]) -> Iterator[RegressionTrace]:
    start = time.perf_counter()
    if _takes_long(fit):
        trace = fit.fixed(start)
        yield trace
        curves = _curves(fit, should_stop, taken)
        if not should_stop():
            yield replace(trace, curves=curves)
    else:
        fit = replace(fit, curves=_curves(fit, should_stop, taken))
        if not should_stop():
            yield fit.fixed(start)


def _trained(
    fit: _Fit,
    should_stop: Callable[[], bool],
    untrained_first: bool,
    steps: Container[int] | None,
    taken: Callable[[], None],
) -> Iterator[RegressionTrace]:
    net = first_net(fit.spec, fit.points)
    late = _takes_long(fit)
    if late and untrained_first:
        yield fit.learned(net, untrained(net), time.perf_counter())
    fit = replace(fit, curves=_curves(fit, should_stop, taken))
    if should_stop():
        return
    if untrained_first and not late:
        yield fit.learned(net, untrained(net), time.perf_counter())
    reach = fit.reach
    start = time.perf_counter()
    for history in train(net, fit.spec, fit.points, should_stop):
        taken()
        wanted = steps is None or len(history.loss) in steps
        # Where a prediction may not be finite, the failure is to name the first such step, wanted or not.
        if wanted or not np.abs(history.w_path[-1]).max() * reach < _FAR:
            trace = fit.learned(net, history, start)
            if not np.isfinite(trace.y_hat).all():
                raise diverged(fit.spec, trace.step, trace.loss[-1], trace.w_path[-1, 0])
            if wanted:
                yield trace
        start = time.perf_counter()


def _takes_long(fit: _Fit) -> bool:
    """Return whether the overlays take more than a moment."""
    Q, K = len(fit.points.x_test), len(fit.points.x_train)
    learned = sum(overlay.estimator == "parametric" for overlay in fit.spec.overlays)
    # A step of a training goes through K² weights, forth and back, and takes some time however few these are.
    a_step = 3 * fit.spec.num_heads * K * K + _CELLS_OF_A_STEP
    return len(fit.spec.overlays) * (Q + K) * K + learned * fit.spec.epochs * a_step > _AT_ONCE


def _curves(fit: _Fit, should_stop: Callable[[], bool], taken: Callable[[], None]) -> tuple[Curve, ...]:
    """Return the curve of every overlay; those that were asked to stop hold NaN, and nobody will see them."""
    return tuple(_curve(fit, overlay, should_stop, taken) for overlay in fit.spec.overlays)


def _curve(fit: _Fit, overlay: Overlay, should_stop: Callable[[], bool], taken: Callable[[], None]) -> Curve:
    spec, points = fit.spec.drawn_as(overlay), fit.points
    net = first_net(spec, points) if spec.trains else None
    try:
        for _ in train(net, spec, points, should_stop) if net else ():
            taken()
    except RunError:
        return _gap(fit, overlay)
    estimate: Estimate = Learned(net) if net else fixed_estimate(spec).with_gaps()
    y_hat = points.predict(estimate, should_stop)
    if net and not np.isfinite(y_hat).all():
        return _gap(fit, overlay)
    error = mean_square(y_hat - points.samples.y_truth)
    w = net.w.reshape(-1)[0].item() if net else None
    return Curve(overlay, y_hat, error, points.left_out_error_of_few(estimate), w)


def _gap(fit: _Fit, overlay: Overlay) -> Curve:
    """Return the curve of a training that diverged: nowhere; the picture beside it stays."""
    return Curve(overlay, read_only(np.full(len(fit.points.x_test), np.nan)), np.nan, np.nan, np.nan)
