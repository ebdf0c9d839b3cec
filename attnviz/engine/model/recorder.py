"""Intercepts every call of attention in one run of a model: applies interventions, compares and records it."""

import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from types import FrameType
from typing import Any

import torch
from torch import Tensor, nn

from attnviz.definitions.text import English
from attnviz.engine.machine import RunError
from attnviz.engine.memory import ran_out
from attnviz.engine.model.calls import Call, Scoring, Step, allowed_and_rest, differences
from attnviz.engine.model.changes import ChangedCall, Changes
from attnviz.engine.model.lookup import EAGER, own_implementation
from attnviz.engine.model.softmax_watcher import Seen, SoftmaxWatcher
from attnviz.experiment.model.interventions.intervention import At
from attnviz.experiment.model.sides import Kind
from attnviz.experiment.run import ShouldStop, check_stop

OnLayer = Callable[[Call, Tensor], None]
"""Called with a call and its weights (h, Q, K) of batch item 0 while they are in memory."""
OnWeights = Callable[[Kind, Tensor], None]
"""Called with the kind of a call and the very weights that the model goes on with: (B, h, Q, K), or (B · h, Q, K)."""


class NotOursError(Exception):
    """A module's own attention function returns no weights."""


@dataclass(frozen=True, slots=True)
class RecordingTask:
    """The job of a recorder: arguments of `attnviz.engine.model.recording.record`, and whether calls are kept."""

    changes: Sequence[Changes]
    """One for the whole batch, or one per item."""
    on_layer: OnLayer | None
    should_stop: ShouldStop
    keep: bool = True
    numbers: Mapping[Kind, Sequence[int]] = field(default_factory=dict)
    """The layer of each call of a kind, as the interventions name it; by default the index of the call."""
    target: int | None = None
    """The number of tokens that the first pass of a decoder beside an encoder reads."""
    on_weights: OnWeights | None = None
    """If given, the run tracks gradients; a temperature, which replaces the weights, is refused."""
    most_tokens: int | None = None
    """The number of tokens after the last pass of a generation, which interventions are about; None: one pass."""


