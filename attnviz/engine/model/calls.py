"""One recorded call of attention: the inputs of the model's own function, and its weights, recomputed on demand.

Shape letters: B batch, Q queries, K keys, h heads, g key heads (h is a multiple of g), d features of a query and key, e
features of a value. Weights are not kept if they can be recomputed: they take T² numbers per head.
"""

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from itertools import pairwise, takewhile
from typing import Literal, NamedTuple

import torch
from torch import Tensor

from attnviz.experiment.model.sides import Kind


class Step(NamedTuple):
    """One operation on the scores after q · k: times, over or tanh, or ``add`` of a bias.

    ``fused`` adds a bias in the product itself, which then has a factor: bias + factor (q · k).
    """

    does: Literal["times", "over", "tanh", "add", "fused"]
    number: float = 1.0
    bias: Tensor | None = None


_WHOLE_LAYER = 4 << 20
"""Up to this size in bytes a CPU computes the weights of all heads in one product; above it, of one head at a time."""


@dataclass(frozen=True, eq=False, slots=True)
class Scoring:
    """The inputs that the weights are computed from, for a whole batch.

    Attributes:
        q: queries after rotation and norms, (B, h, Q, d).
        k: keys, (B, g, K, d).
        mask: the keys that a query may attend to, bool (1|B, 1|h, Q, K); None: all.
        steps: the operations on q · k, in the model's own order.
        sinks: a further score per head that takes weight from every row, (h,).
        temperature: divides the scores after all steps; sinks are not divided.
        wide_softmax: whether the softmax is computed in float32 whatever the model's dtype.
    """

    q: Tensor
    k: Tensor
    mask: Tensor | None
    steps: tuple[Step, ...]
    sinks: Tensor | None = None
    temperature: float = 1.0
    wide_softmax: bool = True

    @property
    def softcap(self) -> float | None:
        """The c of c tanh(score / c); None without a soft cap."""
        pairs = pairwise(self.steps)
        return next((step.number for step, then in pairs if (step.does, then.does) == ("over", "tanh")), None)

    @property
    def scale(self) -> float:
        """The factor of q · k, before a soft cap."""
        steps = list(takewhile(lambda step: step.does != "tanh", self.steps))
        return _factor(steps if self.softcap is None else steps[:-1])

    @property
    def biases(self) -> tuple[Tensor, ...]:
        """The terms added to the scaled scores, (1|B, 1|h, 1|Q, K) each."""
        added = [(step.bias, _factor(self.steps[at:])) for at, step in enumerate(self.steps, 1)]
        shown = [(bias, factor) for bias, factor in added if bias is not None and (bias.numel() > 1 or bias.any())]
        return tuple(bias if factor == 1 else bias * factor for bias, factor in shown)

    @property
    def _at_once(self) -> int:
        """The number of heads per product, so that a head has the same bits in any selection."""
        heads, nbytes = self.q.shape[1], self.q.shape[2] * self.k.shape[2] * self.q.itemsize
        return 1 if self.q.device.type == "cpu" and heads * nbytes > _WHOLE_LAYER else heads

    @torch.no_grad()
    def weights(self, item: int | None = None, heads: slice | int | None = None) -> Tensor:
        """Return the weights of heads, (.., h, Q, K): every row sums to 1 (to less with sinks)."""
        items, chosen = _span(item), _span(heads)
        if self._at_once > 1:
            weights = self._recomputed(items, slice(0, self.q.shape[1]))[:, chosen]
        else:
            numbers = range(self.q.shape[1])[chosen]
            weights = self.q.new_empty((len(self.q[items]), len(numbers), self.q.shape[2], self.k.shape[2]))
            for index, head in enumerate(numbers):
                weights[:, index : index + 1] = self._recomputed(items, slice(head, head + 1))
        return weights[0] if isinstance(item, int) else weights

    def apart(self, weights: Tensor) -> tuple[float, ...]:
        """Return each batch item's largest difference between weights (B, h, Q, K) and those recomputed here.

        0 is equal bit for bit.
        """
        if self._at_once > 1:
            return differences(self.weights(), weights)
        heads = range(self.q.shape[1])
        per_head = [differences(self.weights(heads=head), weights[:, head : head + 1]) for head in heads]
        return tuple(map(max, zip(*per_head, strict=True)))

    def _recomputed(self, items: slice, heads: slice) -> Tensor:
        scores = self._scores(items, heads)
        if self.mask is not None:
            scores = scores.masked_fill_(~_cut(self.mask, items, heads), torch.finfo(scores.dtype).min)
        if self.sinks is None:
            return scores.softmax(-1, dtype=torch.float32 if self.wide_softmax else None).to(self.q.dtype)
        sinks = self.sinks[heads].to(scores.dtype).reshape(1, -1, 1, 1).expand(*scores.shape[:3], 1)
        with_sink = torch.cat([scores, sinks], -1)
        with_sink = with_sink - with_sink.max(-1, keepdim=True).values
        return with_sink.softmax(-1)[..., :-1]

    def _scores(self, items: slice, heads: slice) -> Tensor:
        """Return scores with soft cap, biases and temperature, before the mask, (.., h, Q, K)."""
        q, shared = self.q[items, heads], self.q.shape[1] // self.k.shape[1]
        first, last = heads.start // shared, -(-heads.stop // shared)
        k = self.k[items, first:last]
        if shared > 1:
            k = k.repeat_interleave(shared, 1)
            k = k[:, heads.start - first * shared :][:, : q.shape[1]]
        steps, keys = list(self.steps), k.transpose(-1, -2)
        if steps and steps[0].bias is not None and steps[0].does == "fused":
            bias = _cut(steps[0].bias, items, heads).expand(*q.shape[:3], k.shape[2])
            product = (bias.flatten(0, 1), q.flatten(0, 1), keys.flatten(0, 1))
            scores = torch.baddbmm(*product, alpha=steps.pop(0).number).view(bias.shape)
        else:
            scores = q @ keys
        for step in steps:
            if step.bias is not None:
                scores = scores + _cut(step.bias, items, heads)
            elif step.does == "times":
                scores = scores.mul_(step.number)
            else:
                scores = scores.div_(step.number) if step.does == "over" else scores.tanh_()
        return scores if self.temperature == 1 else scores.div_(self.temperature)


