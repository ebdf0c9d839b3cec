"""The training of w: gradient descent on the sum of squared errors over the whole training set, as the textbook's.

Each step goes through the training points in blocks and adds up their gradients, so that its memory does not grow with
the square of their number.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from attnviz.attention import Descent, NadarayaWatson
from attnviz.engine.errors import RunError
from attnviz.engine.regression.estimation import Points, blocks
from attnviz.experiment.regression.spec import RegressionSpec


@dataclass(frozen=True, slots=True)
class History:
    """What has been learned so far; the arrays are read-only and no later step touches them.

    Shape letters: n steps, h heads.
    """

    loss: np.ndarray
    """(n,), before each step."""
    w_path: np.ndarray
    """(n + 1, h)."""
    mixture_path: np.ndarray
    """(n + 1, h)."""


def first_net(spec: RegressionSpec, points: Points) -> NadarayaWatson:
    """Return the net before its first step; with several heads the h-th starts at h times ``w_init``."""
    if spec.w_init is None:
        generator = torch.Generator("cpu").manual_seed(spec.seed)
        w = torch.rand(spec.num_heads, generator=generator, dtype=torch.float64, device="cpu")
    else:
        w = spec.w_init * torch.arange(1, spec.num_heads + 1, dtype=torch.float64, device="cpu")
    return net_of(w, torch.zeros_like(w), points)


def net_of(w: Tensor, mixture: Tensor, points: Points) -> NadarayaWatson:
    """Return the net with these numbers, each (h,)."""
    with torch.inference_mode(mode=False):
        w, mixture = (each.to(points.device, points.dtype) for each in (w, mixture))
        return NadarayaWatson(w[0]) if len(w) == 1 else NadarayaWatson(w, mixture)


def train(
    net: NadarayaWatson, spec: RegressionSpec, points: Points, should_stop: Callable[[], bool]
) -> Iterator[History]:
    """Take the spec's steps and yield the history after each; asked to stop, end without a further one.

    Raises:
        RunError: too few points to leave one out, or the training leaves the finite numbers.
    """
    # One buffer for the whole run; each history sees a prefix that no later step touches.
    heads = net.w.numel()
    losses, ws, mixtures = np.empty(spec.epochs), *np.empty((2, spec.epochs + 1, heads))
    ws[0], mixtures[0] = _row(net.w), _row(net.mixture)
    descent = Descent(net.learned, spec.optimizer, spec.learning_rate, spec.momentum)
    for step in range(spec.epochs):
        found = loss_and_gradients(net, points, leave_out=spec.leave_one_out, should_stop=should_stop)
        if found is None:
            return
        losses[step], gradients = found
        descent.step(gradients)
        ws[step + 1], mixtures[step + 1] = _row(net.w), _row(net.mixture)
        if not all(np.isfinite(each).all() for each in (losses[step], ws[step + 1], mixtures[step + 1])):
            raise diverged(spec, step + 1, losses[step], ws[step + 1, 0])
        yield _history(losses[: step + 1], ws[: step + 2], mixtures[: step + 2])


def untrained(net: NadarayaWatson) -> History:
    """Return the history before the first step."""
    return _history(np.empty(0), _row(net.w)[None], _row(net.mixture)[None])


def loss_and_gradients(
    net: NadarayaWatson, points: Points, *, leave_out: bool, should_stop: Callable[[], bool] = lambda: False
) -> tuple[float, list[Tensor]] | None:
    """Return the sum of squared errors at the training points and its gradient for each learned tensor.

    None when asked to stop on the way.

    Raises:
        RunError: there are too few points to leave one out.
    """
    x, y = points.x_train, points.y_train
    if leave_out and len(x) < 2:
        raise RunError("too_few_points", f"leave-one-out needs at least 2 training points, not {len(x)}", points=len(x))
    total, gradients = 0.0, [torch.zeros_like(each) for each in net.learned]
    for rows in blocks(len(x), net.w.numel() * len(x)):
        if should_stop():
            return None
        # Whatever mode the caller is in, training needs gradients.
        with torch.inference_mode(mode=False), torch.enable_grad():
            # Copies, for tensors made in inference mode cannot be trained on.
            queries, keys, values = x[rows].clone(), x.clone(), y.clone()
            mask = points.others(rows) if leave_out else None
            loss = (net(queries, keys, values, mask) - values[rows]).square().sum()
            parts = torch.autograd.grad(loss, net.learned)
        total += loss.item()
        gradients = [whole + part for whole, part in zip(gradients, parts, strict=True)]
    return total, gradients


def diverged(spec: RegressionSpec, step: int, loss: float, w: float) -> RunError:
    """Return the error of a training that has left the finite numbers in a step."""
    return RunError(
        "diverged",
        f"the training left the finite numbers in step {step} (loss {loss:.4g}, w {w:.4g}); "
        f"a smaller learning rate than {spec.learning_rate:g} helps",
        step=step,
    )


def _history(loss: np.ndarray, w_path: np.ndarray, mixture_path: np.ndarray) -> History:
    for array in (loss, w_path, mixture_path):
        array.setflags(write=False)
    return History(loss, w_path, mixture_path)


def _row(parameter: Tensor) -> np.ndarray:
    row: np.ndarray = parameter.detach().double().cpu().reshape(-1).numpy().copy()
    return row
