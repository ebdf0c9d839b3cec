"""The study of a map of tokens: one number for each query and key, from one layer or several."""

from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray
from pydantic import Field
from typing_extensions import override

from attnviz.definitions.token_maps import COMBINATIONS, TOKEN_MAPS, TokenMap
from attnviz.experiment.arrays import read_only
from attnviz.experiment.colours import WEIGHT_SCALE, Scale
from attnviz.experiment.fields.knob import OneOf
from attnviz.experiment.model.shown import grouped
from attnviz.experiment.model.spec import ModelSpec
from attnviz.experiment.model.text import Group, ReadText
from attnviz.experiment.study import StudyOf, StudyResult
from attnviz.experiment.view_settings import Place

DARK = 0.25
"""A text or image is shaded up to the largest share of the row beside its own token, if that is less."""
Share = Annotated[float, Field(ge=0, le=1)]


class TokenMapOf(StudyOf):
    """A map of tokens of a run, as `attnviz.definitions.token_maps` defines it.

    Fields without effect on the map have their defaults, so that equal maps are equal studies: see `of_settings`.
    """

    of: ModelSpec
    continued: tuple[int, ...] | None = None
    """The new tokens that the model reads after the text; None: all that the spec's run reads."""
    side: str = ""
    """The side of an encoder-decoder; "" for the encoder, or a model with one stack."""
    map: Annotated[str, OneOf(TOKEN_MAPS)] = "rollout"
    heads: Annotated[str, OneOf(COMBINATIONS)] = "mean"
    head: Place = 0
    """The one head of the last layer, where that is the combination."""
    residual: Share = 0.5
    """The share of the residual connection."""
    layer: Place | None = None
    """The last layer, from 0; None: that of the model. The nearest layer with attention counts."""
    token: Place | None = None
    """The token, in the vocabulary, whose logit is followed by a map of gradients; None: the most probable one."""

    @property
    def record(self) -> TokenMap:
        """The record of its map."""
        return TOKEN_MAPS[self.map]

    @property
    def in_effect(self) -> "TokenMapOf":
        """The same map, with the defaults of the fields that have no effect on it."""
        usual = type(self).model_fields
        has_effect = {
            "head": self.heads == "head",
            "residual": self.record.has_share,
            "token": self.record.of == "gradients",
        }
        return self.model_copy(update={name: usual[name].default for name, has in has_effect.items() if not has})


@dataclass(frozen=True, eq=False, kw_only=True)
class TokenMapTrace(StudyResult):
    """A map of tokens. Arrays are read-only; T tokens."""

    spec: TokenMapOf
    read: ReadText
    matrix: NDArray[np.float32]
    """(T, T), a row for each query; in the rows of the first layer's keys."""
    mask: NDArray[np.bool_]
    """(T, T), True where a query can reach a key by any path through the layers."""
    number: int
    """The last layer, from 0."""
    numbers: tuple[int, ...]
    """All layers that it is made of."""
    left_out: int = 0
    """The number of layers up to the last one that have no attention, and so are left out."""
    has_sinks: bool = False
    """Whether learned sinks take a part of each row of weights, so that these sum to less than 1."""
    position: int | None = None
    """The predicting token; None without a prediction."""
    token: int | None = None
    """The token, in the vocabulary, whose logit a map of gradients follows."""
    token_name: str = ""

    @property
    def record(self) -> TokenMap:
        """The record of the map."""
        return self.spec.record

    @property
    def has_shares(self) -> bool:
        """Whether its numbers are between 0 and 1: weights, or shares of rows."""
        return self.record.of == "weights" or self.record.sums_to_one

    @cached_property
    def scale(self) -> Scale:
        """The colour scale: from 0 to 1, or to the largest number of a map of lengths or gradients."""
        if self.has_shares:
            return WEIGHT_SCALE
        return Scale(0.0, float(self.matrix.max(initial=0.0)) or 1.0)

    @override
    def arrays(self) -> dict[str, NDArray[Any]]:
        """Return the map under its name, and the settings that it was made with."""
        name, study = self.record.name, self.spec
        settings: dict[str, Any] = {"heads": study.heads, "layer": self.number}
        settings |= {"head": study.head} if study.heads == "head" else {}
        settings |= {"residual": study.residual} if self.record.has_share else {}
        settings |= {} if self.token is None else {"token": self.token}
        return {name: self.matrix} | {f"{name}_{key}": np.array(value) for key, value in settings.items()}

    @override
    def prepare(self, watched: str = "") -> None:
        _ = self.scale

    def cells(self, *, joined: bool = False, hide_special: bool = False) -> "Cells":
        """Return its cells with the pieces of a word joined, or special tokens left out.

        A word's number as a key is the sum of its pieces', as a query their mean.
        """
        groups = self.read.groups(joined=joined, hide_special=hide_special)
        if len(groups) == len(self.read):
            return Cells(groups, self.matrix, self.mask)
        mask = grouped(self.mask.astype(np.float32), groups) > 0
        return Cells(groups, read_only(grouped(self.matrix, groups)), read_only(mask))


@dataclass(frozen=True, eq=False, slots=True)
class Cells:
    """The shown cells of a map: T' groups of tokens."""

    groups: tuple[Group, ...]
    values: NDArray[np.floating]
    """(T', T')."""
    mask: NDArray[np.bool_]

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the groups."""
        return tuple(group.name for group in self.groups)

    def largest_beside(self, query: int) -> float:
        """Return the largest number of a row beside that of its own group."""
        return float(np.delete(self.values[query], query).max(initial=0.0))
