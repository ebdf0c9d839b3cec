"""The kernel-regression lab's run: one trace, or one for every training step."""

import time
from collections.abc import Callable, Iterator

import numpy as np
import torch
from torch import Tensor

from attnviz.attention import KernelStages, NadarayaWatson, average_weights, kernel_stages, leave_one_out, predict
from attnviz.engine import memory
from attnviz.engine.devices import choose, wait_for
from attnviz.engine.errors import RunError
from attnviz.engine.samples import Samples, make_samples
from attnviz.experiment.regression import RegressionSpec
from attnviz.experiment.regression_trace import RegressionTrace

LESS_MEMORY = "fewer training points or queries need less"


def run_lab(
    spec: RegressionSpec, should_stop: Callable[[], bool], untrained_first: bool = False
) -> Iterator[RegressionTrace]:
    """Yield the trace of a fixed estimator, or one trace after every training step.

    ``untrained_first`` puts the fit before the first step in front. Asked to stop, it ends after the step at hand.

    Raises:
        RunError: the device, the memory or the data do not allow it, or the training diverges.
    """
    device = choose(spec.device)
    if should_stop():
        return
    samples = make_samples(spec)
    trains = spec.estimator == "parametric"
    needed = memory.regression_bytes(len(samples.x_test), len(samples.x_train), trains)
    memory.require(needed, device, LESS_MEMORY)
    fit = _Fit(spec, samples, device)
    if trains:
        yield from _train(fit, should_stop, untrained_first)
    else:
        yield fit.fixed()


class _Fit:
    """The samples of a run as tensors, and how heights and weights become a trace."""

    def __init__(self, spec: RegressionSpec, samples: Samples, device: torch.device) -> None:
        self.spec = spec
        self.samples = samples
        self.device = device
        # float64, for the lesson is in the numbers; Apple's GPUs have none.
        self.dtype = torch.float32 if device.type == "mps" else torch.float64
        self.x_train, self.y_train, self.x_test = (
            torch.tensor(x, device=device, dtype=self.dtype) for x in (samples.x_train, samples.y_train, samples.x_test)
        )
        for array in (samples.x_train, samples.y_train, samples.x_test, samples.y_truth):
            array.setflags(write=False)

    def fixed(self) -> RegressionTrace:
        """Return the trace of the average or of a kernel of fixed width."""
        start = time.perf_counter()
        with torch.inference_mode():
            if self.spec.estimator == "average":
                weights = average_weights(self.x_test, self.x_train)
                stages = KernelStages(torch.ones_like(weights), weights)
            else:
                stages = kernel_stages(self.x_test, self.x_train, self.spec.kernel, self.spec.width)
            return self.trace(stages, np.empty(0), np.empty(0), None, start)

    def trace(
        self, stages: KernelStages, loss: np.ndarray, w: np.ndarray, w_start: float | None, start: float
    ) -> RegressionTrace:
        """Return the trace of these heights and weights (Q, K) after the steps whose loss and w are given."""
        y_hat = predict(stages.weights, self.y_train)
        wait_for(self.device)
        arrays = [x.double().cpu().numpy() for x in (y_hat, *stages)]
        for array in (*arrays, loss, w):
            array.setflags(write=False)
        return RegressionTrace(
            spec=self.spec,
            x_train=self.samples.x_train,
            y_train=self.samples.y_train,
            x_test=self.samples.x_test,
            y_truth=self.samples.y_truth,
            y_hat=arrays[0],
            kernel_values=arrays[1],
            weights=arrays[2],
            loss=loss,
            w=w,
            w_start=w_start,
            device=str(self.device),
            dtype=str(self.dtype).removeprefix("torch."),
            milliseconds=(time.perf_counter() - start) * 1e3,
        )


def _train(fit: _Fit, should_stop: Callable[[], bool], untrained_first: bool) -> Iterator[RegressionTrace]:
    """Gradient descent on the sum of squared errors, as the textbook's SGD on the whole training set."""
    spec = fit.spec
    w_start = _first_w(spec)
    with torch.inference_mode(mode=False):
        net = NadarayaWatson(torch.tensor(w_start, dtype=fit.dtype, device=fit.device))
        queries, targets = fit.x_train.clone(), fit.y_train.clone()
        keys, values = _keys_and_values(spec, queries, targets)
    # One buffer for the whole run; each trace sees a prefix that no later step touches.
    losses, ws = np.empty(spec.epochs), np.empty(spec.epochs)
    if untrained_first:
        yield _fit_of(fit, net, losses[:0], ws[:0], w_start, time.perf_counter())
    for step in range(spec.epochs):
        if should_stop():
            return
        start = time.perf_counter()
        # Whatever mode the caller is in, training needs gradients.
        with torch.inference_mode(mode=False), torch.enable_grad():
            loss = (net(queries, keys, values) - targets).square().sum()
            (gradient,) = torch.autograd.grad(loss, net.w)
            net.w.data.sub_(spec.learning_rate * gradient)
        losses[step], ws[step] = loss.item(), net.w.item()
        trace = _fit_of(fit, net, losses[: step + 1], ws[: step + 1], w_start, start)
        if not (np.isfinite([losses[step], ws[step]]).all() and np.isfinite(trace.y_hat).all()):
            raise RunError(
                "diverged",
                f"the training left the finite numbers in step {step + 1} (loss {losses[step]:.4g}, "
                f"w {ws[step]:.4g}); a smaller learning rate than {spec.learning_rate:g} helps",
                step=step + 1,
            )
        yield trace


def _keys_and_values(spec: RegressionSpec, x: Tensor, y: Tensor) -> tuple[Tensor, Tensor]:
    if not spec.leave_one_out:
        return x, y
    try:
        return leave_one_out(x), leave_one_out(y)
    except ValueError as error:
        raise RunError("too_few_points", str(error), points=len(x)) from error


def _fit_of(
    fit: _Fit, net: NadarayaWatson, losses: np.ndarray, ws: np.ndarray, w_start: float, start: float
) -> RegressionTrace:
    with torch.inference_mode():
        stages = net.stages(fit.x_test, fit.x_train)
        return fit.trace(stages, losses, ws, w_start, start)


def _first_w(spec: RegressionSpec) -> float:
    if spec.w_init is not None:
        return spec.w_init
    generator = torch.Generator("cpu").manual_seed(spec.seed)
    return torch.rand(1, generator=generator, dtype=torch.float64, device="cpu").item()
