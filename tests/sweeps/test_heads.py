"""Heads over many runs: means, spreads and roles against single runs, and the most typical run of a head."""

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from attnviz.definitions.roles import ROLES
from attnviz.engine.run import run_to_end
from attnviz.engine.sweeps.rows import Workers, rows_of
from attnviz.experiment.labs import Trace, make_spec
from attnviz.experiment.scalars import numbers_of, texts_of
from attnviz.experiment.sweeps.crossing import FAILURE, RUN, crossed
from attnviz.experiment.sweeps.heads import Head, heads_of_rows, rows_of_heads, runs_of_head
from attnviz.experiment.sweeps.roles import wilson
from attnviz.export.tables.lines import CsvLines, JsonLines

TEXTS = (
    "one red fox ran home and one red fox ran home",
    "the dog saw the fox and the dog ran",
    "red red red red fox fox fox fox",
    "one two three four five six seven eight nine",
    "a",
    "",
)
"""Of the last two, one is too short for most roles and one is refused."""
MODEL = make_spec({"lab": "model", "device": "cpu"})
SWEEP = crossed(MODEL, [("text", TEXTS)])


@pytest.fixture(scope="module")
def rows() -> list[dict[str, Any]]:
    return [row for rows in rows_of(SWEEP, range(len(SWEEP)), Workers()) for row in rows]


@pytest.fixture(scope="module")
def traces() -> list[Any]:
    return [run_to_end(MODEL.model_copy(update={"text": text})) for text in TEXTS[:-1]]


def test_that_a_row_has_the_numbers_and_roles_of_the_single_run(
    rows: list[dict[str, Any]], traces: list[Trace]
) -> None:
    assert rows[-1][FAILURE]
    for row, trace in zip(rows, traces, strict=False):
        numbers = numbers_of(trace, SWEEP.scalars) | texts_of(trace, SWEEP.text_columns)
        numbers.pop("milliseconds")
        np.testing.assert_equal({name: row[name] for name in numbers}, numbers)


def test_that_means_and_spreads_are_those_of_single_runs(rows: list[dict[str, Any]], traces: list[Any]) -> None:
    heads = heads_of_rows(SWEEP, rows)
    assert heads.runs == len(traces)
    for name in ("entropy", "role_induction", "norm"):
        values = np.array([trace.overview.of(name).reshape(-1) for trace in traces])
        points, known = heads.points(name), np.isfinite(values)
        assert points.count.tolist() == known.sum(axis=0).tolist()
        np.testing.assert_allclose(points.mean, np.nanmean(values, axis=0), rtol=1e-12, atol=1e-15)
        np.testing.assert_allclose(points.spread, np.nanstd(values, axis=0, ddof=1), rtol=1e-9, atol=1e-14)
    assert points.heads == tuple(Head("", *divmod(at, 4)) for at in range(8))


def test_that_a_role_over_texts_is_the_one_of_most_texts_that_can_show_it(
    rows: list[dict[str, Any]], traces: list[Any]
) -> None:
    found = heads_of_rows(SWEEP, rows).roles
    for layer, head in np.ndindex(2, 4):
        best: dict[str, float] = {}
        for name, role in ROLES.items():
            measures = [trace.overview.roles[name] for trace in traces]
            scores = np.array([measure.scores[layer, head] for measure in measures])
            out = np.array([measure.outstanding[layer, head] for measure in measures]) >= role.from_score
            far = np.array([measure.distances[layer, head] for measure in measures])[out]  # each is a role of its own
            best[name] = max(np.bincount(far), default=0) / max(1, np.isfinite(scores).sum())
        if max(best.values(), default=0.0) > 0.5:
            named = found[Head("", layer, head)]
            assert named.share == max(best.values()) == best[named.role.name]
        else:
            assert Head("", layer, head) not in found
    assert found, "the model that comes along has heads with roles"


@pytest.mark.parametrize(("count", "of", "low", "high"), [(9, 10, 0.596, 0.982), (0, 5, 0.0, 0.434), (1, 1, 0.207, 1)])
def test_that_the_interval_is_the_score_interval(count: int, of: int, low: float, high: float) -> None:
    """Newcombe 1998, method 3; its ends solve (p - x)² = z² x (1 - x) / n."""
    ends = wilson(count, of)
    np.testing.assert_allclose(ends, (low, high), atol=6e-4)
    for end in ends:
        if 0 < end < 1:
            assert (count / of - end) ** 2 == pytest.approx(1.959963984540054**2 * end * (1 - end) / of)


