"""The open model and its runs on a text, without or with interventions, including the measures of its heads.

Loading takes seconds, so a model stays open until another one is opened.
"""

import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from attnviz.definitions.text import Text
from attnviz.engine import memory
from attnviz.engine.machine import RunError, wait_for
from attnviz.engine.model import LESS_MEMORY
from attnviz.engine.model.calls import Call
from attnviz.engine.model.changes import NO_CHANGES, Changes
from attnviz.engine.model.folder import check, is_unchanged
from attnviz.engine.model.images.loading import load_image_side
from attnviz.engine.model.images.patches import Patches
from attnviz.engine.model.layers import measure
from attnviz.engine.model.loading import Loaded, load, most_positions_of
from attnviz.engine.model.recorder import OnLayer
from attnviz.engine.model.recording import Comparison, Recording, record
from attnviz.engine.model.residual.lens import States
from attnviz.engine.model.sides.decoding import Decoding, decoding_of
from attnviz.engine.model.softmax_watcher import is_own_error
from attnviz.engine.model.stack import Stack
from attnviz.engine.model.tokenizer.tokens import Tokens
from attnviz.experiment.arrays import read_only
from attnviz.experiment.model.measure import Measuring
from attnviz.experiment.model.overview import Overview
from attnviz.experiment.model.sides import Kind
from attnviz.experiment.model.spec import ModelSpec
from attnviz.experiment.model.text import ReadText
from attnviz.experiment.model.trace import Effect
from attnviz.experiment.run import Progress, ShouldStop, StoppedError
from attnviz.log import first_line, note_defect

_MOST_KEPT = 256 << 20
"""The limit, in bytes, of recordings without interventions beyond the newest two (of the text and of text B)."""
_MOST_RUNS = 12
"""The limit of their number: a sweep over texts comes back to none, and their sizes are added up at every run."""
_LARGE = 16 << 20
"""Larger weights of a layer, in bytes, leave much freed memory behind."""
_LARGE_RUN = 256 << 20
"""So does a larger run; for a smaller one, fresh memory costs more time than it is worth."""


@dataclass(slots=True, eq=False, kw_only=True)
class Attended:
    """One kind of attention in a run."""

    read: ReadText
    """The queries."""
    keys: ReadText
    """The keys; `read` itself, except in cross-attention."""
    calls: tuple[Call, ...]
    """One for each layer that has attention."""
    stack: Stack
    """The layers of the model, by the calls of the recording."""
    overview: Overview

    @property
    def shape(self) -> tuple[int, int]:
        """The number of layers, and of heads in the layer with most."""
        return self.stack.num_layers, max(call.num_heads for call in self.calls)

    def call(self, layer: int) -> Call:
        """Return the call of a layer that has attention."""
        return self.calls[self.stack.numbers.index(layer)]

    def layer_of_keys(self, layer: int) -> int | None:
        """Return the earlier layer whose keys and values a layer shares; None if it has its own."""
        mine = self.call(layer).scoring
        for number in self.stack.numbers[: self.stack.numbers.index(layer)]:
            earlier = self.call(number).scoring
            if mine is not None and earlier is not None and mine.k.data_ptr() == earlier.k.data_ptr():
                return number
        return None


@dataclass(slots=True, eq=False, kw_only=True)
class Ran(Attended):
    """A run of the model on a text, without or with interventions: its self-attention, and what is beside that."""

    recording: Recording
    milliseconds: float
    position: int | None
    """The position whose state predicts; None without a prediction."""
    beside: Mapping[Kind, Attended] = field(default_factory=dict)
    """The attention of the decoder of an encoder-decoder, whose encoder's is its own."""
    comparison: Comparison | None = None
    """The comparison with the model run without recording; None: not compared yet."""
    states: States | None = None
    """The states after its layers; None: not read yet."""

    def of(self, kind: Kind) -> Attended:
        """Return its attention of a kind."""
        return self if kind == "self" else self.beside[kind]

    @property
    def kinds(self) -> tuple[Kind, ...]:
        """The kinds of attention that it has."""
        return ("self", *self.beside)

    @property
    def target(self) -> ReadText | None:
        """The tokens that a decoder beside the encoder has read; None if there is none."""
        return self.beside["decoder"].read if self.beside else None

    @property
    def probabilities(self) -> NDArray[np.float64] | None:
        """The predicted probabilities, (V,); None without a prediction."""
        if self.position is None or self.recording.logits is None:
            return None
        values: NDArray[np.float64] = self.recording.logits[0].double().softmax(-1).cpu().numpy()
        return values


