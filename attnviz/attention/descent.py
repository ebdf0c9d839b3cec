"""Gradient descent with the arithmetic of ``torch.optim``, bit for bit on the CPU.

``torch.optim`` itself takes about two seconds to load, for a compiler that a descent on a few tensors does not use.
"""

from collections.abc import Sequence
from typing import NamedTuple

import torch
from torch import Tensor

from attnviz.definitions.decoder.optimizers import OPTIMIZERS

_BETAS, _EPSILON = (0.9, 0.999), 1e-8  # Adam's defaults (Kingma and Ba 2015, "Adam")
_CLIP_EPSILON = 1e-6  # of torch.nn.utils.clip_grad_norm_


class DescentState(NamedTuple):
    """The optimiser's state after a number of steps, as copies."""

    steps: int
    first: tuple[Tensor, ...]
    """The velocities, or Adam's first moments; empty before the first step."""
    second: tuple[Tensor, ...]
    """Adam's second moments."""


class Descent:
    """Optimiser that moves parameters in place against their gradients, step by step.

    Weight decay is added to the gradients, as ``weight_decay`` times the parameters; in ``adamw`` the parameters shrink
    by ``learning_rate * weight_decay`` before the step (Loshchilov and Hutter 2019).

    Args:
        parameters: the parameters, updated in place.
        optimizer: the name of a record in `OPTIMIZERS`.
        learning_rate: the learning rate of the first step.
        momentum: the factor of the previous velocity, for optimisers with momentum.
        weight_decay: 0 for none.
    """

    def __init__(
        self,
        parameters: Sequence[Tensor],
        optimizer: str,
        learning_rate: float,
        momentum: float = 0.9,
        weight_decay: float = 0.0,
    ) -> None:
        self.learning_rate = learning_rate
        """Of the next step."""
        self._parameters = list(parameters)
        self._record, self._momentum, self._weight_decay = OPTIMIZERS[optimizer], momentum, weight_decay
        self._first: list[Tensor] = []  # the velocities, or Adam's mean gradients
        self._second: list[Tensor] = []  # Adam's mean squared gradients
        self._steps = 0

    def state(self) -> DescentState:
        """Return a copy of the state that, with parameters and learning rate, determines the next steps."""
        first, second = (tuple(each.clone() for each in kept) for kept in (self._first, self._second))
        return DescentState(self._steps, first, second)

    def restore(self, state: DescentState) -> None:
        """Continue as after the step whose state this is."""
        self._steps = state.steps
        self._first, self._second = ([each.clone() for each in kept] for kept in (state.first, state.second))

    @torch.no_grad()
    def step(self, gradients: Sequence[Tensor]) -> None:
        """Take one step; the gradients are in the order of the parameters."""
        self._steps += 1
        if self._record.shrinks_parameters:
            if self._weight_decay:
                for parameter in self._parameters:
                    parameter.mul_(1 - self.learning_rate * self._weight_decay)
        else:
            gradients = self._decayed(gradients)
        if self._record.own_step_sizes:
            self._adam(gradients)
            return
        directions = self._with_momentum(gradients) if self._record.has_momentum else gradients
        for parameter, direction in zip(self._parameters, directions, strict=True):
            parameter.add_(direction, alpha=-self.learning_rate)

    def _decayed(self, gradients: Sequence[Tensor]) -> Sequence[Tensor]:
        """Return the gradients with the weight decay added."""
        if not self._weight_decay:
            return gradients
        pairs = zip(gradients, self._parameters, strict=True)
        return [gradient.add(parameter, alpha=self._weight_decay) for gradient, parameter in pairs]

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
        step_size = self.learning_rate / (1 - beta_1**self._steps)
        root_of_correction = (1 - beta_2**self._steps) ** 0.5
        for parameter, mean, square, gradient in zip(
            self._parameters, self._first, self._second, gradients, strict=True
        ):
            mean.lerp_(gradient, 1 - beta_1)
            square.mul_(beta_2).addcmul_(gradient, gradient, value=1 - beta_2)
            parameter.addcdiv_(mean, (square.sqrt() / root_of_correction).add_(_EPSILON), value=-step_size)


@torch.no_grad()
def clip_gradients(gradients: Sequence[Tensor], most: float) -> Tensor:
    """Scale gradients in place so that their total norm is at most ``most``; return the norm before scaling."""
    norms = torch.stack([torch.linalg.vector_norm(gradient) for gradient in gradients])
    norm: Tensor = torch.linalg.vector_norm(norms)
    factor = (most / (norm + _CLIP_EPSILON)).clamp(max=1.0)
    for gradient in gradients:
        gradient.mul_(factor)
    return norm
