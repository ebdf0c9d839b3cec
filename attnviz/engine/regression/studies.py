"""The studies of `experiment.regression.studies`: many fits on the same points, of which only the results are kept."""

import contextlib

import numpy as np
import torch

from attnviz.attention import NadarayaWatson
from attnviz.engine import memory
from attnviz.engine.machine import RunError, choose
from attnviz.engine.regression import LESS_MEMORY
from attnviz.engine.regression.estimation import FixedKernel, Learned, Points
from attnviz.engine.regression.samples import make_samples
from attnviz.experiment.arrays import read_only
from attnviz.experiment.regression.spec import LEAST_WIDTH
from attnviz.experiment.regression.studies import (
    MOST_COLUMNS,
    MOST_ROWS,
    KernelGrid,
    KernelGridTrace,
    LossOverW,
    LossOverWTrace,
    Study,
    StudyTrace,
    WidthErrors,
    WidthErrorsTrace,
)
from attnviz.experiment.regression.trace import mean_square
from attnviz.experiment.run import ShouldStop, StoppedError, check_stop

_NARROWEST, _WIDEST = 1 / 500, 1.0  # relative to the range of the training inputs
_MANY_CELLS = 40_000_000
_FEWEST = 24


def run_study(study: Study, should_stop: ShouldStop) -> StudyTrace | None:
    """Return the result of a study; None if cancelled.

    Raises:
        RunError: the device, the memory or the data are insufficient.
    """
    device = choose(study.of.device)
    samples = make_samples(study.of)
    memory.require(memory.block_bytes(len(samples.x_train)), device, LESS_MEMORY)
    points = Points(samples, device)
    with contextlib.suppress(StoppedError):
        match study:
            case KernelGrid():
                return _kernel_grid(study, points, should_stop)
            case WidthErrors():
                return _width_errors(study, points, should_stop)
            case LossOverW():
                return _loss_over_w(study, points, should_stop)
    return None


def _kernel_grid(study: KernelGrid, points: Points, should_stop: ShouldStop) -> KernelGridTrace:
    fits, pictures, errors, left_out = [], [], [], []
    for kernel in study.kernels:
        for width in study.widths:
            estimate = FixedKernel(kernel, width)
            y_hat, weights = points.weigh_reduced(estimate, MOST_ROWS, MOST_COLUMNS, should_stop)
            check_stop(should_stop)
            fits.append(y_hat)
            pictures.append(weights)
            errors.append(mean_square(y_hat - points.samples.y_truth))
            left_out.append(points.left_out_error_of_few(estimate))
    shape = len(study.kernels), len(study.widths)
    samples = points.samples
    return KernelGridTrace(
        spec=study,
        x_train=samples.x_train,
        y_train=samples.y_train,
        x_test=samples.x_test,
        y_truth=samples.y_truth,
        y_hat=read_only(np.reshape(fits, (*shape, -1))),
        weights=read_only(np.reshape(pictures, (*shape, *pictures[0].shape))),
        error_to_truth=read_only(np.reshape(errors, shape)),
        left_out_error=read_only(np.reshape(left_out, shape)),
    )


def _width_errors(study: WidthErrors, points: Points, should_stop: ShouldStop) -> WidthErrorsTrace:
    x, y, truth = points.samples.x_train, points.samples.y_train, points.samples.y_truth
    reach = max(float(np.ptp(x)), LEAST_WIDTH) if len(x) > 1 else 1.0
    count = _as_many_as_time_allows(study.count, len(x) * (len(x) + len(truth)))
    widths = np.geomspace(reach * _NARROWEST, reach * _WIDEST, count)
    errors = np.full((4, count), np.nan)
    for index, width in enumerate(widths):
        check_stop(should_stop)
        estimate = FixedKernel(study.kernel, float(width))
        y_hat, left_out = points.predict(estimate, should_stop), points.predict_left_out(estimate, should_stop)
        reached = np.isfinite(y_hat).mean(), np.isfinite(left_out).mean()
        errors[:, index] = mean_square(y_hat - truth), mean_square(left_out - y), *reached
    check_stop(should_stop)
    return WidthErrorsTrace(study, read_only(widths), *(read_only(each) for each in errors))


def _loss_over_w(study: LossOverW, points: Points, should_stop: ShouldStop) -> LossOverWTrace:
    y = points.samples.y_train
    if study.of.leave_one_out and len(y) < 2:
        raise RunError("too_few_points", "leave-one-out needs at least 2 training points, not {points}", points=len(y))
    w = np.linspace(study.low, study.high, _as_many_as_time_allows(study.count, len(y) ** 2))
    loss = np.full(len(w), np.nan)
    predict = points.predict_left_out if study.of.leave_one_out else points.predict_points
    for index, value in enumerate(w):
        check_stop(should_stop)
        net = NadarayaWatson(torch.tensor(value, dtype=points.dtype, device=points.device))
        with np.errstate(over="ignore"):  # points may be 1e100 away
            loss[index] = ((predict(Learned(net), should_stop) - y) ** 2).sum()
    check_stop(should_stop)
    return LossOverWTrace(study, read_only(w), read_only(loss))


def _as_many_as_time_allows(wanted: int, cells_each: int) -> int:
    """Return the number of fits to compute: at most ``wanted``, fewer if they would take long."""
    return min(wanted, max(_FEWEST, _MANY_CELLS // max(cells_each, 1)))
