"""Records the attention of a transformer while its own code runs, and applies interventions there.

A model of transformers runs under "eager", and its attention calls go through the `Recorder`, which calls the model's
own function, returns its result, and keeps its arguments. So the numbers are the model's own, and recomputed ones are
compared with them on every call. Other attention is found by the `SoftmaxWatcher`.

The model runs in evaluation mode, with hooks on some modules, so only one thread records at a time.
"""

import inspect
import math
import sys
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

import torch
from torch import Tensor, nn

from attnviz.definitions.text import Text
from attnviz.engine.machine import RunError
from attnviz.engine.model.calls import Call, difference
from attnviz.engine.model.changes import NO_CHANGES, Changes
from attnviz.engine.model.lookup import attention_through, own_implementation
from attnviz.engine.model.recorder import NotOursError, OnLayer, OnWeights, Recorder, RecordingTask
from attnviz.engine.model.softmax_watcher import called
from attnviz.engine.model.stack import Stack, stack_of
from attnviz.experiment.model.rounding import is_beyond_rounding
from attnviz.experiment.model.sides import Kind
from attnviz.experiment.run import ShouldStop, StoppedError, check_stop, never_stop
from attnviz.experiment.warning import not_the_models

__all__ = [
    "NOT_COMPARED",
    "Call",
    "Changes",
    "Comparison",
    "Recording",
    "compare_outputs",
    "outputs_under",
    "own_outputs",
    "record",
]

Inputs = Mapping[str, Any] | Sequence[Any] | Tensor
"""The arguments of a model's call."""


class Comparison(NamedTuple):
    """The comparison of a recorded run's output with that of the unmodified model."""

    difference: float
    """The largest absolute difference; NaN if nothing could be compared."""
    largest: float
    """The largest absolute value of the unmodified model's output; NaN if nothing could be compared."""
    implementation: str = ""
    """The model's own attention implementation, such as "sdpa"; "" if the model is not from transformers."""
    padding: int = 0
    """The number of padding positions left out."""
    dtypes: tuple[str, ...] = ("float32",)
    """The dtypes of the run, which set the bound for rounding."""

    @property
    def beyond_rounding(self) -> bool:
        """Whether the outputs differ by more than `ROUNDING_BOUNDS`."""
        return is_beyond_rounding(self.difference, self.largest, *self.dtypes)


NOT_COMPARED = Comparison(math.nan, math.nan)


@dataclass(frozen=True, eq=False, slots=True)
class Recording:
    """A recorded run.

    Attributes:
        calls: every call of attention, in order.
        stacks: the layers by the model's own numbers, for each kind of attention.
        logits: (T, V) of batch item 0, or of the requested rows; None if the model has no such output.
        last_hidden: the last hidden state, (T, D).
        witness: the largest difference between recomputed weights and those of the model's own function.
        comparison: of the output (logits, else the last hidden state) with that of the unmodified model.
        complete: whether all attention of the model was recorded.
        note: ``""``, ``"watched"`` if attention was found by its softmax, or ``"encoder"`` if only the encoder ran.
    """

    calls: tuple[Call, ...]
    stacks: Mapping[Kind, Stack]
    logits: Tensor | None
    last_hidden: Tensor | None
    witness: float
    comparison: Comparison
    complete: bool
    note: Literal["", "watched", "encoder"]

    @property
    def warning(self) -> Text:
        """The difference from the unmodified model as a message, if it exceeds `ROUNDING_BOUNDS`.

        Weights of unknown calls are the model's own.
        """
        has_weights = all(all(call.items_known) for call in self.calls)
        weights = has_weights and is_beyond_rounding(self.witness, 1.0, *self.comparison.dtypes)
        return not_the_models(
            "outputs" if self.logits is None else "logits",
            self.comparison.difference if self.comparison.beyond_rounding else math.nan,
            self.witness if weights else math.nan,
        )

    @property
    def output(self) -> "Output":
        """The outputs of batch item 0, as a batch of one."""
        held = (None if each is None else each[None] for each in (self.logits, self.last_hidden))
        return Output(*held)

    @property
    def shown(self) -> tuple[Call, ...]:
        """The self-attention of the model (of the encoder if there is one), one call per layer."""
        return tuple(call for call in self.calls if call.kind == "self")

    @property
    def nbytes(self) -> int:
        """The bytes of all tensors; shared memory counts once."""
        held = (self.logits, self.last_hidden, *(each for call in self.calls for each in call.tensors))
        storages = [each.untyped_storage() for each in held if each is not None]
        return sum({each.data_ptr(): each.nbytes() for each in storages}.values())


