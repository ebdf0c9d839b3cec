"""The studies of the logit lens: what the state after each layer would predict (nostalgebraist 2020)."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray
from typing_extensions import override

from attnviz.definitions.counting import LAYERS, told_apart
from attnviz.definitions.text import Text, number_said, percent_said
from attnviz.experiment.model.residual.attribution import AskedToken
from attnviz.experiment.model.spec import ModelSpec
from attnviz.experiment.study import StudyOf, StudyResult


class Lens(StudyOf):
    """The most probable tokens after each layer at every position, with the spec's interventions.

    Of an encoder-decoder, after each layer of the decoder.
    """

    of: ModelSpec
    continued: tuple[int, ...] | None = None
    """The new tokens that the model reads after the text; None: all that the spec's run reads."""


class LensAt(Lens):
    """The same at one position, and how probable a chosen token is there."""

    position: int
    token: AskedToken = None
    """The chosen token; None: the one that the model predicts there."""


@dataclass(frozen=True, eq=False, kw_only=True)
class LensTrace(StudyResult):
    """What the state after each layer predicts; the last layer's is the model's prediction.

    Arrays are read-only; L layers, with those without attention; T positions; n most probable tokens, usually 10.
    """

    spec: Lens
    tokens: tuple[str, ...]
    """The T tokens that the states belong to."""
    position: int
    """Whose state gives the prediction that the trace of the run has."""
    positions: tuple[int, ...]
    """Those of `ids`: all, or the one of a `LensAt`."""
    ids: NDArray[np.int64]
    """(L, T, n), the most probable first; equal ones in the order of the vocabulary."""
    probabilities: NDArray[np.float64]
    """(L, T, n), theirs; of the whole vocabulary they sum to 1."""
    followed: NDArray[np.int64]
    """(T,), the token of each position whose rank is followed: its prediction, or the chosen one."""
    ranks: NDArray[np.int64]
    """(L, T), 1 more than the number of tokens that are more probable than the followed one."""
    shares: NDArray[np.float64]
    """(L, T), the followed token's probability."""
    vocabulary: int
    """The number of tokens that the model chooses from."""
    rest: float
    """The largest difference of the last layer's logits, by way of the lens, from the run's own at `position`; 0 is
    equal bit for bit."""
    name: Callable[[int], str]
    """Returns the name of a token from its id."""

    @override
    def arrays(self) -> dict[str, NDArray[Any]]:
        return {"lens_ids": self.ids, "lens_probabilities": self.probabilities}

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The T tokens, equal ones with their positions."""
        return told_apart(self.tokens)

    def said(self, position: int) -> Text:
        """Return a sentence about the followed token at a position: from where on it is the first, or its best rank."""
        at = self.positions.index(position)
        ranks = self.ranks[:, at]
        words: dict[str, Any] = {"name": self.name(int(self.followed[at])), "token": self.names[position]}
        words |= {"share": percent_said(float(self.shares[-1, at]))}
        if ranks[-1] == 1:
            behind = np.flatnonzero(ranks > 1)
            words["layer"] = LAYERS.number(int(behind[-1]) + 1 if len(behind) else 0)
            return Text("At “{token}” the model predicts “{name}” ({share}); it is first from layer {layer} on.", words)
        best = int(ranks.argmin())
        words |= {"rank": f"{ranks[-1]:,}", "best": f"{ranks[best]:,}", "layer": LAYERS.number(best)}
        return Text(
            "At “{token}” “{name}” ends at rank {rank} ({share}); its best is {best}, after layer {layer}.", words
        )

    @property
    def checked(self) -> Text:
        """A sentence about how the last row compares with the run's own prediction."""
        return Text("The last row is the model's prediction: max difference {rest}.", {"rest": number_said(self.rest)})
