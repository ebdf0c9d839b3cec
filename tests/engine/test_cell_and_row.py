"""The arithmetic of one cell and one row, for every cell and row of runs of every kind, against the run's own."""

import math
from collections.abc import Iterator
from dataclasses import fields
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from legal_specs import masked_values
from plain_numpy import terms_of
from running import attention_trace

from attnviz.experiment.attention.trace import AttentionTrace
from attnviz.experiment.layers.cell import AttentionCell, AttentionRow, attention_cell, attention_row
from attnviz.experiment.layers.statistics import ROUNDING

EPS = {"float32": 2.0**-23, "float64": 2.0**-52, "bfloat16": 2.0**-7, "float16": 2.0**-10}
LEAST = 2.0**-24
"""The smallest step of float16, which has no finer one near 0."""

MECHANISMS = ["dot_product", "additive", "multi_head", "rotary", "alibi", "causal_multi_head"]
DTYPES = ["float32", "float64", "float16", "bfloat16"]

Place = tuple[int, int, int, int]
Array = np.ndarray[Any, Any]


def cells(trace: AttentionTrace) -> Iterator[tuple[Place, AttentionCell]]:
    for item, head, query, key in np.ndindex(trace.weights.shape):
        yield (item, head, query, key), attention_cell(trace.layer, item, head, query, key)


def rows(trace: AttentionTrace) -> Iterator[tuple[tuple[int, int, int], AttentionRow]]:
    for item, head, query in np.ndindex(trace.weights.shape[:3]):
        yield (item, head, query), attention_row(trace.layer, item, head, query)


def same(one: Any, other: Any) -> bool:
    return bool(np.array_equal(one, other, equal_nan=True))


# A cell


@given(values=masked_values())
def test_that_every_number_of_a_cell_which_the_trace_holds_is_the_traces_own(values: dict[str, Any]) -> None:
    trace = attention_trace(**values)
    for place, cell in cells(trace):
        for name in ("score", "masked_score", "weight", "dropped_weight"):
            number = getattr(cell, name)
            assert isinstance(number, float)
            assert same(number, getattr(trace, f"{name}s")[place]), name
        assert cell.allowed is bool(trace.mask[place])
        sinks = [step["logit"] for name, step in trace.spec.score_steps.items() if name == "sink"]
        assert cell.empty is (bool(trace.empty_rows[place[:3]]) and not sinks)
        assert same(cell.row_max, max(trace.masked_scores[place[:3]].max(), *sinks, -math.inf))


@given(values=masked_values())
def test_that_the_terms_of_a_cell_are_the_traces_vectors(values: dict[str, Any]) -> None:
    trace = attention_trace(**values)
    for place, cell in cells(trace):
        columns, expected = dict(cell.terms.columns), terms_of(trace, *place)
        assert list(columns) == list(expected)
        assert all(same(column, expected[name]) for name, column in columns.items())
        if trace.features is not None:
            both = columns["W_q q"] + columns["W_k k"]
            rounding = 4 * EPS[trace.dtype] * (1 + np.abs(both)) + LEAST * (trace.dtype == "float16")
            assert (np.abs(np.tanh(both) - columns["tanh"]) <= rounding).all()


def divisor_of(cell: AttentionCell) -> float:
    return math.prod(step.number for step in cell.steps if step.does == "divide")


@given(values=masked_values())
def test_that_the_terms_add_up_to_the_score_of_the_trace(values: dict[str, Any]) -> None:
    trace = attention_trace(**values)
    for place, cell in cells(trace):
        size, divisor = math.fsum(map(abs, cell.terms.columns[-1][1])), divisor_of(cell)
        added = math.fsum(step.number for step in cell.steps if step.does == "add")
        size += abs(added) * divisor
        allowed = 16 * EPS[trace.dtype] * size + 16 * LEAST * (trace.dtype == "float16")
        assert abs(cell.terms.total - (cell.score - added) * divisor) <= allowed * max(1, divisor), place
        assert abs(cell.terms.total / divisor + added - cell.score) <= allowed * max(1, 1 / divisor), place


