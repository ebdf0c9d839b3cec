"""The matrices beside each other of every stage of real runs: their numbers, their colours, and that they multiply."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from legal_specs import attention_values
from running import attention_trace

from attnviz.definitions.stages import STAGES, stages_of
from attnviz.experiment.attention.spec import AttentionSpec
from attnviz.experiment.attention.trace import AttentionTrace
from attnviz.experiment.colours import Scale, quantise, symmetric_scale
from attnviz.experiment.labs import make_spec
from attnviz.experiment.layers.panels import Panel, Rows, panels_of
from attnviz.experiment.layers.sentences import key_head_said

EPS = {"float32": 2.0**-23, "float64": 2.0**-52, "bfloat16": 2.0**-7, "float16": 2.0**-10}
SMALL = attention_values(most=5)

DRAWN: tuple[str, ...] = ("project", "rotate", "features", "heads", "output")
HEADED = ("multi_head", "causal_multi_head", "rotary", "alibi")
Array = np.ndarray[Any, Any]


def last(trace: AttentionTrace) -> tuple[int, int, int]:
    """Return the last item, head and query: places that a forgotten index would not meet."""
    batch, heads, queries, _ = trace.weights.shape
    return batch - 1, heads - 1, queries - 1


def panels(trace: AttentionTrace, stage: str) -> Rows:
    return panels_of(trace.layer, stage, *last(trace))


def held(panel: Panel, array: Array) -> None:
    """Check that a panel shows an array of the trace, not a copy with other numbers."""
    np.testing.assert_array_equal(panel.values, array)
    assert panel.values.dtype == array.dtype
    assert panel.levels.shape == panel.values.shape == array.shape


def multiplies(trace: AttentionTrace, before: Array, matrix: Array, after: Array, bias: Array | float = 0.0) -> None:
    """Check ``before @ matrix + bias == after`` within the rounding of the run's format, where it is a number."""
    with np.errstate(invalid="ignore"):
        left, right = before.astype(np.float64), matrix.astype(np.float64)
        expected, size = left @ right + bias, np.abs(left) @ np.abs(right) + np.abs(bias)
    allowed = 8 * EPS[trace.dtype] * size + 2.0**-22 * (trace.dtype == "float16")
    np.testing.assert_array_equal(np.isfinite(expected), np.isfinite(after))
    finite = np.isfinite(expected)
    assert (np.abs(expected - after) <= allowed)[finite].all()


def bias_of(trace: AttentionTrace, letter: str) -> Array | float:
    return trace.parameters.get(f"b_{letter}", 0.0)


# The stages


@pytest.mark.parametrize(
    ("mechanism", "names"),
    [
        ("dot_product", "project scores masked_scores weights output"),
        ("additive", "project features scores masked_scores weights output"),
        ("multi_head", "project split scores masked_scores weights heads merge output"),
        ("causal_multi_head", "project split scores masked_scores weights heads merge output"),
        ("rotary", "project split rotate scores masked_scores weights heads merge output"),
        ("alibi", "project split scores masked_scores weights heads merge output"),
    ],
)
def test_that_dropout_is_a_stage_of_each_module_when_it_acts_and_only_then(mechanism: str, names: str) -> None:
    def stages(**values: Any) -> tuple[str, ...]:
        spec = make_spec({"mechanism": mechanism, **values})
        assert isinstance(spec, AttentionSpec)
        return stages_of(spec)

    assert stages() == stages(dropout=0.5) == stages(training=True) == tuple(names.split())
    dropped = names.replace(" weights ", " weights dropped_weights ")
    assert stages(dropout=0.5, training=True) == tuple(dropped.split())


@given(values=SMALL)
def test_that_a_stage_is_drawn_as_matrices_or_as_cells_or_as_a_reshape(values: dict[str, Any]) -> None:
    trace = attention_trace(**values)
    for stage in stages_of(trace.spec):
        rows = panels(trace, stage)
        assert bool(rows) == (stage in DRAWN), stage
        assert bool(rows) + (STAGES[stage].cells is not None) + STAGES[stage].folds == 1, stage
        for row in rows:
            assert row[0].sign == "" or stage == "features"
            assert all(panel.sign for panel in row[1:])


# Shapes


def arrays_of(trace: AttentionTrace, stage: str) -> tuple[Array, Array]:
    """Return what goes in and what comes out of a stage, as the trace holds it."""
    if stage == "project":
        return trace.queries, trace.keys if trace.spec.mechanism == "dot_product" else trace.projected_q
    if stage == "features":
        assert trace.features is not None
        return trace.projected_q, trace.features
    if stage == "scores":
        return (trace.q if trace.features is None else trace.features), trace.scores
    merged = trace.merged if trace.spec.mechanism in HEADED else trace.dropped_weights
    return {
        "split": (trace.projected_q, trace.q),
        "rotate": (trace.q, trace.q),
        "heads": (trace.dropped_weights, trace.heads),
        "merge": (trace.heads, trace.merged),
        "output": (merged, trace.output),
    }.get(stage, (trace.weights, trace.weights))


