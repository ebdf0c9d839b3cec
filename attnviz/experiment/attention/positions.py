"""What positions do to the scores of a run: over distance, in the planes of a rotation, and after a shift.

Everything is computed again in float64 from the run's own queries and keys, at positions that can differ from theirs.
Shape letters: Q queries, K keys, d features of a query.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from attnviz.definitions.counting import SCREEN
from attnviz.definitions.decoder.positions import sinusoidal_positions
from attnviz.definitions.mechanisms.alibi import ALIBI_BIAS
from attnviz.definitions.score_steps.step import Place, scored
from attnviz.definitions.text import English, Text, listed, number_said
from attnviz.experiment.arrays import NUMPY
from attnviz.experiment.attention.trace import AttentionTrace

Vector = NDArray[np.float64]
Letter = Literal["q", "k"]

_REACH = 32
"""The least distance to both sides of a query over which its score is followed."""
_MOST = 256
"""The most tokens of queries, and of keys, that a shift is computed for, evenly spaced."""


def knows_positions(trace: AttentionTrace) -> bool:
    """Return whether the scores of a run depend on positions: rotated, lowered by the distance, or added."""
    if trace.is_given:
        return False
    return bool(_kinds(trace))


def _kinds(trace: AttentionTrace) -> list[str]:
    record = trace.spec.mechanism_record
    kinds = ["rotary"] if record.rotation is not None else []
    kinds += ["alibi"] if ALIBI_BIAS in record.steps else []
    return kinds + (["sinusoidal"] if trace.spec.adds_positions else [])


def scores_at(
    trace: AttentionTrace,
    at: tuple[int, int],
    queries: Sequence[int],
    keys: Sequence[int],
    query_places: Vector,
    key_places: Vector,
) -> Vector:
    """Return the scores (n, m) of n queries and m keys of an (item, head), as if they were at other positions.

    The places are counted from 0; whole and not negative if positions are added to the inputs.
    """
    layer, head = trace.layer, at[1]
    q = _placed(trace, "q", at, queries, query_places)
    k = _placed(trace, "k", at, keys, key_places)
    parameters: dict[str, Any] = {name: array.astype(np.float64) for name, array in layer.parameters.items()}
    assert layer.mechanism.scores is not None
    scores = layer.mechanism.scores(q[None, None], k[None, None], parameters | layer.mechanism_knobs, NUMPY)[0, 0]
    place = Place(q.shape[-1], head, query_places[:, None], key_places)
    steps = [step for step in layer.steps if step.does in ("divide", "add")]
    amounts = [(step, step.amount(layer.knobs, place, NUMPY)) for step in steps]
    moved: Vector = np.asarray(scored(scores, amounts, NUMPY), np.float64)
    return moved


def _placed(
    trace: AttentionTrace, letter: Letter, at: tuple[int, int], tokens: Sequence[int], places: Vector
) -> Vector:
    """Return the queries or keys (n, d) of a head as they would be at other places, ready for a score."""
    layer = trace.layer
    x = _split(trace, letter, at, tokens, places)
    for step in layer.steps:
        if step.does == "vectors":
            x = step.applied(x, step.amount(layer.knobs, Place(x.shape[-1]), NUMPY), NUMPY)
    rotation, size = layer.mechanism.rotation, x.shape[-1]
    if rotation is None:
        return x
    pairs = np.tile(np.arange(size // 2, dtype=np.float64), 2)
    angles = rotation.angle(places[:, None], pairs, size, **layer.mechanism_knobs)
    turned: Vector = rotation.rotated(x, np.cos(angles), np.sin(angles), NUMPY)
    return turned


def _split(trace: AttentionTrace, letter: Letter, at: tuple[int, int], tokens: Sequence[int], places: Vector) -> Vector:
    """Return the queries or keys (n, d) of a head after the split; the positions in their inputs are exchanged."""
    layer, (item, head), chosen = trace.layer, at, list(tokens)
    head = head if letter == "q" else layer.kv_head(head)
    if not trace.spec.adds_positions:
        return np.asarray(layer.split_into_heads(letter)[item, head][chosen], np.float64)
    inputs = np.asarray(layer.queries if letter == "q" else layer.keys, np.float64)[item]
    size = inputs.shape[-1]
    last = int(max(places.max(initial=0), len(inputs) - 1))
    positions = np.asarray(sinusoidal_positions(np, last + 1, size), np.float64)
    x: Vector = inputs[chosen] - positions[chosen] + positions[places.astype(int)]
    projection = layer.mechanism.projection("queries" if letter == "q" else "keys")
    if projection is None:
        return x
    features = layer.split_into_heads(letter).shape[-1]
    rows = slice(head * features, (head + 1) * features)
    x = x @ np.asarray(layer.parameters[projection.name], np.float64)[rows].T
    bias = layer.parameters.get(projection.bias_name)
    return x if bias is None else x + np.asarray(bias, np.float64)[rows]


@dataclass(frozen=True, slots=True)
class Plane:
    """Two features of the query and the key of a cell as vectors (x, y), before and after they are turned."""

    query: tuple[Vector, Vector]
    """Before and after, each (2,)."""
    key: tuple[Vector, Vector]
    angles: tuple[float, float]
    """By how much the query and the key are turned, in radians."""
    features: tuple[int, int]
    """Counted from 0."""
    product: float
    """The product of the turned vectors: for a rotation its part of q · k."""
    of_inputs: bool = False
    """Whether the vectors are those of positions added to the inputs, and not of q and k."""


@dataclass(frozen=True, eq=False, slots=True)
class PositionFacts:
    """What positions do to one cell of a head, shifted together with its whole sentence."""

    cell: tuple[int, int, int]
    """(head, query, key), within the shapes."""
    distances: Vector
    """(n,), key − query: the distances at which the score of this query and this key is known."""
    scores: Vector
    """(n,), that score; the one at the cell's own distance is the run's, but for rounding and a shift."""
    row: tuple[Vector, Vector]
    """(K,), (K,), the distance and the run's score of every key of the query."""
    score: float
    """The run's score of the cell."""
    shifted_by: int
    largest: float
    """The largest difference that the shift makes to a score of the head."""
    cells: int
    """The number of cells that it was found among."""
    plane: Plane | None
    """The plane of the chosen pair of features; None where no pairs are turned."""
    pairs: int
    """The number of pairs."""
    kinds: tuple[str, ...]
    """What tells positions apart: "rotary", "alibi", "sinusoidal"."""