@given(values=masked_values())
def test_that_the_sum_is_divided_by_the_root_of_a_heads_size_and_by_the_temperature(values: dict[str, Any]) -> None:
    trace = attention_trace(**values)
    d, temperature = trace.q.shape[-1], trace.spec.temperature
    expected = [(f"÷ √{d}", math.sqrt(d))] if trace.spec.scaled and trace.spec.mechanism != "additive" else []
    expected += [("÷ temperature", temperature)] if temperature != 1 else []
    for _, cell in cells(trace):
        assert [(step.line.text, step.number) for step in cell.steps if step.does == "divide"] == expected


@given(values=masked_values())
def test_that_the_exponential_over_the_normaliser_is_the_weight_of_the_trace(values: dict[str, Any]) -> None:
    trace = attention_trace(**values)
    allowed = (
        8 * EPS[trace.dtype] + LEAST * (trace.dtype == "float16") + 16 * EPS["float32"] * (trace.dtype != "float64")
    )
    for place, cell in cells(trace):
        if cell.empty:
            continue
        assert abs(cell.quotient - cell.weight) <= allowed, place
        assert 0 <= cell.exponential <= 1
        assert 1 <= cell.normaliser <= trace.weights.shape[-1] + len(cell.sinks) + 1e-9
        if not cell.allowed:
            assert (cell.exponential, cell.quotient, cell.weight) == (0, 0, 0)


@given(values=masked_values())
def test_that_the_policy_decides_an_empty_row_and_the_quotient_says_what_the_fill_makes_of_it(
    values: dict[str, Any],
) -> None:
    # Query 0 of every item has no key, whatever else is drawn.
    trace = attention_trace(**values | {"painted": f"0: 0-{values['num_kvpairs'] - 1}"})
    for place, cell in cells(trace):
        if not cell.empty:
            continue
        even = 1 / trace.weights.shape[-1]
        finite = trace.spec.mask_policy == "book" and not trace.spec.fills_with_inf
        assert cell.quotient == pytest.approx(even if finite else math.nan, nan_ok=True), place
        expected = {"zero": 0.0, "book": even if finite else math.nan, "inf": math.nan}[trace.spec.mask_policy]
        assert cell.weight == pytest.approx(expected, nan_ok=True, rel=EPS[trace.dtype] * 2, abs=0), place
    assert trace.empty_rows[:, :, 0].all()


@given(values=masked_values(), dropout=st.floats(0.1, 0.9))
def test_that_dropout_leaves_a_weight_out_or_grows_it_by_what_is_kept(values: dict[str, Any], dropout: float) -> None:
    trace = attention_trace(**values | {"dropout": dropout, "training": True, "mask_policy": "zero"})
    least = LEAST * (trace.dtype == "float16") / (1 - dropout)
    for _, cell in cells(trace):
        grown = pytest.approx(cell.weight / (1 - dropout), rel=4 * EPS[trace.dtype], abs=max(2 * least, 3e-45))
        assert cell.dropped_weight in (0, grown)


def test_that_a_cell_worked_by_hand_comes_out() -> None:
    # One-hot tokens of 4 features: q = e0, k = e0 and e1; 1 / (sqrt(4) * 0.5) = 1, so exp(0) against exp(-1).
    trace = attention_trace(
        mechanism="dot_product",
        inputs={"kind": "identity"},
        batch_size=1,
        num_queries=1,
        num_kvpairs=2,
        num_hiddens=4,
        temperature=0.5,
        dtype="float64",
    )
    own, other = (attention_cell(trace.layer, 0, 0, 0, key) for key in (0, 1))
    assert own.terms.columns[-1][1].tolist() == [1, 0, 0, 0]
    assert [(step.line.text, step.number) for step in own.steps] == [("÷ √4", 2), ("÷ temperature", 0.5)]
    assert (own.terms.total, own.score, own.row_max) == (1, 1, 1)
    assert (other.terms.total, other.score) == (0, 0)
    assert (own.exponential, other.exponential) == (1, pytest.approx(math.exp(-1)))
    assert own.normaliser == other.normaliser == pytest.approx(1 + math.exp(-1))
    assert other.quotient == pytest.approx(0.2689414213699951)
    assert other.weight == pytest.approx(other.quotient)


# A row


