"""Recording a transformer while its own code runs, and changing its attention in the same place.

transformers looks up the function of attention by a name. Under the name `NAME` a model calls `_attend`, which calls
the function that the model's own file has for it (the witness), hands its result on, and keeps what it got. So the
numbers are the model's own; what is computed here is compared with them on every call. Attention that does not come by
is found by the `SoftmaxWatcher`.

The name is a field of the model's configuration, so a model is run by one thread at a time.
"""

import inspect
import math
import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, replace
from typing import Any, Literal

import torch
from torch import Tensor, nn

from attnviz.engine.machine import RunError
from attnviz.engine.model.calls import Call, Kind, Scoring, difference
from attnviz.engine.model.changes import NO_CHANGES, ChangedCall, Changes, check_heads, check_layers
from attnviz.engine.model.softmax_watcher import SoftmaxWatcher
from attnviz.experiment.run import ShouldStop, never_stop

__all__ = ["NAME", "Call", "Changes", "Recording", "output_apart", "outputs_under", "record"]

NAME = "attnviz"
"""The name of the recording function and of its mask in transformers."""

Inputs = Mapping[str, Any] | Sequence[Any] | Tensor
"""What a model is called with."""

OnLayer = Callable[[Call, Tensor], None]
"""Gets a call and its weights (h, Q, K) of batch item 0 while they are at hand."""


class _StopError(Exception):
    """The run was stopped between two layers."""


class _NotOursError(Exception):
    """A module asked for a function of attention, and the model's own cannot be found, or gives no weights."""


@dataclass(frozen=True, eq=False, slots=True)
class Recording:
    """A recorded run.

    Attributes:
        calls: every call of attention, in order.
        logits: (T, V) of batch item 0, or of the rows asked for; None if the model has no such output.
        last_hidden: the last hidden state, (T, D).
        witness: the largest difference between weights made here and those of the model's own function.
        logits_apart: the largest difference of the output (logits, else the last hidden state) from that of the model
            run by itself; nan where that was not compared.
        complete: whether all attention of the model was recorded.
        note: ``""``, ``"watched"`` if attention was found by its softmax, or ``"encoder"`` if only the encoder ran.
    """

    calls: tuple[Call, ...]
    logits: Tensor | None
    last_hidden: Tensor | None
    witness: float
    logits_apart: float
    complete: bool
    note: Literal["", "watched", "encoder"]

    @property
    def shown(self) -> tuple[Call, ...]:
        """The self-attention of the model, of the encoder if there is one: a call per layer."""
        return tuple(call for call in self.calls if call.kind == "self")


@dataclass(frozen=True, slots=True)
class _Output:
    logits: Tensor | None
    last_hidden: Tensor | None

    def apart(self, other: "_Output") -> float:
        pairs = [(self.logits, other.logits), (self.last_hidden, other.last_hidden)]
        mine, its = next(((a, b) for a, b in pairs if a is not None and b is not None), (None, None))
        return math.nan if mine is None or its is None else difference(mine, its)


def record(
    model: nn.Module,
    inputs: Inputs,
    changes: Changes | None = None,
    *,
    on_layer: OnLayer | None = None,
    should_stop: ShouldStop = never_stop,
    compare: bool = True,
    rows: Sequence[int] | None = None,
) -> Recording | None:
    """Run a model once and return all that its attention got; None if stopped.

    An encoder-decoder of transformers without inputs for its decoder runs its encoder alone.

    Args:
        model: of transformers, or any other whose attention is ``nn.MultiheadAttention`` or a softmax of q · k. It runs
            in evaluation mode, and is left as it was.
        inputs: what its ``forward`` takes, by name or in order, on its device.
        changes: what is changed in its attention; None changes nothing.
        on_layer: called for every call once its W_o is known, with the weights of batch item 0.
        should_stop: asked at every call of attention.
        compare: also run the unchanged model by itself, and compare its output; this doubles the time.
        rows: the rows whose logits are kept, all by default. A model that can computes no others.

    Raises:
        RunError: the model's attention cannot be followed, or cannot be changed in this way.
    """
    changed = changes or NO_CHANGES
    runner = _Runner(model, inputs, rows)
    try:
        output, recorder = runner.run(lambda: _Recorder(runner, (changed,), on_layer, should_stop, keep=True))
    except _StopError:
        return None
    apart = math.nan
    if compare and not changed:
        if should_stop():
            return None
        apart = output.apart(runner.by_itself())
    return Recording(
        calls=tuple(recorder.calls),
        logits=None if output.logits is None else output.logits[0],
        last_hidden=None if output.last_hidden is None else output.last_hidden[0],
        witness=recorder.witness,
        logits_apart=apart,
        complete=recorder.complete,
        note="watched" if recorder.watched else "encoder" if runner.encoder_only else "",
    )