def chosen_cell(
    trace: AttentionTrace, item: int, head: int, query: int | None, key: int | None
) -> tuple[int, int, int]:
    """Return a cell within the shapes: by default of the last query, and of the key with its largest weight."""
    _, heads, queries, keys = trace.weights.shape
    head, query = min(head, heads - 1), min(queries - 1 if query is None else query, queries - 1)
    row = np.nan_to_num(trace.weights[item, head, query])
    return head, query, int(row.argmax()) if key is None else min(key, keys - 1)


def position_facts(
    trace: AttentionTrace, item: int, cell: tuple[int, int, int], pair: int = 0, shift: int = 0
) -> PositionFacts:
    """Return the facts about a cell, with every token ``shift`` positions later than in the run."""
    head, query, key = cell
    _, _, queries, keys = trace.weights.shape
    at = (item, head)
    reach = min(max(_REACH, 2 * max(queries, keys)), _MOST)
    first = max(-reach, -query - shift) if trace.spec.adds_positions else -reach
    distances = np.arange(first, reach + 1, dtype=np.float64)
    place = np.array([query + shift], np.float64)
    curve = scores_at(trace, at, [query], [key] * len(distances), place, place + distances)[0]
    some_queries, some_keys = _some(queries), _some(keys)
    largest = _largest(trace, at, some_queries, some_keys, shift)
    pairs, plane = _plane(trace, at, cell, pair, shift)
    return PositionFacts(
        cell=cell,
        distances=distances,
        scores=curve,
        row=(np.arange(keys, dtype=np.float64) - query, np.asarray(trace.layer.scores[item, head, query], np.float64)),
        score=float(trace.layer.scores[item, head, query, key]),
        shifted_by=shift,
        largest=largest,
        cells=len(some_queries) * len(some_keys),
        plane=plane,
        pairs=pairs,
        kinds=tuple(_kinds(trace)),
    )


def _some(count: int) -> list[int]:
    if count <= _MOST:
        return list(range(count))
    return [int(each) for each in np.unique(np.linspace(0, count - 1, _MOST).round())]


