"""The logit lens: what the residual state after each layer would predict (nostalgebraist 2020, "interpreting GPT").

The model's own code turns a state into logits: its layers are passed over, so that what follows them runs as it is -
the last norm, a projection, the head, multipliers, a soft cap. The state after the last layer gives the prediction.
"""

import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor, nn

from attnviz.engine.machine import RunError
from attnviz.engine.model.calls import Call, difference
from attnviz.engine.model.changes import NO_CHANGES, Changes
from attnviz.engine.model.lookup import attention_through
from attnviz.engine.model.recording import alone, outputs_under
from attnviz.engine.model.residual.layers import layers_of, passed_over, state_of
from attnviz.experiment.model.sides import Kind
from attnviz.experiment.run import ShouldStop, never_stop


@dataclass(frozen=True, slots=True, eq=False)
class States:
    """The residual states of a model on one input."""

    layers: Tensor
    """(L, T, D), after each layer."""
    logits: Tensor
    """(T, V), the model's own."""
    _predict: Callable[[Tensor], Tensor]

    def logits_of(self, layer: int) -> Tensor:
        """Return what the states after a layer would predict, (T, V)."""
        return self._predict(self.layers[layer])

    def top(self, layer: int, count: int) -> tuple[Tensor, Tensor]:
        """Return the most probable tokens of each position after a layer, and their probabilities in float64, (T, n).

        Ties are in the order of the vocabulary.
        """
        shares = self.logits_of(layer).double().softmax(-1)
        ids = torch.argsort(shares, dim=-1, descending=True, stable=True)[:, :count]
        return ids, shares.gather(-1, ids)

    @property
    def rest(self) -> float:
        """The largest difference of the last layer's logits from the model's own; 0 is equal bit for bit."""
        return difference(self.logits_of(-1), self.logits)


def states_of(
    model: nn.Module,
    inputs: Mapping[str, Any],
    calls: Sequence[Call],
    numbers: Mapping[Kind, Sequence[int]],
    *,
    changes: Changes = NO_CHANGES,
    should_stop: ShouldStop = never_stop,
) -> States:
    """Return the states of a model after each of its layers.

    Args:
        model: of transformers, with a head that predicts tokens.
        inputs: the arguments of its ``forward``, by name; a batch of one.
        calls: its recorded calls of attention within the stack whose states predict.
        numbers: the layer in the model of each call of a kind of attention.
        changes: the interventions.
        should_stop: asked at every module.

    Raises:
        RunError: the model's layers cannot be found, or it has no head.
        StoppedError: cancelled.
    """
    _, layers = layers_of(model, [call.name for call in calls], [numbers[call.kind][call.layer] for call in calls])
    thread = threading.get_ident()
    seen: dict[int, Any] = {}

    def note(at: int) -> Callable[..., None]:
        def hook(_: nn.Module, __: Any, output: Any) -> None:
            if threading.get_ident() == thread:
                seen[at] = output

        return hook

    with ExitStack() as hooks:
        for at, layer in enumerate(layers):
            hooks.enter_context(layer.register_forward_hook(note(at)))
        output = outputs_under(model, inputs, [changes], should_stop=should_stop, numbers=numbers)
    used = layers[: len(seen)]  # a list may hold more
    outputs = [seen.get(at) for at in range(len(used))]
    states = [state for each in outputs if (state := state_of(each)) is not None]
    if output.logits is None or not used or len(states) < len(used):
        raise _no_lens()

    def predict(state: Tensor) -> Tensor:
        with alone(model.modules()), torch.no_grad(), attention_through(None), passed_over(used, outputs, state[None]):
            logits: Tensor = model(**inputs, use_cache=False).logits
        return logits[0]

    if states[-1].shape[1] != len(output.logits[0]):
        raise _no_lens()
    return States(torch.stack([each[0] for each in states]), output.logits[0], predict)


def _no_lens() -> RunError:
    return RunError("no_lens", "the states after the layers of this model, or its head, cannot be found")
