"""The run of the model lab: a model on a text, without and with interventions; its cursors are its layers."""

import contextlib
from dataclasses import replace
from functools import cached_property, partial

import numpy as np
import torch
from numpy.typing import NDArray

from attnviz.definitions.text import Text, listed, untranslated
from attnviz.engine import memory
from attnviz.engine.model.images.families import FAMILIES
from attnviz.engine.model.interventions import Done, done
from attnviz.engine.model.layers import layer_of, rotary_of
from attnviz.engine.model.loading import Loaded
from attnviz.engine.model.opened import Attended
from attnviz.engine.model.recording import NOT_COMPARED, compare_outputs
from attnviz.engine.model.tokenizer.chat import ChatTemplate
from attnviz.engine.model.tokenizer.tokens import Tokens
from attnviz.experiment.arrays import read_only
from attnviz.experiment.layers.layer import Layer
from attnviz.experiment.model.generation import NeededMemory
from attnviz.experiment.model.sides import OF_KIND, SIDES, Kind, SideOfRun
from attnviz.experiment.model.spec import ModelSpec
from attnviz.experiment.model.terms import Rotary
from attnviz.experiment.model.trace import TOP, Check, ModelFacts, ModelTrace, Prediction
from attnviz.experiment.run import Cursor, Progress, ShouldStop, StoppedError

_MOST_LAYERS = 96 << 20
"""The limit, in bytes, of cached layers beside the newest one."""
_LARGE_LAYER = 64 << 20
"""Building a layer of more bytes leaves so much freed memory that it is given back, which takes some milliseconds."""
_NOTES = {
    "": Text(),
    "watched": Text(
        "This family does not use transformers' attention interface; its attention was found by its softmax."
    ),
    "encoder": Text("Only the encoder is shown, not the decoder or its cross-attention: {why}."),
}

_INPUTS = {"image": Text("pictures"), "video": Text("videos"), "audio": Text("sound")}
"""The inputs beside text, by the name that transformers gives them."""


