"""Recording a transformer while its own code runs, and changing its attention in the same place.

transformers looks up the function of attention by a name. Under the name `NAME` a model calls `_attend`, which calls
the function that the model's own file has for it (the witness), hands its result on, and keeps what it got. So the
numbers are the model's own; what is computed here is compared with them on every call. Attention that does not come by
is found by the `SoftmaxWatcher`.

The name is a field of the model's configuration, so models are run by one thread at a time.
"""

import inspect
import math
import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

import torch
from torch import Tensor, nn

from attnviz.engine.machine import RunError
from attnviz.engine.model.calls import Call, difference
from attnviz.engine.model.changes import NO_CHANGES, Changes
from attnviz.engine.model.recorder import NotOursError, OnLayer, Recorder, Task, own_function
from attnviz.experiment.run import ShouldStop, StoppedError, check_stop, never_stop

__all__ = [
    "NAME",
    "NOT_COMPARED",
    "Call",
    "Changes",
    "Comparison",
    "Recording",
    "compare_outputs",
    "outputs_under",
    "record",
]

NAME = "attnviz"
"""The name of the recording function and of its mask in transformers."""

Inputs = Mapping[str, Any] | Sequence[Any] | Tensor
"""What a model is called with."""


class Comparison(NamedTuple):
    """How the output of a recorded run compares with that of the model's own run."""

    difference: float
    """The largest absolute difference; NaN if nothing could be compared."""
    largest: float
    """The largest absolute value of the model's own output; NaN if nothing could be compared."""


NOT_COMPARED = Comparison(math.nan, math.nan)


@dataclass(frozen=True, eq=False, slots=True)
class Recording:
    """A recorded run.

    Attributes:
        calls: every call of attention, in order.
        logits: (T, V) of batch item 0, or of the rows asked for; None if the model has no such output.
        last_hidden: the last hidden state, (T, D).
        witness: the largest difference between weights made here and those of the model's own function.
        comparison: of the output (logits, else the last hidden state) with that of the model run by itself.
        complete: whether all attention of the model was recorded.
        note: ``""``, ``"watched"`` if attention was found by its softmax, or ``"encoder"`` if only the encoder ran.
    """

    calls: tuple[Call, ...]
    logits: Tensor | None
    last_hidden: Tensor | None
    witness: float
    comparison: Comparison
    complete: bool
    note: Literal["", "watched", "encoder"]

    @property
    def shown(self) -> tuple[Call, ...]:
        """The self-attention of the model, of the encoder if there is one: a call per layer."""
        return tuple(call for call in self.calls if call.kind == "self")

    @property
    def nbytes(self) -> int:
        """The bytes of all that it holds; what its tensors share counts once."""
        held = (self.logits, self.last_hidden, *(each for call in self.calls for each in call.tensors))
        storages = [each.untyped_storage() for each in held if each is not None]
        return sum({each.data_ptr(): each.nbytes() for each in storages}.values())


