"""The inspector's cell and row, for runs of every kind: every number is the trace's, and the steps multiply out."""

import itertools
import math
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from attention_hands import weight_said, written
from eyes import colours_of, ground, look
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from legal_specs import attention_values
from plain_numpy import slopes_of, terms_of
from PySide6.QtCore import QRectF, Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot
from small_specs import attention, independent_trace

from attnviz.experiment.colours import DIVERGING, quantise
from attnviz.experiment.fields import painted
from attnviz.experiment.fields.knob import MASK_POLICIES
from attnviz.experiment.files.specs_in_files import preset
from attnviz.experiment.labs import make_spec
from attnviz.experiment.layers.cell import attention_cell
from attnviz.gui.layers.heads_view import cell_matrix
from attnviz.gui.layers.inspector import LayerInspector, TermsTable
from attnviz.gui.layers.words import read_out_of, row_title
from attnviz.gui.plots.matrix.tile import colour_table
from attnviz.gui.theme import LIGHT, Look, restyle
from attnviz.gui.widgets.selection import Selection

EPS = {"float32": 2.0**-23, "float64": 2.0**-52, "bfloat16": 2.0**-7, "float16": 2.0**-10}
LEAST = 2.0**-24
"""The smallest step of float16."""
WEIGHTS = colour_table("viridis", LIGHT)
Place = tuple[int, int, int, int]


@st.composite
def runs(draw: st.DrawFn) -> tuple[Any, Place]:
    """The trace of a legal spec with any of the rules that forbid a cell, and a cell of it."""
    values = draw(attention_values(most=5))
    shape = values["num_queries"], values["num_kvpairs"]
    values |= {
        "window": draw(st.none() | st.integers(1, 5)),
        "document_lens": draw(st.none() | st.lists(st.integers(1, 3), min_size=1, max_size=3)),
        "painted": draw(st.just("") | arrays.arrays(bool, shape).map(painted.write)),
        "upcast": draw(st.booleans()),
    }
    trace = independent_trace(make_spec(values))
    item, head, query, key = (draw(st.integers(0, size - 1)) for size in trace.weights.shape)
    return trace, (item, head, query, key)


@pytest.fixture(scope="module")
def inspector(qapp: QApplication) -> Iterator[LayerInspector]:
    """An inspector as wide as in the window."""
    made = LayerInspector(Look(LIGHT), "attention")
    restyle(made, Look(LIGHT))
    made.resize(296, 900)
    made.show()
    yield made
    made.close()
    made.deleteLater()


def show(inspector: LayerInspector, trace: Any, place: Place) -> None:
    item, *chosen = place
    inspector.of_layer.show_selection(trace.layer, item, Selection(*chosen), WEIGHTS, "")


def read(text: str) -> tuple[float, float]:
    """The number that a step shows, and how far the shown digits may lie from the true one."""
    if text in ("NaN", "∞", "−∞"):
        return {"NaN": math.nan, "∞": math.inf, "−∞": -math.inf}[text], 0.0
    value = float(text)
    return value, 5.1e-5 * abs(value) if "e" in text else 5.1e-6


def why(spec: Any, item: int, query: int, key: int) -> str:
    """Every rule of a spec that forbids a cell, in the window's words."""
    reasons = []
    if spec.causal and key > query:
        reasons.append("causal")
    if spec.valid_lens is not None:
        length = np.broadcast_to(np.array(spec.valid_lens[item]), spec.num_queries)[query]
        reasons += [f"beyond valid length {length}"] if key >= length else []
    if spec.window is not None and abs(query - key) >= spec.window:
        reasons.append(f"outside the window of {spec.window}")
    if spec.document_lens is not None:
        ends = list(itertools.accumulate(spec.document_lens))
        documents = [sum(end <= place for end in ends) for place in (query, key)]
        reasons += (
            ["another document ({} and {})".format(*(number + 1 for number in documents))]
            if len(set(documents)) > 1
            else []
        )
    if painted.forbidden(spec.painted, spec.num_queries, spec.num_kvpairs)[query, key]:
        reasons.append("painted")
    return f"masked: {', '.join(reasons)}" if reasons else "may attend"