class Output(NamedTuple):
    """The outputs of a model: logits (B, T, V) or None, and the last hidden state (B, T, D)."""

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
    numbers: Mapping[Kind, Sequence[int]] | None = None,
) -> Recording | None:
    """Run a model once and return the recording of its attention; None if stopped.

    For an encoder-decoder of transformers without decoder inputs, only the encoder runs.

    Args:
        model: from transformers, or any other with ``nn.MultiheadAttention`` or a softmax of q · k. It runs in
            evaluation mode and uncompiled, and is left unchanged.
        inputs: the arguments of its ``forward``, by name or in order, on its device.
        changes: the interventions; None for none.
        on_layer: called for every call once its W_o is known, with the weights of batch item 0.
        should_stop: called at every call of attention.
        compare: also run the unmodified model, under its own attention implementation, and compare the outputs; this
            doubles the time.
        rows: the rows whose logits are kept, all by default. A model that supports it computes only these.
        numbers: the layer of each call of a kind, as ``changes`` name it; by default the index of the call.

    Raises:
        RunError: the model's attention cannot be recorded or changed in this way, or its weights have no values.
    """
    if torch.get_default_device().type == "meta":
        sentence = "the default device is meta, on which no tensor has values; nearest: {nearest}"
        raise RunError("default_on_meta", sentence, nearest="torch.set_default_device('cpu')")
    if any(each.is_meta for each in model.parameters()):
        sentence = "the weights of this model are on the meta device and have no values; load them"
        raise RunError("weights_on_meta", sentence)
    changed = changes or NO_CHANGES
    runner = _Runner(_inner(model), inputs, rows)
    comparison = NOT_COMPARED
    try:
        output, recorder = runner.run(RecordingTask((changed,), on_layer, should_stop, numbers=numbers or {}))
        if compare and not changed:
            comparison = runner.compare(output, should_stop)
    except StoppedError:
        return None
    names: dict[Kind, list[str]] = {"self": [], "cross": [], "decoder": []}
    for call in recorder.calls:
        names[call.kind].append(call.name)
    return Recording(
        calls=tuple(recorder.calls),
        stacks={kind: stack_of(runner.model, each) for kind, each in names.items()},
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
    numbers: Mapping[Kind, Sequence[int]] | None = None,
    on_weights: OnWeights | None = None,
) -> Output:
    """Run one input under n sets of interventions as one batch; raises as `record`, and `StoppedError`.

    Batches differ from single runs in the last bits (5e-6 measured). They share one temperature. ``numbers``: see
    `record`; ``on_weights``: see `RecordingTask`; the outputs then have gradients, outside of `torch.inference_mode`.
    """
    repeated = {
        name: value.repeat_interleave(len(changes), 0) if isinstance(value, Tensor) and value.dim() else value
        for name, value in inputs.items()
    }
    task = RecordingTask(tuple(changes), None, should_stop, keep=False, numbers=numbers or {}, on_weights=on_weights)
    return _Runner(model, repeated, rows).run(task)[0]


def compare_outputs(
    output: Output, model: nn.Module, inputs: Inputs, rows: Sequence[int], should_stop: ShouldStop
) -> Comparison:
    """Run the unmodified model and compare its output with a recorded one; raises `StoppedError`."""
    return _Runner(model, inputs, rows).compare(output, should_stop)


def own_outputs(model: nn.Module, inputs: Mapping[str, Any], rows: Sequence[int]) -> Output:
    """Run the model without recording, and return its outputs; ``rows``: see `record`."""
    return _Runner(model, inputs, rows).by_itself()


def _inner(model: nn.Module) -> nn.Module:
    """Return the module that was passed to `torch.compile`."""
    return getattr(model, "_orig_mod", model)