@dataclass(slots=True, eq=False)
class Opened:
    """A loaded model, and its runs without interventions."""

    loaded: Loaded
    device: torch.device
    decoding: Decoding | None = None
    """How the decoder of an encoder-decoder begins; None: there is none, or it is not run."""
    alone: Text = Text()  # noqa: RUF009 - frozen
    """Why the decoder of an encoder-decoder is not run; empty if there is none, or it is."""
    kept: Any = None
    """What a study keeps for the next ones of its kind; the newest alone."""
    _plain: dict[tuple[object, ...], Ran] = field(default_factory=dict)
    """By what was read, the newest last."""

    def read_for(self, spec: ModelSpec, should_stop: ShouldStop) -> ReadText:
        """Return the tokens of a spec's image, if it has one, else of its text; raises as `read`."""
        if isinstance(self.loaded.tokens, Patches):
            return self.loaded.tokens.read(spec.image_path)
        return self.read(spec.text, spec.special_tokens, should_stop, chat=spec.chat)

    def read(self, text: str, special: bool, should_stop: ShouldStop, *, chat: bool = False) -> ReadText:
        """Return the tokens of a text, or of it as a user's turn in a ``chat``, whose template brings special tokens.

        Raises:
            RunError: it has none, or more than the model can read.
            StoppedError: cancelled.
        """
        reader = self.loaded.tokens
        assert not isinstance(reader, Patches)
        text = reader.wrapped(text, should_stop) if chat else text
        tokens = reader.encode(text, special and not chat, should_stop)
        count, most = len(tokens), self.loaded.most_tokens
        if not count:
            raise RunError("no_tokens", "the text has no tokens; type at least one word")
        if most is not None and count > most:
            sentence = "the text has {count} tokens, and this model reads at most {most}; nearest: {most} tokens"
            raise RunError("too_many_tokens", sentence, count=count, most=most)
        return tokens

    def predicted_position(self, read: ReadText) -> int | None:
        """Return the position whose state predicts: the last, or the first masked one; None without a prediction."""
        match self.loaded.head:
            case "next":
                return len(read) - 1
            case "masked" if self.loaded.tokens.mask_id in read.ids:
                return read.ids.index(self.loaded.tokens.mask_id)
            case "class":
                return 0
        return None

    def record_arguments(self, read: ReadText, target: ReadText | None = None) -> dict[str, Any]:
        """Return arguments of `record`: the tokens as inputs, and the row of the logits to keep."""
        predicts = read if target is None else target
        position = self.predicted_position(predicts)
        if read.image is not None:
            number = next(self.loaded.model.parameters()).dtype
            pixels = torch.tensor(read.image.pixel_values[None]).to(self.device, number)
            return {"inputs": {"pixel_values": pixels}, "rows": (0,)}
        inputs = {"input_ids": torch.tensor([read.ids], device=self.device)}
        if target is not None:
            inputs["decoder_input_ids"] = torch.tensor([target.ids], device=self.device)
        return {"inputs": inputs, "rows": (len(predicts) - 1 if position is None else position,)}

    def plain(self, read: ReadText, progress: Progress, should_stop: ShouldStop, target: ReadText | None = None) -> Ran:
        """Return the run of the model on a text without interventions, cached or new; raises `StoppedError`.

        ``target``: the tokens that a decoder beside an encoder reads.
        """
        key = read.key, None if target is None else target.ids
        ran = self._plain.pop(key, None) or self._ran(read, NO_CHANGES, None, progress, should_stop, None, target)
        with _lock:
            self._plain[key] = ran
            while len(self._plain) > _MOST_RUNS or (
                len(self._plain) > 2 and sum(each.recording.nbytes for each in self._plain.values()) > _MOST_KEPT
            ):
                del self._plain[next(iter(self._plain))]
                memory.give_back()  # it lay between blocks of other runs, which would double the memory
        return ran

    def changed(
        self, plain: Ran, changes: Changes, progress: Progress, should_stop: ShouldStop
    ) -> tuple[Ran, Mapping[Kind, Effect]]:
        """Return the run with interventions, and their effect on each kind of attention; raises `StoppedError`."""
        moved = {kind: np.full(plain.of(kind).shape, np.nan) for kind in plain.kinds}

        def compare(call: Call, weights: Tensor) -> None:
            of = plain.of(call.kind)
            before = of.calls[call.layer]
            for head in range(call.num_heads):
                apart = (weights[head] - before.weights(head)[0]).abs().float().sum(-1).mean() / 2
                moved[call.kind][of.stack.numbers[call.layer], head] = float(apart)

        numbers = {kind: plain.of(kind).stack.numbers for kind in plain.kinds}
        ran = self._ran(plain.read, changes, compare, progress, should_stop, numbers, plain.target)
        states = plain.target or plain.read
        cosines = torch.full((len(states),), torch.nan)
        before, after = plain.recording.last_hidden, ran.recording.last_hidden
        if before is not None and after is not None:
            cosines = torch.cosine_similarity(before.double(), after.double(), dim=-1).cpu()
        turned = read_only(cosines.double().numpy())
        return ran, {kind: Effect(turned, read_only(each), states.names) for kind, each in moved.items()}

    def _ran(
        self,
        read: ReadText,
        changes: Changes,
        on_shown: OnLayer | None,
        progress: Progress,
        should_stop: ShouldStop,
        numbers: Mapping[Kind, Sequence[int]] | None = None,
        target: ReadText | None = None,
    ) -> Ran:
        """Return a recorded run with the measures of its heads; reports its layers, and raises `StoppedError`.

        ``numbers`` are those of the layers, as the interventions name them.
        """
        model = self.loaded.model
        config = model.config if read.image is None else getattr(model.config, "vision_config", model.config)
        needed = _run_bytes(config, len(read))
        if target is not None:
            needed += 2 * _run_bytes(model.config, max(len(target), len(read)))
        memory.require(needed, self.device, LESS_MEMORY)
        start = time.perf_counter()
        layers = getattr(config.get_text_config(), "num_hidden_layers", 0) * (1 if target is None else 3)
        measuring: dict[Kind, Measuring] = {"self": Measuring(read)}
        if target is not None:
            measuring |= {"decoder": Measuring(target), "cross": Measuring(target, read)}
        written = target or read
        texts: dict[Kind, tuple[ReadText, ReadText]] = {
            "self": (read, read),
            "decoder": (written, written),
            "cross": (written, read),
        }
        seen = 0

        def see(call: Call, weights: Tensor) -> None:
            nonlocal seen
            if call.kind not in measuring or weights.shape[1:] != tuple(map(len, texts[call.kind])):
                return  # it is reported below
            measure(measuring[call.kind], call.layer, call, weights)
            if on_shown is not None:
                on_shown(call, weights)
            if weights.nbytes > _LARGE:
                memory.give_back()
            seen += 1
            progress(seen, max(layers, seen))

        arguments = {
            **self.record_arguments(read, target),
            "changes": changes,
            "on_layer": see,
            "should_stop": should_stop,
            "numbers": numbers or {},
        }
        with telling(model):
            recording = record(model, **arguments, compare=False)
        if recording is None:
            raise StoppedError
        sizes = {kind: tuple(map(len, of)) for kind, of in texts.items() if kind in measuring}
        if not recording.complete or any(not _covers(recording, kind, of) for kind, of in sizes.items()):
            raise RunError("not_followed", "a part of this model's attention cannot be followed, so none is shown")
        wait_for(self.device)
        _check_finite(recording, model)
        if needed > _LARGE_RUN:
            memory.give_back()
        milliseconds = (time.perf_counter() - start) * 1e3

        def attended(kind: Kind) -> dict[str, Any]:
            queries, keys = texts[kind]
            stack = recording.stacks[kind]
            calls = tuple(call for call in recording.calls if call.kind == kind)
            overview = measuring[kind].result(stack.numbers, stack.num_layers)
            return {"read": queries, "keys": keys, "calls": calls, "stack": stack, "overview": overview}

        return Ran(
            **attended("self"),
            recording=recording,
            milliseconds=milliseconds,
            position=self.predicted_position(target or read),
            beside={kind: Attended(**attended(kind)) for kind in measuring if kind != "self"},
        )


