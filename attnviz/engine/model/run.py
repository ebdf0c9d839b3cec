"""The run of the model lab: a model on a text as it is, and with interventions; its cursors are its layers."""

import math
from collections import OrderedDict
from collections.abc import Callable

import numpy as np
import torch
from numpy.typing import NDArray

from attnviz.definitions.text import Text
from attnviz.engine import memory
from attnviz.engine.model.interventions import Done, done
from attnviz.engine.model.layers import layer_of, rotary_of
from attnviz.engine.model.recording import output_apart
from attnviz.engine.model.running import inputs_of, predicted_place, probabilities, rows_of
from attnviz.experiment.arrays import read_only
from attnviz.experiment.layers.layer import Layer
from attnviz.experiment.model.spec import ModelSpec
from attnviz.experiment.model.trace import TOP, Check, ModelFacts, ModelTrace, Prediction
from attnviz.experiment.run import Cursor, Progress, ShouldStop

_MOST_LAYERS = 96 << 20
"""Bytes of layers that are remembered, the newest one apart."""
_LARGE_LAYER = 64 << 20
"""Bytes of a layer whose making leaves so much freed memory that it is given back, which takes some milliseconds."""
_NOTES = {
    "": Text(),
    "watched": Text("This family has no function of its own for attention; it was found by its softmax."),
    "encoder": Text("The encoder is shown; the decoder and what lies between them will come later."),
}