class Recorder:
    """Records one run of a model from the calls of its attention function and of its watcher."""

    def __init__(
        self, model: nn.Module, encoder: nn.Module | None, sizes: tuple[int, int | None], task: RecordingTask
    ) -> None:
        batch_size, self._tokens = sizes
        self._end = self._tokens if encoder is None else task.target
        """The number of tokens that the model has read after this pass."""
        self._has_cache = False
        """Whether earlier passes have left keys and values, so that this one has the queries of new tokens only."""
        self.calls: list[Call] = []
        self.witness = 0.0
        self.watched = False
        self.keeps = task.keep
        """Whether calls are kept, and compared with the model's own weights."""
        self._pooling: set[nn.Module] = set()
        """Modules whose outputs were weights times values in a pass with a cache: their code has no gate."""
        self._blocks = 0
        self._task = task
        self._encoder = encoder
        self._inside: dict[nn.Module, bool] = {}
        """Whether a module is one of the encoder's; also of those created during the run, as in BigBird-Pegasus."""
        self._model = model
        self._names: dict[nn.Module, str] = {}  # holds the modules, so that a replaced one keeps its name
        self._counts: dict[Kind, int] = {"self": 0, "cross": 0, "decoder": 0}
        self._parts = cache(allowed_and_rest)  # layers share their masks
        self._pending: tuple[Call, Tensor] | None = None
        self._last: tuple[nn.Module, Tensor] | None = None
        """The module that called last, and its queries."""
        self._running: FrameType | None = None
        """The call of a module's method that pooled last."""
        self.watcher = SoftmaxWatcher(self, model, batch_size)

    @property
    def complete(self) -> bool:
        """Whether all attention that was seen was recorded."""
        return not (self.watcher.unmet or self.watcher.fused or self._blocks)

    def finish(self) -> None:
        """Complete the last call.

        Raises:
            RunError: no attention was seen, or some cannot be recorded or changed.
        """
        self.settle(None)
        self._running = None  # it keeps its local variables alive
        if not any(self._counts.values()):
            self._check_seen()
        if not self._counts["decoder" if self._has_cache and self._encoder is not None else "self"]:
            raise RunError("not_followed", NOT_FOLLOWED)
        if any(seen.changed for seen in self.watcher.unmet):
            raise RunError("not_changed", _NOT_CHANGED)

    def next_pass(self, tokens: int) -> tuple[Call, ...]:
        """Complete this pass and return its calls; the next one has the cache of it, and ``tokens`` in all.

        Raises:
            RunError: see `finish`.
        """
        self.finish()
        calls, self.calls = tuple(self.calls), []
        self._counts = dict.fromkeys(self._counts, 0)
        self._parts.cache_clear()
        self._last = None
        self._end, self._has_cache = tokens, True
        return calls

    def _check_seen(self) -> None:
        """Raise a RunError if nothing looked like attention."""
        for function, module in self.watcher.fused.items():
            sentence = "{module} computes its attention in one fused call ({function}), which gives no weights"
            kind = type(module).__name__
            name = f"{kind} {self._name(module)}" if self._name(module) else kind
            raise RunError("fused_attention", sentence, module=name, function=function)
        if any(isinstance(module, torch.jit.ScriptModule) for module in self._model.modules()):
            sentence = "torch.jit compiled this model, which hides its attention; nearest: the module before that"
            raise RunError("module_scripted", sentence)
        if not (self._blocks or self.watcher.saw_softmax):
            raise RunError("no_attention", "no attention was seen in this model: it computed no softmax")

    def settle(self, output_weight: Tensor | None) -> None:
        """Complete the previous call: its W_o is known, or there is none."""
        if self._pending is not None:
            (call, weights), self._pending = self._pending, None
            call = call if output_weight is None else replace(call, output_weight=output_weight)
            self.calls.append(call)
            if self._task.on_layer is not None:
                self._task.on_layer(call, weights[0])

    def attend(
        self,
        own: Callable[..., Any],
        module: nn.Module,
        query: Tensor,
        key: Tensor,
        value: Tensor,
        attention_mask: Tensor | None,
        **kwargs: Any,
    ) -> tuple[Tensor, Tensor]:
        """Call the model's ``own`` attention function, apply interventions, and record it."""
        with torch._C.DisableTorchFunction():  # hidden from the watcher
            return self._attend(own, module, query, key, value, attention_mask, kwargs)

    def _attend(
        self,
        eager: Callable[..., Any],
        module: nn.Module,
        q: Tensor,
        k: Tensor,
        v: Tensor,
        mask: Tensor | None,
        kwargs: dict[str, Any],
    ) -> tuple[Tensor, Tensor]:
        if (
            mask is not None
            and mask.dtype == torch.bool
            and own_implementation(getattr(module, "config", None)) != EAGER
        ):
            # The model's own implementation reads True as "may attend"; "eager" would add it as 1.
            mask = q.new_zeros(()).where(mask, torch.finfo(q.dtype).min)
        if self._last is not None and self._last[0] is module and self._last[1] is q:
            raise RunError("attends_twice", _ATTENDS_TWICE, module=type(module).__name__)
        self._last = module, q
        kind, layer, changes = self._next(module, (q.shape[2], k.shape[2]))
        own, added = (None, None) if mask is None else self._parts(mask)
        allowed = changes.allowed(own, q.device)
        scoring = _scoring(module, q, k, allowed, added, kwargs)
        if allowed is not None and allowed is not own:
            mask = torch.where(allowed, q.new_zeros(()) if added is None else added, torch.finfo(q.dtype).min)
        output, weights = eager(module, q, k, v, mask, **kwargs)
        if weights is None:
            raise NotOursError
        known: tuple[bool, ...] = (True,) * len(q)
        if self.keeps or changes.temperature != 1:
            scoring, apart = compared(scoring, weights)
            pools = [True] * len(q) if module in self._pooling else list(_pools(weights, v, output))
            known = tuple(not each and pooling for each, pooling in zip(apart, pools, strict=True))
            if self._has_cache and all(known):
                self._pooling.add(module)
            self._witness(apart)
        if changes.temperature != 1:
            _check_known(all(known))
            scoring = replace(scoring, temperature=changes.temperature)
            weights = scoring.weights()
            output = pooled(weights, v)
        self._show_weights(kind, weights, changes)
        output = changes.output(output.contiguous())
        if self.keeps:
            recompute = None if all(known) else lambda: eager(module, q, k, v, mask, **kwargs)[1]
            call = Call(self._name(module), kind, layer, known, scoring, _alone(v, q), output, None, recompute)
            self._pending = call, weights
        self.watcher.follow(output, output)
        return output, weights

    def weigh(self, module: nn.Module, seen: Seen, scores: Tensor, again: Callable[[Tensor], Tensor]) -> None:
        """Apply interventions to the weights of a softmax, if there are any."""
        kind = self._kind(module)
        if self._is_block(kind, seen.weights):
            return
        changes = self._changes_of(kind, self._counts[kind], _sizes(seen.weights))
        own = allowed_and_rest(scores)[0] if seen.scoring is None else seen.scoring.mask
        allowed = changes.allowed(own, scores.device)
        if changes.temperature == 1 and allowed is own:
            return
        comparison = None if seen.scoring is None else compared(seen.scoring, seen.weights)
        is_known = comparison is not None and not any(comparison[1])
        if changes.temperature != 1:
            _check_known(is_known)
        seen.changed = True
        if comparison is not None and is_known:
            seen.scoring = replace(comparison[0], mask=allowed, temperature=changes.temperature)
            seen.weights = seen.scoring.weights()
        elif allowed is not None:
            seen.scoring = None
            seen.weights = again(scores.masked_fill(~allowed, torch.finfo(scores.dtype).min))

    def pool(self, running: FrameType, seen: Seen, values: Tensor | None, output: Tensor) -> Tensor:
        """Record a call when its weights are multiplied by the values; return the outputs (B, Q, h, e) to pass on.

        ``running`` is the frame of the module's method: two maps made by one call belong to one layer (LiLT).
        """
        module: nn.Module = running.f_locals["self"]
        if self._is_block(self._kind(module), seen.weights):
            self._blocks += 1
            return output
        if self._running is running:
            raise RunError("attends_twice", _MAKES_TWO_MAPS, module=type(module).__name__)
        self._running = running
        self.watched = True
        weights, scoring = seen.weights, seen.scoring
        apart: tuple[float, ...] = (math.inf,) * len(weights)
        kind, layer, changes = self._next(module, _sizes(weights))
        if not seen.changed and scoring is None and changes.asks(output.device):
            raise RunError("not_changed", _NOT_CHANGED)
        if seen.apart >= _FAR:
            raise RunError("not_followed", NOT_FOLLOWED)
        if scoring is not None:
            scoring, apart = compared(scoring, weights)
            scoring = scoring if min(apart) < _FAR else None  # else not a product of queries and keys
        self._show_weights(kind, weights if seen.pooling is None else seen.pooling, changes)
        output = changes.output(output)
        self._witness((seen.apart, *(() if scoring is None else apart)))
        if self.keeps:
            known = tuple(not each for each in apart)
            recompute = None if all(known) else lambda: weights
            call = Call(self._name(module), kind, layer, known, scoring, values, output, None, recompute)
            self._pending = call, weights
        return output

    def _show_weights(self, kind: Kind, weights: Tensor, changes: ChangedCall) -> None:
        """Pass the weights of a call on to a task that follows gradients."""
        if self._task.on_weights is not None:
            if changes.temperature != 1:
                raise RunError("no_gradient", _NO_GRADIENT_OF_TEMPERATURE)
            self._task.on_weights(kind, weights)

    def _witness(self, apart: Iterable[float]) -> None:
        """Note differences of weights; NaN, as in padding, is ignored."""
        self.witness = max(self.witness, *(each for each in apart if each < math.inf), 0.0)

    def _is_block(self, kind: Kind, weights: Tensor) -> bool:
        """Return whether weights cover only some of the tokens: of a block, or of a pooling layer."""
        return kind == "self" and not self._fits(_sizes(weights))

    def _fits(self, sizes: tuple[int, int]) -> bool:
        """Return whether self-attention of these numbers of queries and keys covers all tokens of the pass."""
        return self._tokens is None or self._has_cache or sizes == (self._tokens, self._tokens)

    def _next(self, module: nn.Module, sizes: tuple[int, int]) -> tuple[Kind, int, ChangedCall]:
        """Begin a call: return the kind of attention, its index, and its interventions."""
        check_stop(self._task.should_stop)
        self.settle(None)
        kind = self._kind(module)
        layer = self._counts[kind]
        self._counts[kind] += 1
        if kind == "self" and not self._fits(sizes):
            raise RunError("not_followed", NOT_FOLLOWED)
        return kind, layer, self._changes_of(kind, layer, sizes)

    def _changes_of(self, kind: Kind, layer: int, sizes: tuple[int, int]) -> ChangedCall:
        numbers = self._task.numbers.get(kind, ())
        number = numbers[layer] if layer < len(numbers) else layer
        most, end, (queries, keys) = self._task.most_tokens, self._end, sizes
        if most is None or end is None or (kind == "self" and self._encoder is not None):
            return ChangedCall(self._task.changes, At(number, kind, *sizes))
        rows = slice(end - queries, end)
        if kind == "cross":
            return ChangedCall(self._task.changes, At(number, kind, most, keys), rows)
        return ChangedCall(self._task.changes, At(number, kind, most, most), rows, slice(end - keys, end))

    def _name(self, module: nn.Module) -> str:
        """Return the path of a module, also of one created during the run, as in BigBird."""
        if module not in self._names:
            self._names |= {each: name.replace("_orig_mod.", "") for name, each in self._model.named_modules()}
        return self._names.setdefault(module, "")

    def _kind(self, module: nn.Module) -> Kind:
        if getattr(module, "is_cross_attention", False) or _CROSS.search(self._name(module)):
            return "cross"
        if self._encoder is None:
            return "self"
        if module not in self._inside:
            self._inside[module] = any(each is module for each in self._encoder.modules())
        return "self" if self._inside[module] else "decoder"