def _covers(recording: Recording, kind: Kind, sizes: tuple[int, ...]) -> bool:
    """Return whether there are calls of a kind, each with these numbers of queries and keys."""
    calls = [call for call in recording.calls if call.kind == kind]
    found = {(call.output.shape[1], call.output.shape[1] if call.v is None else call.v.shape[1]) for call in calls}
    return bool(calls) and (kind == "self" or found == {sizes})


_lock = threading.Lock()
"""Programs may run specs in several threads."""
_open: dict[Any, Opened] = {}  # at most one


def opened(spec: ModelSpec, device: torch.device, should_stop: ShouldStop) -> Opened:
    """Return the model of a spec, loaded unless it is open and unchanged; raises `RunError` and `StoppedError`."""
    with _lock:
        side = spec.path, bool(spec.image)
        folders = [each.loaded.folder for each in _open.values()]
        known = [each for each in folders if (each.path, each.of_images) == side]
        folder = next(filter(is_unchanged, known), None) or check(spec.path, of_images=bool(spec.image))
        key = str(folder.path.absolute()), folder.of_images, folder.fingerprint, folder.stamps, spec.dtype, str(device)
        if key not in _open:
            _open.clear()  # before the next one is loaded, since both may not fit
            open_side = load_image_side if spec.image else load
            with torch.inference_mode(mode=False):  # gradients cannot pass through weights made in inference mode
                loaded = open_side(folder, spec.dtype, device, should_stop)
            _open[key] = _with_decoder(Opened(loaded, device))
        return _open[key]