def _factor(steps: Iterable[Step]) -> float:
    """Return the factor by which steps multiply a score, ignoring tanh."""
    return math.prod((1 / step.number if step.does == "over" else step.number for step in steps), start=1.0)


def _span(chosen: slice | int | None) -> slice:
    return chosen if isinstance(chosen, slice) else slice(None) if chosen is None else slice(chosen, chosen + 1)


def _cut(cells: Tensor, items: slice, heads: slice = slice(None)) -> Tensor:
    """Return the part of (1|B, 1|h, ..) cells for items and heads."""
    cells = cells[items] if cells.shape[0] > 1 else cells
    return cells[:, heads] if cells.shape[1] > 1 else cells


@dataclass(frozen=True, eq=False, slots=True)
class Call:
    """One call of attention in a run; its tensors are on the device of the run.

    Attributes:
        name: the path of the calling module.
        kind: the kind of attention.
        layer: the index of the call among those of its kind.
        items_known: for each batch item, whether `scoring` reproduces the model's own weights bit for bit, and the
            weights reproduce its outputs. If not, weights, values and outputs are true, and the stages between are
            unknown.
        scoring: the inputs of the weights, for the whole batch; None if not even q and k were seen.
        values: (B, g, K, e); None if they were not seen.
        output: the outputs of the heads as passed on, after interventions, (B, Q, h, e).
        output_weight: W_o, (D, h · e); None if no product with the outputs followed.
        recompute: returns the weights (B, h, Q, K) if an item is not known; None if all are.
        item: the batch item that the properties show.
        kept: the weights (h, Q, K) of the item as the run computed them, if several passes did; None: see `weights`.
    """

    name: str
    kind: Kind
    layer: int
    items_known: tuple[bool, ...]
    scoring: Scoring | None
    values: Tensor | None
    output: Tensor
    output_weight: Tensor | None
    recompute: Callable[[], Tensor] | None
    item: int = 0
    kept: Tensor | None = None

    def at(self, item: int) -> "Call":
        """Return the call showing another batch item."""
        return replace(self, item=item)

    @property
    def known(self) -> bool:
        """Whether the stages of the item are known."""
        return self.items_known[self.item]

    @property
    def batch_size(self) -> int:
        """The number of batch items; Swin's are windows."""
        return self.output.shape[0]

    @property
    def q(self) -> Tensor | None:
        """Queries (h, Q, d) after rotation and norms; None if they were not seen."""
        return None if self.scoring is None else self.scoring.q[self.item]

    @property
    def k(self) -> Tensor | None:
        """Keys (g, K, d); None if they were not seen."""
        return None if self.scoring is None else self.scoring.k[self.item]

    @property
    def v(self) -> Tensor | None:
        """Values (g, K, e); None if they were not seen."""
        return None if self.values is None else self.values[self.item]

    @property
    def mask(self) -> Tensor | None:
        """The keys that a query may attend to, bool (1|h, Q, K); None: all, or not known."""
        mask = None if self.scoring is None else self.scoring.mask
        return None if mask is None else _cut(mask, _span(self.item))[0]

    @property
    def bias(self) -> Tensor | None:
        """The sum of all terms added to the scores beside the mask, (1|h, 1|Q, K); None: none, or not known."""
        biases = () if self.scoring is None else self.scoring.biases
        own = [_cut(bias, _span(self.item))[0] for bias in biases]
        return sum(own[1:], own[0]) if own else None

    @property
    def heads(self) -> Tensor:
        """The outputs of the heads as passed on, after interventions, (h, Q, e)."""
        return self.output[self.item].transpose(0, 1)

    @property
    def num_heads(self) -> int:
        """The number h of heads."""
        return self.output.shape[2]

    @torch.no_grad()
    def weights(self, heads: slice | int | None = None) -> Tensor:
        """Return the weights (h, Q, K) of heads, kept or recomputed bit for bit as in the run."""
        if self.kept is not None:
            return self.kept[_span(heads)]
        if not self.known:
            assert self.recompute is not None
            return self.recompute()[self.item, _span(heads)]
        assert self.scoring is not None
        return self.scoring.weights(self.item, heads)

    @property
    def value_norms(self) -> Tensor | None:
        """||v W_o|| of every head and key, (h, K); None where v or W_o is not known.

        Multiplied by a weight it is the norm-weighted attention of Kobayashi et al. (2020).
        """
        if self.v is None or self.output_weight is None:
            return None
        with torch.no_grad():
            values = self.v.repeat_interleave(self.num_heads // self.v.shape[0], 0).double()
            per_head = self.output_weight.T.reshape(self.num_heads, values.shape[2], -1).double()  # (h, e, D)
            # |v W|² = v (W Wᵀ) vᵀ: a product with e² instead of e D numbers.
            squares = (values @ (per_head @ per_head.transpose(-1, -2)) * values).sum(-1)
            return squares.clamp(min=0).sqrt().to(self.v.dtype)

    @property
    def tensors(self) -> tuple[Tensor | None, ...]:
        """The tensors that the call holds beside parameters; calls may share them or hold views."""
        of = self.scoring
        scored = () if of is None else (of.q, of.k, of.mask, *(step.bias for step in of.steps))
        return self.output, self.values, self.kept, *scored


def difference(one: Tensor, other: Tensor) -> float:
    """Return the largest difference of two tensors: 0 if they are equal bit for bit, inf if one has NaN."""
    if torch.equal(one, other):
        return 0.0
    if one.shape != other.shape:
        return math.inf
    apart = (one.double() - other.double()).abs().max().item()
    return math.inf if math.isnan(apart) else apart


def differences(one: Tensor, other: Tensor) -> tuple[float, ...]:
    """Return the `difference` of each batch item."""
    if torch.equal(one, other):
        return (0.0,) * len(one)
    return tuple(map(difference, one, other)) if one.shape == other.shape else (math.inf,) * len(other)


def allowed_and_rest(mask: Tensor) -> tuple[Tensor | None, Tensor | None]:
    """Split an additive mask into the allowed cells and the bias; None: it forbids or adds nothing."""
    if not mask.is_floating_point():
        return mask, None
    allowed = mask > max(torch.finfo(mask.dtype).min / 2, _FORBIDS)
    if allowed.all():
        return None, mask if mask.any() else None
    rest = mask.masked_fill(~allowed, 0)
    return allowed, rest if rest.any() else None


_FORBIDS = -1e9
"""The threshold of additive masks: lower values forbid a cell, higher ones are biases."""
