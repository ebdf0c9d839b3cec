"""The studies of the model lab that ablate heads: each in turn, and random sets as a yardstick for a chosen one."""

import itertools
import math
import random
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray
from pydantic import Field
from typing_extensions import override

from attnviz.definitions.text import Text, number_said, percent_said
from attnviz.experiment.model.residual.attribution import AskedToken
from attnviz.experiment.model.sides import SIDES, HeadAt, Kind
from attnviz.experiment.model.spec import ModelSpec
from attnviz.experiment.study import StudyOf, StudyResult


class HeadsInTurn(StudyOf):
    """The prediction with each head ablated in turn, by `ModelSpec.ablation`, beside the spec's interventions."""

    of: ModelSpec
    continued: tuple[int, ...] = ()
    """The new tokens that the model reads after the text."""
    side: str = ""
    """The side of an encoder-decoder whose heads are ablated; "" for the encoder, or a model with one stack."""
    token: AskedToken = None
    """The token whose logit is followed, as in `Attribution`; None: the top prediction."""
    minus: AskedToken = None
    """The token whose logit is subtracted; None: none is."""


@dataclass(frozen=True, eq=False)
class HeadsInTurnTrace(StudyResult):
    """The loss by ablating each head. Arrays are read-only; L layers, h heads.

    Many heads run as one batch, so the numbers may differ from those of a single run by some 1e-6.
    """

    spec: HeadsInTurn
    token: str
    """The most probable token with every head on; "" without a prediction."""
    shown: float
    """Its probability; NaN without a prediction."""
    probability: NDArray[np.float64]
    """(L, h), its probability without the head; NaN without a prediction."""
    cosine: NDArray[np.float64]
    """(L, h), of the last hidden states with and without the head, averaged over the tokens."""
    lost: NDArray[np.float64] | None = None
    """(L, h), how much lower the logit (before a soft cap), or the difference, is without the head; None: not known."""

    @cached_property
    def effect(self) -> NDArray[np.float64]:
        """(L, h), the probability lost without the head; for a model without a prediction, 1 - cosine."""
        lost = 1 - self.cosine if np.isnan(self.shown) else self.shown - self.probability
        return np.asarray(lost)

    @cached_property
    def of_single(self) -> NDArray[np.float64]:
        """The same without those of heads that are off anyway: NaN."""
        effect = self.effect.copy()
        kind = SIDES[self.spec.side].kind if self.spec.side else "self"
        for at in self.spec.of.pairs_off(kind):
            effect[at] = np.nan
        return effect

    @property
    def title(self) -> Text:
        """The title of `effect`."""
        return Text("1 − cosine of the output") if np.isnan(self.shown) else Text("probability lost")

    def number(self, lost: float) -> str:
        """Return a number of `effect` as text: a probability in percent, with two digits for the largest."""
        return _loss_said(lost, self._digits, of_cosine=bool(np.isnan(self.shown)))

    @cached_property
    def _digits(self) -> int:
        return _digits_of(self.effect)

    @override
    def arrays(self) -> dict[str, NDArray[Any]]:
        lost = {} if self.lost is None else {"ablation_logit_lost": self.lost}
        named = {"ablation_probability": self.probability, **lost, "ablation_cosine": self.cosine}
        return {**named, "ablation_shown": np.array(self.shown)}

    def beside_layer(self, layer: int, head: int) -> Text:
        """Compare the effect of a head with those of the other heads of its layer; empty if there is no other."""
        of_layer = self.of_single[layer]
        others = np.delete(of_layer, head)
        others = others[np.isfinite(others)]
        if not others.size or not math.isfinite(of_layer[head]):
            return Text()
        words: dict[str, Any] = {"count": int((others >= of_layer[head]).sum()), "all": int(others.size)}
        words |= {"low": self.number(float(others.min())), "high": self.number(float(others.max()))}
        sentence = "{count} of the {all} other heads of its layer cost at least as much ({low} to {high})"
        return Text(sentence, words)


MOST_SETS = 200
"""The most random sets of heads."""
_CONFIDENCE = 0.95


class RandomSets(StudyOf):
    """The ablated heads of a spec beside random sets of as many heads in each of the same layers.

    Sets are distinct, and differ from the chosen one. If there are no more than ``sets`` of them, all are run.
    """

    of: ModelSpec
    continued: tuple[int, ...] = ()
    """The new tokens that the model reads after the text."""
    sets: Annotated[int, Field(ge=1, le=MOST_SETS)] = 20
    seed: int = 0


