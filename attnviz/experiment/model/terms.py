"""The exact terms of one score, by the features of query and key, with biases."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from attnviz.definitions.counting import SCREEN
from attnviz.definitions.score_steps.step import Place
from attnviz.definitions.text import Text, number_said
from attnviz.experiment.arrays import NUMPY
from attnviz.experiment.layers.layer import Layer


@dataclass(frozen=True, slots=True, eq=False)
class Rotary:
    """The rotation of a layer's queries and keys: pairs of features rotated by position."""

    frequencies: NDArray[np.floating]
    """(n,), of each pair, in radians per token; the first 2 n features are rotated."""
    interleaved: bool
    """Whether pairs are neighbours, 0 and 1, 2 and 3; else feature i and feature i + n."""


@dataclass(frozen=True, slots=True)
class Term:
    """One term of a score."""

    name: Text
    """Its origin: "features 1 and 33, turns in 6.3 tokens", "feature 4", "bias"."""
    value: float


@dataclass(frozen=True, slots=True)
class ScoreTerms:
    """The terms of a score, which sum to it."""

    terms: tuple[Term, ...]
    score: float
    """The layer's score, before a soft cap."""

    @property
    def total(self) -> float:
        """Their sum in float64."""
        return math.fsum(term.value for term in self.terms)

    def largest(self, count: int) -> tuple[Term, ...]:
        """Return the terms with the largest magnitudes, the largest first."""
        return tuple(sorted(self.terms, key=lambda term: -abs(term.value))[:count])


def score_terms(layer: Layer, head: int, query: int, key: int, rotary: Rotary | None = None) -> ScoreTerms | None:
    """Return the terms of the score of a query and a key; None if a layer's scores are not known.

    With ``rotary`` there is one term for each pair of features that are rotated together, else one for each feature.
    """
    if layer.is_given or not layer.scores.shape[-1]:
        return None
    cell = Place(layer.q.shape[-1], head, query, key)
    steps = [step for step in layer.steps if step.does in ("divide", "add")]
    amounts = [(step, float(step.amount(layer.knobs, cell, NUMPY))) for step in steps]
    divisor = math.prod(amount for step, amount in amounts if step.does == "divide")
    added = [Term(Text(step.name), amount) for step, amount in amounts if step.does == "add"]
    q, k = layer.q[0, head, query], layer.k[0, layer.kv_head(head), key]
    products = q.astype(np.float64) * k.astype(np.float64) / divisor
    return ScoreTerms((*_of_features(products, rotary), *added), float(layer.scores[0, head, query, key]))


def _of_features(products: NDArray[np.float64], rotary: Rotary | None) -> Iterator[Term]:
    frequencies = [] if rotary is None else rotary.frequencies.tolist()
    count = len(frequencies)
    for pair, frequency in enumerate(frequencies):
        first, second = (2 * pair, 2 * pair + 1) if rotary and rotary.interleaved else (pair, pair + count)
        values: dict[str, Any] = {"first": SCREEN.number(first), "second": SCREEN.number(second)}
        values |= {"tokens": number_said(2 * math.pi / frequency) if frequency else "∞"}
        name = Text("features {first} and {second}, a turn in {tokens} tokens", values)
        yield Term(name, float(products[first] + products[second]))
    for feature in range(2 * count, len(products)):
        yield Term(Text("feature {number}", {"number": SCREEN.number(feature)}), float(products[feature]))
