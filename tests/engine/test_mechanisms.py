"""Every mechanism, by its record: the module, the script, the arithmetic of a cell and the shapes say the same."""

import math
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from legal_specs import masked_values
from running import attention_trace, bits
from scripts import run_scripts

from attnviz.attention import CausalMultiHeadAttention
from attnviz.attention.module import ModuleOptions
from attnviz.attention.modules import MODULES, RecordAttention, make_module
from attnviz.definitions.mechanisms import MECHANISMS
from attnviz.definitions.mechanisms.mechanism import Mechanism, Parameter
from attnviz.definitions.score_steps import acting
from attnviz.definitions.score_steps.step import Place, ScoreStep
from attnviz.definitions.stages import STAGES, stages_of
from attnviz.experiment.arrays import NUMPY
from attnviz.experiment.attention.spec import AttentionSpec
from attnviz.experiment.attention.trace import AttentionTrace
from attnviz.experiment.attention.view import AttentionViewSettings
from attnviz.experiment.labs import Spec, make_spec
from attnviz.experiment.layers.cell import AttentionCell, attention_cell
from attnviz.experiment.layers.sentences import sentence_of
from attnviz.export.code.script import pytorch_code

Left = dict[str, dict[str, Any]]
EPS = {"float32": 2.0**-23, "float64": 2.0**-52, "bfloat16": 2.0**-7, "float16": 2.0**-10}
COMPUTED = [record for record in MECHANISMS.values() if not record.is_given]
EACH = pytest.mark.parametrize("record", COMPUTED, ids=[record.name for record in COMPUTED])
SIZES = {"num_hiddens": 12, "num_heads": 3, "num_queries": 4, "num_kvpairs": 4, "query_size": 6, "context_length": 5}
OPTIONS: dict[str, dict[str, Any]] = {
    "plain": {},
    "warm": {"temperature": 1.7, "bias": True, "scaled": False},
    "masked": {"causal": True, "valid_lens": [2, 3], "dropout": 0.3, "training": True, "temperature": 0.6},
    "stepped": {
        "score_steps": {"softcap": {"cap": 0.7}, "sink": {"logit": 0.5}},
        "valid_lens": [0, 3],
        "mask_policy": "inf",
    },
    "normed": {"score_steps": {"query_key_norm": {}, "softcap": {"cap": 0.7}}, "bias": True, "valid_lens": [2, 3]},
    "sunk": {"score_steps": {"sink": {"logit": -1.5}}, "temperature": 0.5, "upcast": False},
    "grouped": {"num_heads": 4, "num_kv_heads": 2, "bias": True, "num_hiddens": 8},
    "multi_query": {"num_kv_heads": 1, "score_steps": {"query_key_norm": {}}},
    "one_head": {"num_heads": 1, "bias": True, "window": 2, "mask_policy": "book"},
}


def values_of(record: Mechanism, **values: Any) -> dict[str, Any]:
    of_keys = {} if values.get("self_attention") or record.attends_to_itself else {"key_size": 6, "value_size": 7}
    values = {"mechanism": record.name, "device": "cpu"} | SIZES | of_keys | values
    if record.features is not None:  # then there is no product of queries and keys
        steps = values.get("score_steps", {}).items()
        values["score_steps"] = {name: knobs for name, knobs in steps if name != "query_key_norm"}
    return values


def float64(trace: AttentionTrace) -> tuple[np.ndarray, np.ndarray, dict[str, np.ndarray]]:
    each = [trace.layer.kv_head(head) for head in range(trace.num_heads)]
    return (
        trace.q.astype(float),
        trace.k[:, each].astype(float),
        {n: a.astype(float) for n, a in trace.parameters.items()},
    )


def rounding(trace: AttentionTrace, record: Mechanism) -> np.ndarray:
    """How far rounding may carry a score: a few steps of the format, of the size that its terms have."""
    q, k, p = float64(trace)
    assert record.scores is not None
    sizes = np.abs(record.scores(np.abs(q), np.abs(k), {name: np.abs(array) for name, array in p.items()}, NUMPY))
    sizes = sizes + np.abs(added(trace))
    return 32 * EPS[trace.dtype] * (sizes + 1) / min(1.0, trace.spec.temperature)


def added(trace: AttentionTrace) -> np.ndarray:
    """What the record adds to the scores after their divisors, head by head, (h, Q, K)."""
    heads, queries, keys = trace.scores.shape[1:]
    found = np.zeros((heads, queries, keys))
    for step in acting(trace.spec):
        if step.does == "add":
            i, j = np.arange(queries, dtype=float)[:, None], np.arange(keys, dtype=float)
            places = [Place(trace.q.shape[-1], head, i, j) for head in range(heads)]
            found += np.stack([step.amount(trace.spec, place, NUMPY) + 0 * (i + j) for place in places])
    return found


@EACH
def test_that_a_record_says_all_that_the_window_and_the_script_show(record: Mechanism) -> None:
    assert record.title
    assert record.description
    assert record.help.endswith(".")
    assert record.docstring.endswith(".")
    assert all(column.name for column in record.columns)
    assert {"num_queries", "num_kvpairs"}.isdisjoint(record.sizes)