@dataclass(frozen=True, eq=False)
class RandomSetsTrace(StudyResult):
    """The loss by the chosen set of heads and by others, beside the spec's other interventions; n sets."""

    spec: RandomSets
    token: str
    """The most probable token with the chosen heads on; "" without a prediction."""
    shown: float
    """Its probability with these on; NaN without a prediction."""
    chosen: float
    """The probability lost by the chosen set; without a prediction, 1 - cosine of the output."""
    lost: NDArray[np.float64]
    """(n,), those lost by the other sets."""
    sets: tuple[frozenset[HeadAt], ...]
    """The heads of each of them."""
    possible: int
    """The number of other such sets."""

    @property
    def at_least(self) -> int:
        """The number of sets that cost at least as much as the chosen one."""
        return int((self.lost >= self.chosen).sum())

    @property
    def complete(self) -> bool:
        """Whether all other sets were run, so that shares are exact."""
        return len(self.sets) == self.possible

    def number(self, lost: float) -> str:
        """Return a loss as text: a probability in percent, with two digits for the largest."""
        values = np.append(self.lost, self.chosen)
        return _loss_said(lost, _digits_of(values), of_cosine=math.isnan(self.shown))

    def sentence(self) -> Text:
        """Compare the chosen set with the others; of random ones, with the share that they leave possible."""
        words: dict[str, Any] = {"chosen": self.number(self.chosen), "count": self.at_least, "all": len(self.sets)}
        words |= {"low": self.number(float(self.lost.min())), "high": self.number(float(self.lost.max()))}
        words |= {"median": self.number(float(np.median(self.lost))), "seed": self.spec.seed}
        words["most"] = percent_said(largest_share(self.at_least, len(self.sets)))
        sentence = (
            "Turning the chosen heads off costs {chosen}; {all} random sets of as many heads in the same layers cost "
            "{low} to {high} (median {median}, seed {seed}). {count} of them cost at least as much: of all such sets "
            "at most {most} do (95 % confidence)."
        )
        if self.complete:
            sentence = (
                "Turning the chosen heads off costs {chosen}; all {all} other sets of as many heads in the same layers "
                "cost {low} to {high} (median {median}). {count} of them cost at least as much."
            )
        return Text(sentence, words)

    @override
    def arrays(self) -> dict[str, NDArray[Any]]:
        names = [" ".join(head.name.replace(" ", "_") for head in sorted(heads)) for heads in self.sets]
        return {
            "random_sets": np.array(names),
            "random_sets_lost": self.lost,
            "random_sets_chosen": np.array(self.chosen),
            "random_sets_possible": np.array(self.possible),
            "random_sets_seed": np.array(self.spec.seed),
        }


def drawn_sets(
    chosen: Collection[HeadAt], counts: Mapping[tuple[Kind, int], int], sets: int, seed: int
) -> tuple[tuple[frozenset[HeadAt], ...], int]:
    """Return distinct sets of as many heads in each layer as the chosen ones, and how many of them there are.

    ``counts`` has the number of heads of each of these layers, by kind and number. The chosen set is none of them.
    """
    layers = {at: sum(head[:2] == at for head in chosen) for at in sorted(counts)}
    possible = math.prod(math.comb(counts[at], size) for at, size in layers.items()) - 1
    if possible <= sets:
        of_layers = (
            itertools.combinations([HeadAt(*at, head) for head in range(counts[at])], size)
            for at, size in layers.items()
        )
        every = (frozenset(itertools.chain(*parts)) for parts in itertools.product(*of_layers))
        return tuple(each for each in every if each != frozenset(chosen)), possible
    drawn: dict[frozenset[HeadAt], None] = {}
    source = random.Random(seed)
    while len(drawn) < sets:  # of possible + 1 sets, so that few draws are repeated in vain
        heads = (HeadAt(*at, head) for at, size in layers.items() for head in source.sample(range(counts[at]), size))
        one = frozenset(heads)
        if one != frozenset(chosen):
            drawn[one] = None
    return tuple(drawn), possible


def largest_share(found: int, count: int) -> float:
    """Return the largest share p at which so few of n random draws are found in at least 5 % of cases.

    The upper end of the one-sided interval of Clopper and Pearson (1934).
    """
    if found >= count:
        return 1.0
    low, high = found / count, 1.0
    for _ in range(50):
        middle = (low + high) / 2
        terms = (math.comb(count, at) * middle**at * (1 - middle) ** (count - at) for at in range(found + 1))
        low, high = (middle, high) if sum(terms) > 1 - _CONFIDENCE else (low, middle)
    return high


def _loss_said(lost: float, digits: int, *, of_cosine: bool) -> str:
    if not math.isfinite(lost):
        return number_said(lost)
    return f"{lost:z.{digits + 2}f}" if of_cosine else f"{100 * lost:z.{digits}f} %"


def _digits_of(losses: NDArray[np.float64]) -> int:
    """Return the decimals of a percentage, so that the largest has two digits."""
    largest = 100 * float(np.nanmax(np.abs(losses)))
    least = 1 if 99 <= largest < 100 else 0  # must not be rounded to 100 %
    return min(max(1 - math.floor(math.log10(largest)), least), 4) if largest else 0