class _Runner:
    """Runs a model, or the encoder of one whose decoder has no input."""

    def __init__(self, model: nn.Module, inputs: Inputs, rows: Sequence[int] | None) -> None:
        named = dict(inputs) if isinstance(inputs, Mapping) else {}
        config = getattr(model, "config", None)
        self._has_decoder = bool(getattr(config, "is_encoder_decoder", False))
        decoder_inputs = {"decoder_input_ids", "decoder_inputs_embeds", "labels"} & named.keys()
        self.encoder_only = self._has_decoder and not decoder_inputs
        self.model: nn.Module = model.get_encoder() if self.encoder_only else model  # type: ignore[operator]
        self._implementation = own_implementation(config)
        self._named = named
        self._unnamed = () if isinstance(inputs, Mapping) else (inputs,) if isinstance(inputs, Tensor) else inputs
        tensors = [each for each in (*self._unnamed, *named.values()) if isinstance(each, Tensor) and each.dim()]
        self._sizes = len(tensors[0]) if tensors else 1, named["input_ids"].shape[1] if "input_ids" in named else None
        parameters = inspect.signature(self.model.forward).parameters
        self._inputs = dict(zip(parameters, self._unnamed, strict=False)) | named
        takes_any = any(each.kind is each.VAR_KEYWORD for each in parameters.values())
        if "use_cache" in parameters or (takes_any and getattr(config, "use_cache", False)):
            named.setdefault("use_cache", False)
        devices = {each.device for each in model.parameters()}
        self._gpus = [device for device in devices if device.type == "cuda"]
        device = next((each.device for each in model.parameters()), None)
        self._rows = None if rows is None else torch.tensor(list(rows), dtype=torch.long, device=device)

    def run(self, task: RecordingTask) -> tuple[Output, Recorder]:
        """Run the model recorded; if its own function returns no weights, find its attention by its softmax."""
        try:
            return self._recorded(task)
        except NotOursError:
            return self._recorded(task, by_softmax=True)

    def _recorded(self, task: RecordingTask, *, by_softmax: bool = False) -> tuple[Output, Recorder]:
        recorder = Recorder(self.model, self._encoder(), self._sizes, task)
        with attention_through(None if by_softmax else recorder.attend), recorder.watcher:
            output = self.by_itself(with_gradients=task.on_weights is not None)
        recorder.finish()
        return output, recorder

    def _encoder(self) -> nn.Module | None:
        """Return the encoder beside a decoder; None for a single stack."""
        if isinstance(self.model, nn.Transformer):
            return self.model.encoder  # type: ignore[no-any-return]
        is_beside = self._has_decoder and not self.encoder_only
        return self.model.get_encoder() if is_beside else None  # type: ignore[operator]

    def compare(self, recorded: Output, should_stop: ShouldStop) -> Comparison:
        """Compare an output with that of the unmodified model; raises `StoppedError`.

        The logits are compared if both have them, else the last hidden states.
        """
        own = self.by_itself(should_stop)
        pairs = ((a, b) for a, b in zip(recorded, own, strict=True) if a is not None and b is not None)
        mine, its = next(pairs, (None, None))
        if mine is None or its is None:
            return NOT_COMPARED
        is_text = self._is_text(its)
        if is_text is not None:
            mine, its = mine[is_text], its[is_text]
        if (apart := difference(mine, its)) == math.inf and mine.shape == its.shape:  # equal where both are NaN
            is_number = ~(mine.isnan() & its.isnan())
            mine, its = mine[is_number], its[is_number]
            apart = difference(mine, its)
        apart, largest = (apart, its.abs().max().item()) if its.numel() else (math.nan, math.nan)
        held = {"float32", *(str(each.dtype) for each in (its, *self.model.parameters()) if each.is_floating_point())}
        return Comparison(
            apart,
            largest,
            self._implementation,
            0 if is_text is None else int((~is_text).sum()),
            tuple(sorted(dtype.removeprefix("torch.") for dtype in held)),
        )

    def _is_text(self, output: Tensor) -> Tensor | None:
        """Return which positions (B, T) of an output are not padding; None: all, or not known."""
        is_padding = {"key_padding_mask", "src_key_padding_mask", "tgt_key_padding_mask"}
        beside = self._has_decoder and not self.encoder_only
        names = (
            ("decoder_attention_mask",) if beside else ("attention_mask", "key_padding_mask", "src_key_padding_mask")
        )
        names = ("tgt_key_padding_mask",) if isinstance(self.model, nn.Transformer) else names
        for name in names:
            mask = self._inputs.get(name)
            if not isinstance(mask, Tensor) or mask.dim() != 2:
                continue
            is_text = (mask == 0) if name in is_padding else (mask != 0)
            batch_first = (each.batch_first for each in self.model.modules() if hasattr(each, "batch_first"))
            is_text = is_text if next(batch_first, True) else is_text.T
            if is_text.shape == output.shape[:2] and not is_text.all():
                return is_text
        return None

    def by_itself(self, should_stop: ShouldStop = never_stop, *, with_gradients: bool = False) -> Output:
        """Run the model without recording and without dropout; raises `StoppedError`."""
        hidden: list[Any] = []
        cut, thread = False, threading.get_ident()

        def here(hook: Callable[..., Any]) -> Callable[..., Any]:
            """Return a hook that ignores runs of the same model in other threads."""
            return lambda *args: hook(*args) if threading.get_ident() == thread else None

        def cut_rows(_: nn.Module, args: tuple[Any, ...]) -> tuple[Any, ...] | None:
            nonlocal cut
            cut = bool(args) and args[0].dim() == 3 and args[0].shape[1] == self._sizes[1]
            return (args[0][:, self._rows], *args[1:]) if cut else None

        weights = [each for each in self.model.parameters() if each.is_floating_point()]
        base = getattr(self.model, "base_model", self.model)
        head = getattr(self.model, "get_output_embeddings", lambda: None)()
        with (
            alone(self.model.modules()),
            torch.random.fork_rng(self._gpus),  # both runs draw the same numbers, and later ones are not affected
            torch.set_grad_enabled(with_gradients),
            _with(weights if with_gradients else (), "requires_grad", True),
            ExitStack() as hooks,
        ):
            # OPT with a head calls the decoder of its base directly; Llama 4 is its own base.
            for module in (getattr(base, "decoder", None), getattr(base, "model", None), base):
                if isinstance(module, nn.Module) and _takes_hooks(module):
                    read = here(lambda _, __, result: hidden.append(_last_hidden(result)))
                    hooks.enter_context(module.register_forward_hook(read))
            if self._rows is not None and head is not None:  # the head may cost as much as six layers
                hooks.enter_context(head.register_forward_pre_hook(here(cut_rows)))
            for module in () if should_stop is never_stop else filter(_takes_hooks, self.model.modules()):
                hooks.enter_context(module.register_forward_pre_hook(here(lambda *_: check_stop(should_stop))))
            result = called(self.model, self._unnamed, self._named)
        logits = getattr(result, "logits", None)
        if (
            isinstance(logits, Tensor)
            and logits.dim() == 2
            and self._rows is not None
            and "pixel_values" in self._named
        ):
            logits = logits[:, None]  # those of an image are the only row
        elif not isinstance(logits, Tensor) or logits.dim() != 3:  # a classifier's logits belong to no token
            logits = None
        elif self._rows is not None and not cut:
            logits = logits[:, self._rows]
        return Output(logits, next((each for each in reversed(hidden) if isinstance(each, Tensor)), None))


def _takes_hooks(module: nn.Module) -> bool:
    return not isinstance(module, torch.jit.ScriptModule)


def _last_hidden(result: Any) -> Any:
    if isinstance(hidden := getattr(result, "last_hidden_state", None), Tensor):
        return hidden
    return result[0] if isinstance(result, (tuple, list)) else result


_one_thread = threading.RLock()


@contextmanager
def alone(modules: Iterable[nn.Module]) -> Iterator[None]:
    """Run a model of these modules in evaluation mode and uncompiled, and in one thread at a time."""
    with _one_thread, _uncompiled(), _with(modules, "training", False):
        yield


def _uncompiled() -> AbstractContextManager[Any]:
    """Run `torch.compile`d modules uncompiled, in all threads: compiled code does not expose its calls."""
    return torch.compiler.set_stance("force_eager") if "torch._dynamo" in sys.modules else nullcontext()


@contextmanager
def _with(owners: Iterable[Any], name: str, value: Any) -> Iterator[None]:
    """Set an attribute of objects temporarily."""
    with ExitStack() as stack:
        for owner in owners:
            if (before := getattr(owner, name)) != value:
                stack.callback(setattr, owner, name, before)
                setattr(owner, name, value)
        yield