class Output(NamedTuple):
    """What a model puts out: logits (B, T, V), None if it has none, and the last hidden state (B, T, D)."""

    logits: Tensor | None
    last_hidden: Tensor | None


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

    An encoder-decoder of transformers without inputs for its decoder runs its encoder alone. A RunError says that the
    model's attention cannot be followed, or cannot be changed in this way, or that its weights have no values.

    Args:
        model: of transformers, or any other whose attention is ``nn.MultiheadAttention`` or a softmax of q · k. It runs
            in evaluation mode, and is left as it was.
        inputs: what its ``forward`` takes, by name or in order, on its device.
        changes: what is changed in its attention; None changes nothing.
        on_layer: called for every call once its W_o is known, with the weights of batch item 0.
        should_stop: asked at every call of attention.
        compare: also run the unchanged model by itself, and compare its output; this doubles the time.
        rows: the rows whose logits are kept, all by default. A model that can computes no others.
    """
    if any(each.is_meta for each in model.parameters()):
        sentence = "the weights of this model are on the meta device and have no values; load them"
        raise RunError("weights_on_meta", sentence)
    changed = changes or NO_CHANGES
    runner = _Runner(model, inputs, rows)
    comparison = NOT_COMPARED
    try:
        output, recorder = runner.run(Task((changed,), on_layer, should_stop))
        if compare and not changed:
            comparison = _compared_outputs(output, runner.by_itself(should_stop=should_stop))
    except StoppedError:
        return None
    return Recording(
        calls=tuple(recorder.calls),
        logits=None if output.logits is None else output.logits[0],
        last_hidden=None if output.last_hidden is None else output.last_hidden[0],
        witness=recorder.witness,
        comparison=comparison,
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
) -> Output:
    """Run one input under n changes as one batch; raises what `record` raises, and `StoppedError`.

    Batches differ from single runs in the last bits (5e-6 measured). They share one temperature.
    """
    repeated = {
        name: value.repeat_interleave(len(changes), 0) if isinstance(value, Tensor) and value.dim() else value
        for name, value in inputs.items()
    }
    return _Runner(model, repeated, rows).run(Task(tuple(changes), None, should_stop, keep=False))[0]


def compare_outputs(
    recording: Recording, model: nn.Module, inputs: Inputs, rows: Sequence[int], should_stop: ShouldStop
) -> Comparison:
    """Run the unchanged model by itself and compare its output with a recording's; raises `StoppedError`."""
    held = (None if each is None else each[None] for each in (recording.logits, recording.last_hidden))
    return _compared_outputs(Output(*held), _Runner(model, inputs, rows).by_itself(should_stop=should_stop))


def _compared_outputs(recorded: Output, own: Output) -> Comparison:
    """Compare what both outputs have: the logits, else the last hidden states."""
    pairs = ((a, b) for a, b in zip(recorded, own, strict=True) if a is not None and b is not None)
    return next((Comparison(difference(a, b), _largest(b)) for a, b in pairs), NOT_COMPARED)


def _largest(values: Tensor) -> float:
    return values.abs().max().item() if values.numel() else 0.0


class _Runner:
    """Runs a model, or the encoder of one whose decoder has no input."""

    def __init__(self, model: nn.Module, inputs: Inputs, rows: Sequence[int] | None) -> None:
        named = dict(inputs) if isinstance(inputs, Mapping) else {}
        config = getattr(model, "config", None)
        self._has_decoder = bool(getattr(config, "is_encoder_decoder", False))
        decoder_inputs = {"decoder_input_ids", "decoder_inputs_embeds", "labels"} & named.keys()
        self.encoder_only = self._has_decoder and not decoder_inputs
        self.model: nn.Module = model.get_encoder() if self.encoder_only else model  # type: ignore[operator]
        self._named = named
        self._unnamed = () if isinstance(inputs, Mapping) else (inputs,) if isinstance(inputs, Tensor) else inputs
        given = [each for each in (*self._unnamed, *named.values()) if isinstance(each, Tensor) and each.dim()]
        self._sizes = len(given[0]) if given else 1, named["input_ids"].shape[1] if "input_ids" in named else None
        parameters = inspect.signature(self.model.forward).parameters
        takes_any = any(each.kind is each.VAR_KEYWORD for each in parameters.values())
        if "use_cache" in parameters or (takes_any and getattr(config, "use_cache", False)):
            named.setdefault("use_cache", False)
        device = next((each.device for each in model.parameters()), None)
        self._rows = None if rows is None else torch.tensor(list(rows), dtype=torch.long, device=device)

    def run(self, task: Task) -> tuple[Output, Recorder]:
        """Run the model recorded, under our name, or where it refuses that, under its own."""
        # One option of GPT-2 computes attention otherwise where its name is not "eager".
        asks_for_its_name = any(getattr(each, "reorder_and_upcast_attn", False) for each in self.model.modules())
        if not asks_for_its_name and next(_configs(self.model), None) is not None:
            register()
            try:
                return self._recorded(task, NAME)
            except (NotOursError, KeyError) as error:
                if isinstance(error, KeyError) and NAME not in str(error):
                    raise
        return self._recorded(task, "eager")

    def _recorded(self, task: Task, name: str) -> tuple[Output, Recorder]:
        recorder = Recorder(self.model, self._encoder(), self._sizes, task)
        token = _active.set(recorder)
        try:
            with recorder.watcher:
                output = self.by_itself(name)
        finally:
            _active.reset(token)
        recorder.finish()
        return output, recorder

    def _encoder(self) -> nn.Module | None:
        """Return the encoder beside a decoder; None if there is one stack alone."""
        if isinstance(self.model, nn.Transformer):
            return self.model.encoder  # type: ignore[no-any-return]
        is_beside = self._has_decoder and not self.encoder_only
        return self.model.get_encoder() if is_beside else None  # type: ignore[operator]

    def by_itself(self, name: str = "eager", should_stop: ShouldStop = never_stop) -> Output:
        """Run the model without dropout, with a function of attention, by default its own; raises `StoppedError`."""
        hidden: list[Any] = []
        cut = False

        def cut_rows(_: nn.Module, given: tuple[Any, ...]) -> tuple[Any, ...] | None:
            nonlocal cut
            cut = bool(given) and given[0].dim() == 3 and given[0].shape[1] == self._sizes[1]
            return (given[0][:, self._rows], *given[1:]) if cut else None

        base = getattr(self.model, "base_model", self.model)
        head = getattr(self.model, "get_output_embeddings", lambda: None)()
        with (
            _one_thread,
            _with(self.model.modules(), "training", False),
            _with(_configs(self.model), "_attn_implementation_internal", name),
            torch.no_grad(),
            ExitStack() as hooks,
        ):
            # OPT with a head calls the decoder of its base alone; Llama 4 is its own base.
            for module in (getattr(base, "decoder", None), getattr(base, "model", None), base):
                if isinstance(module, nn.Module):
                    read = module.register_forward_hook(lambda _, __, result: hidden.append(_last_hidden(result)))
                    hooks.enter_context(read)
            if self._rows is not None and head is not None:  # it may cost as much as six layers
                hooks.enter_context(head.register_forward_pre_hook(cut_rows))
            for module in () if should_stop is never_stop else self.model.modules():
                hooks.enter_context(module.register_forward_pre_hook(lambda *_: check_stop(should_stop)))
            result = self.model(*self._unnamed, **self._named)
        logits = getattr(result, "logits", None)
        if not isinstance(logits, Tensor) or logits.dim() != 3:  # those of a classifier are of no token
            logits = None
        elif self._rows is not None and not cut:
            logits = logits[:, self._rows]
        return Output(logits, next((each for each in reversed(hidden) if isinstance(each, Tensor)), None))