def outputs_under(
    model: nn.Module,
    inputs: Mapping[str, Any],
    changes: Sequence[Changes],
    *,
    should_stop: ShouldStop = never_stop,
    rows: Sequence[int] | None = None,
) -> tuple[Tensor | None, Tensor | None] | None:
    """Run one input under several changes as one batch; return logits (n, T, V) and last hidden (n, T, D).

    Batches differ from single runs in the last bits (5e-6 measured). They share one temperature. None if stopped.

    Raises:
        RunError: as `record`.
    """
    repeated = {
        name: value.repeat_interleave(len(changes), 0) if isinstance(value, Tensor) and value.dim() else value
        for name, value in inputs.items()
    }
    runner = _Runner(model, repeated, rows)
    try:
        output, _ = runner.run(lambda: _Recorder(runner, tuple(changes), None, should_stop, keep=False))
    except _StopError:
        return None
    return output.logits, output.last_hidden


def output_apart(
    recording: Recording, model: nn.Module, inputs: Mapping[str, Any], rows: Sequence[int] | None = None
) -> float:
    """Run the unchanged model by itself; return the largest difference of its output from that of a recording."""
    held = recording.logits, recording.last_hidden
    mine = _Output(*(None if each is None else each[None] for each in held))
    return mine.apart(_Runner(model, inputs, rows).by_itself())


class _Runner:
    """Runs a model, or the encoder of one whose decoder has no input."""

    def __init__(self, model: nn.Module, inputs: Inputs, rows: Sequence[int] | None) -> None:
        named = inputs if isinstance(inputs, Mapping) else {}
        config = getattr(model, "config", None)
        decoder_inputs = {"decoder_input_ids", "decoder_inputs_embeds", "labels"} & named.keys()
        self.encoder_only = bool(getattr(config, "is_encoder_decoder", False)) and not decoder_inputs
        self.model: nn.Module = model.get_encoder() if self.encoder_only else model  # type: ignore[operator]
        self._named = dict(named)
        self._unnamed = () if isinstance(inputs, Mapping) else (inputs,) if isinstance(inputs, Tensor) else inputs
        self._rows = None if rows is None else torch.tensor(list(rows), device=_device(model))
        parameters = _parameters(self.model)
        if "use_cache" in parameters or getattr(getattr(self.model, "config", None), "use_cache", False):
            self._named.setdefault("use_cache", False)
        self._cuts = self._rows is not None and "logits_to_keep" in parameters
        if self._cuts:
            self._named["logits_to_keep"] = self._rows

    @property
    def encoder_modules(self) -> Set[int] | None:
        """The identities of the modules of the encoder beside a decoder; None if there is one stack alone."""
        is_both = getattr(getattr(self.model, "config", None), "is_encoder_decoder", False) and not self.encoder_only
        return {id(module) for module in self.model.get_encoder().modules()} if is_both else None  # type: ignore[operator]

    def run(self, recorder: "Callable[[], _Recorder]") -> "tuple[_Output, _Recorder]":
        """Run the model recorded, under our name, or where it refuses that, under its own."""
        if not _asks_for_its_name(self.model):
            try:
                return self._recorded(recorder(), NAME)
            except _NotOursError:
                pass
            except KeyError as error:
                if NAME not in str(error):
                    raise
        return self._recorded(recorder(), "eager")

    def _recorded(self, recorder: "_Recorder", name: str) -> "tuple[_Output, _Recorder]":
        with recorder:
            output = self.by_itself(name)
        recorder.finish()
        return output, recorder

    def by_itself(self, name: str = "eager") -> _Output:
        """Run the model with a function of attention, by default its own."""
        with _evaluating(self.model), _named(self.model, name), torch.no_grad():
            return self._forward()

    def _forward(self) -> _Output:
        hidden: list[Tensor] = []
        base = getattr(self.model, "base_model", self.model)
        hook = base.register_forward_hook(lambda _, __, result: hidden.append(_last_hidden(result)))
        try:
            result = self.model(*self._unnamed, **self._named)
        finally:
            hook.remove()
        logits = getattr(result, "logits", None)
        if logits is not None and self._rows is not None and not self._cuts:
            logits = logits[:, self._rows]
        return _Output(logits, hidden[-1] if hidden and isinstance(hidden[-1], Tensor) else None)


def _last_hidden(result: Any) -> Any:
    for name in ("encoder_last_hidden_state", "last_hidden_state"):
        if isinstance(found := getattr(result, name, None), Tensor):
            return found
    return result[0] if isinstance(result, (tuple, list)) else result


