"""The sides of an encoder-decoder: the self-attention of its encoder and of its decoder, and its cross-attention.

Heads are named within a side: "cross 2.3". A name without a side, "2.3", is the head of a model with one stack, or of
the encoder.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple

from pydantic import AfterValidator, FailFast

from attnviz.definitions.counting import SCREEN, head_name
from attnviz.definitions.registry import Registry
from attnviz.definitions.text import English, Text
from attnviz.experiment.fields.knob import in_order
from attnviz.experiment.files.plain_files import is_of_another_machine, open_plain, size_of
from attnviz.experiment.layers.head_names import canonical_head, head_of
from attnviz.experiment.layers.layer import Layer
from attnviz.experiment.model.overview import Overview
from attnviz.experiment.model.text import ReadText

Kind = Literal["self", "cross", "decoder"]
"""The kind of a call of attention; ``self`` is that of a single stack, or of an encoder."""


@dataclass(frozen=True, slots=True)
class Side:
    """One side: a row of the registry."""

    name: str
    """In files, and before the names of its heads."""
    kind: Kind
    title: English
    help: English


SIDES: Registry[Side] = Registry(
    "side",
    (
        Side("encoder", "self", "Encoder", "Self-attention of the encoder, which reads the text"),
        Side("decoder", "decoder", "Decoder", "Self-attention of the decoder, over the tokens that it writes"),
        Side("cross", "cross", "Cross", "Cross-attention: what each written token attends to in the text"),
    ),
)
OF_KIND = {each.kind: each.name for each in SIDES.values()}
"""The name of the side of a kind."""


class HeadAt(NamedTuple):
    """A head of a side, counted from 0; a head of -1 is all heads of the layer."""

    kind: Kind
    layer: int
    head: int

    @property
    def name(self) -> str:
        """Its name: "2.3", "cross 2.3", or "cross 2" for a layer."""
        within = str(SCREEN.number(self.layer)) if self.head < 0 else head_name(self.layer, self.head)
        return within if self.kind == "self" else f"{OF_KIND[self.kind]} {within}"


_MOST_CONFIG = 1 << 20
"""The largest config.json, in bytes, that is read."""


def has_sides(folder: Path) -> bool:
    """Return whether a folder says that its model is an encoder-decoder; only a run tells for certain."""
    if is_of_another_machine(str(folder)):
        return False  # which may take long to answer
    try:
        with open_plain(folder / "config.json") as file:
            if size_of(file) > _MOST_CONFIG:
                return False
            config = json.loads(file.read(_MOST_CONFIG))
        made_by = config.get("architectures") or [""]
        return config.get("is_encoder_decoder") is True and not str(made_by[0]).endswith("EncoderModel")
    except (OSError, ValueError, AttributeError, KeyError, TypeError, RecursionError):
        return False


def side_and_rest(name: str) -> tuple[str, str]:
    """Return the side of a head's name, "" if it names none, and the rest."""
    side, _, rest = name.strip().partition(" ")
    return (side.lower(), rest.strip()) if side.lower() in SIDES else ("", name)


def at_of(name: str) -> HeadAt:
    """Return the head of a canonical name, "cross 3.4", or of a layer, "cross 3"."""
    side, rest = side_and_rest(name)
    return HeadAt(SIDES[side].kind if side else "self", *head_of(rest))


def order_of(name: str) -> tuple[int, int, int]:
    """Return the place of a canonical name in a sorted list: the encoder's heads first, then the decoder's."""
    at = at_of(name)
    return list(OF_KIND).index(at.kind), at.layer, at.head


def canonical_on_side(field: str, name: str) -> str:
    """Return the canonical name of a head on a side; the encoder's have no side.

    Raises:
        PydanticCustomError: it is not a name of a head.
    """
    side, rest = side_and_rest(name)
    rest = canonical_head(field, rest)
    return rest if side in ("", "encoder") else f"{side} {rest}"


HeadOnSide = Annotated[str, AfterValidator(partial(canonical_on_side, "heads_off"))]
HeadsOnSides = Annotated[tuple[HeadOnSide, ...], FailFast(), in_order(order_of)]
"""The field ``heads_off`` of the model lab's spec."""


@dataclass(frozen=True, eq=False, kw_only=True)
class SideOfRun:
    """What a trace knows of a side that may not be the one on screen."""

    read: ReadText
    """The queries."""
    keys: ReadText
    """The keys; `read` itself, except in cross-attention."""
    num_layers: int
    others: Mapping[int, Text]
    """Descriptions of the layers, from 0, without attention."""
    num_heads: int
    kv_heads: tuple[int, ...]
    """The numbers of key-value heads of its layers, ascending."""
    made_layer: Callable[[int], Layer]
    """Returns a layer, computed or cached."""
    overview: Callable[[], Overview]
    """Returns the measures of its heads, computed or cached."""

    @property
    def numbers(self) -> tuple[int, ...]:
        """The layers, from 0, that have attention."""
        return tuple(number for number in range(self.num_layers) if number not in self.others)

    def __getstate__(self) -> dict[str, Any]:
        """Return its state for pickle, with all layers: they cannot be computed elsewhere."""
        layers = {number: self.made_layer(number) for number in self.numbers}
        return vars(self) | {"made_layer": layers.__getitem__, "overview": _Known(self.overview())}


@dataclass(frozen=True, slots=True, eq=False)
class _Known:
    overview: Overview

    def __call__(self) -> Overview:
        return self.overview