def steps_of(trace: Any, place: Place) -> list[tuple[str, str]]:
    """The steps that must be on screen, from the trace alone."""
    spec, (item, head, query, key) = trace.spec, place
    left, right = (
        x.astype(np.float64) for x in (trace.q[item, head, query], trace.k[item, trace.layer.kv_head(head), key])
    )
    terms = left * right
    if trace.features is not None:
        terms = trace.parameters["w_v"][0].astype(np.float64) * trace.features[item, query, key]
    row = trace.masked_scores[item, head, query].astype(np.float64)
    titles = {"additive": "Σ w_v · tanh", "rotary": "Σ R q · R k"}
    steps = [(titles.get(spec.mechanism, "Σ q · k"), written(math.fsum(terms)))]
    if spec.scaled and trace.features is None:
        steps.append((f"÷ √{len(left)}", written(math.sqrt(len(left)))))
    if spec.temperature != 1:
        steps.append(("÷ temperature", written(spec.temperature)))
    if spec.mechanism == "alibi":
        slope = slopes_of(spec.num_heads)[head]
        steps.append((f"− {slope:.3g} × |i − j|", written(-slope * abs(query - key))))
    steps.append(("= score", written(trace.scores[place])))
    steps.append((why(spec, item, query, key), written(trace.masked_scores[place])))
    if trace.mask[item, head, query].any():
        exponentials = np.exp(row - row.max())
        steps.append(("− largest of the row", written(row.max())))
        steps.append(("exp", written(exponentials[key])))
        steps.append(("÷ sum of exp over the row", written(exponentials.sum())))
    else:
        steps.append((f"no valid key: {MASK_POLICIES[spec.mask_policy]}", ""))
    steps.append(("= weight", written(trace.weights[place])))
    if spec.training and spec.dropout > 0:
        steps.append(("after dropout", written(trace.dropped_weights[place])))
    return steps


@given(run=runs())
def test_that_every_step_to_a_weight_is_the_traces_and_says_every_reason_of_a_mask(
    run: tuple[Any, Place], inspector: LayerInspector
) -> None:
    trace, place = run
    show(inspector, trace, place)
    assert inspector.of_layer.cell.isVisibleTo(inspector)
    assert list(inspector.of_layer.cell.steps.steps) == steps_of(trace, place)
    assert trace.mask[place] == (why(trace.spec, place[0], *place[2:]) == "may attend")


@given(run=runs())
def test_that_the_steps_multiply_out_to_the_digits_shown(run: tuple[Any, Place], inspector: LayerInspector) -> None:
    trace, place = run
    show(inspector, trace, place)
    steps = inspector.of_layer.cell.steps.steps
    names = [name for name, _ in steps]
    value, slack = read(steps[0][1])
    size = float(np.abs(trace.q[place[:3]] * trace.k[place[0], trace.layer.kv_head(place[1]), place[3]]).sum())
    if trace.features is not None:
        size = float(np.abs(trace.parameters["w_v"]).sum())
    slack += 16 * EPS[trace.dtype] * size + 16 * LEAST * (trace.dtype == "float16")
    for name, text in steps[1 : names.index("= score")]:
        number, error = read(text)
        if name.startswith("− "):
            value, slack = value + number, slack + error + 16 * EPS[trace.dtype] * abs(number)
            continue
        assert name.startswith("÷")
        value, slack = value / number, slack / number + abs(value) * error / number**2
    score, error = read(steps[names.index("= score")][1])
    rounding = 16 * EPS[trace.dtype] * abs(score) + 16 * LEAST * (trace.dtype == "float16")
    assert abs(value - score) <= slack + error + rounding
    if "exp" in names:
        (top, error), (below, other) = (read(steps[names.index("exp") + place][1]) for place in (0, 1))
        weight, last = read(steps[names.index("= weight")][1])
        slack = error / below + top * other / below**2 + last + 16 * (EPS[trace.dtype] * weight + LEAST)
        assert abs(top / below - weight) <= slack


def is_summed_as_printed(shown: list[str]) -> bool:
    decimals = {len(text.partition(".")[2]) for text in shown}
    return len(decimals) == 1 and decimals.pop() >= 4