def _rows(values: Any) -> list[dict[str, Any]]:
    """Return rows in which head 1.1 has these pairs of numbers."""
    return [
        {RUN: run, "entropy_1.1": x, "distance_1.1": y, "role_1.1": "", FAILURE: ""}
        for run, (x, y) in enumerate(values)
    ]


NUMBERS = st.floats(-100, 100, allow_subnormal=False) | st.just(math.nan)


@given(st.lists(st.tuples(NUMBERS, NUMBERS), min_size=1, max_size=9), st.randoms())
def test_that_the_typical_run_is_nearest_the_means_whatever_the_order(values: Any, random: Any) -> None:
    rows, sweep = _rows(values), crossed(MODEL, [("text", [str(each) for each in range(len(values))])])
    random.shuffle(rows)
    heads = heads_of_rows(sweep, rows)
    measures = ("entropy", "distance")
    points = (heads.points(measures[0]), heads.points(measures[1]))
    found = runs_of_head(Head("", 0, 0), measures, points, rows) if heads.heads else None
    pairs = np.array(values)
    both = np.flatnonzero(np.isfinite(pairs).all(axis=1))
    if not len(both):
        assert found is None
        return
    assert found is not None
    with np.errstate(all="ignore"):
        columns = [pairs[np.isfinite(pairs[:, at]), at] for at in (0, 1)]
        far = sum(
            np.square((pairs[both, at] - column.mean()) / (column.std(ddof=1) if len(column) > 1 else np.inf))
            for at, column in enumerate(columns)
            if len(column) > 1 and column.std(ddof=1) > 1e-6
        )
    far = np.broadcast_to(far, both.shape)
    order = both.tolist()
    assert far[order.index(found.typical)] == pytest.approx(far.min(), abs=1e-5)
    assert far[order.index(found.extreme)] == pytest.approx(far.max(), abs=1e-5)


def test_that_runs_with_other_heads_and_failed_runs_do_not_count() -> None:
    rows = _rows([(1.0, 2.0), (3.0, math.nan)])
    rows.append({RUN: 2, "entropy_1.1": 5.0, "entropy_2.3": 7.0, FAILURE: ""})
    rows.append({RUN: 3, "entropy_1.1": 1e9, FAILURE: "the numbers are not the model's"})
    rows.append({RUN: 4, FAILURE: "failed"})
    heads = heads_of_rows(crossed(MODEL, [("text", "abcde")]), rows)
    points = heads.points("entropy")
    assert points.heads == (Head("", 0, 0), Head("", 1, 2))
    assert points.count.tolist() == [3, 1]
    assert points.mean.tolist() == [3, 7]
    assert points.spread[0] == 2
    assert math.isnan(points.spread[1]), "one run has no spread"
    assert math.isnan(heads.points("diagonal").mean[0])
    assert heads.points("distance").count.tolist() == [1, 0]


@pytest.mark.parametrize("lines", [CsvLines(), JsonLines()])
def test_that_rows_of_a_table_give_the_same_numbers(lines: Any, rows: list[dict[str, Any]]) -> None:
    columns = tuple(dict.fromkeys(name for row in rows for name in (*row, "sweep")))
    read = [lines.row(lines.line({**row, "sweep": "x"}, columns), columns) for row in rows]
    np.testing.assert_equal(
        list(rows_of_heads(heads_of_rows(SWEEP, read))), list(rows_of_heads(heads_of_rows(SWEEP, rows)))
    )


def test_that_the_table_of_heads_has_a_row_for_each_head(rows: list[dict[str, Any]]) -> None:
    heads = heads_of_rows(SWEEP, rows)
    table = list(rows_of_heads(heads))
    assert (
        [row["name"] for row in table]
        == [head.name for head in heads.heads]
        == [f"{a}.{b}" for a in (1, 2) for b in (1, 2, 3, 4)]
    )
    points = heads.points("entropy")
    assert [row["entropy_mean"] for row in table] == points.mean.tolist()
    named = [row["role"] for row in table]
    assert [name for name in named if name] == [each.role.name for each in heads.roles.values()]
    assert all((row["role_low"] <= row["role_share"] <= row["role_high"]) for row in table if row["role"])


def test_that_memory_does_not_grow_with_the_runs() -> None:
    heads = heads_of_rows(crossed(MODEL, [("text", "ab")]), [])
    for run in range(2000):
        heads.add({RUN: run, "entropy_1.1": 1e9 + run % 2, FAILURE: ""})
    assert heads._count.nbytes + heads._mean.nbytes + heads._squares.nbytes < 100
    assert heads.points("entropy").spread[0] == pytest.approx((0.25 * 2000 / 1999) ** 0.5, rel=1e-12)
