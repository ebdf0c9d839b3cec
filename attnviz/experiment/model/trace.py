"""The trace of the model lab: one layer of a pretrained transformer on a text, and the measures of every head.

Shape letters: T tokens, L layers, h heads of the layer with most, V vocabulary.
"""

import math
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray
from typing_extensions import override

from attnviz.definitions.counting import LAYERS, SCREEN, head_name, told_apart
from attnviz.definitions.score_steps.of_layers import SINKS
from attnviz.definitions.text import Refused, Text, listed, number_said, percent_said, untranslated
from attnviz.experiment.layers.layer import Layer
from attnviz.experiment.layers.source import Layers, LayerTrace, of_layer
from attnviz.experiment.model.generation import Generated, NeededMemory
from attnviz.experiment.model.overview import Overview
from attnviz.experiment.model.rounding import is_beyond_rounding
from attnviz.experiment.model.shown import shown_layer
from attnviz.experiment.model.sides import SIDES, HeadAt, Kind, SideOfRun
from attnviz.experiment.model.spec import ModelSpec
from attnviz.experiment.model.terms import Rotary
from attnviz.experiment.model.text import ReadText
from attnviz.experiment.run import Cursor, run_time
from attnviz.experiment.warning import not_the_models

TOP = 10
"""The number of most probable tokens shown."""
_MOST_NAMED = 3
_MOST_CHOSEN = 4
"""The most chosen tokens that are named."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelFacts:
    """Facts about a model."""

    name: str
    family: str
    """The type of the model, such as "gpt2"."""
    head: str
    """The kind of prediction, "next", "masked" or "class"; "" for none."""
    num_layers: int
    """With or without attention."""
    others: Mapping[int, Text]
    """Descriptions of the layers, from 0, without attention."""
    num_heads: int
    kv_heads: tuple[int, ...]
    """The numbers of key-value heads of its layers, ascending: several if layers differ."""
    parameters: int
    dtype: str
    """The dtype of the file."""
    most_tokens: int | None
    """The longest text that it can read; None: not known."""
    fingerprint: str
    memory: NeededMemory
    """What a text and its continuation take beside the model."""
    sides: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    """The numbers of layers and heads of each side of an encoder-decoder; empty for a model with one stack."""
    languages: tuple[tuple[int, str], ...] = ()
    """The tokens that name a language, with their names."""
    unused: frozenset[str] = frozenset()
    """The fields of a spec that have no effect on it, such as ``chat`` in a folder without a chat template."""

    def texts(self) -> tuple[Text, ...]:
        """Return the facts as short texts."""
        shape = {"layers": self.num_layers, "heads": self.num_heads, "kv": self.kv_heads[0], "most": self.kv_heads[-1]}
        heads = Text("{layers} layers × {heads} heads", shape)
        if self.others:
            shape["attending"] = self.num_layers - len(self.others)
            heads = Text("{layers} layers ({attending} with attention) × {heads} heads", shape)
        if self.sides:
            (layers, count), (of_decoder, heads_there) = self.sides["encoder"], self.sides["decoder"]
            shape |= {"layers": layers, "heads": count, "decoder": of_decoder, "there": heads_there}
            sentence = "encoder {layers} layers × {heads} heads, decoder {decoder} layers × {there} heads"
            heads = Text(sentence, shape)
        several = len(self.kv_heads) > 1
        of_keys = Text("{kv} to {most} key-value heads" if several else "{kv} key-value heads", shape)
        shared = [of_keys] * (self.kv_heads != (self.num_heads,))
        parameters = Text("{count} parameters", {"count": _short(self.parameters)})
        size = Text("{dtype} file, {size} MB", {"dtype": self.dtype, "size": number_said(4 * self.parameters / 1e6)})
        return untranslated(self.family), heads, *shared, parameters, size


@dataclass(frozen=True, slots=True, eq=False)
class Prediction:
    """The most probable tokens at a position, in descending order. All arrays are (n,), n at most `TOP`."""

    position: int
    """The token whose state predicts; a masked one predicts itself, any other one the next."""
    ids: tuple[int, ...]
    tokens: tuple[str, ...]
    probabilities: NDArray[np.float64]
    other: NDArray[np.float64] | None = None
    """The probabilities of the same tokens in the other run, with or without interventions."""


@dataclass(frozen=True, slots=True, eq=False)
class Effect:
    """The effect of the interventions, compared with the unmodified run."""

    cosines: NDArray[np.float64]
    """(T,), of the last hidden state of each token in both runs."""
    heads: NDArray[np.float64]
    """(L, h), the share of a row's weight that moves, from 0 to 1: half the sum of the differences, averaged over rows.
    """
    names: tuple[str, ...]
    """(T,), those tokens; of an encoder-decoder, what the decoder has read."""

    @property
    def cosine(self) -> float:
        """The mean over the tokens."""
        return float(self.cosines.mean())

    def most_changed_heads(self, count: int = _MOST_NAMED) -> tuple[tuple[int, int], ...]:
        """Return the layer and index of the heads whose weights change most, the largest change first."""
        moved = np.nan_to_num(self.heads)
        order = np.argsort(-moved, axis=None, kind="stable")[:count].tolist()
        return tuple(divmod(index, moved.shape[1]) for index in order if moved.flat[index] > 0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """The comparison with the model's own functions, in the run without interventions."""

    weights_apart: float
    """The largest difference of the weights; NaN: they were not compared."""
    outputs_apart: float
    """The largest difference of the logits, else of the last hidden states; NaN: not compared yet."""
    largest_output: float
    """The largest absolute value among the compared outputs; NaN: not compared yet."""
    dtype: str
    """The dtype of the run, which sets the bound for rounding."""
    has_logits: bool
    unexplained: int
    """The number of layers whose scores do not lead to the weights: the stages before these are not known."""

    @property
    def shown_weights_apart(self) -> float:
        """The largest difference of the weights on screen: if scores do not lead to them, these are the model's."""
        return 0.0 if self.unexplained else self.weights_apart

    @property
    def beyond_rounding(self) -> bool:
        """Whether the run differs from the unmodified model by more than `ROUNDING_BOUNDS`."""
        return any(self._beyond)

    @property
    def _beyond(self) -> tuple[bool, bool]:
        """Whether the outputs and the weights differ by more than that."""
        return (
            is_beyond_rounding(self.outputs_apart, self.largest_output, self.dtype),
            is_beyond_rounding(self.shown_weights_apart, 1.0, self.dtype),
        )

    def warning(self) -> Text:
        """Return a message about the difference from the unmodified model beyond rounding; empty if there is none."""
        outputs, weights = self._beyond
        return not_the_models(
            "logits" if self.has_logits else "last hidden states",
            self.outputs_apart if outputs else math.nan,
            self.shown_weights_apart if weights else math.nan,
        )

    def text(self) -> Text:
        """Return the comparison in one line."""
        apart = float(np.nanmax([0.0, self.shown_weights_apart, self.outputs_apart]))
        compared = Text("logits and weights" if self.has_logits else "last hidden states and weights")
        compared = Text("weights") if np.isnan(self.outputs_apart) else compared
        values: dict[str, Any] = {"what": compared, "difference": number_said(apart), "count": self.unexplained}
        comparison = Text("{what} equal the model's own: max difference 0", values)
        if apart:
            comparison = Text("{what} differ from the model's own by at most {difference}", values)
        rest = Text("in {count} layers only the weights are known", values, "in 1 layer only these are known")
        return listed([comparison, rest], "{first}; {rest}") if self.unexplained else comparison


