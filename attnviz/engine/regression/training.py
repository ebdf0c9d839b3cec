"""The training of w: full-batch gradient descent on the sum of squared errors, as in Zhang et al.

Each step goes through the training points in blocks and adds up their gradients, so that its memory does not grow with
the square of their number.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from attnviz.attention import Descent, NadarayaWatson
from attnviz.engine.growing import Growing
from attnviz.engine.machine import RunError
from attnviz.engine.regression.estimation import Points, blocks
from attnviz.experiment.regression.spec import RegressionSpec


@dataclass(frozen=True, slots=True)
class History:
    """The learned values so far; the arrays are read-only and no later step changes them.

    Shape letters: n steps, h heads.
    """

    loss: np.ndarray
    """(n,), the loss before each step."""
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
    """Return the net with these parameters, each (h,)."""
    with torch.inference_mode(mode=False):
        w, mixture = (each.to(points.device, points.dtype) for each in (w, mixture))
        return NadarayaWatson(w[0]) if len(w) == 1 else NadarayaWatson(w, mixture)


class Training:
    """One gradient descent; it keeps the learned values of every step."""

    def __init__(self, spec: RegressionSpec, points: Points) -> None:
        self.points = points
        self._spec = spec
        self.steps = 0
        """The number of steps taken."""
        self._broken_off = False  # whether a step failed before it was complete
        self._begin()
        self._loss = Growing(np.empty(0))
        self._w, self._mixture = Growing(_row(self.net.w)[None]), Growing(_row(self.net.mixture)[None])

    @property
    def nbytes(self) -> int:
        """The bytes of its history."""
        return self._loss.nbytes + self._w.nbytes + self._mixture.nbytes

    def advance(self, should_stop: Callable[[], bool]) -> bool:
        """Take a step; return False if stopped, in which case the step is not taken.

        Raises:
            RunError: too few points to leave one out, or the result of the step is not finite.
        """
        if self._broken_off:
            self._take_again()
        result = loss_and_gradients(self.net, self.points, leave_out=self._spec.leave_one_out, should_stop=should_stop)
        if result is None:
            return False
        loss, gradients = result
        self._broken_off = True  # until the step is complete
        self._descent.step(gradients)
        w, mixture, step = _row(self.net.w), _row(self.net.mixture), self.steps + 1
        if not all(np.isfinite(each).all() for each in (loss, w, mixture)):
            raise diverged(self._spec, step, loss, w[0])
        # If memory runs out between the two, the repeated step writes both again.
        self._loss.put(self.steps, loss)
        self._w.put(step, w)
        self._mixture.put(step, mixture)
        self.steps, self._broken_off = step, False
        return True

    def history(self, steps: int) -> History:
        """Return the history of the first steps."""
        return History(self._loss.first(steps), self._w.first(steps + 1), self._mixture.first(steps + 1))

    def w_of(self, step: int) -> np.ndarray:
        """Return w after a step, (h,)."""
        w: np.ndarray = self._w.first(step + 1)[step]
        return w

    def _begin(self) -> None:
        self.net = first_net(self._spec, self.points)
        """The net after the last step."""
        self._descent = Descent(self.net.learned, self._spec.optimizer, self._spec.learning_rate, self._spec.momentum)

    def _take_again(self) -> None:
        """Restore the state before a failed step by repeating the steps before it."""
        self._begin()
        for _ in range(self.steps):
            result = loss_and_gradients(self.net, self.points, leave_out=self._spec.leave_one_out)
            assert result is not None
            self._descent.step(result[1])
        self._broken_off = False


def loss_and_gradients(
    net: NadarayaWatson, points: Points, *, leave_out: bool, should_stop: Callable[[], bool] = lambda: False
) -> tuple[float, list[Tensor]] | None:
    """Return the sum of squared errors at the training points and its gradient for each learned tensor.

    None if stopped.

    Raises:
        RunError: there are too few points to leave one out.
    """
    x, y = points.x_train, points.y_train
    if leave_out and len(x) < 2:
        sentence = "leave-one-out needs at least 2 training points, not {points}"
        raise RunError("too_few_points", sentence, points=len(x))
    total, gradients = 0.0, [torch.zeros_like(each) for each in net.learned]
    for rows in blocks(len(x), net.w.numel() * len(x)):
        if should_stop():
            return None
        # Training needs gradients, and the caller may be in inference mode.
        with torch.inference_mode(mode=False), torch.enable_grad():
            # Copies, because tensors made in inference mode cannot be trained on.
            queries, keys, values = x[rows].clone(), x.clone(), y.clone()
            mask = points.others(rows) if leave_out else None
            loss = (net(queries, keys, values, mask) - values[rows]).square().sum()
            parts = torch.autograd.grad(loss, net.learned)
        total += loss.item()
        gradients = [whole + part for whole, part in zip(gradients, parts, strict=True)]
    return total, gradients


def diverged(spec: RegressionSpec, step: int, loss: float, w: float) -> RunError:
    """Return the error of a training whose numbers are not finite after a step."""
    values = {"step": step, "loss": loss, "w": w, "rate": spec.learning_rate}
    return RunError(
        "diverged",
        "training diverged at step {step} (loss {loss:.4g}, w {w:.4g}); try a learning rate below {rate:g}",
        **values,
    )


def _row(parameter: Tensor) -> np.ndarray:
    row: np.ndarray = parameter.detach().double().cpu().reshape(-1).numpy().copy()
    return row