@given(values=SMALL)
def test_that_the_shapes_of_a_stage_hold_as_many_numbers_as_its_arrays(values: dict[str, Any]) -> None:
    trace = attention_trace(**values)
    for stage in stages_of(trace.spec):
        shapes, (before, after) = STAGES[stage].shapes(trace.layer, "q"), arrays_of(trace, stage)
        counts = [int(np.prod(shape.sizes)) for shape in shapes]
        assert (counts[0], counts[-1]) == (before.size, after.size), stage
        for shape in shapes:
            letters = shape.letters.split(", ")
            assert len(letters) == len(shape.sizes)
            assert str(shape) == f"({shape.letters}) = ({', '.join(map(str, shape.sizes))})"
            assert letters[0] in ("B", "B·h")
            assert shape.sizes[0] == len(trace.weights) * (trace.num_heads if letters[0] == "B·h" else 1)
        if stage in ("split", "merge"):
            assert len(set(counts)) == 1
            assert [shape.sizes for shape in shapes if shape.letters == "B, h, L, D/h"] == [trace.heads.shape]


def test_that_shapes_worked_by_hand_come_out() -> None:
    trace = attention_trace(num_heads=5, num_hiddens=100, batch_size=2, num_queries=4, num_kvpairs=6)
    assert [str(shape) for shape in STAGES["split"].shapes(trace.layer, "q")] == [
        "(B, L, D) = (2, 4, 100)",
        "(B, L, h, D/h) = (2, 4, 5, 20)",
        "(B, h, L, D/h) = (2, 5, 4, 20)",
        "(B·h, L, D/h) = (10, 4, 20)",
    ]
    assert [str(shape) for shape in STAGES["scores"].shapes(trace.layer, "q")] == [
        "(B·h, L_q, D/h) = (10, 4, 20)",
        "(B·h, L_q, L_k) = (10, 4, 6)",
    ]
    assert [shape.sizes for shape in STAGES["merge"].shapes(trace.layer, "q")] == [
        (10, 4, 20),
        (2, 5, 4, 20),
        (2, 4, 5, 20),
        (2, 4, 100),
    ]


# Panels


@given(values=SMALL)
def test_that_the_levels_of_every_panel_are_its_numbers_on_its_scale(values: dict[str, Any]) -> None:
    trace = attention_trace(**values)
    item, head, _ = last(trace)
    for stage in DRAWN:
        if stage not in stages_of(trace.spec):
            continue
        for panel in (each for row in panels(trace, stage) for each in row):
            if panel.role == "weights":
                acts = trace.spec.dropout_acts
                expected = trace.levels("dropped_weights" if acts else "weights")[item, head]
                # What dropout leaves is larger by 1 / (1 - p), and its colours reach as far.
                assert panel.scale == Scale(0.0, 1 / (1 - trace.spec.dropout) if acts else 1.0)
            else:
                values = panel.values
                if stage == "rotate":  # before and after it on one scale, which a rotation does not leave
                    values = np.stack(
                        [each.values for row in panels(trace, stage) for each in row if each.role == panel.role]
                    )
                assert panel.scale == (Scale(-1.0, 1.0, True) if panel.name == "tanh" else symmetric_scale(values))
                expected = quantise(panel.values, None, panel.scale.low, panel.scale.high)
            np.testing.assert_array_equal(panel.levels, expected)
            assert panel.levels.dtype == np.uint8
            assert (panel.mask is None) == (panel.role != "weights")


@given(values=SMALL)
def test_that_inputs_times_matrices_are_the_projections_beside_them(values: dict[str, Any]) -> None:
    trace = attention_trace(**values)
    item, *_ = last(trace)
    rows = panels(trace, "project")
    given_ = [trace.queries[item], trace.keys[item], trace.values[item]]
    made = [trace.projected_q[item], trace.projected_k[item], trace.projected_v[item]]
    for row, letter, role, source, projected in zip(rows, "qkv", ("q", "k", "v"), given_, made, strict=True):
        assert row[0].row_axis == ("queries" if letter == "q" else "keys")
        held(row[0], source)
        if f"W_{letter}" not in trace.parameters:
            assert [(panel.name, panel.role) for panel in row] == [(letter.upper(), role)]
            continue
        before, matrix, after = row
        has_bias = f"b_{letter}" in trace.parameters
        assert matrix.name == (f"W_{letter}ᵀ + b_{letter}" if has_bias else f"W_{letter}ᵀ")
        assert [panel.sign for panel in row] == ["", "×", "="]
        assert [panel.role for panel in row] == [role, "parameter", role]
        assert after.by_head == ("W_o" in trace.parameters)
        held(matrix, trace.parameters[f"W_{letter}"].T)
        held(after, projected)
        multiplies(trace, before.values, matrix.values, after.values, bias_of(trace, letter))