_CROSS = re.compile(r"cross|encoder_attn|enc_?dec|encoder_decoder|multihead_attn", re.IGNORECASE)
"""Matches the paths of modules whose keys come from an encoder."""

_FAR = 1e-2
"""Weights that differ by more come from other queries and keys, whatever the dtype."""

_POOLED = 16
"""The number of queries whose outputs are compared."""

NOT_FOLLOWED: English = "the attention of this model cannot be followed: it is not softmax(q · k) v over all its tokens"
_MAKES_TWO_MAPS = "{module} makes more than one attention map in a layer, so its weights are no single map"
_ATTENDS_TWICE = (
    "{module} computes attention twice with the same queries and subtracts parts of the results (differential "
    "attention), so its weights are no single map"
)
_NO_GRADIENT_OF_TEMPERATURE = "weights under a temperature have no gradient; nearest: temperature 1"
_NOT_CHANGED = "this model uses its attention weights in a way that rules out interventions"


def _scoring(
    module: nn.Module, q: Tensor, k: Tensor, allowed: Tensor | None, added: Tensor | None, kwargs: Mapping[str, Any]
) -> Scoring:
    """Return the inputs of a call's weights, as far as the names of its arguments tell."""
    scale, softcap, sinks = kwargs.get("scaling"), kwargs.get("softcap"), kwargs.get("s_aux")
    steps = [Step("times", q.shape[-1] ** -0.5 if scale is None else float(scale))]
    if softcap is not None:
        steps += [Step("over", softcap), Step("tanh"), Step("times", softcap)]
    steps += [Step("add", bias=bias) for bias in (kwargs.get("position_bias"), added) if bias is not None]
    sinks = getattr(module, "sinks", None) if sinks is None else sinks
    per_head = sinks.detach() if isinstance(sinks, Tensor) and sinks.shape == q.shape[1:2] else None
    return Scoring(q, k, allowed, tuple(steps), per_head)