@EACH
@pytest.mark.parametrize("dtype", EPS)
@pytest.mark.parametrize("option", OPTIONS)
def test_that_the_scores_of_the_record_are_those_of_the_module(record: Mechanism, dtype: str, option: str) -> None:
    trace = attention_trace(**values_of(record, dtype=dtype, **OPTIONS[option]))
    q, k, p = float64(trace)
    assert record.scores is not None
    scores = record.scores(q, k, p, NUMPY)
    for step in acting(trace.spec):
        if step.does == "divide":
            scores = scores / step.amount(trace.spec, Place(q.shape[-1]), NUMPY)
    assert (np.abs(scores + added(trace) - trace.scores) <= rounding(trace, record)).all()
    if record.features is not None:
        assert trace.features is not None
        features = record.features.values(q, k, p, NUMPY)[:, 0]
        assert (np.abs(features - trace.features) <= 8 * EPS[dtype] * (1 + np.abs(features))).all()
        assert np.abs(trace.features).max() <= record.features.limit


@given(values=masked_values())
@settings(max_examples=40, deadline=None)
def test_that_the_steps_of_a_cell_end_at_its_score(values: dict[str, Any]) -> None:
    trace = attention_trace(**values)
    allowed = np.broadcast_to(rounding(trace, trace.spec.mechanism_record), trace.scores.shape)
    for place in np.ndindex(trace.scores.shape):
        cell = attention_cell(trace.layer, *place)
        worked_out = cell.steps[-1].after if cell.steps else cell.terms.total
        assert abs(worked_out - cell.score) <= allowed[place], place
        for step in cell.changes:
            assert abs(step.after - step.number) <= allowed[place], place
        assert {len(numbers) for _, numbers in cell.terms.columns} == {trace.q.shape[-1]}


NEARER = ScoreStep(
    name="distance",
    does="add",
    acts=lambda spec: True,
    line="− distance",
    numbers=lambda spec, at: {},
    amount=lambda spec, at, xp: -abs(at.query - at.key) / (at.head + 1),
    latex="- |i - j|",
    spoken=" minus the distance",
)


def added_in(cell: AttentionCell) -> list[tuple[str, float]]:
    return [(step.line.text, step.number) for step in cell.steps if step.does == "add"]


NEARER_OPTIONS = ("plain", "warm", "masked")


@contextmanager
def nearer_added() -> Iterator[Mechanism]:
    """Register multi-head attention in which distance lowers a score, by half as much in head 2."""
    yield MECHANISMS.add(
        replace(MECHANISMS["multi_head"], name="nearer", steps=(*MECHANISMS["multi_head"].steps, NEARER))
    )
    MECHANISMS.remove("nearer")


@pytest.fixture
def nearer() -> Iterator[Mechanism]:
    """That mechanism, registered during a test."""
    with nearer_added() as record:
        yield record


def name_and_spec(record: Mechanism, option: str, dtype: str) -> tuple[str, Spec]:
    return f"{record.name}_{option}_{dtype}", make_spec(values_of(record, dtype=dtype, **OPTIONS[option]))


OF_EVERY_RECORD = dict(name_and_spec(*each) for each in product(COMPUTED, OPTIONS, EPS))


@pytest.fixture(scope="module")
def left(tmp_path_factory: pytest.TempPathFactory) -> Left:
    """What the script of every mechanism leaves with each option and dtype: all are run in one interpreter."""
    scripts = {name: pytorch_code(spec) for name, spec in OF_EVERY_RECORD.items()}
    with nearer_added() as record:
        specs = dict(name_and_spec(record, option, "float64") for option in NEARER_OPTIONS)
        scripts |= {name: pytorch_code(spec) for name, spec in specs.items()}
    return run_scripts(scripts, tmp_path_factory.mktemp("scripts"))


@pytest.mark.parametrize("option", NEARER_OPTIONS)
def test_that_what_a_record_adds_to_the_scores_is_in_module_cell_sentence_and_script(
    nearer: Mechanism, option: str, left: Left
) -> None:
    values = values_of(nearer, dtype="float64", **OPTIONS[option])
    trace, without = attention_trace(**values), attention_trace(**values | {"mechanism": "multi_head"})
    head, query, key = (np.arange(n) for n in trace.scores.shape[1:])
    added = -np.abs(query[:, None] - key) / (head[:, None, None] + 1)
    np.testing.assert_allclose(trace.scores, without.scores + added, rtol=1e-12, atol=1e-12)
    cell = attention_cell(trace.layer, 1, 2, 3, 0)
    assert added_in(cell) == [("− distance", -1.0)]
    worked_out = cell.terms.total / math.prod(step.number for step in cell.steps[:-1]) - 1
    assert worked_out == pytest.approx(cell.score, rel=1e-12) == cell.steps[-1].after
    assert added_in(attention_cell(without.layer, 1, 2, 3, 0)) == []
    view = AttentionViewSettings(stage="scores", query=3, key=0)
    assert "− distance." in sentence_of(trace.layer, view.of_layer, view).text
    assert left[f"nearer_{option}_float64"]["weights"].tobytes() == trace.weights.tobytes()


