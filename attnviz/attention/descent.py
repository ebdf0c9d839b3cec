"""Gradient descent on a handful of numbers: SGD, SGD with momentum, and Adam.

Bit for bit the arithmetic of ``torch.optim`` (a test compares them). Constructing one of torch's optimizers imports its
compiler, which takes longer than a whole training here.
"""

from collections.abc import Sequence
from typing import Literal

import torch
from torch import Tensor

Optimizer = Literal["sgd", "momentum", "adam"]

_BETAS, _EPSILON = (0.9, 0.999), 1e-8  # Adam's defaults (Kingma and Ba 2015, "Adam")


class Descent:
    """Moves parameters against their gradients, step by step."""

    def __init__(
        self, parameters: Sequence[Tensor], optimizer: Optimizer, learning_rate: float, momentum: float = 0.9
    ) -> None:
        self._parameters = list(parameters)
        self._optimizer, self._rate, self._momentum = optimizer, learning_rate, momentum
        self._first: list[Tensor] = []  # the velocities, or Adam's mean gradients
        self._second: list[Tensor] = []  # Adam's mean squared gradients
        self._steps = 0

    @torch.no_grad()
    def step(self, gradients: Sequence[Tensor]) -> None:
        """Take one step; the gradients are in the order of the parameters."""
        self._steps += 1
        match self._optimizer:
            case "sgd":
                directions = list(gradients)
            case "momentum":
                directions = self._with_momentum(gradients)
            case "adam":
                self._adam(gradients)
                return
        for parameter, direction in zip(self._parameters, directions, strict=True):
            parameter.add_(direction, alpha=-self._rate)

    def _with_momentum(self, gradients: Sequence[Tensor]) -> list[Tensor]:
        """Return the gradients plus momentum times the last velocities (heavy ball: Polyak 1964)."""
        if not self._first:
            self._first = [gradient.clone() for gradient in gradients]
        else:
            for velocity, gradient in zip(self._first, gradients, strict=True):
                velocity.mul_(self._momentum).add_(gradient)
        return self._first

    def _adam(self, gradients: Sequence[Tensor]) -> None:
        if not self._first:
            self._first = [torch.zeros_like(gradient) for gradient in gradients]
            self._second = [torch.zeros_like(gradient) for gradient in gradients]
        beta_1, beta_2 = _BETAS
        step_size = self._rate / (1 - beta_1**self._steps)
        root_of_correction = (1 - beta_2**self._steps) ** 0.5
        for parameter, mean, square, gradient in zip(
            self._parameters, self._first, self._second, gradients, strict=True
        ):
            mean.lerp_(gradient, 1 - beta_1)
            square.mul_(beta_2).addcmul_(gradient, gradient, value=1 - beta_2)
            parameter.addcdiv_(mean, (square.sqrt() / root_of_correction).add_(_EPSILON), value=-step_size)
