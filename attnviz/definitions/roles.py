"""The roles of attention heads: patterns that a head may follow, each with a score from 0 to 1.

Most roles name cells: the keys that a query of the role attends to. Their score is the mean, over the queries with such
keys, of the weight on these keys. To add one, add a record here, or to the task that it belongs to: curves, tiles,
tables and files read it from there. `attnviz.experiment.train.roles` measures them.

An idle head parks its attention on the first token (attention sink). So its weight there is removed before other roles
are measured: the row is divided by the rest, and does not count if the rest is less than `LEAST_LEFT`.
"""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from attnviz.definitions.registry import Registry
from attnviz.definitions.text import English, Text

Places = tuple[tuple[int, ...], ...]
"""The counted keys of each query; empty if the query does not count."""
Cells = Callable[[Sequence[int], Mapping[str, Any]], Places]
"""From the tokens of a sequence and the options of its task to the counted cells."""

LEAST_LEFT = 0.05
"""A row counts if it gives at least this share to tokens other than the first."""
LEAST_ROWS = 0.25
"""A head has a score in a role if at least this share of its rows count."""


def _nothing(tokens: Sequence[int], _knobs: Mapping[str, Any]) -> Places:
    return ((),) * len(tokens)


@dataclass(frozen=True, slots=True, kw_only=True)
class AtDistance:
    """Texts about a head that attends ``{distance}`` tokens back."""

    short: English
    name: English
    does: English


@dataclass(frozen=True, slots=True, kw_only=True)
class Role:
    """A pattern that a head may follow."""

    name: str
    title: English
    short: English
    """The title beside a small picture."""
    heading: English
    """The title over a narrow column of numbers."""
    help: English
    """A plain sentence about such a head."""
    does: English
    """The behaviour of such a head, as the end of a sentence about it."""
    do: English
    """The same for several heads."""
    places: English
    """The counted queries, in a few words."""
    latex: str
    """Its score in a sequence, of the weights a_ij of a head, counted from 1; b_ij are those without the first key."""
    spoken: English
    """The formula for screen readers."""
    cells: Cells = _nothing
    of_rows: Callable[[Any, Any], Any] | None = None
    """For a role of whole rows: from rows (..., queries, keys) and numpy (or alike) to a number for each row; `cells`
    are those of the counted rows."""
    at: AtDistance | None = None
    """For a role of the cells at one distance: its texts with the distance."""
    least_distance: int | None = None
    """For a role of the cells at one distance, which is the head's own: the least distance."""
    of_first: bool = False
    """Whether it is measured before the first key is removed."""
    of_order: bool = False
    """Whether it is about the order of tokens or their repetition, which the patches of an image do not have."""
    from_score: float = 0.4
    """The least score of a head's highest role for the head to be named after it."""

    def short_at(self, distance: int) -> Text:
        """Return `short`, with the distance of a head if the role has one and it is known, i.e. not 0."""
        return Text(self.short) if self.at is None or not distance else Text(self.at.short, {"distance": distance})

    def named_at(self, distance: int) -> Text:
        """Return the long name of a head of this role, as `short_at`."""
        return Text(self.short) if self.at is None or not distance else Text(self.at.name, {"distance": distance})

    def title_at(self, distance: int) -> Text:
        """Return `title`, as `short_at`."""
        return Text(self.title) if self.at is None or not distance else Text(self.at.name, {"distance": distance})

    def does_at(self, distance: int) -> Text:
        """Return `does`, as `short_at`."""
        return Text(self.does) if self.at is None or not distance else Text(self.at.does, {"distance": distance})

    def keys(self, tokens: Sequence[int], knobs: Mapping[str, Any], distance: int) -> Places:
        """Return the keys of each query that make up the score; for a role with distances, those at ``distance``."""
        if self.least_distance is not None:
            attended: Places = tuple((query - distance,) if query >= distance else () for query in range(len(tokens)))
        else:
            attended = self.cells(tokens, knobs)
        if self.of_first:
            return attended
        # Without the first key the second query has only itself to attend to.
        return tuple(tuple(key for key in keys if key) if query > 1 else () for query, keys in enumerate(attended))


def _earlier_equal(tokens: Sequence[int], _knobs: Mapping[str, Any]) -> Places:
    """Return the earlier positions of the token at each position."""
    seen: defaultdict[int, list[int]] = defaultdict(list)
    earlier = []
    for position, token in enumerate(tokens):
        earlier.append(tuple(seen[token]))
        seen[token].append(position)
    return tuple(earlier)


def _previous(tokens: Sequence[int], _knobs: Mapping[str, Any]) -> Places:
    return tuple((query - 1,) if query else () for query in range(len(tokens)))


def _after_earlier_equal(tokens: Sequence[int], knobs: Mapping[str, Any]) -> Places:
    return tuple((earlier[-1] + 1,) if earlier else () for earlier in _earlier_equal(tokens, knobs))


def _first(tokens: Sequence[int], _knobs: Mapping[str, Any]) -> Places:
    return tuple((0,) if query else () for query in range(len(tokens)))