class ModelRun:
    """A model on a text. The first step runs it; a second one compares it with the unrecorded model."""

    def __init__(self, spec: ModelSpec, progress: Progress) -> None:
        self.spec = spec
        self._progress = progress
        self._done: Done | None = None
        self._layers: dict[tuple[Kind, int], Layer] = {}  # the newest last
        self._rotaries: dict[tuple[Kind, int], Rotary | None] = {}
        self._facts: dict[Kind, ModelFacts] = {}

    @property
    def done(self) -> Done:
        """The run of the model, once the first step is taken."""
        assert self._done is not None
        return self._done

    @property
    def known(self) -> Cursor | None:
        """Its cursor; None before the first step."""
        return None if self._done is None else Cursor()

    @property
    def final(self) -> bool:
        """Whether the run is complete and compared."""
        return self._done is not None and self._done.plain.comparison is not None

    @property
    def nbytes(self) -> int:
        """The approximate bytes that it holds, without the model."""
        runs = set() if self._done is None else {self._done.plain.recording, self._done.shown.recording}
        return sum(each.nbytes for each in runs) + self._bytes_of_layers

    def advance(self, should_stop: ShouldStop) -> bool:
        """Run the model, or compare it; return False if stopped before. See `attnviz.experiment.run.Run`."""
        if self.final or should_stop():
            return False
        with torch.inference_mode(), contextlib.suppress(StoppedError):
            if self._done is None:
                self._done = done(self.spec, self._progress, should_stop)
                return True
            if self._bytes_of_layers > _MOST_LAYERS:
                self.rest()
            model, plain = self._done.held.loaded.model, self._done.plain
            arguments = self._done.held.record_arguments(plain.read, plain.target)
            plain.comparison = compare_outputs(plain.recording.output, model, **arguments, should_stop=should_stop)
            return True
        return False

    def at(self, cursor: Cursor) -> ModelTrace:
        """Return the trace of a layer, or the nearest that has attention; see `attnviz.experiment.run.Run`."""
        if self._done is None or cursor.step:
            raise ValueError(f"a model has no {cursor}" if self._done else "the run has not begun")
        side = self.side_of(cursor)
        kind = SIDES[side].kind if side else "self"
        number = self._done.shown.of(kind).stack.nearest(cursor.layer or 0)
        return self.trace_with(number, self._layer(kind, number), side)

    def trace_with(self, number: int, layer: Layer, side: str = "") -> ModelTrace:
        """Return the trace of a layer that has attention, from its number and itself, and its side."""
        assert self._done is not None
        kind = SIDES[side].kind if side else "self"
        held, shown = self._done.held, self._done.shown.of(kind)
        prediction, before = self._predicted
        return ModelTrace(
            spec=self.spec,
            model=self.facts(kind),
            side=side,
            sides=self._sides,
            read=shown.read,
            read_of_keys=shown.keys,
            read_b=self._done.read_b,
            layer=layer,
            number=number,
            overview=shown.overview,
            prediction=prediction,
            before=before,
            effect=self._done.effects.get(kind),
            check=_check(self._done, self.spec.dtype),
            incomplete=Text() if self.final else Text("comparing with the model's own run"),
            note=_note_of(self._done, self.spec),
            rotary=self._rotary(kind, number),
            made_layer=partial(self._layer, kind),
            device=str(held.device),
            dtype=self.spec.dtype,
            milliseconds=self._done.shown.milliseconds,
        )

    def side_of(self, cursor: Cursor) -> str:
        """Return the side of an encoder-decoder that a cursor is at; "" for a model with one stack."""
        if not self.done.shown.beside:
            return ""
        side = cursor.side or "encoder"
        return side if side in SIDES else "encoder"

    @cached_property
    def _sides(self) -> dict[str, SideOfRun]:
        """The sides of an encoder-decoder, by name."""
        shown = self.done.shown
        return {OF_KIND[kind]: self._side(kind, shown.of(kind)) for kind in shown.kinds} if shown.beside else {}

    def _side(self, kind: Kind, of: Attended) -> SideOfRun:
        return SideOfRun(
            read=of.read,
            keys=of.keys,
            num_layers=of.stack.num_layers,
            others=of.stack.others,
            num_heads=of.shape[1],
            kv_heads=_kv_heads(of),
            made_layer=partial(self._layer, kind),
            overview=lambda: of.overview,
        )

    def rest(self) -> None:
        """Release as much memory as possible; layers are rebuilt."""
        self._layers.clear()

    @property
    def _bytes_of_layers(self) -> int:
        return sum(map(bytes_of, self._layers.values()))

    def _layer(self, kind: Kind, number: int) -> Layer:
        """Return a layer, cached or rebuilt."""
        assert self._done is not None
        key = kind, number
        if key not in self._layers:
            while self._bytes_of_layers > _MOST_LAYERS:  # before the next one is built, since both may not fit
                del self._layers[next(iter(self._layers))]
            shown = self._done.shown.of(kind)
            with torch.inference_mode():
                of_keys = shown.layer_of_keys(number)
                self._layers[key] = layer_of(
                    shown.call(number),
                    shown.read,
                    self._done.changes,
                    keys=shown.keys,
                    number=number,
                    of_keys=of_keys,
                )
            if bytes_of(self._layers[key]) > _LARGE_LAYER:
                memory.give_back()
        self._layers[key] = layer = self._layers.pop(key)
        return layer

    def _rotary(self, kind: Kind, number: int) -> Rotary | None:
        """Return the rotation of a layer's queries and keys, cached."""
        if (kind, number) not in self._rotaries:
            call = self.done.shown.of(kind).call(number)
            self._rotaries[kind, number] = rotary_of(self.done.held.loaded.model, call)
        return self._rotaries[kind, number]

    def facts(self, kind: Kind) -> ModelFacts:
        """Return the facts about the model, with the layers of a kind."""
        if kind not in self._facts:
            self._facts[kind] = _facts(self.done, kind)
        return self._facts[kind]

    @cached_property
    def _predicted(self) -> tuple[Prediction | None, Prediction | None]:
        """The prediction with the interventions, and the one without them if there are any."""
        assert self._done is not None
        usual, now = self._done.plain.probabilities, self._done.shown.probabilities
        if usual is None or now is None:
            return None, None
        if not self._done.effects:
            return _prediction(self._done, usual, None), None
        return _prediction(self._done, now, usual), _prediction(self._done, usual, now)