class _Recorder:
    """Takes part in one run of a model: every call of attention comes by here."""

    def __init__(
        self,
        runner: _Runner,
        changes: tuple[Changes, ...],
        on_layer: OnLayer | None,
        should_stop: ShouldStop,
        *,
        keep: bool,
    ) -> None:
        self.calls: list[Call] = []
        self.witness = 0.0
        self._names = {id(module): name for name, module in runner.model.named_modules()}
        self._encoder = runner.encoder_modules
        self._changes, self._on_layer, self._should_stop, self._keep = changes, on_layer, should_stop, keep
        self._counts: dict[Kind, int] = {"self": 0, "cross": 0, "decoder": 0}
        self._masks: dict[int, tuple[Tensor, Tensor, Tensor | None]] = {}
        self._pending: tuple[Callable[[Tensor | None], Call], Tensor] | None = None
        self.watcher = SoftmaxWatcher(self)

    @property
    def watched(self) -> bool:
        return False

    @property
    def complete(self) -> bool:
        return True

    def __enter__(self) -> None:
        self._token = _active.set(self)
        self.watcher.__enter__()  # type: ignore[no-untyped-call]

    def __exit__(self, *error: Any) -> None:
        self.watcher.__exit__(*error)  # type: ignore[no-untyped-call]
        _active.reset(self._token)

    def finish(self) -> None:
        """Settle the last call, and check that what was to be changed was there.

        Raises:
            RunError: no attention was seen, or the changes name a layer that the model does not have.
        """
        self.settle(None)
        if not self._counts["self"]:
            raise RunError("not_followed", "the attention of this model cannot be followed: it is not softmax(q · k) v")
        check_layers(self._changes, self._counts["self"])

    def settle(self, output_weight: Tensor | None) -> None:
        """Complete the call before: its W_o is known, or there is none."""
        if self._pending is not None:
            (make, weights), self._pending = self._pending, None
            call = make(output_weight)
            self.calls.append(call)
            if self._on_layer is not None:
                self._on_layer(call, weights[0])

    def attend(
        self, module: nn.Module, q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None, given: dict[str, Any]
    ) -> tuple[Tensor, Tensor | None]:
        """Do what the model's own function does with a call, changed as asked, and record it."""
        if self._should_stop():
            raise _StopError
        self.settle(None)
        kind = self._kind(module)
        layer = self._counts[kind]
        self._counts[kind] += 1
        if kind == "self":
            check_heads(self._changes, layer, q.shape[1])
        changes = ChangedCall(self._changes, layer, kind)
        own, added = self._parts(mask)
        allowed = changes.allowed(own, q, k.shape[2])
        scoring = _scoring(module, q, k, allowed, added, given, changes.temperature)
        if allowed is not own or changes.temperature != 1:
            mask, given = _changed_arguments(scoring, added, given)
        eager = own_function(module)
        output, weights = eager(module, q, k, v, mask, **given)
        if weights is None:
            raise _NotOursError
        output = changes.output(output.contiguous())
        if not self._keep:
            return output, weights
        scoring, apart = _compared(scoring, weights)
        if apart and changes.temperature != 1:
            raise RunError(
                "temperature_unknown", "the scores of this model are not known, so no temperature can divide them"
            )
        self.witness = max(self.witness, apart)
        name = self._names.get(id(module), "")

        def again() -> Tensor:
            with torch.no_grad():
                made: Tensor = eager(module, q, k, v, mask, **given)[1]
                return made

        made = again if apart else None
        self._pending = lambda w_o: Call(name, kind, layer, not apart, scoring, v, output, w_o, made), weights
        self.watcher.follow(output)
        return output, weights

    def _kind(self, module: nn.Module) -> Kind:
        if _is_cross(module, self._names.get(id(module), "")):
            return "cross"
        return "self" if self._encoder is None or id(module) in self._encoder else "decoder"

    def _parts(self, mask: Tensor | None) -> tuple[Tensor | None, Tensor | None]:
        """Return which keys an additive mask allows, and what else it adds; once per mask, for layers share them."""
        if mask is None:
            return None, None
        if id(mask) not in self._masks:
            allowed = mask > torch.finfo(mask.dtype).min / 2 if mask.is_floating_point() else mask
            rest = mask.masked_fill(~allowed, 0) if mask.is_floating_point() else None
            self._masks[id(mask)] = mask, allowed, rest if rest is not None and rest.any() else None
        return self._masks[id(mask)][1:]


def _scoring(
    module: nn.Module,
    q: Tensor,
    k: Tensor,
    allowed: Tensor | None,
    added: Tensor | None,
    given: Mapping[str, Any],
    temperature: float,
) -> Scoring:
    """Return what the weights of a call are made of, as far as it is known by the names of its arguments."""
    biases = tuple(bias for bias in (given.get("position_bias"), added) if bias is not None)
    scale = given.get("scaling")
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    sinks = given.get("s_aux")
    sinks = getattr(module, "sinks", None) if sinks is None else sinks
    sinks = sinks.detach() if isinstance(sinks, Tensor) else None
    return Scoring(q, k, allowed, biases, scale, given.get("softcap"), sinks, temperature)


