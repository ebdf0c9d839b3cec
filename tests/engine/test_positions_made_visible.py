"""What positions do to scores: over distance, in the planes of a rotation, and after a shift of the whole sentence."""

from typing import Any

import numpy as np
import plain_numpy as plain
import pytest
from hypothesis import given
from hypothesis import strategies as st
from running import attention_trace

from attnviz.experiment.attention.positions import (
    chosen_cell,
    knows_positions,
    position_facts,
    scores_at,
    shift_said,
)

SIZES = {"num_heads": 4, "num_kv_heads": 2, "num_hiddens": 24, "num_queries": 7, "num_kvpairs": 9, "bias": True}
OPTIONS: list[dict[str, Any]] = [
    {"mechanism": "rotary"},
    {"mechanism": "rotary", "mechanism_knobs": {"base": 50.0}, "score_steps": {"query_key_norm": {}}},
    {"mechanism": "alibi", "temperature": 0.7},
    {"positions": "sinusoidal", "query_size": 6, "key_size": 5},
    {"mechanism": "rotary", "positions": "sinusoidal"},
    {"mechanism": "dot_product", "positions": "sinusoidal"},
    {"mechanism": "additive", "positions": "sinusoidal", "key_size": 5},
]


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_that_scores_at_their_own_positions_are_those_of_the_run(options: dict[str, Any]) -> None:
    trace = attention_trace(dtype="float64", **SIZES | options)
    assert knows_positions(trace)
    for head in range(trace.num_heads):
        i, j = np.arange(7.0), np.arange(9.0)
        found = scores_at(trace, (1, head), range(7), range(9), i, j)
        np.testing.assert_allclose(found, trace.scores[1, head], rtol=0, atol=1e-6)
        facts = position_facts(trace, 1, (head, 5, 2))
        at = np.flatnonzero(facts.distances == -3)
        np.testing.assert_allclose(facts.scores[at], trace.scores[1, head, 5, 2], rtol=0, atol=1e-6)
        assert facts.score == trace.scores[1, head, 5, 2]
        np.testing.assert_array_equal(facts.row[0], np.arange(9) - 5)
        np.testing.assert_array_equal(facts.row[1], trace.scores[1, head, 5])


@given(shift=st.integers(1, 300), head=st.integers(0, 3), seed=st.integers(0, 99))
def test_that_a_shift_of_the_whole_sentence_changes_no_score_of_rotary_positions_and_alibi(
    shift: int, head: int, seed: int
) -> None:
    for mechanism in ("rotary", "alibi"):
        facts = position_facts(attention_trace(mechanism=mechanism, seed=seed, **SIZES), 0, (head, 3, 4), shift=shift)
        assert facts.largest < 1e-11
        assert "no score changes" in shift_said(facts).text
    added = attention_trace(positions="sinusoidal", seed=seed, **SIZES)
    facts = position_facts(added, 0, (head, 3, 4), shift=shift)
    assert facts.largest > 1e-3
    assert "scores change by up to" in shift_said(facts).text


def test_that_the_scores_over_distance_are_those_of_the_key_moved_there() -> None:
    trace = attention_trace(mechanism="rotary", dtype="float64", **SIZES)
    facts = position_facts(trace, 0, (1, 6, 2))
    q, k = trace.unrotated_q[0, 1, 6], trace.unrotated_k[0, 0, 2]  # type: ignore[index]
    for distance, score in zip(facts.distances.astype(int), facts.scores, strict=True):
        places = 40, 40 + distance
        rows = np.zeros((1, 1, max(places) + 1, 6))
        rows[0, 0, places[0]] = q
        at_query = plain.turned(rows)[0, 0, places[0]]
        rows[0, 0, places[1]] = k
        at_key = plain.turned(rows)[0, 0, places[1]]
        assert score == pytest.approx(at_query @ at_key / np.sqrt(6), abs=1e-9)
    lowered = position_facts(attention_trace(mechanism="alibi", dtype="float64", **SIZES), 0, (1, 6, 2))
    np.testing.assert_allclose(np.diff(lowered.scores), -(2.0**-4) * np.diff(np.abs(lowered.distances)), atol=1e-12)


@given(pair=st.integers(0, 9), shift=st.integers(0, 50))
def test_that_a_plane_has_the_two_features_before_and_after_their_rotation(pair: int, shift: int) -> None:
    trace = attention_trace(mechanism="rotary", dtype="float64", **SIZES)
    facts = position_facts(trace, 1, (3, 4, 6), pair, shift)
    assert facts.pairs == 3
    plane, both = facts.plane, [min(pair, 2), min(pair, 2) + 3]
    assert plane is not None
    assert list(plane.features) == both
    np.testing.assert_array_equal(plane.query[0], trace.unrotated_q[1, 3, 4, both])  # type: ignore[index]
    np.testing.assert_array_equal(plane.key[0], trace.unrotated_k[1, 1, 6, both])  # type: ignore[index]
    assert plane.angles[0] - plane.angles[1] == pytest.approx(-2 * 10000 ** (-2 * both[0] / 6), abs=1e-12)
    if not shift:
        np.testing.assert_allclose(plane.query[1], trace.q[1, 3, 4, both], atol=1e-12)
        np.testing.assert_allclose(plane.key[1], trace.k[1, 1, 6, both], atol=1e-12)
    products = [position_facts(trace, 1, (3, 4, 6), each, shift).plane.product for each in range(3)]  # type: ignore[union-attr]
    assert sum(products) / np.sqrt(6) == pytest.approx(trace.scores[1, 3, 4, 6], abs=1e-9)


def test_that_the_plane_of_added_positions_has_their_sines_and_cosines() -> None:
    trace = attention_trace(inputs={"kind": "sentence", "text": "a cat sat down"}, num_heads=2, num_hiddens=8)
    bare = attention_trace(
        inputs={"kind": "sentence", "text": "a cat sat down"}, positions="none", num_heads=2, num_hiddens=8
    )
    facts = position_facts(trace, 0, (0, 3, 1), pair=1)
    assert facts.plane is not None
    assert facts.pairs == 4
    added = (trace.queries - bare.queries)[0]
    np.testing.assert_allclose(facts.plane.query[1], added[3, list(facts.plane.features)], atol=1e-6)
    np.testing.assert_allclose(facts.plane.key[1], added[1, list(facts.plane.features)], atol=1e-6)


def test_that_only_runs_with_positions_have_the_page_and_a_cell_is_always_chosen() -> None:
    plain_run = attention_trace(**SIZES)
    assert not knows_positions(plain_run)
    assert chosen_cell(plain_run, 0, 9, None, 99) == (3, 6, 8)
    head, query, key = chosen_cell(plain_run, 1, 0, 2, None)
    assert plain_run.weights[1, head, query, key] == plain_run.weights[1, 0, 2].max()