@given(run=runs())
def test_that_the_table_of_terms_shows_the_vectors_of_the_trace(
    run: tuple[Any, Place], inspector: LayerInspector
) -> None:
    trace, (item, head, query, key) = run
    show(inspector, trace, run[1])
    model = inspector.of_layer.cell.terms.model()
    columns = terms_of(trace, item, head, query, key)
    horizontal = Qt.Orientation.Horizontal
    assert [model.headerData(place, horizontal) for place in range(model.columnCount())] == list(columns)
    assert {model.rowCount()} == {len(column) for column in columns.values()}
    for place, values in enumerate(columns.values()):
        shown = [model.index(row, place).data() for row in range(model.rowCount())]
        if place == len(columns) - 1 and is_summed_as_printed(shown):
            total = inspector.of_layer.cell.steps.steps[0][1]
            printed = math.fsum(float(text) for text in shown)
            assert "e" in total or written(printed) == total, "what is printed adds up"
            assert [float(text) for text in shown] == pytest.approx(values.astype(np.float64), rel=0, abs=1e-4)
            continue
        if len(columns) == 3:
            assert shown == [f"{value:.4g}" for value in values.astype(np.float64)]
            continue
        for text, value in zip(shown, values.astype(np.float64), strict=True):
            digits = 3 if abs(value) >= 0.1 else 2 if abs(value) >= 0.001 else 1
            assert float(text) == pytest.approx(value, rel=0.51 * 10 ** (1 - digits), abs=0)
            assert len(text) <= 5 or abs(value) >= 100, "it does not fit its column"


def drops(trace: Any) -> bool:
    return bool(trace.spec.training and trace.spec.dropout > 0)


def shown_keys(trace: Any, place: Place, by: Any = None) -> list[int]:
    """The keys of a row that may be attended to or have weight, the largest weight first, or the largest of ``by``."""
    item, head, query, _ = place
    weights = np.nan_to_num(trace.weights[item, head, query])
    keys = np.flatnonzero(trace.mask[item, head, query] | (weights > 0))
    ranks = weights if by is None else np.nan_to_num(by[item, head, query])
    return [int(key) for key in sorted(keys, key=lambda key: (-ranks[key], key))]


@given(run=runs())
def test_that_the_bars_and_facts_of_a_row_are_the_traces(run: tuple[Any, Place], inspector: LayerInspector) -> None:
    trace, place = run
    show(inspector, trace, place)
    row, keys = trace.weights[place[:3]].astype(np.float64), shown_keys(trace, place)
    bars = inspector.of_layer.row.bars
    assert bars.keys == tuple(keys)
    assert bars.accessibleDescription() == ", ".join(f"{trace.key_labels[key]} {row[key]:.3f}" for key in keys)
    total, entropy, allowed = inspector.of_layer.row.facts.texts()
    assert allowed == f"{trace.mask[place[:3]].sum()} of {len(row)} allowed"
    if not np.isnan(row).any():
        held = row[row > 0] / max(row.sum(), 1e-300)  # half precision rounds the sum
        after = trace.dropped_weights[place[:3]].astype(np.float64).sum()
        assert total == (f"{row.sum():.4f}, after dropout {after:.4f}" if drops(trace) else f"{row.sum():.4f}")
        assert float(entropy.removesuffix(" bit")) == pytest.approx(-(held * np.log2(held)).sum(), abs=6e-4)


@given(run=runs())
def test_that_the_strips_of_pooled_values_have_the_colours_of_the_trace(
    run: tuple[Any, Place], inspector: LayerInspector
) -> None:
    trace, place = run
    show(inspector, trace, place)
    item, head, query, _ = place
    keys, pooled = shown_keys(trace, place, trace.dropped_weights)[:5], inspector.of_layer.row.pooled
    assert pooled.keys == tuple(keys)
    vectors = np.stack(
        [*(trace.v[item, trace.layer.kv_head(head), key] for key in keys), trace.heads[item, head, query]]
    )
    reach = float(np.abs(vectors[np.isfinite(vectors)]).max(initial=0)) or 1.0
    expected = colours_of(colour_table(DIVERGING, LIGHT), quantise(vectors, None, -reach, reach))
    pooled.adjustSize()
    seen = look(pooled)
    for line, colours in enumerate(expected):
        strip, width = pooled.strip_of(line), pooled.strip_of(line).width() / vectors.shape[1]
        cells = [QRectF(strip.x() + at * width, strip.y(), width, strip.height()) for at in range(vectors.shape[1])]
        assert [ground(seen, cell) for cell in cells] == colours.tolist()


