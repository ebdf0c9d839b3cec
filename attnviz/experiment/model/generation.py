"""A generation: how tokens are sampled, those that the user chose, and what a run has generated."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, Self

import numpy as np
from numpy.typing import NDArray
from pydantic import Field
from typing_extensions import override

from attnviz.definitions.text import quoted
from attnviz.experiment.fields.chosen_records import Frozen
from attnviz.experiment.fields.knob import Number, Part, Whole
from attnviz.experiment.fields.problems import problem

MOST_NEW = 256
"""The most tokens of a generation."""
MOST_UNASKED = 64
"""The most tokens that an encoder-decoder answers with if no target and no number is given."""
MOST_ID = 1 << 24
"""No vocabulary is larger."""

Choose = Literal["top", "sample"]
"""The rule for the next token: the most probable one, or drawn."""


class Sampling(Part):
    """How the next token is drawn, in the order in which transformers applies it."""

    temperature: Number = Field(
        1.0,
        gt=0,
        le=100,
        title="Sampling temperature",
        description="Divides the logits: small is nearly the most probable token, large is nearly any.",
    )
    top_k: Whole = Field(
        0,
        ge=0,
        le=MOST_ID,
        title="Top k",
        description="The number of most probable tokens that are drawn from; 0: all.",
    )
    top_p: Number = Field(
        1.0,
        gt=0,
        le=1,
        title="Top p",
        description="The most probable tokens with at least this probability together are drawn from; 1: all.",
    )


class CountOfNew:
    """Marks a field with the number of new tokens."""


class ChosenTokens(Frozen[int]):
    """Tokens in place of those that the model would continue with, by step from 0: ``{"3": 17}``."""

    @override
    @classmethod
    def _parse(cls, raw: Any) -> Self:
        if not isinstance(raw, Mapping):
            sentence = "chosen {said} must be an object with a token for each step; nearest: {{}}"
            raise problem("chosen", "chosen_form", sentence, said=quoted(raw))
        for step, token in raw.items():
            if not isinstance(step, str) or not re.fullmatch("0|[1-9][0-9]{0,2}", step):
                sentence = "{said} in chosen must be a step, counted from 0; nearest: 0"
                raise problem("chosen", "chosen_step", sentence, said=quoted(step))
            if isinstance(token, bool) or not isinstance(token, int) or not 0 <= token < MOST_ID:
                sentence = "{said} in chosen, at step {step}, must be the number of a token; nearest: 0"
                raise problem("chosen", "chosen_token", sentence, said=quoted(token), step=step)
        return cls({step: raw[step] for step in sorted(raw, key=int)})

    @property
    def by_step(self) -> dict[int, int]:
        """The tokens, with the steps as numbers."""
        return {int(step): token for step, token in self.items()}

    def with_token(self, step: int, token: int) -> "ChosenTokens":
        """Return the choices up to a step, and a token there: what followed belongs to another continuation."""
        return ChosenTokens({each: of for each, of in self.items() if int(each) < step} | {str(step): token})

    def up_to(self, count: int) -> "ChosenTokens":
        """Return the choices of the first ``count`` steps."""
        return ChosenTokens({each: of for each, of in self.items() if int(each) < count})


@dataclass(frozen=True, slots=True, kw_only=True)
class NeededMemory:
    """What a model's text and its continuation take beside the model, in bytes."""

    token: int
    """Of the queries, keys, values and outputs of a token in all layers."""
    cached: int
    """Of the keys and values of a token in the cache of all layers."""
    cells: int
    """Of the weights of a query and a key in all layers."""
    heads: int
    """The number of heads of the layer with most."""
    rows: int
    """The number of tokens that the model knows."""
    beside: int = 0
    """The number of tokens of the text that an encoder reads; 0 without one."""

    def of(self, tokens: int, new: int) -> int:
        """Return the bytes for a text of ``tokens`` that is continued by ``new`` ones; more than are measured."""
        whole = max(tokens + new, self.beside)
        kept = whole * (self.token + 2 * self.cached) + new * whole * self.cells
        shown = _OF_A_CELL * self.heads * whole * whole + _OF_A_ROW * self.rows + _AT_LEAST
        freed = new * whole * (self.cached + 8 * self.heads * whole)
        return kept + shown + min(freed, MOST_FREED)


MOST_FREED = 128 << 20
"""The bytes of caches and layers after which freed memory is given back: nothing fits where a smaller one was."""
_OF_A_CELL, _OF_A_ROW, _AT_LEAST = 72, 64, 24 << 20
"""The bytes per cell of the layers that are shown and made, per token of the vocabulary, and of what Python loads."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cached:
    """The key-value cache of a layer after a pass."""

    positions: int
    """The number of tokens whose keys and values it holds."""
    nbytes: int
    old: int = 0
    """The number of tokens whose keys the pass has read from it; a sliding window then drops the oldest."""


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Generated:
    """The tokens that a run has generated so far, and the step on screen. n tokens.

    Step s is the pass after which s new tokens have been read; it leads to token s, from 0.
    """

    step: int
    most: int
    """The number of tokens after which the generation ends at the latest."""
    ids: tuple[int, ...]
    names: tuple[str, ...]
    """The names on screen."""
    text: str
    """Their text, as the tokenizer decodes it after the text that they continue; empty before the last is known."""
    step_ids: NDArray[np.int64]
    """(n, 10), the most probable tokens of each step, in descending order; -1 beyond a smaller vocabulary."""
    step_probabilities: NDArray[np.float64]
    """(n, 10), theirs after all logits processors; 0 beyond a smaller vocabulary."""
    ended: bool
    """Whether no further token follows."""
    end_ids: tuple[int, ...]
    """The tokens that end a text; empty if the folder names none."""
    processors: tuple[str, ...]
    """The folder's settings that change the logits."""
    left_out: tuple[str, ...]
    """Those that have no effect here, such as ``num_beams``."""
    cache: tuple[Cached, ...]
    """After the pass of the step, by layer; empty if the model keeps none."""
    measured: int
    """The number of tokens over which the heads are measured: fewer than there are while the text still grows."""