def _sizes(weights: Tensor) -> tuple[int, int]:
    """Return the numbers of queries and keys of weights (B, h, Q, K)."""
    return weights.shape[2], weights.shape[3]


def _alone(values: Tensor, q: Tensor) -> Tensor:
    """Return values that keep alive only themselves and q: they may be a third of a joint product of q, k and v."""
    held = values.untyped_storage()
    shares = held.data_ptr() == q.untyped_storage().data_ptr()
    return values if shares or held.nbytes() <= values.nbytes else values.clone()


def compared(scoring: Scoring, weights: Tensor) -> tuple[Scoring, tuple[float, ...]]:
    """Return the scoring that reproduces the model's weights, and each item's largest difference, 0 if equal."""
    tried = [scoring] if weights.dtype == torch.float32 else [scoring, replace(scoring, wide_softmax=False)]
    try:
        return min(((each, each.apart(weights)) for each in tried), key=lambda pair: sorted(pair[1]))
    except RuntimeError as error:
        if ran_out(error):
            raise
        return scoring, (math.inf,) * len(weights)  # the shapes do not even match


def pooled(weights: Tensor, values: Tensor) -> Tensor:
    """Return the outputs of heads, (B, Q, h, e), from their weights and the values (B, g, K, e)."""
    shared = weights.shape[1] // values.shape[1]
    return (weights @ (values if shared == 1 else values.repeat_interleave(shared, 1))).transpose(1, 2)


def _pools(weights: Tensor, values: Tensor, output: Tensor) -> Iterator[bool]:
    """Yield for each batch item whether weights times values gives its outputs, i.e. no gate changed them.

    Some queries are compared, including the first and the last: sinks take most weight where there are few keys.
    """
    queries = output.shape[1]
    if queries > _POOLED:
        rows = torch.linspace(0, queries - 1, _POOLED, device=output.device).long()
        weights, output = weights[:, :, rows], output[:, rows]
    for item, apart in zip(output, differences(pooled(weights, values), output), strict=True):
        yield apart <= _FAR * max(1.0, item.abs().max().item())


def _check_known(known: bool) -> None:
    if not known:
        text = "the scores of this model are not known, so no temperature can divide them"
        raise RunError("temperature_unknown", text)