@given(values=masked_values())
def test_that_every_array_of_a_row_is_a_view_of_the_traces_own(values: dict[str, Any]) -> None:
    trace = attention_trace(**values)
    for (item, head, query), row in rows(trace):
        place = item, head, query
        held = {name: getattr(trace, name)[place] for name in ("mask", "weights", "dropped_weights")}
        held |= {"scores": trace.unmasked_scores[place]}
        held |= {"values": trace.v[item, trace.layer.kv_head(head)], "output": trace.heads[place]}
        held |= {} if trace.dropped is None else {"dropped": trace.dropped[place]}
        assert {f.name for f in fields(row) if isinstance(getattr(row, f.name), np.ndarray)} == set(held)
        for name, array in held.items():
            assert same(getattr(row, name), array), name
            assert np.shares_memory(getattr(row, name), array), name
        assert row.score_name == ("capped score" if "softcap" in trace.spec.score_steps else "score")
        names = trace.key_names  # a name that occurs twice has its number
        apart = tuple(f"{name} ({at})" if names.count(name) > 1 else name for at, name in enumerate(names, 1))
        assert (row.query, row.token, row.key_tokens) == (query, trace.query_names[query], apart)
        assert same(row.row_sum, trace.row_sums[place])


@given(values=masked_values())
def test_that_what_a_row_says_of_itself_follows_from_its_weights_and_its_mask(values: dict[str, Any]) -> None:
    trace = attention_trace(**values)
    for place, row in rows(trace):
        weights = [float(weight) for weight in row.weights]
        wrong = any(map(math.isnan, weights))
        total = math.fsum(weights)
        shares = [w / total if abs(total - 1) > ROUNDING else w for w in weights if w > 0]
        entropy = math.nan if wrong else -math.fsum(share * math.log2(share) for share in shares)
        assert row.entropy == pytest.approx(entropy, nan_ok=True, abs=1e-12)
        assert row.allowed == sum(map(bool, trace.mask[place]))
        assert row.is_empty is (row.allowed == 0)
        assert row.shown.tolist() == [bool(ok) or w > 0 for ok, w in zip(trace.mask[place], weights, strict=True)]
        as_they_stand = row.order(by_weight=False).tolist()
        assert as_they_stand == [key for key, shown in enumerate(row.shown) if shown]
        numbers = [0 if math.isnan(weight) else weight for weight in weights]
        assert row.order(by_weight=True).tolist() == sorted(as_they_stand, key=lambda key: -numbers[key])
        counted = [0 if math.isnan(weight) else float(weight) for weight in row.dropped_weights]
        assert row.pooled.tolist() == sorted(as_they_stand, key=lambda key: -counted[key])


# The policies


@given(values=masked_values())
def test_that_the_policies_agree_on_every_row_with_a_key(values: dict[str, Any]) -> None:
    zero, book, inf = (attention_trace(**values | {"mask_policy": policy}) for policy in ("zero", "book", "inf"))
    held = ~zero.empty_rows
    for other in (book, inf):
        np.testing.assert_array_equal(other.mask, zero.mask)
        for name in ("scores", "weights", "dropped_weights", "heads"):
            one, two = getattr(zero, name)[held], getattr(other, name)[held]
            np.testing.assert_allclose(two, one, rtol=1e-6, atol=1e-6, err_msg=name)


@pytest.mark.parametrize("mechanism", MECHANISMS)
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("upcast", [True, False])
def test_that_the_books_empty_row_is_no_number_in_float16_alone_and_only_without_upcast(
    mechanism: str, dtype: str, upcast: bool
) -> None:
    trace = attention_trace(
        mechanism=mechanism,
        num_heads=2,
        num_hiddens=8,
        num_queries=4,
        valid_lens=[[0, 1, 2, 3], [4, 4, 0, 4]],
        self_attention=True,
        mask_policy="book",
        dtype=dtype,
        upcast=upcast,
    )
    assert trace.empty_rows[0, :, 0].all()
    assert trace.empty_rows[1, :, 2].all()
    broken = dtype == "float16" and not upcast
    assert np.isnan(trace.weights[trace.empty_rows]).all() == broken
    assert np.isnan(trace.heads[trace.empty_rows]).all() == broken
    assert np.isfinite(trace.weights[~trace.empty_rows]).all()
    assert np.isfinite(trace.heads[~trace.empty_rows]).all()
    assert math.isnan(attention_row(trace.layer, 0, 0, 0).entropy) == broken
