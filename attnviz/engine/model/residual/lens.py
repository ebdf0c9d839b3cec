"""The logit lens: what the residual state after each layer would predict (nostalgebraist 2020, "interpreting GPT").

The model's own code turns a state into logits: its layers are passed over, so that what follows them runs as it is -
the last norm, a projection, the head, multipliers, a soft cap. The state after the last layer gives the prediction.
"""

import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from typing import Any

import torch
from torch import Tensor, nn

from attnviz.engine.machine import RunError
from attnviz.engine.model.calls import Call
from attnviz.engine.model.changes import NO_CHANGES, Changes
from attnviz.engine.model.recording import alone, outputs_under, own_outputs
from attnviz.engine.model.residual.layers import layers_of, passed_over, state_of
from attnviz.experiment.model.sides import Kind
from attnviz.experiment.run import ShouldStop, check_stop, never_stop

_MOST_LOGITS = 8 << 20
"""The most logits that are computed at once, unless the model's own code computes those of all positions."""


@dataclass(frozen=True, slots=True, eq=False)
class States:
    """The residual states of a model on one input."""

    layers: tuple[Tensor, ...]
    """After each layer, (T, D)."""
    vocabulary: int
    """The number of tokens that the head predicts."""
    _predict: Callable[[Tensor, Sequence[int]], Tensor]
    whole: bool = False
    """Whether the logits of all positions are computed, however few are wanted."""

    def logits(self, layer: int, positions: Sequence[int]) -> Tensor:
        """Return what the states of some positions after a layer would predict, (n, V)."""
        return self._predict(self.layers[layer], positions)

    def tops(
        self, layer: int, positions: Sequence[int], count: int, followed: Tensor | None, should_stop: ShouldStop
    ) -> "Top":
        """Return what the states of many positions predict, by logits of a limited number at a time.

        Args:
            layer: the index of the layer; -1 is the last.
            positions: which of them.
            count: the number of most probable tokens.
            followed: a token for each position; None for the most probable one.
            should_stop: asked before each part.

        Raises:
            StoppedError: cancelled.
        """
        at_once = len(positions) if self.whole else max(1, _MOST_LOGITS // self.vocabulary)
        parts = []
        for first in range(0, len(positions), at_once):
            check_stop(should_stop)
            part = slice(first, first + at_once)
            logits = self.logits(layer, positions[part])
            parts.append(top_of(logits, count, None if followed is None else followed[part]))
        return Top(*(torch.cat([getattr(each, name) for each in parts]) for name in Top.__dataclass_fields__))


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
    of_decoder = "decoder_input_ids" in inputs
    encoder = (model.get_encoder(),) if of_decoder else ()  # type: ignore[operator]
    count = inputs["decoder_input_ids" if of_decoder else "input_ids"].shape[1]
    thread = threading.get_ident()
    seen: dict[nn.Module, Any] = {}

    def note(module: nn.Module, _: Any, output: Any) -> None:
        if threading.get_ident() == thread:
            seen[module] = output

    with ExitStack() as hooks:
        for module in (*encoder, *layers):
            hooks.enter_context(module.register_forward_hook(note))
        output = outputs_under(model, inputs, [changes], should_stop=should_stop, rows=(0,), numbers=numbers)
    used = layers[: sum(each in seen for each in layers)]  # a list may hold more
    states = [state_of(seen.get(each)) for each in used]
    followed = [state[0] for state in states if state is not None and state.shape[:2] == (1, count)]
    if output.logits is None or not used or len(followed) < len(used):
        raise RunError("no_lens", "the states after the layers of this model, or its head, cannot be found")
    passed = (*encoder, *used)
    known = [seen[each] for each in passed]

    def predict(state: Tensor, positions: Sequence[int]) -> Tensor:
        with alone(model.modules()), passed_over(passed, known, state[None]):
            logits = own_outputs(model, inputs, positions).logits
        assert logits is not None
        return logits[0]

    # Their own code computes the logits of all positions of a decoder beside an encoder.
    return States(tuple(followed), output.logits.shape[-1], predict, whole=of_decoder)


@dataclass(frozen=True, slots=True, eq=False)
class Top:
    """The most probable tokens by some rows of logits, and how probable a followed one is."""

    ids: Tensor
    """(n, k), the most probable first; equal ones in the order of the vocabulary."""
    probabilities: Tensor
    """(n, k), in float64."""
    followed: Tensor
    """(n,), the followed token of each row."""
    ranks: Tensor
    """(n,), 1 more than the number of tokens that are more probable than it."""
    shares: Tensor
    """(n,), its probability."""

    def replaced(self, row: int, own: Tensor, followed: Tensor | None) -> "Top":
        """Return it with a row of the run's own logits (1, V), whose probabilities are as the run gives them."""
        mine = top_of(own.double(), self.ids.shape[1], None if followed is None else followed[row : row + 1])
        shares = own[0].double().softmax(-1)
        mine = replace(mine, probabilities=shares[mine.ids], shares=shares[mine.followed])
        rows = {
            name: torch.cat((getattr(self, name)[:row], getattr(mine, name), getattr(self, name)[row + 1 :]))
            for name in Top.__dataclass_fields__
        }
        return Top(**rows)


def top_of(logits: Tensor, count: int, followed: Tensor | None = None) -> Top:
    """Return the ``count`` most probable tokens by logits (n, V), and the ranks of ``followed`` (n,), or of the first.

    The exponentials are taken and summed in the logits' own precision, at least float32.
    """
    logits = logits if logits.dtype == torch.float64 else logits.float()
    size = logits.shape[1]
    inside = size - size % _BLOCK
    largest = logits.amax(-1, keepdim=True)
    buffer = torch.sub(logits, largest)
    total = buffer.exp_().sum(-1, keepdim=True).double()
    # The first tokens are in the first blocks by their largest logits, in the order of the vocabulary if equal.
    blocks = logits[:, :inside].view(len(logits), -1, _BLOCK).amax(-1)
    if inside < size:
        blocks = torch.cat((blocks, logits[:, inside:].amax(-1, keepdim=True)), -1)
    first = torch.argsort(blocks, dim=-1, descending=True, stable=True)[:, :count].sort(-1).values
    among = (first[..., None] * _BLOCK + torch.arange(_BLOCK, device=logits.device)).flatten(1)
    values = logits.gather(-1, among.clamp(max=size - 1)).masked_fill_(among >= size, -torch.inf)
    order = torch.argsort(values, dim=-1, descending=True, stable=True)[:, : min(count, size)]
    ids = among.gather(-1, order)
    followed = ids[:, 0] if followed is None else followed
    its = logits.gather(-1, followed[:, None])

    def shares(of: Tensor) -> Tensor:
        return (of.double() - largest.double()).exp_() / total

    larger = torch.gt(logits, its, out=buffer).sum(-1)  # to count booleans takes ten times as long
    return Top(ids, shares(values.gather(-1, order)), followed, larger.long() + 1, shares(its)[:, 0])


_BLOCK = 64
"""The number of tokens among which the largest logit is found at once."""