def _largest(trace: AttentionTrace, at: tuple[int, int], queries: list[int], keys: list[int], shift: int) -> float:
    """Return the largest difference between scores at shifted positions and at those of the run."""
    i, j = (np.array(tokens, np.float64) for tokens in (queries, keys))
    before, after = (scores_at(trace, at, queries, keys, i + by, j + by) for by in (0, shift))
    return float(np.abs(after - before).max(initial=0.0))


def _plane(
    trace: AttentionTrace, at: tuple[int, int], cell: tuple[int, int, int], pair: int, shift: int
) -> tuple[int, Plane | None]:
    """Return the number of pairs that positions turn, and the plane of one of them, or of the last."""
    layer, (_, query, key) = trace.layer, cell
    rotation, places = layer.mechanism.rotation, (query + shift, key + shift)
    if rotation is not None:
        size = layer.q.shape[-1]
        pair = min(pair, size // 2 - 1)
        both = pair, rotation.partner(pair, size)
        angles = [float(rotation.angle(place, pair, size, **layer.mechanism_knobs)) for place in places]
        unturned = [
            np.asarray(heads[at[0], head][token][list(both)], np.float64)
            for heads, head, token in zip(
                layer.before["rotate"], (at[1], layer.kv_head(at[1])), (query, key), strict=True
            )
        ]
        pairs = size // 2
    elif trace.spec.adds_positions and layer.queries.shape[-1] == layer.keys.shape[-1] > 1:
        # A position's features 2m and 2m + 1 are the sine and the cosine of one angle: the vector (cos, sin).
        size = layer.queries.shape[-1]
        pairs = size // 2
        pair = min(pair, pairs - 1)
        both = 2 * pair + 1, 2 * pair
        angles = [place / 10000 ** (2 * pair / size) for place in places]
        unturned = [np.array([1.0, 0.0])] * 2
    else:
        return 0, None
    turned = [_turned(x, angle) for x, angle in zip(unturned, angles, strict=True)]
    product = float(turned[0] @ turned[1])
    vectors = [(before, after) for before, after in zip(unturned, turned, strict=True)]
    return pairs, Plane(vectors[0], vectors[1], (angles[0], angles[1]), both, product, rotation is None)


def _turned(x: Vector, angle: float) -> Vector:
    cos, sin = np.cos(angle), np.sin(angle)
    return np.array([cos * x[0] - sin * x[1], sin * x[0] + cos * x[1]])


_NO_DIFFERENCE = 1e-9
"""Differences below this are the rounding of float64."""


def shift_said(facts: PositionFacts) -> Text:
    """Return the sentence about the shift of a whole sentence."""
    values: dict[str, Any] = {"shift": facts.shifted_by, "largest": f"{facts.largest:.1g}", "count": facts.cells}
    if not facts.shifted_by:
        return Text("Shift the whole sentence to see what depends on where it stands.")
    if facts.largest < _NO_DIFFERENCE:
        return Text(
            "All tokens {shift} positions later: no score changes (the largest difference of {count} is {largest}), "
            "since only distances count.",
            values,
        )
    return Text(
        "All tokens {shift} positions later: scores change by up to {largest} (of {count}), since positions are added "
        "to the inputs.",
        values,
    )


def cell_said(facts: PositionFacts) -> Text:
    """Return the sentence about the chosen cell, and the plane of the chosen pair."""
    _, query, key = facts.cell
    values: dict[str, Any] = {"query": SCREEN.number(query), "key": SCREEN.number(key), "distance": abs(key - query)}
    values["score"] = number_said(facts.score)
    said = Text("Query {query} and key {key}, at distance {distance}, have the score {score}.", values)
    if facts.plane is None:
        return said
    turned = facts.plane.angles
    names = {"first": SCREEN.number(facts.plane.features[0]), "second": SCREEN.number(facts.plane.features[1])}
    angles = {"q": number_said(turned[0]), "k": number_said(turned[1]), "between": number_said(turned[0] - turned[1])}
    turned_by: English = "Features {first} and {second} are turned by {q} and {k} rad: {between} rad apart."
    added: English = (
        "Features {first} and {second} of their positions have angles of {q} and {k} rad: {between} rad apart."
    )
    plane = Text(added if facts.plane.of_inputs else turned_by, {**names, **angles})
    return listed([said, plane], "{first} {rest}")