def _last_hidden(result: Any) -> Any:
    for name in ("encoder_last_hidden_state", "last_hidden_state"):
        if isinstance(found := getattr(result, name, None), Tensor):
            return found
    return result[0] if isinstance(result, (tuple, list)) else result


_active: ContextVar[Recorder | None] = ContextVar("recorder", default=None)
_one_thread = threading.RLock()


def _attend(
    module: nn.Module, query: Tensor, key: Tensor, value: Tensor, attention_mask: Tensor | None, **given: Any
) -> tuple[Tensor, Tensor | None]:
    """Return what a module of transformers asks its function of attention for: output (B, Q, h, e) and weights."""
    recorder = _active.get()
    if recorder is None:
        result: tuple[Tensor, Tensor | None] = own_function(module)(module, query, key, value, attention_mask, **given)
        return result
    with torch._C.DisableTorchFunction():  # its watcher looks away
        return recorder.attend(module, query, key, value, attention_mask, given)


def register() -> None:
    """Register the recording function together with its mask: without that, models run without any mask at all."""
    from transformers import AttentionInterface, AttentionMaskInterface
    from transformers.masking_utils import eager_mask

    AttentionMaskInterface.register(NAME, eager_mask)
    AttentionInterface.register(NAME, _attend)


@contextmanager
def _with(owners: Iterable[Any], name: str, value: Any) -> Iterator[None]:
    """Give an attribute of objects another value for a while."""
    with ExitStack() as stack:
        for each in owners:
            if (before := getattr(each, name)) != value:
                stack.callback(setattr, each, name, before)
                setattr(each, name, value)
        yield


def _configs(model: nn.Module) -> Iterator[Any]:
    """Yield the configurations in which a model looks up the name of its function of attention."""
    found: list[Any] = [getattr(module, "config", None) for module in model.modules()]
    while found:
        config = found.pop()
        if hasattr(config, "_attn_implementation_internal"):
            yield config
            found += [getattr(config, key, None) for key in config.sub_configs]