@dataclass(frozen=True, eq=False, kw_only=True)
class ModelTrace(LayerTrace):
    """One layer of a model on a text, with its interventions, and the measures of all layers.

    Arrays are read-only.
    """

    spec: ModelSpec
    model: ModelFacts
    side: str = ""
    """The side of an encoder-decoder that it shows; "" for a model with one stack."""
    sides: Mapping[str, SideOfRun] = field(default_factory=dict)
    """All of them, by name."""
    read: ReadText
    """The tokens of the queries."""
    read_of_keys: ReadText
    """The tokens of the keys; `read` itself, except in cross-attention."""
    read_b: ReadText | None
    """Text B; None if the spec has none."""
    layer: Layer
    """Weights (1, h, Q, K)."""
    number: int
    """The index of its layer."""
    overview: Overview
    prediction: Prediction | None
    """With the interventions; None without a prediction."""
    before: Prediction | None
    """Without them; None without interventions or a prediction."""
    effect: Effect | None
    """None without interventions."""
    check: Check
    generated: Generated | None = None
    """The tokens that the model has continued with; None if the spec asks for none."""
    incomplete: Text = Text()  # noqa: RUF009 - frozen
    """The missing part of the run; empty if it is complete."""
    note: Text = Text()  # noqa: RUF009 - frozen
    """A note about the run, such as about parts of the model that are not shown."""
    rotary: Rotary | None = None
    """The rotation of the layer's queries and keys; None: there is none, or it is not known."""
    made_layer: Callable[[int], Layer]
    """Returns a layer, computed or cached."""
    further: Mapping[str, NDArray[Any]] = field(default_factory=dict)
    """The arrays of extras (`attnviz.experiment.model.extras`), by name."""
    device: str
    dtype: str
    milliseconds: float
    stage_names = of_layer("stage_names")
    _shown: dict[tuple[bool, bool], Layer] = field(default_factory=dict, init=False, repr=False)

    def __getstate__(self) -> dict[str, Any]:
        """Return its state for pickle, with all layers: they cannot be computed elsewhere."""
        layers = {number: self.layer_at(number) for number in self.layers.numbers}
        return vars(self) | {"made_layer": layers.__getitem__, "_shown": {}}

    @property
    def continued(self) -> tuple[int, ...]:
        """The new tokens that its step has read after the text."""
        return () if self.generated is None else self.generated.ids[: self.generated.step]

    @property
    def written(self) -> ReadText:
        """The text whose next token is predicted: of an encoder-decoder, what the decoder has read."""
        return self.sides["decoder"].read if self.sides else self.read

    @property
    def source(self) -> ReadText:
        """The text of the spec: what the encoder reads, if there is one."""
        return self.sides["encoder"].read if self.sides else self.read

    @property
    def kind(self) -> Kind:
        """The kind of attention that it shows."""
        return SIDES[self.side].kind if self.side else "self"

    @property
    def pairs_off(self) -> tuple[tuple[int, int], ...]:
        """The ablated heads of its side, as (layer, head) from 0."""
        return self.spec.pairs_off(self.kind)

    def name_of_head(self, head: int) -> str:
        """Return the name of a head of its layer: "2.3", or "cross 2.3"."""
        return HeadAt(self.kind, self.number, head).name

    @property
    def crosses(self) -> bool:
        """Whether queries and keys are tokens of different texts."""
        return self.read_of_keys is not self.read

    def layer_at(self, number: int) -> Layer:
        """Return any layer that has attention, from 0; another one than its own may have to be computed."""
        return self.layer if number == self.number else self.made_layer(number)

    def layer_shown(self, *, joined: bool, hide_special: bool) -> Layer:
        """Return the layer as `shown_layer`; the newest one is cached."""
        key = joined, hide_special
        if key not in self._shown:
            self._shown.clear()
            self._shown[key] = shown_layer(
                self.layer, self.read, self.read_of_keys, joined=joined, hide_special=hide_special
            )
        return self._shown[key]

    @property
    @override
    def step(self) -> int:
        return 0 if self.generated is None else self.generated.step

    @property
    @override
    def known_steps(self) -> int:
        return 0 if self.generated is None else len(self.generated.ids) - 1

    @property
    def last_step(self) -> int:
        """The last step that its run may have."""
        return 0 if self.generated is None else self.generated.most - 1

    @property
    @override
    def final(self) -> bool:
        has_ended = self.generated is None or (self.generated.ended and self.step == self.known_steps)
        return has_ended and not self.incomplete

    @property
    @override
    def cursor(self) -> Cursor:
        step = None if self.generated is None else self.step
        return super().cursor.moved_to(Cursor(step=step, side=self.side or None))

    @property
    def num_layers(self) -> int:
        """The number of layers of the model."""
        return self.model.num_layers

    @property
    @override
    def layers(self) -> Layers:
        return Layers(self.num_layers, {self.number: self.layer}, self.model.others)

    @property
    @override
    def headless(self) -> Collection[int]:
        return self.model.others

    @property
    @override
    def shown_otherwise(self) -> tuple[Text, ...]:
        return (*self._layers_otherwise(), *self._measured_otherwise())

    def _measured_otherwise(self) -> Iterator[Text]:
        """Yield messages about roles and norms that earlier versions measured differently."""
        if any(step.name == SINKS.name for step in self.layer.steps):
            yield Text(
                "“Weighted by norm” now counts the weights beside learned sinks as they are, and the other measures "
                "divide every row by its sum: they may differ from those shown when this file was saved."
            )
        if self.read.others:
            values = {"token": self.read.names[self.read.others[0]]}
            yield Text(
                "{token} no longer counts as a special token, because the tokenizer does not add it around "
                "a text: roles and the text without special tokens may differ from those shown when this "
                "file was saved.",
                values,
            )

    def _layers_otherwise(self) -> tuple[Text, ...]:
        numbers = self.layers.numbers
        if numbers == tuple(range(len(numbers))):
            return ()
        former = next(at for at, number in enumerate(numbers) if at != number)
        values = {"layer": SCREEN.number(numbers[former]), "former": SCREEN.number(former)}
        sentence = (
            "Layers now have the model's own numbers: layer {layer} was called layer {former} when "
            "this file was saved, so the heads that the file names may be different ones."
        )
        return (Text(sentence, values),)

    @property
    def tokens(self) -> tuple[str, ...]:
        """Every text by the user that a figure shows."""
        return self.read.names

    @property
    def warning(self) -> Text:
        """A warning that the unmodified run differs from the model; empty if it does not, or is not compared yet."""
        return self.check.warning()

    @property
    def badge(self) -> Text:
        """A warning in the status bar: about differences from the model, the user's tokens, and the interventions."""
        return listed([part for part in (self.warning, *self.altered) if part], "{first}; {rest}")

    @property
    def altered(self) -> tuple[Text, ...]:
        """The tokens that the user chose, and the interventions, as short texts."""
        chosen = _chosen_said(self.spec, self.generated)
        return (*([chosen] if chosen else []), *changes_said(self.spec, self.source))

    @property
    def checked(self) -> Text:
        """The comparison with the model's own functions, always of the model without interventions."""
        comparison = self.check.text()
        return Text("without interventions, {found}", {"found": comparison}) if self.spec.has_changes else comparison

    def facts(self) -> tuple[Text, ...]:
        """Return the status bar's facts about the run."""
        values = {"device": self.device, "dtype": self.dtype}
        tokens = Text("{count} tokens", {"count": len(self.read)}, "{count} token")
        if self.generated is not None:
            new = Text("new token {count} of {most}", {"count": self.step + 1, "most": self.generated.most})
            how = self.spec.drawn_said
            shown = (Text("{device}, {dtype}", values), tokens, new, how, self.checked, run_time(self.milliseconds))
            return tuple(filter(None, shown))
        image = self.read.image
        usual = (Text("image prepared by default"),) if image is not None and image.by_default else ()
        return Text("{device}, {dtype}", values), tokens, *usual, self.checked, run_time(self.milliseconds)

    @override
    def weight_facts(self) -> tuple[Text, ...]:
        """Return those of the model's own rows; on screen special tokens may be left out."""
        return Text("in the model "), *super().weight_facts()

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Return every array under its fixed name in a file, for all layers."""
        return self.arrays_of(None)

    def arrays_of(self, layers: Sequence[int] | None) -> dict[str, NDArray[Any]]:
        """Return the arrays of a file with some layers, from 0; a `Refused` if one does not exist, or has no attention.

        The entries of an array are those of the layers in ``layers``, which counts from 1. If not all of them have it,
        or their shapes differ, there is an array for each, named with its layer, "q/4". Those of an encoder-decoder are
        named with their side, "cross/weights"; it has the layers that exist on at least one side.
        """
        arrays: dict[str, NDArray[Any]] = {}
        if self.sides:
            for number in layers or ():
                if not any(number in each.numbers for each in self.sides.values()):
                    self._check_layer(number)
            for side, of in self.sides.items():
                numbers = of.numbers if layers is None else [number for number in layers if number in of.numbers]
                mine = self._arrays_of(of.read, {number: of.made_layer(number) for number in numbers})
                mine |= {"key_tokens": np.array(of.keys.names)} if of.keys is not of.read else {}
                arrays |= {f"{side}/{name}": each for name, each in mine.items()}
        else:
            chosen = self.layers.numbers if layers is None else layers
            for number in chosen:
                self._check_layer(number)
            arrays |= self._arrays_of(self.read, {number: self.layer_at(number) for number in chosen})
        if self.generated is not None:
            arrays["generated"] = np.array(self.generated.ids, np.int64)
            arrays["step_ids"] = self.generated.step_ids
            arrays["step_probabilities"] = self.generated.step_probabilities
        if self.read.image is not None:
            arrays["pixel_values"] = self.read.image.pixel_values
        if self.prediction is not None:
            arrays["top_tokens"] = np.array(self.prediction.tokens)
            arrays["top_probabilities"] = self.prediction.probabilities
        return {**arrays, **self.further}

    @staticmethod
    def _arrays_of(read: ReadText, layers: Mapping[int, Layer]) -> dict[str, NDArray[Any]]:
        numbers = np.array([LAYERS.number(number) for number in layers])
        arrays: dict[str, NDArray[Any]] = {"tokens": np.array(read.names), "layers": numbers}
        for name in ("weights", "q", "k", "v", "mask", "scores"):
            held = {number: getattr(layer, name)[0] for number, layer in zip(numbers, layers.values(), strict=True)}
            known = {number: each for number, each in held.items() if each.size}
            if len(known) == len(held) and len({each.shape for each in held.values()}) == 1:
                arrays[name] = np.stack(list(held.values()))
            else:
                arrays |= {f"{name}/{number}": each for number, each in known.items()}
        return arrays

    def _check_layer(self, number: int) -> None:
        if number in self.layers.numbers:
            return
        nearest = self.layers.nearest(number) + 1
        values: dict[str, Any] = {"layer": number + 1, "last": self.num_layers, "nearest": nearest}
        if number in self.model.others:
            kind = self.model.others[number]
            raise Refused("layer {layer} has no attention ({what}); nearest: {nearest}", **values, what=kind)
        raise Refused("layer {layer} must be in 1..{last}; nearest: {nearest}", **values)

    def summary(self) -> str:
        """Return a few lines for a terminal."""
        lines = [
            *self._shapes(),
            f"{self.device}, {self.dtype}, {self.milliseconds:.2f} ms",
            *map(str, (self.warning, self.checked, self.note, self.spec.drawn_said, *self.altered)),
        ]
        overviews = {side: each.overview() for side, each in self.sides.items()} or {"": self.overview}
        for side, overview in overviews.items():
            lines += [f"{side} {line}".strip() for line in _roles_said(overview)]
        if self.generated is not None:
            written = self.generated.text.strip() or " ".join(self.generated.names)
            lines.append(f"{len(self.generated.ids)} new tokens: {written}")
        if self.prediction is not None:
            top = zip(self.prediction.tokens[:5], self.prediction.probabilities, strict=False)
            what = "classes" if self.model.head == "class" else "next"
            lines.append(f"{what}: " + ", ".join(f"{token} {percent_said(share)}" for token, share in top))
        return "\n".join(filter(None, lines))

    def _shapes(self) -> Iterator[str]:
        """Yield the sizes of the model and of its weights, for a terminal."""
        model = self.model
        if self.sides:
            yield f"{model.name}: {model.family}"
        for side, of in self.sides.items():
            sizes = f"{of.num_layers} layers x {of.num_heads} heads"
            yield f"{side}: {sizes}, {len(of.read)} tokens, weights over {len(of.keys)} tokens"
        if not self.sides:
            yield f"{model.name}: {model.family}, {model.num_layers} layers x {model.num_heads} heads"
            yield from (f"layer {number + 1}: {kind}" for number, kind in model.others.items())
            yield f"{len(self.read)} tokens, weights {self.weights.shape} in each layer"


def _roles_said(overview: Overview) -> Iterator[str]:
    """Yield the heads of each layer that have a role, in one line."""
    layers, heads = overview.thumbnails.shape[:2]
    for number in range(layers):
        named = (
            f"{head_name(number, head)} {role.title.lower()} {overview.roles[role.name].scores[number, head]:.2f}"
            for head in range(heads)
            if (role := overview.role(number, head)) is not None
        )
        if line := ", ".join(named):
            yield line


def _chosen_said(spec: ModelSpec, generated: Generated | None) -> Text:
    """Return the tokens that the user chose as a short text; empty without any."""
    if not spec.chosen:
        return Text()
    names = () if generated is None else generated.names
    tokens = [
        f"{SCREEN.number(step)} {f'“{names[step]}”' if step < len(names) else token}"
        for step, token in spec.chosen.by_step.items()
    ]
    shown = tokens if len(tokens) <= _MOST_CHOSEN else [*tokens[:_MOST_CHOSEN], "…"]
    values = {"tokens": ", ".join(shown), "count": len(tokens)}
    return Text("{count} chosen new tokens: {tokens}", values, "chosen new token: {tokens}")


def changes_said(spec: ModelSpec, read: ReadText) -> tuple[Text, ...]:
    """Return the interventions of a spec as short texts."""
    apart = dict(enumerate(told_apart(read.names)))
    return tuple(each.said(spec, lambda token: apart.get(token, str(token))) for each in spec.acting.values())


def _short(count: int) -> str:
    """Return a count in a few digits: "22.7 M"."""
    units = ((1e9, " G"), (1e6, " M"), (1e3, " k"))
    size, unit = next((each for each in units if count >= each[0]), (1, ""))
    return f"{count / size:.3g}{unit}"