@given(run=runs())
def test_that_the_summary_for_a_screen_reader_names_the_row_its_top_keys_and_its_entropy(
    run: tuple[Any, Place], inspector: LayerInspector
) -> None:
    trace, place = run
    show(inspector, trace, place)
    row, mask, key = trace.weights[place[:3]].astype(np.float64), trace.mask[place[:3]], place[3]
    who = f"Query {trace.query_names[place[2]]}, head {place[1] + 1}: "
    assert inspector.accessibleDescription() == inspector.of_layer.summary
    if not (mask | (row > 0)).any():  # the textbook's fill gives a row with no valid key weights all the same
        assert inspector.of_layer.summary == f"{who}no valid key"
        return
    first, most, entropy, allowed = inspector.of_layer.summary.removeprefix(who).split("; ")
    tokens = trace.key_labels
    assert first == f"key {tokens[key]}: weight {weight_said(row[key], 3)}{'' if mask[key] else ', masked'}"
    best = ", ".join(f"{tokens[top]} {weight_said(row[top], 3)}" for top in shown_keys(trace, place)[:3])
    assert most == f"attends most to {best}"
    held = row[row > 0] / max(row.sum(), 1e-300)  # half precision rounds the sum
    assert float(entropy.split()[1]) == pytest.approx(-(held * np.log2(held)).sum(), abs=6e-3)
    assert allowed == f"{mask.sum()} of {len(row)} keys allowed"


@pytest.mark.parametrize("policy", ["zero", "book", "inf"])
def test_that_a_row_without_a_valid_key_says_so(policy: str, inspector: LayerInspector) -> None:
    trace = independent_trace(attention(valid_lens=(0, 4), mask_policy=policy, causal=True))
    show(inspector, trace, (0, 1, 1, 2))
    steps = dict(inspector.of_layer.cell.steps.steps)
    assert steps["masked: causal, beyond valid length 0"] == {"inf": "−∞", "zero": "−∞", "book": "-1.0000e+06"}[policy]
    assert steps[f"no valid key: {MASK_POLICIES[policy]}"] == ""
    assert steps["= weight"] == {"inf": "NaN", "zero": "0.00000", "book": "0.25000"}[policy]
    if policy == "book":
        assert "attends most to 1 0.250" in inspector.of_layer.summary, "the weights are even, and are spoken"
        assert inspector.of_layer.summary.endswith("0 of 4 keys allowed")
    else:
        assert inspector.of_layer.summary == "Query 2, head 2: no valid key"
    assert inspector.of_layer.row.facts.texts()[2] == "0 of 4 allowed"


def test_that_what_is_not_a_number_is_written_nan_in_capitals_everywhere(inspector: LayerInspector) -> None:
    trace = independent_trace(attention(valid_lens=(0, 4), mask_policy="inf"))
    show(inspector, trace, (0, 1, 1, 2))
    assert inspector.of_layer.row.facts.texts()[:2] == ("NaN", "NaN bit")
    assert inspector.of_layer.row.pooled.accessibleDescription() == "output NaN, NaN, NaN, NaN"


@pytest.mark.parametrize("compared", ["", "A 0.25, B 0.5"])
def test_that_row_and_cell_fill_the_column_without_margins_of_their_own(
    compared: str, inspector: LayerInspector
) -> None:
    show(inspector, independent_trace(attention()), (0, 1, 1, 2))
    inspector.of_layer.cell.show_compared(compared)
    QApplication.processEvents()
    for section in (inspector.of_layer.row, inspector.of_layer.cell):
        assert section.childrenRect() == section.rect()
        assert (section.x(), section.width()) == (
            inspector.of_layer.heads_fold.x(),
            inspector.of_layer.heads_fold.width(),
        )
    inspector.of_layer.cell.show_compared("")