def _with_decoder(held: Opened) -> Opened:
    """Find out how the decoder beside an encoder begins, if there is one."""
    loaded = held.loaded
    if loaded.kind == "encoder-decoder" and isinstance(loaded.tokens, Tokens):
        most = most_positions_of(loaded.model.get_decoder(), loaded.model.config)
        try:
            held.decoding = decoding_of(loaded.folder, loaded.model, loaded.tokens, most)
        except RunError as error:
            held.alone = error.text
    return held


def _run_bytes(config: Any, tokens: int) -> int:
    """Return the approximate bytes of a run beside the model: vectors of all layers, cells of one, and the logits."""
    names = ("num_hidden_layers", "num_attention_heads", "hidden_size", "head_dim", "vocab_size")
    config = config.get_text_config()
    layers, heads, hidden, of_head, vocabulary = (_largest(config, name) for name in names)
    return 4 * (4 * layers * tokens * max(hidden, heads * of_head) + 8 * heads * tokens * tokens + vocabulary)


def _largest(config: Any, name: str) -> int:
    """Return a size in a configuration; the largest one if it differs between layers."""
    try:
        return int(getattr(config, name, None) or 1)
    except RuntimeError:  # transformers raises if it differs between layers
        return max(int(getattr(each, name)) for each in config.per_layer_config)


@contextmanager
def telling(model: torch.nn.Module) -> Iterator[None]:
    """Turn errors of a model's code, caused by its configuration or precision, into one message."""
    try:
        yield
    except (RunError, StoppedError):
        raise
    except Exception as error:
        if memory.ran_out(error) or not is_own_error(error):
            _tell(model, error)
            raise
        note_defect("recording a model failed", error)
        sentence = "attnviz failed to record this model, a defect of attnviz: {why}"
        raise RunError("internal", sentence, why=f"{type(error).__name__}: {first_line(error)}") from error


def _tell(model: torch.nn.Module, error: Exception) -> None:
    """Raise a message for an error in a model's code, unless memory ran out."""
    if memory.ran_out(error) or isinstance(error, OSError):
        return
    why = first_line(error)
    dtypes = {str(each.dtype).removeprefix("torch.") for each in model.parameters()} - {"float32"}
    if isinstance(error, RuntimeError) and dtypes:
        sentence = "the model's own code fails in {dtype}: {why}; nearest: float32"
        raise RunError("precision_unfit", sentence, dtype=min(dtypes), why=why) from error
    if isinstance(error, ValueError | NotImplementedError):  # raised by the model, such as for a missing image
        raise RunError("model_refused", "the model's own code does not take a text alone: {why}", why=why) from error
    note_defect("the code of a model failed", error)
    sentence = "the model's own code failed on this text: {why}; its folder may not belong together"
    raise RunError("model_failed", sentence, why=f"{type(error).__name__}: {why}") from error


def _check_finite(recording: Recording, model: Any) -> None:
    """Check the model's outputs, and name the offending weight if one is not a number."""
    if all(output is None or torch.isfinite(output).all() for output in (recording.logits, recording.last_hidden)):
        return
    for name, weight in model.named_parameters():
        if not torch.isfinite(weight).all():
            sentence = "the weight {name} holds numbers that are not finite (NaN or infinite); choose another folder"
            raise RunError("weights_not_finite", sentence, name=name)
    sentence = "the model's output is not finite (NaN or infinite); nearest: float32, or fewer interventions"
    raise RunError("not_finite", sentence)
