"""Recording a transformer while its own code runs, and changing its attention in the same place.

transformers looks up the function of attention by a name. Under the name `NAME` a model calls `_attend`, which calls
the function that the model's own file has for it (the witness), hands its result on, and keeps what it got. So the
numbers are the model's own; what is computed here is compared with them on every call. Attention that does not come by
is found by the `SoftmaxWatcher`.

The name is a field of the model's configuration, so a model is run by one thread at a time.
"""

import inspect
import math
from collections.abc import Iterator, Mapping, Sequence, Set
from contextlib import ExitStack, contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any, Literal

import torch
from torch import Tensor, nn

from attnviz.engine.machine import RunError
from attnviz.engine.model.calls import Call, bytes_of, difference
from attnviz.engine.model.changes import NO_CHANGES, Changes
from attnviz.engine.model.recorder import NotOursError, OnLayer, Recorder, StopError, Task, own_function
from attnviz.experiment.run import ShouldStop, never_stop

__all__ = ["NAME", "Call", "Changes", "Recording", "output_apart", "outputs_under", "record"]

NAME = "attnviz"
"""The name of the recording function and of its mask in transformers."""

Inputs = Mapping[str, Any] | Sequence[Any] | Tensor
"""What a model is called with."""


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

    @property
    def nbytes(self) -> int:
        """The bytes of all that it holds."""
        outputs = [each for each in (self.logits, self.last_hidden) if each is not None]
        return bytes_of((*outputs, *(each for call in self.calls for each in call.tensors)))


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
        RunError: the model's attention cannot be followed, or cannot be changed in this way, or its weights have no
            values.
    """
    if any(each.is_meta for each in model.parameters()):
        sentence = "the weights of this model are on the meta device and have no values; load them"
        raise RunError("weights_on_meta", sentence)
    changed = changes or NO_CHANGES
    runner = _Runner(model, inputs, rows)
    apart = math.nan
    try:
        output, recorder = runner.run(Task((changed,), on_layer, should_stop))
        if compare and not changed:
            with _stopping(runner.model, {call.name for call in recorder.calls}, should_stop):
                apart = output.apart(runner.by_itself())
    except StopError:
        return None
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
        ValueError: there are no changes, or several temperatures.
    """
    repeated = {
        name: value.repeat_interleave(len(changes), 0) if isinstance(value, Tensor) and value.dim() else value
        for name, value in inputs.items()
    }
    if len({each.temperature for each in changes}) != 1:
        raise ValueError("changes of one batch must have one temperature")
    runner = _Runner(model, repeated, rows)
    try:
        output, _ = runner.run(Task(tuple(changes), None, should_stop, keep=False))
    except StopError:
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
        parameters = inspect.signature(self.model.forward).parameters
        takes_any = any(each.kind is each.VAR_KEYWORD for each in parameters.values())
        if "use_cache" in parameters or (takes_any and getattr(config, "use_cache", False)):
            self._named.setdefault("use_cache", False)
        self._cuts = self._rows is not None and "logits_to_keep" in parameters
        if self._cuts:
            self._named["logits_to_keep"] = self._rows

        given = [each for each in (*self._unnamed, *self._named.values()) if isinstance(each, Tensor) and each.dim()]
        self._sizes = len(given[0]) if given else 1, named["input_ids"].shape[1] if "input_ids" in named else None

    def run(self, task: Task) -> tuple[_Output, Recorder]:
        """Run the model recorded, under our name, or where it refuses that, under its own."""
        if not _asks_for_its_name(self.model):
            try:
                return self._recorded(task, NAME)
            except NotOursError:
                pass
            except KeyError as error:
                if NAME not in str(error):
                    raise
        return self._recorded(task, "eager")

    def _recorded(self, task: Task, name: str) -> tuple[_Output, Recorder]:
        recorder = Recorder(self.model, self._encoder_modules(), self._sizes, task)
        token = _active.set(recorder)
        try:
            with recorder.watcher:
                output = self.by_itself(name)
        finally:
            _active.reset(token)
        recorder.finish()
        return output, recorder

    def _encoder_modules(self) -> Set[int] | None:
        """Return the identities of the modules of the encoder beside a decoder; None if there is one stack alone."""
        model = self.model
        if isinstance(model, nn.Transformer):
            return {id(module) for module in model.encoder.modules()}
        is_both = getattr(getattr(model, "config", None), "is_encoder_decoder", False) and not self.encoder_only
        return {id(module) for module in model.get_encoder().modules()} if is_both else None  # type: ignore[operator]

    def by_itself(self, name: str = "eager") -> _Output:
        """Run the model with a function of attention, by default its own."""
        with _evaluating(self.model), _named(self.model, name), torch.no_grad():
            return self._forward()

    def _forward(self) -> _Output:
        hidden: list[Tensor] = []
        cut = self._cuts

        def cut_rows(_: nn.Module, given: tuple[Any, ...]) -> tuple[Any, ...] | None:
            nonlocal cut
            cut = given[0].dim() == 3 and given[0].shape[1] == self._sizes[1]
            return (given[0][:, self._rows], *given[1:]) if cut else None

        base = getattr(self.model, "base_model", self.model)
        with ExitStack() as stack:
            read = base.register_forward_hook(lambda _, __, result: hidden.append(_last_hidden(result)))
            stack.callback(read.remove)
            if self._rows is not None and not cut and (head := _head_of(self.model)) is not None:
                stack.callback(head.register_forward_pre_hook(cut_rows).remove)
            result = self.model(*self._unnamed, **self._named)
        logits = getattr(result, "logits", None)
        if not isinstance(logits, Tensor) or logits.dim() != 3:  # those of a classifier are of no token
            logits = None
        if logits is not None and self._rows is not None and not cut:
            logits = logits[:, self._rows]
        return _Output(logits, hidden[-1] if hidden and isinstance(hidden[-1], Tensor) else None)


def _head_of(model: nn.Module) -> nn.Module | None:
    """Return the layer that makes the logits: with a vocabulary of 30,000 it costs as much as six layers."""
    found: nn.Module | None = getattr(model, "get_output_embeddings", lambda: None)()
    return found


def _last_hidden(result: Any) -> Any:
    for name in ("encoder_last_hidden_state", "last_hidden_state"):
        if isinstance(found := getattr(result, name, None), Tensor):
            return found
    return result[0] if isinstance(result, (tuple, list)) else result


_active: ContextVar[Recorder | None] = ContextVar("recorder", default=None)


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
def _stopping(model: nn.Module, names: Set[str], should_stop: ShouldStop) -> Iterator[None]:
    """Let a model stop before each of some modules for a while, where nothing is recorded."""

    def check(*_: Any) -> None:
        if should_stop():
            raise StopError

    with ExitStack() as stack:
        for name, module in model.named_modules():
            if name in names:
                stack.callback(module.register_forward_pre_hook(check).remove)
        yield


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


def _device(model: nn.Module) -> torch.device:
    return next((each.device for each in model.parameters()), torch.device("cpu"))