class ModelRun:
    """A model on a text. The first step runs it; a second one compares it with its own run without a recording."""

    def __init__(self, spec: ModelSpec, progress: Progress) -> None:
        self.spec = spec
        self._progress = progress
        self._done: Done | None = None
        self._predicted: tuple[Prediction | None, Prediction | None] = (None, None)
        self._layers: OrderedDict[int, Layer] = OrderedDict()

    @property
    def known(self) -> Cursor | None:
        """Its cursor; None before the first step."""
        return None if self._done is None else Cursor()

    @property
    def final(self) -> bool:
        """Whether the run is complete, and compared."""
        return self._done is not None and self._done.plain.outputs_apart is not None

    @property
    def nbytes(self) -> int:
        """The approximate bytes that it holds, apart from the model."""
        runs = () if self._done is None else (self._done.plain, self._done.shown)
        held = {id(each): each.nbytes for each in runs}
        return sum(held.values()) + sum(map(_bytes_of, self._layers.values()))

    def advance(self, should_stop: ShouldStop) -> bool:
        """Run the model, or compare it; return False if stopped before.

        Raises:
            RunError: the folder holds no model, the text does not fit it, or the device or the memory is insufficient.
        """
        if self.final or should_stop():
            return False
        with torch.inference_mode():
            return self._begin(should_stop) if self._done is None else self._compare(should_stop)

    def at(self, cursor: Cursor) -> ModelTrace:
        """Return the trace of a layer, the first by default; see `attnviz.experiment.run.Run`.

        Raises:
            ValueError: the run has not begun.
        """
        if self._done is None or cursor.step:
            raise ValueError(f"a model has no {cursor}" if self._done else "the run has not begun")
        calls = self._done.shown.recording.shown
        number = min(cursor.layer or 0, len(calls) - 1)
        prediction, before = self._predicted
        return ModelTrace(
            spec=self.spec,
            model=self._facts(),
            read=self._done.shown.read,
            read_b=self._done.read_b,
            layer=self._layer(number),
            number=number,
            overview=self._done.shown.overview,
            prediction=prediction,
            before=before,
            effect=self._done.effect,
            check=self._check(),
            incomplete=Text() if self.final else Text("comparing with the model's own run"),
            note=_NOTES[self._note],
            value_norms=self._done.shown.value_norms[number],
            rotary=rotary_of(self._done.held.loaded.model, calls[number]),
            made_layer=self._layer,
            device=str(self._done.held.device),
            dtype=self.spec.dtype,
            milliseconds=self._done.shown.milliseconds,
        )

    def rest(self) -> None:
        """Hold as little memory as possible: layers are made again."""
        self._layers.clear()

    def _begin(self, should_stop: ShouldStop) -> bool:
        self._done = done(self.spec, self._progress, should_stop)
        if self._done is None:
            return False
        self._predicted = self._predictions()
        return True

    def _compare(self, should_stop: ShouldStop) -> bool:
        assert self._done is not None
        if should_stop():
            return False
        held, plain = self._done.held, self._done.plain
        if sum(map(_bytes_of, self._layers.values())) > _MOST_LAYERS:
            self.rest()
        model, read = held.loaded.model, plain.read
        plain.outputs_apart = output_apart(plain.recording, model, inputs_of(held, read), rows_of(held, read))
        return True

    def _layer(self, number: int) -> Layer:
        """Return a layer, remembered or made again."""
        assert self._done is not None
        if number not in self._layers:
            held = [_bytes_of(each) for each in self._layers.values()]
            while held and sum(held) > _MOST_LAYERS:  # before the next one is made: both may not fit
                self._layers.popitem(last=False)
                held.pop(0)
            with torch.inference_mode():
                made = layer_of(self._done.shown.recording.shown[number], self.spec, self._done.shown.read)
            self._layers[number] = made
            if _bytes_of(made) > _LARGE_LAYER:
                memory.give_back()
        self._layers.move_to_end(number)
        return self._layers[number]

    def _facts(self) -> ModelFacts:
        assert self._done is not None
        loaded, folder = self._done.held.loaded, self._done.held.folder
        calls = self._done.plain.recording.shown
        widest = max(calls, key=lambda call: call.num_heads)
        return ModelFacts(
            name=folder.path.name,
            family=folder.model_type,
            head=loaded.head,
            num_layers=len(calls),
            num_heads=widest.num_heads,
            num_kv_heads=widest.num_heads if widest.k is None else widest.k.shape[0],
            parameters=folder.parameters,
            dtype=folder.dtype,
            nbytes=folder.nbytes,
            most_tokens=loaded.most_tokens,
            fingerprint=folder.fingerprint,
        )

    def _check(self) -> Check:
        assert self._done is not None
        recording, apart = self._done.plain.recording, self._done.plain.outputs_apart
        return Check(
            weights_apart=recording.witness,
            outputs_apart=math.nan if apart is None else apart,
            has_logits=recording.logits is not None,
            unexplained=sum(not call.known for call in recording.shown),
        )

    @property
    def _note(self) -> str:
        assert self._done is not None
        return "encoder" if self._done.held.loaded.kind == "encoder-decoder" else self._done.shown.recording.note

    def _predictions(self) -> tuple[Prediction | None, Prediction | None]:
        """Return what is predicted with the interventions, and without them if there are any."""
        assert self._done is not None
        place = predicted_place(self._done.held, self._done.plain.read)
        if place is None or self._done.plain.recording.logits is None:
            return None, None
        name = self._done.held.loaded.tokens.name
        usual = probabilities(self._done.plain.recording)
        if self._done.shown is self._done.plain:
            return _prediction(place, usual, None, name), None
        now = probabilities(self._done.shown.recording)
        return _prediction(place, now, usual, name), _prediction(place, usual, now, name)


def _prediction(
    place: int, shares: NDArray[np.float64], other: NDArray[np.float64] | None, name: Callable[[int], str]
) -> Prediction:
    ids = np.argsort(-shares, kind="stable")[:TOP]
    beside = None if other is None else read_only(other[ids])
    return Prediction(place, tuple(ids.tolist()), tuple(map(name, ids.tolist())), read_only(shares[ids]), beside)


def _bytes_of(layer: Layer) -> int:
    arrays = {id(each): each for each in vars(layer).values() if isinstance(each, np.ndarray)}
    return sum(each.nbytes for each in arrays.values())
