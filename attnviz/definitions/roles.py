"""The roles of attention heads: what a head is found to do on a sequence, each with a score from 0 to 1.

Most roles name cells: the keys that a query of the role looks at. Their score is the mean, over the queries that have
such a key, of the weight on these keys. To add one, add a record: curves, tiles, tables and files read it from there.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from attnviz.definitions.registry import Registry
from attnviz.definitions.text import English

Cells = Callable[[Sequence[int]], tuple[tuple[int, ...], ...]]
"""From the tokens of a sequence to the keys of each query that count; none where the query does not count."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Role:
    """One thing that a head may do."""

    name: str
    title: English
    short: English
    """The title beside a small picture."""
    heading: English
    """The title over a narrow column of numbers."""
    help: English
    """A plain sentence about such a head."""
    does: English
    """What such a head does, as the end of a sentence about it."""
    places: English
    """Which queries count, in a few words."""
    latex: str
    """Its score, of the weights a_ij of one head, counted from 1."""
    spoken: English
    """The formula as a screen reader says it."""
    cells: Cells | None = None
    """The cells that count; None for a role of whole rows."""
    of_row: Callable[[Any, int, Any], Any] | None = None
    """For a role of whole rows: from rows (..., keys), the query and numpy (or alike) to a number for each row."""
    from_score: float = 0.4
    """A head is named after its highest role, if the score reaches this."""

    def score(self, weights: Any, tokens: Sequence[int], xp: Any) -> Any:
        """Return (...,) scores of (..., T, T) weights over T tokens; NaN where no query counts."""
        length = weights.shape[-1]
        if self.cells is None:
            assert self.of_row is not None
            rows = [self.of_row(weights[..., query, :], query, xp) for query in range(1, length)]
            return sum(rows) / len(rows) if rows else xp.full(weights.shape[:-2], xp.nan)
        queries, keys, count = _counted(self.cells, tuple(tokens[:length]))
        if not count:
            return xp.full(weights.shape[:-2], xp.nan)
        return weights[..., queries, keys].sum(-1) / count


@lru_cache(maxsize=32)
def _counted(cells: Cells, tokens: tuple[int, ...]) -> tuple[list[int], list[int], int]:
    """Return the queries and the keys of the cells that count, and how many queries have such a cell."""
    found = cells(tokens)
    pairs = [(query, key) for query, keys in enumerate(found) for key in keys]
    return [query for query, _ in pairs], [key for _, key in pairs], sum(map(bool, found))


def _earlier_equal(tokens: Sequence[int]) -> tuple[tuple[int, ...], ...]:
    """Return the earlier places of the token of each place."""
    return tuple(tuple(key for key in range(query) if tokens[key] == token) for query, token in enumerate(tokens))


def _previous(tokens: Sequence[int]) -> tuple[tuple[int, ...], ...]:
    return tuple((query - 1,) if query else () for query in range(len(tokens)))


def _after_earlier_equal(tokens: Sequence[int]) -> tuple[tuple[int, ...], ...]:
    return tuple((earlier[-1] + 1,) if earlier else () for earlier in _earlier_equal(tokens))


def _first(tokens: Sequence[int]) -> tuple[tuple[int, ...], ...]:
    return tuple((0,) if query else () for query in range(len(tokens)))


def _itself(tokens: Sequence[int]) -> tuple[tuple[int, ...], ...]:
    return tuple((query,) if query else () for query in range(len(tokens)))


def _evenness(rows: Any, query: int, xp: Any) -> Any:
    """Return the entropy of rows over that of equal weights on the keys up to the query."""
    logs = xp.log2(xp.where(rows > 0, rows, 1.0))
    return -(rows * logs).sum(-1) / xp.log2(query + 1.0)


ROLES = Registry(
    "role",
    (
        Role(
            name="previous",
            title="Previous token",
            short="previous",
            heading="prev",
            help="Each token looks at the one before it.",
            does="looks at the token before",
            places="all but the first",
            latex=r"\frac{1}{n-1} \sum_{i>1} a_{i,i-1}",
            spoken="the mean of the weight in row i and column i minus 1, without the first row",
            cells=_previous,
        ),
        Role(
            name="induction",
            title="Induction",
            short="induction",
            heading="ind",
            help="Each token looks at what followed it the last time: the head continues what repeats.",
            does="looks at what followed the last time",
            places="tokens that were there before",
            latex=r"\frac{1}{|R|} \sum_{i \in R} a_{i,\,p(i)+1},\; p(i) = \max\{j < i : x_j = x_i\}",
            spoken="the mean, over the tokens that were there before, of the weight on the token after the last equal",
            cells=_after_earlier_equal,
        ),
        Role(
            name="same",
            title="Same token",
            short="same",
            heading="same",
            help="Each token looks at the places where it was before.",
            does="looks at where the token was before",
            places="tokens that were there before",
            latex=r"\frac{1}{|R|} \sum_{i \in R} \sum_{j < i,\, x_j = x_i} a_{ij}",
            spoken="the mean, over the tokens that were there before, of the weight on the earlier equal tokens",
            cells=_earlier_equal,
        ),
        Role(
            name="first",
            title="First token",
            short="first",
            heading="first",
            help="Every token looks at the first one: such a head mostly rests.",
            does="rests on the first token",
            places="all but the first",
            latex=r"\frac{1}{n-1} \sum_{i>1} a_{i1}",
            spoken="the mean of the weight in the first column, without the first row",
            cells=_first,
        ),
        Role(
            name="diagonal",
            title="Itself",
            short="itself",
            heading="itself",
            help="Each token looks at itself.",
            does="looks at itself",
            places="all but the first",
            latex=r"\frac{1}{n-1} \sum_{i>1} a_{ii}",
            spoken="the mean of the weight in row i and column i, without the first row",
            cells=_itself,
        ),
        Role(
            name="uniform",
            title="Uniform",
            short="uniform",
            heading="unif",
            help="Every token looks at all up to itself alike: the entropy of its row is the largest possible.",
            does="looks at all tokens alike",
            places="all but the first",
            latex=r"\frac{1}{n-1} \sum_{i>1} \frac{-\sum_j a_{ij} \log_2 a_{ij}}{\log_2 i}",
            spoken="the mean entropy of the rows over its maximum, without the first row",
            of_row=_evenness,
            from_score=0.9,
        ),
    ),
)


def scores_of(weights: Any, tokens: Sequence[int], xp: Any) -> Any:
    """Return (..., roles), the score in each role of (..., T, T) weights, in the order of `ROLES`."""
    return xp.stack([role.score(weights, tokens, xp) for role in ROLES.values()], -1)


def role_of(scores: Sequence[float]) -> Role | None:
    """Return the role that a head is named after, from its scores in the order of `ROLES`; None if it has none."""
    reached = [(score, role) for score, role in zip(scores, ROLES.values(), strict=True) if score >= role.from_score]
    return max(reached, key=lambda pair: pair[0])[1] if reached else None