def _note_of(of: Done, spec: ModelSpec) -> Text:
    """Return the note that a reader needs about a run."""
    loaded = of.held.loaded
    is_alone = bool(of.held.alone)
    note = replace(_NOTES["encoder"], values={"why": of.held.alone}) if is_alone else _NOTES[of.shown.recording.note]
    inputs = listed([_INPUTS.get(each, untranslated(each)) for each in loaded.left_out])
    left_out = Text("Left out: {inputs}. The model reads the text alone.", {"inputs": inputs}) if inputs else Text()
    chats = isinstance(loaded.tokens.chat, ChatTemplate) and not spec.chat
    chat = Text("This folder expects a chat: Chat wraps the text as a user's turn.") if chats else Text()
    prepared = Text() if of.shown.read.image is None else of.shown.read.image.note
    headless = of.held.decoding is not None and not loaded.head
    silent = Text("The folder has no head that predicts tokens: its decoder reads the target, and writes nothing.")
    notes = (left_out, note, silent if headless else Text(), chat, prepared)
    return listed([each for each in notes if each], "{first} {rest}")


def _kv_heads(of: Attended) -> tuple[int, ...]:
    """Return the numbers of key-value heads of its layers, ascending."""
    return tuple(sorted({call.num_heads if call.k is None else len(call.k) for call in of.calls}))


def _facts(of: Done, kind: Kind) -> ModelFacts:
    loaded, folder, decoding = of.held.loaded, of.held.loaded.folder, of.held.decoding
    mine = of.plain.of(kind)
    layers, heads = mine.shape
    return ModelFacts(
        name=folder.path.name,
        family=folder.model_type,
        head=loaded.head,
        num_layers=layers,
        others=mine.stack.others,
        num_heads=heads,
        kv_heads=_kv_heads(mine),
        sides={OF_KIND[each]: of.plain.of(each).shape for each in of.plain.kinds} if of.plain.beside else {},
        languages=() if decoding is None else decoding.languages,
        parameters=folder.parameters,
        dtype=folder.dtype,
        most_tokens=loaded.most_tokens,
        fingerprint=folder.fingerprint,
        unused=_unused(loaded),
        memory=_memory(of),
    )


def _memory(of: Done) -> NeededMemory:
    """Return what a text of the model takes, from the calls of one."""
    calls = [call for kind in of.plain.kinds for call in of.plain.of(kind).calls]
    pairs = [(call.k, call.v) for call in calls]
    keys = [(k.nbytes + v.nbytes) // k.shape[1] for k, v in pairs if k is not None and v is not None]
    others = [(call.output.nbytes + (0 if call.q is None else call.q.nbytes)) // call.output.shape[1] for call in calls]
    tokens = of.held.loaded.tokens
    return NeededMemory(
        token=sum(keys) + sum(others),
        cached=sum(keys),
        cells=sum(call.num_heads * call.output.itemsize for call in calls),
        heads=max(call.num_heads for call in calls),
        rows=tokens.rows if isinstance(tokens, Tokens) else 0,
        beside=len(of.plain.read) if of.plain.beside else 0,
    )


def _unused(loaded: Loaded) -> frozenset[str]:
    """Return the fields of a spec that have no effect on a model."""
    chats = isinstance(loaded.tokens.chat, ChatTemplate) if isinstance(loaded.tokens, Tokens) else False
    writes = loaded.kind == "encoder-decoder"
    image = loaded.folder.model_type in FAMILIES
    takes = {"chat": chats, "image": image, "target": writes, "forced_bos_token_id": writes}
    return frozenset(name for name, is_used in takes.items() if not is_used)


def _check(of: Done, dtype: str) -> Check:
    recording, comparison = of.plain.recording, of.plain.comparison or NOT_COMPARED
    return Check(
        weights_apart=recording.witness,
        outputs_apart=comparison.difference,
        largest_output=comparison.largest,
        dtype=dtype,
        has_logits=recording.logits is not None,
        unexplained=sum(not call.known for kind in of.plain.kinds for call in of.plain.of(kind).calls),
    )


def _prediction(of: Done, shares: NDArray[np.float64], other: NDArray[np.float64] | None) -> Prediction:
    ids = np.argsort(-shares, kind="stable")[:TOP]
    names = tuple(map(of.held.loaded.tokens.name, ids.tolist()))
    beside = None if other is None else read_only(other[ids])
    assert of.plain.position is not None
    return Prediction(of.plain.position, tuple(ids.tolist()), names, read_only(shares[ids]), beside)


def bytes_of(layer: Layer) -> int:
    """Return the bytes of a layer's arrays."""
    arrays = {id(each): each for each in vars(layer).values() if isinstance(each, np.ndarray)}
    return sum(each.nbytes for each in arrays.values())