@EACH
def test_that_a_trace_has_the_parameters_of_the_record_in_its_shapes(record: Mechanism) -> None:
    for bias in (False, True):
        trace = attention_trace(**values_of(record, bias=bias))
        shapes = {each.name: each.shape(trace.spec.sizes) for each in record.parameters}
        biases = {each.bias_name: each.shape(trace.spec.sizes)[:1] for each in record.parameters if each.has_bias(bias)}
        assert {name: array.shape for name, array in trace.parameters.items()} == shapes | biases


@contextmanager
def without_classes() -> Iterator[None]:
    """Let every module be made from its record, as if none had a class of its own."""
    held = dict(MODULES)
    MODULES.clear()
    try:
        yield
    finally:
        MODULES.update(held)


@pytest.mark.parametrize("name", ["dot_product", "additive", "multi_head"])
@pytest.mark.parametrize("dtype", EPS)
@pytest.mark.parametrize("option", OPTIONS)
def test_that_a_module_made_from_the_record_is_the_textbooks_class_bit_for_bit(
    name: str, dtype: str, option: str
) -> None:
    values = values_of(MECHANISMS[name], dtype=dtype, **OPTIONS[option])
    of_class = attention_trace(**values)
    with without_classes():
        assert bits(attention_trace(**values)) == bits(of_class)


def test_that_every_class_belongs_to_a_record_that_names_it() -> None:
    assert {name: made.__name__ for name, made in MODULES.items()} == {
        name: MECHANISMS[name].class_name for name in MODULES
    }


def test_that_given_weights_have_no_module() -> None:
    with pytest.raises(ValueError, match="given weights have no module"):
        make_module(MECHANISMS["given"], {})


def test_that_the_script_of_every_mechanism_leaves_the_runs_numbers_bit_for_bit(left: Left) -> None:
    traces = {name: attention_trace(**spec.model_dump()) for name, spec in OF_EVERY_RECORD.items()}
    differing = [
        name
        for name, trace in traces.items()
        if any(left[name][each].tobytes() != getattr(trace, each).tobytes() for each in ("weights", "output"))
    ]
    assert differing == []


@EACH
def test_that_each_stage_ends_in_the_shape_of_its_array(record: Mechanism) -> None:
    trace = attention_trace(**values_of(record))
    projected = trace.keys if record.projection("queries") is None else trace.projected_q
    arrays = {"project": projected, "split": trace.q, "rotate": trace.q, "merge": trace.merged}
    for stage in stages_of(trace.spec):
        array = arrays[stage] if stage in arrays else getattr(trace, stage)
        after = STAGES[stage].shapes(trace.layer, "q")[-1]
        assert after.sizes[-1] == array.shape[-1], stage
        assert np.prod(after.sizes) == array.size, stage
        assert len(after.letters.split(", ")) == len(after.sizes)


@EACH
def test_that_a_field_is_idle_exactly_where_it_changes_no_number(record: Mechanism) -> None:
    values = values_of(record)
    changes = {"num_heads": 2, "bias": True, "scaled": False, "temperature": 2.0}
    spec = make_spec(values)
    assert isinstance(spec, AttentionSpec)
    active = AttentionSpec.active_fields(spec.model_dump())
    before = attention_trace(**values)
    for field, value in changes.items():
        after = attention_trace(**values | {field: value})
        assert (field in active) == (bits(after) != bits(before)), field


@pytest.mark.parametrize(
    ("changes", "missing"),
    [
        ({"columns": ()}, "columns"),
        ({"torch_scores": "", "latex": ""}, "latex, torch_scores"),
        ({"parameters": (Parameter("W_o", "num_hiddens", "num_hiddens", of="heads"),)}, "must project queries"),
    ],
)
def test_that_a_record_which_lacks_a_part_is_refused_as_it_is_made(changes: dict[str, Any], missing: str) -> None:
    known = {name: getattr(MECHANISMS["dot_product"], name) for name in Mechanism.__dataclass_fields__}
    with pytest.raises(ValueError, match=f"mechanism 'dot_product' .*{missing}"):
        Mechanism(**known | changes)


OF_CLASS = {made: name for name, made in MODULES.items()}
OTHER_SIZES = {"key_size": 6, "value_size": 6, "batch_size": 1}


@pytest.mark.parametrize("module", [*MODULES.values(), RecordAttention], ids=lambda module: module.__name__)
def test_that_an_option_left_out_of_a_module_is_that_of_a_new_spec(module: type) -> None:
    spec = AttentionSpec().model_dump()
    if module is CausalMultiHeadAttention:
        spec["mask_policy"] = "inf"  # the book that it is from fills so
    made: Any = make_module(MECHANISMS[OF_CLASS.get(module, "rotary")], SIZES | OTHER_SIZES, bias=False, dropout=0.0)
    known = {name for name in ModuleOptions.__annotations__ if name in spec}
    assert {"temperature", "mask_policy", "upcast"} <= known
    assert {name: getattr(made, name) for name in known} == {name: spec[name] for name in known}
