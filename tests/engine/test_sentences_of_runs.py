"""The sentence of every stage of a run: its words are compared with the arrays."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pytest
from attention_sentences import read_attention
from hypothesis import given
from legal_specs import attention_values, given_arrays, masked_values, regression_values
from regression_sentences import read_regression
from running import attention_trace, events, regression_traces
from sentence_reader import written_well

from attnviz.definitions.mechanisms import MECHANISMS
from attnviz.definitions.stages import stages_of
from attnviz.experiment.attention.trace import AttentionTrace
from attnviz.experiment.attention.view import AttentionViewSettings
from attnviz.experiment.files.specs_in_files import presets
from attnviz.experiment.labs import LABS
from attnviz.experiment.regression.trace import RegressionTrace
from attnviz.experiment.regression.view_settings import STAGES, RegressionViewSettings

ATTENTION = [name for name, preset in presets().items() if preset.spec.lab == "attention"]


def views_of(trace: AttentionTrace, stage: str) -> list[AttentionViewSettings]:
    """A few chosen rows and cells: the first and the last of everything."""
    items, heads, queries, keys = trace.weights.shape
    places = {(items - 1, heads - 1, queries - 1, None), (0, 0, 0, None), (0, heads - 1, queries // 2, 0)}
    places |= {(0, 0, queries - 1, keys - 1), (items - 1, 0, queries - 1, min(2, keys - 1)), (0, 0, queries // 2, None)}
    return [
        AttentionViewSettings(stage=stage, item=item, head=head, query=query, key=key)  # type: ignore[arg-type]
        for item, head, query, key in sorted(places, key=str)
    ]


def texts_of(trace: AttentionTrace) -> list[str]:
    """Every checked sentence of a trace."""
    found = []
    for stage in stages_of(trace.spec):
        for view in views_of(trace, stage):
            text = LABS["attention"].sentence_of(trace, view, view)
            read_attention(text, trace, view)
            assert not written_well(text.text), text
            found.append(text.text)
    return found


@pytest.mark.parametrize("name", ATTENTION)
def test_that_the_sentences_of_a_preset_say_the_numbers_of_its_trace(name: str) -> None:
    texts = texts_of(attention_trace(**presets()[name].spec.model_dump()))
    assert median(map(len, texts)) <= 110
    assert max(map(len, texts)) <= 130


def computed(values: dict[str, Any]) -> AttentionTrace | None:
    """The trace of legal values; None where their scores overflow their number format."""
    (event,) = events(values)
    return event if isinstance(event, AttentionTrace) else None


@given(values=attention_values(most=9))
def test_that_the_sentences_of_any_run_say_its_numbers(values: dict[str, Any]) -> None:
    trace = computed(values)
    if trace is not None:
        texts_of(trace)


@given(values=masked_values())
def test_that_the_sentences_of_a_masked_run_say_its_numbers_and_masks(values: dict[str, Any]) -> None:
    trace = computed(values | {"dtype": "float32"})
    if trace is not None:
        texts_of(trace)


def test_that_masked_keys_which_get_weight_are_said_to_get_it() -> None:
    """A fill of −1e6 masks nothing where the scores are as low."""
    values = {"num_heads": 1, "num_hiddens": 8, "batch_size": 1, "num_queries": 5, "self_attention": True}
    fill = {"causal": True, "mask_policy": "book", "temperature": 1e-7, "scaled": False, "seed": 0}
    trace = attention_trace(**values, **fill)
    assert trace.weights[0, 0, 0, 0] == 0
    assert (trace.weights[0, 0, 0, 1:] == 0.25).all()
    texts = []
    for key in (None, 0, 4):
        view = AttentionViewSettings(query=0, key=key)
        text = LABS["attention"].sentence_of(trace, view, view)
        read_attention(text, trace, view)
        texts.append(text.text)
    note = "Masked keys get 100 %: the fill, −1e6, is not far below the other scores."
    assert all(text.endswith(note) for text in texts)
    assert "gives 0 % of its attention to itself" in texts[1]
    assert "gives 25 % of its attention to key 5, which is masked (causal)" in texts[2]


@given(arrays=given_arrays())
def test_that_the_sentences_of_given_weights_say_their_numbers(arrays: dict[str, Any]) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder, "mine.npz")
        np.savez(path, **arrays)
        trace = attention_trace(mechanism="given", inputs={"kind": "file", "path": str(path)})
    every = product(*map(range, trace.weights.shape[:3]), (None, *range(trace.weights.shape[3])))
    for item, head, query, key in every:
        view = AttentionViewSettings(item=item, head=head, query=query, key=key)
        text = LABS["attention"].sentence_of(trace, view, view)
        read_attention(text, trace, view)
        assert text.text.startswith("Given weights: ")
        assert not written_well(text.text), text


@pytest.fixture
def wordless() -> Iterator[str]:
    """A registered mechanism that has no words of its own for its scores."""
    record = replace(MECHANISMS["dot_product"], name="wordless", score_words="", class_name="WordlessAttention")
    MECHANISMS.add(record)
    yield record.name
    MECHANISMS.remove(record.name)


def test_that_every_registered_mechanism_has_sentences_at_all_its_stages(wordless: str) -> None:
    for name in [name for name, record in MECHANISMS.items() if not record.is_given]:
        texts = texts_of(attention_trace(mechanism=name, num_queries=4, num_kvpairs=4, context_length=4))
        random = name not in (wordless, "dot_product")
        scored = [text for text in texts if " score" in text and "become" not in text]
        assert any(MECHANISMS[name].score_words.partition("{")[0] in text for text in scored)
        assert all(text.startswith("Random weights: " if random else "Random inputs: ") for text in scored)


def test_that_the_parameters_of_a_file_are_not_called_random(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    arrays = {name: rng.normal(size=(3, 4)).astype(np.float32) for name in ("queries", "keys", "values")}
    matrices = {name: rng.normal(size=(4, 4)).astype(np.float32) for name in ("W_q", "W_k", "W_v", "W_o")}
    values = {"num_hiddens": 4, "num_heads": 2, "inputs": {"kind": "file", "path": str(tmp_path / "mine.npz")}}
    np.savez(tmp_path / "mine.npz", **arrays, **matrices)
    trace = attention_trace(**values)
    assert not trace.random_parameters
    assert not trace.untrained_note.text
    assert not trace.untrained_note.text
    assert not [text for text in texts_of(trace) if "Random" in text]
    np.savez(tmp_path / "mine.npz", **arrays, W_q=matrices["W_q"], W_k=matrices["W_k"])
    trace = attention_trace(**values)
    assert trace.random_parameters == {"W_v", "W_o"}
    assert trace.untrained_note.text == "Untrained: random weights, seed 0"


def test_that_a_run_has_the_same_sentences_again() -> None:
    values = presets()["mask-laboratory"].spec.model_dump()
    assert texts_of(attention_trace(**values)) == texts_of(attention_trace(**values))


REGRESSION = [name for name, preset in presets().items() if preset.spec.lab == "regression"]


def regression_texts(trace: RegressionTrace) -> list[str]:
    """Every checked sentence of a trace about a few queries, points and heads."""
    queries, points = trace.weights.shape
    found = []
    heads = (0, 1, trace.num_heads) if trace.num_heads > 1 else (0,)
    for stage, head, query, key in product(STAGES, heads, (None, 0, queries - 1), (None, 0, points // 2)):
        view = RegressionViewSettings(stage=stage, head=head, query=query, key=key)
        text = LABS["regression"].sentence_of(trace, view, view)
        read_regression(text, trace, view)
        assert not written_well(text.text), text
        found.append(text.text)
    return found


@pytest.mark.parametrize("name", REGRESSION)
def test_that_the_sentences_of_a_training_say_the_numbers_of_each_step(name: str) -> None:
    traces = regression_traces(untrained_first=True, **presets()[name].spec.model_dump())
    texts = [
        text
        for trace in {0: traces[0], 1: traces[len(traces) // 2], 2: traces[-1]}.values()
        for text in regression_texts(trace)
    ]
    assert median(map(len, texts)) <= 110
    assert max(map(len, texts)) <= 140


@given(values=regression_values())
def test_that_the_sentences_of_any_regression_say_its_numbers(values: dict[str, Any]) -> None:
    found = [event for event in events(values, untrained_first=True) if isinstance(event, RegressionTrace)]
    for trace in found[:1] + found[-1:]:
        regression_texts(trace)