def test_that_the_cell_stays_in_its_place_whatever_the_row_and_the_order(inspector: LayerInspector) -> None:
    trace = independent_trace(attention(causal=True, num_queries=7, num_kvpairs=7))
    show(inspector, trace, (0, 0, 0, 0))
    QApplication.processEvents()
    places = set()
    for _ in range(2):  # by weight, and by position
        for query in range(7):
            show(inspector, trace, (0, 0, query, 0))
            QApplication.processEvents()
            assert len(inspector.of_layer.row.bars.keys) == query + 1
            places.add(inspector.of_layer.cell.y())
        inspector.of_layer.row.order.click()
    assert len(places) == 1


def test_that_a_word_which_is_the_number_of_its_place_stays_a_word() -> None:
    sentence = {"self_attention": True, "inputs": {"kind": "sentence", "text": "1 2"}}
    trace = independent_trace(attention(num_queries=2, num_kvpairs=2, batch_size=1, **sentence))
    assert row_title(trace.layer, 0, 1) == "QUERY “2”, HEAD 1"
    assert "query 2 “2” · key 1 “1”" in read_out_of(trace.layer, 0, Selection(0, 1, 0))


def test_that_a_token_of_any_length_leaves_the_numbers_in_sight(inspector: LayerInspector) -> None:
    text = f"<s>{'x' * 500} b"
    inputs = {"kind": "sentence", "text": text}
    trace = independent_trace(attention(inputs=inputs, batch_size=1, num_queries=5, num_kvpairs=5))
    show(inspector, trace, (0, 0, trace.layer.query_names.index("x" * 500), 0))
    assert inspector.minimumSizeHint().width() <= 296


@pytest.mark.parametrize("scale", [1.0, 4000.0])
def test_that_a_table_of_five_columns_or_of_large_terms_adds_up_and_no_number_is_cut(
    scale: float, qtbot: QtBot
) -> None:
    spec = attention(mechanism="rotary" if scale == 1 else "multi_head", num_hiddens=32, num_heads=1)
    terms = attention_cell(independent_trace(spec).layer, 0, 0, 1, 2).terms
    *factors, (name, products) = terms.columns
    terms = replace(terms, columns=(*factors, (name, products * scale)))
    table = TermsTable()
    qtbot.addWidget(table)
    table.setFont(Look(LIGHT).font("small"))  # that of the style sheet
    table.restyle(Look(LIGHT))
    table.resize(255, 130)
    table.show_terms(terms)
    table.show()
    model, last = table.model(), len(terms.columns) - 1
    shown = [model.index(row, last).data() for row in range(model.rowCount())]
    assert is_summed_as_printed(shown)
    assert f"{math.fsum(map(float, shown)):.5f}" == f"{terms.total:.5f}"
    for column in range(last + 1):
        texts = (model.index(row, column).data() for row in range(model.rowCount()))
        assert max(map(table.fontMetrics().horizontalAdvance, texts)) <= table.columnWidth(column) - 4


@pytest.mark.parametrize(("name", "exact"), [("sparsemax", True), ("why-root-d", False)])
def test_that_an_exact_zero_and_a_tiny_weight_are_told_apart(inspector: LayerInspector, name: str, exact: bool) -> None:
    trace = independent_trace(preset(name).session.spec)
    weights = trace.weights[0, 0]
    query, key = np.argwhere((weights < 5e-5) & ((weights == 0) == exact))[0]
    matrix = cell_matrix(trace.layer, "weights", 0, 0, "")
    said = "0" if exact else f"{weights[query, key]:.1e}"
    assert matrix.text_of(weights[query, key]) == ("0" if exact else "0.00")
    assert f" · weight {said} · " in read_out_of(trace.layer, 0, Selection(0, query, key))
    show(inspector, trace, (0, 0, int(query), int(key)))
    named = inspector.of_layer.row.bars.accessibleDescription().split(", ")
    assert [each.split()[-1] for each in named if each.split()[0] == str(key + 1)] == [said]