@given(values=SMALL)
def test_that_the_weights_of_a_head_times_its_values_are_its_output(values: dict[str, Any]) -> None:
    trace = attention_trace(**values)
    item, head, _ = last(trace)
    ((weights, matrix, pooled),) = panels(trace, "heads" if trace.spec.mechanism in HEADED else "output")
    assert [panel.name for panel in (weights, matrix, pooled)] == ["A", "V", "A V"]
    assert [panel.sign for panel in (weights, matrix, pooled)] == ["", "×", "="]
    held(weights, trace.dropped_weights[item, head])
    held(matrix, trace.v[item, head])
    held(pooled, trace.heads[item, head])
    assert np.shares_memory(weights.values, trace.dropped_weights)
    np.testing.assert_array_equal(weights.mask, trace.mask[item, head])
    multiplies(trace, weights.values, matrix.values, pooled.values)


@given(values=SMALL.filter(lambda values: values["mechanism"] in HEADED))
def test_that_the_heads_side_by_side_times_w_o_are_the_output(values: dict[str, Any]) -> None:
    trace = attention_trace(**values)
    item, *_ = last(trace)
    ((merged, matrix, output),) = panels(trace, "output")
    held(merged, trace.merged[item])
    held(matrix, trace.parameters["W_o"].T)
    held(output, trace.output[item])
    assert matrix.name == ("W_oᵀ + b_o" if "b_o" in trace.parameters else "W_oᵀ")
    assert [panel.sign for panel in (merged, matrix, output)] == ["", "×", "="]
    multiplies(trace, merged.values, matrix.values, output.values, bias_of(trace, "o"))


@given(values=SMALL)
def test_that_queries_and_keys_are_drawn_before_and_after_their_rotation(values: dict[str, Any]) -> None:
    trace = attention_trace(**values | {"mechanism": "rotary", "num_hiddens": 4 * values["num_heads"]})
    item, head, _ = last(trace)
    assert trace.unrotated_q is not None
    assert trace.unrotated_k is not None
    (q, turned_q), (k, turned_k) = panels(trace, "rotate")
    held(q, trace.unrotated_q[item, head])
    held(turned_q, trace.q[item, head])
    held(k, trace.unrotated_k[item, trace.layer.kv_head(head)])
    held(turned_k, trace.k[item, trace.layer.kv_head(head)])
    assert [(panel.name, panel.sign) for panel in (q, turned_q, k, turned_k)] == [
        ("Q", ""),
        ("R Q", "→"),
        ("K", ""),
        ("R K", "→"),
    ]


@given(values=SMALL)
def test_that_the_features_of_a_query_are_the_tanh_of_its_sum_with_each_key_and_make_its_scores(
    values: dict[str, Any],
) -> None:
    trace = attention_trace(**values | {"mechanism": "additive"})
    item, _, query = last(trace)
    ((own,), (keys,), (features,), (factors,)) = panels(trace, "features")
    held(own, trace.q[item, 0, query][None])
    held(keys, trace.k[item, 0])
    assert trace.features is not None
    held(features, trace.features[item, query])
    held(factors, trace.parameters["w_v"])
    assert [panel.sign for panel in (keys, features, factors)] == ["+", "→", "·"]
    sums = own.values.astype(np.float64) + keys.values
    rounding = 4 * EPS[trace.dtype] * (1 + np.abs(sums)) + 2.0**-22 * (trace.dtype == "float16")
    assert (np.abs(np.tanh(sums) - features.values) <= rounding).all()
    scores = trace.scores[item, 0, query].astype(np.float64)[:, None]
    multiplies(trace, features.values, factors.values.T / trace.spec.temperature, scores)


def test_that_shared_keys_and_values_are_said_to_be_shared_and_have_shapes_of_their_own() -> None:
    trace = attention_trace(num_heads=4, num_kv_heads=2, num_hiddens=8, num_queries=3, num_kvpairs=5, batch_size=1)
    assert key_head_said(trace.layer, 2).text == "Key head 2 of 2, shared by heads 3 to 4"
    split = STAGES["split"]
    letters = [[shape.letters for shape in split.shapes(trace.layer, name)] for name in "qk"]
    assert letters == [
        ["B, L, D", "B, L, h, D/h", "B, h, L, D/h", "B·h, L, D/h"],
        ["B, L, g·D/h", "B, L, g, D/h", "B, g, L, D/h", "B·g, L, D/h"],
    ]
    assert split.shapes(trace.layer, "k")[-1].sizes == (2, 5, 2)
    assert not key_head_said(attention_trace(num_heads=4, num_hiddens=8).layer, 2)