def _itself(tokens: Sequence[int], _knobs: Mapping[str, Any]) -> Places:
    return tuple((query,) for query in range(len(tokens)))


def _evenness(rows: Any, xp: Any) -> Any:
    """Return the entropy of rows relative to that of equal weights on the keys up to the query, without the first."""
    logs = xp.log2(xp.where(rows > 0, rows, 1.0))
    return -(rows * logs).sum(-1) / xp.log2(xp.maximum(xp.arange(rows.shape[-2]), 2))


ROLES = Registry(
    "role",
    (
        Role(
            name="previous",
            of_order=True,
            title="Previous token",
            short="previous",
            heading="prev",
            help="Each token attends to the previous token.",
            does="attends to the previous token",
            do="attend to the previous token",
            places="from the third token on",
            latex=r"\frac{1}{n-2} \sum_{i>2} b_{i,i-1}",
            spoken="the mean of the weight in row i and column i minus 1, from the third row on",
            cells=_previous,
        ),
        Role(
            name="induction",
            of_order=True,
            title="Induction",
            short="induction",
            heading="ind",
            help=(
                "Each token attends to the token after its previous occurrence: the head continues what "
                "repeats (induction head)."
            ),
            does="attends to the token after the previous occurrence",
            do="attend to the token after the previous occurrence",
            places="tokens that occurred before",
            latex=r"\frac{1}{|R|} \sum_{i \in R} b_{i,\,p(i)+1},\; p(i) = \max\{j < i : x_j = x_i\}",
            spoken="the mean weight on the token after the previous occurrence, over the tokens that occurred before",
            cells=_after_earlier_equal,
        ),
        Role(
            name="same",
            of_order=True,
            title="Same token",
            short="same",
            heading="same",
            help="Each token attends to its own earlier occurrences.",
            does="attends to earlier occurrences of the token",
            do="attend to earlier occurrences of the token",
            places="tokens that occurred before",
            latex=r"\frac{1}{|R|} \sum_{i \in R} \sum_{j < i,\, x_j = x_i} b_{ij}",
            spoken="the mean weight on earlier occurrences of the same token, over the tokens that occurred before",
            cells=_earlier_equal,
        ),
        Role(
            name="first",
            title="First token",
            short="first",
            heading="first",
            help="Every token attends to the first one (attention sink): such a head mostly does nothing.",
            does="parks its attention on the first token (attention sink)",
            do="park their attention on the first token (attention sink)",
            places="all but the first",
            latex=r"\frac{1}{n-1} \sum_{i>1} a_{i1}",
            spoken="the mean of the weight in the first column, without the first row",
            cells=_first,
            of_first=True,
        ),
        Role(
            name="diagonal",
            title="Itself",
            short="itself",
            heading="itself",
            help="Each token attends to itself.",
            does="attends to the token itself",
            do="attend to the token itself",
            places="from the third token on",
            latex=r"\frac{1}{n-2} \sum_{i>2} b_{ii}",
            spoken="the mean of the weight in row i and column i, from the third row on",
            cells=_itself,
        ),
        Role(
            name="uniform",
            title="Uniform",
            short="uniform",
            heading="unif",
            help="Every token attends equally to all tokens up to itself: its row has the largest possible entropy.",
            does="attends to all allowed tokens equally",
            do="attend to all allowed tokens equally",
            places="from the third token on",
            latex=r"\frac{1}{n-2} \sum_{i>2} \frac{-\sum_j b_{ij} \log_2 b_{ij}}{\log_2 (i-1)}",
            spoken="the mean entropy of the rows over its maximum, from the third row on",
            cells=_itself,
            of_rows=_evenness,
            from_score=0.9,
        ),
        Role(
            name="fixed_distance",
            of_order=True,
            title="Fixed distance",
            short="fixed",
            heading="dist",
            help="Each token attends to the one a fixed number of positions before it, whatever token that is.",
            does="attends a fixed distance back",
            do="attend a fixed distance back",
            places="tokens with one at that distance",
            latex=r"\max_{d \ge 2} \frac{1}{n-d-1} \sum_{i>d+1} b_{i,\,i-d}",
            spoken="the mean of the weight in row i and column i minus d, for the distance d of two or more with the "
            "largest mean",
            at=AtDistance(
                short="{distance} back",
                name="fixed distance (−{distance})",
                does="attends {distance} tokens back, whatever token that is",
            ),
            least_distance=2,
        ),
    ),
)
"""The roles common to all tasks, in menu order; a task has further ones of its own."""


def role_of(scores: Sequence[float], roles: Sequence[Role]) -> Role | None:
    """Return the role that a head is named after, from its scores in some roles; None if it has none.

    Among equal scores that of a fixed distance wins, for it says least about the head's inputs.
    """
    reached = [(score, role) for score, role in zip(scores, roles, strict=True) if score >= role.from_score]
    return max(reached, key=lambda pair: (pair[0], pair[1].least_distance is not None))[1] if reached else None
