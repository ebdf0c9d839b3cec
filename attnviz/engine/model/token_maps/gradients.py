"""The weights of every head times the gradient of a logit with respect to them."""

from collections.abc import Mapping, Sequence
from typing import Any

import torch
from torch import Tensor, nn

from attnviz.engine.machine import RunError
from attnviz.engine.model.changes import NO_CHANGES, Changes
from attnviz.engine.model.recording import outputs_under
from attnviz.experiment.model.sides import Kind
from attnviz.experiment.run import ShouldStop, never_stop


def weighted_gradients(
    model: nn.Module,
    inputs: Mapping[str, Any],
    kind: Kind,
    token: int,
    *,
    rows: Sequence[int],
    numbers: Mapping[Kind, Sequence[int]] | None = None,
    changes: Changes = NO_CHANGES,
    should_stop: ShouldStop = never_stop,
) -> list[Tensor]:
    """Return (h, T, T) for each call of a kind of attention: weights times the gradient of a token's logit.

    The gradient passes through the whole model above the weights, also through later queries and keys. Call it outside
    of `torch.inference_mode`, with a model whose weights were made outside of it.

    Args:
        model: of transformers, with a head that predicts.
        inputs: the arguments of its ``forward``, by name; a batch of one.
        kind: the kind of attention.
        token: the index of the logit.
        rows: the row of the logits, see `attnviz.engine.model.recording.record`.
        numbers: see there.
        changes: the interventions.
        should_stop: asked at every call of attention.

    Raises:
        RunError: the model has no logits, or its gradient does not reach its weights.
        StoppedError: cancelled.
    """
    seen: list[Tensor] = []

    def see(of: Kind, weights: Tensor) -> None:
        if of == kind:
            seen.append(weights)

    with torch.enable_grad():
        output = outputs_under(
            model, inputs, [changes], should_stop=should_stop, rows=rows, numbers=numbers, on_weights=see
        )
        if output.logits is None:
            raise _refused("it has no logits")
        logit = output.logits[0, 0, token]
    if not (seen and logit.requires_grad and all(each.requires_grad for each in seen)):
        raise _refused("its weights are not what the model goes on with")
    gradients = torch.autograd.grad(logit, seen, allow_unused=True)
    if any(each is None for each in gradients):
        raise _refused("its weights are not what the model goes on with")
    products = (each.detach() * gradient for each, gradient in zip(seen, gradients, strict=True))
    return [each.reshape(-1, *each.shape[-2:]) for each in products]


def _refused(why: str) -> RunError:
    return RunError("no_gradient", "no gradient reaches the weights of this model ({why})", why=why)