def _changed_arguments(
    scoring: Scoring, added: Tensor | None, given: Mapping[str, Any]
) -> tuple[Tensor | None, dict[str, Any]]:
    """Return the mask and arguments with which a model's own function obeys the changes.

    It divides by a temperature if its arguments are divided: s/T = (c/T) tanh((q · k scale/T) / (c/T)) + bias/T.
    """
    by, q = scoring.temperature, scoring.q
    further: dict[str, Any] = {"scaling": scoring.scale / by}
    if scoring.softcap is not None:
        further["softcap"] = scoring.softcap / by
    if given.get("position_bias") is not None:
        further["position_bias"] = given["position_bias"] / by
    mask = None if added is None else added / by
    if scoring.mask is not None:
        mask = q.new_zeros((1, 1, q.shape[2], scoring.k.shape[2])) if mask is None else mask
        mask = mask.masked_fill(~scoring.mask, torch.finfo(q.dtype).min)
    return mask, dict(given) | further


def _compared(scoring: Scoring, weights: Tensor) -> tuple[Scoring, float]:
    """Return how weights are made so that they are the model's, and their largest difference, 0 if they are equal."""
    formats = (True,) if weights.dtype == torch.float32 else (True, False)
    tried = [replace(scoring, wide_softmax=wide) for wide in formats]
    apart = [each.apart(weights) for each in tried]
    best = apart.index(min(apart))
    return tried[best], apart[best]


_active: ContextVar[_Recorder | None] = ContextVar("recorder", default=None)


def _attend(
    module: nn.Module, query: Tensor, key: Tensor, value: Tensor, attention_mask: Tensor | None, **given: Any
) -> tuple[Tensor, Tensor | None]:
    """Return what a module of transformers asks its function of attention for: output (B, Q, h, e) and weights."""
    recorder = _active.get()
    if recorder is None:
        result: tuple[Tensor, Tensor | None] = own_function(module)(module, query, key, value, attention_mask, **given)
        return result
    with recorder.watcher.resting():
        return recorder.attend(module, query, key, value, attention_mask, given)


def own_function(module: nn.Module) -> Callable[..., Any]:
    """Return the function of attention in the file of a module's class, or of one that it inherits from."""
    for kind in type(module).__mro__:
        if found := getattr(sys.modules.get(kind.__module__), "eager_attention_forward", None):
            return found  # type: ignore[no-any-return]
    raise _NotOursError


def register() -> None:
    """Register the recording function together with its mask: without that, models run without any mask at all."""
    from transformers import AttentionInterface, AttentionMaskInterface
    from transformers.masking_utils import eager_mask

    AttentionMaskInterface.register(NAME, eager_mask)
    AttentionInterface.register(NAME, _attend)


@contextmanager
def _named(model: nn.Module, name: str) -> Iterator[None]:
    """Let a model look up its function of attention under a name for a while."""
    configs = {id(config): config for config in _configs(model)}
    if configs and name == NAME:
        register()
    before = [(config, config._attn_implementation_internal) for config in configs.values()]
    try:
        for config, _ in before:
            config._attn_implementation_internal = name
        yield
    finally:
        for config, old in before:
            config._attn_implementation_internal = old


def _configs(model: nn.Module) -> Iterator[Any]:
    found = [config for module in model.modules() if (config := getattr(module, "config", None)) is not None]
    while found:
        config = found.pop()
        if hasattr(config, "_attn_implementation_internal"):
            yield config
            found += [each for key in config.sub_configs if (each := getattr(config, key, None)) is not None]


@contextmanager
def _evaluating(model: nn.Module) -> Iterator[None]:
    """Switch dropout off for a while."""
    training = [module for module in model.modules() if module.training]
    try:
        model.eval()
        yield
    finally:
        for module in training:
            module.training = True


def _asks_for_its_name(model: nn.Module) -> bool:
    """Return whether attention computes otherwise where its name is not "eager", as one option of GPT-2 has it."""
    return any(getattr(module, "reorder_and_upcast_attn", False) for module in model.modules())


def _is_cross(module: nn.Module, name: str) -> bool:
    return bool(getattr(module, "is_cross_attention", False)) or bool(_CROSS.search(name))


_CROSS = re.compile(r"cross|encoder_attn|enc_?dec|encoder_decoder", re.IGNORECASE)
"""What the paths of modules have in common whose keys come from an encoder."""


def _parameters(model: nn.Module) -> Set[str]:
    return inspect.signature(model.forward).parameters.keys()


def _device(model: nn.Module) -> torch.device:
    return next(model.parameters()).device
