"""The sentences of attention traces made by hand, for every special case; those of runs are the engine's tests."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from made_traces import attention_trace, with_layer
from sentence_reader import written_well

from attnviz.experiment.attention.trace import AttentionTrace
from attnviz.experiment.attention.view import AttentionViewSettings
from attnviz.experiment.layers.sentences import sentence_of

NAN = float("nan")
GIVEN = {"mechanism": "given", "inputs": {"kind": "file", "path": "mine.npz"}}
EVEN = [[[[0.25] * 4]]]
SPREAD = [[[[0.2, 0.5, 0.3]]]]
SCORES = [[[[1.0, 2.5, -0.25]]]]


def text_of(trace: AttentionTrace, stage: str = "weights", **view: Any) -> str:
    settings = AttentionViewSettings(stage=stage, **view)  # type: ignore[arg-type]
    return sentence_of(trace.layer, settings.of_layer, settings).text


def test_that_a_word_is_quoted_and_has_its_position_only_where_it_occurs_twice() -> None:
    words = ("the", "cat", "sat", "on", "the", "mat", "and", "the", "dog", "ran")
    weights, scores = np.zeros((1, 2, 10, 10)), np.zeros((1, 2, 10, 10))
    row = [3.27, 1.34, -0.14, 0.2, 2.07, -3.0, -0.52, 2.32, -1.58]
    scores[0, 0, 8, :9] = row
    weights[0, 0, 8, :9] = np.exp(row) / np.exp(row).sum()
    values = {"inputs": {"kind": "sentence", "text": " ".join(words)}, "causal": True, "self_attention": True}
    made = attention_trace(weights, np.tri(10, dtype=bool), scores, **values)
    trace = with_layer(made, query_tokens=words, key_tokens=words)
    assert text_of(trace, query=8) == (
        "Random weights: “dog” gives 51 % of its attention to “the” (1): its score, 3.27, is the largest of 9."
    )
    assert text_of(trace, query=8, key=7) == (
        "Random weights: “dog” gives 20 % of its attention to “the” (8): its score, 2.32, ranks number 2 of 9."
    )
    assert (
        text_of(trace, query=8, key=9)
        == "Random weights: “dog” gives 0 % of its attention to “ran”, which is masked (causal)."
    )
    assert text_of(trace, query=8, key=8).startswith("Random weights: “dog” gives 0.4 % of its attention to itself")
    assert text_of(trace, query=4, key=4, stage="masked_scores") == (
        "Random weights: “the” (5) may attend to itself: the mask keeps its score, 0."
    )


def test_that_tokens_without_words_are_numbers_from_one_and_a_sentence_of_figures_is_words() -> None:
    assert text_of(attention_trace(SPREAD, scores=SCORES)) == (
        "Random weights: query 1 gives 50 % of its attention to key 2: its score, 2.5, is the largest of 3."
    )
    figures = {"inputs": {"kind": "sentence", "text": "0 1 2"}}
    trace = attention_trace([[[[0.2, 0.5, 0.3]] * 3]], scores=[[[SCORES[0][0][0]] * 3]], **figures)
    assert "“0” gives 50 % of its attention to “1”" in text_of(trace, query=0)


@pytest.mark.parametrize("token", ["antidisestablishmentarianism" * 7, "{curly}", "None", "nan"])
def test_that_any_token_is_shown_as_it_is_and_a_long_one_cut(token: str) -> None:
    trace = with_layer(attention_trace(SPREAD, scores=SCORES, **GIVEN), key_tokens=("a", token, "c"))
    name = token if len(token) < 18 else f"{token[:18]}…"
    assert text_of(trace) == f"Given weights: query 1 gives 50 % of its attention to “{name}”, number 1 of its 3 keys."


EMPTY: dict[str, Any] = {"weights": [[[[0.0] * 4]]], "mask": False, "valid_lens": [0]}
NANS = [[[[NAN] * 4]]]
THREE = {"weights": [[EVEN[0][0]] * 3]}
COMPUTED: list[tuple[dict[str, Any], dict[str, Any], str]] = [
    (EMPTY, {}, "Query 1 may attend to no key: the policy Zeros sets its 4 weights to 0."),
    (
        EMPTY | {"weights": EVEN, "mask_policy": "book"},
        {},
        "Query 1 may attend to no key: the policy -1e6 (book) fills its 4 scores with −1e6, so each weight is 0.25.",
    ),
    (
        EMPTY | {"weights": NANS, "mask_policy": "inf"},
        {},
        "Query 1 may attend to no key: the policy -inf (NaN) fills its 4 scores with −∞, so each weight is NaN (not a "
        "number).",
    ),
    (
        EMPTY | {"weights": [[[[0.0]]]]},
        {},
        "Query 1 may attend to no key: the policy Zeros sets its one weight to 0.",
    ),
    ({"weights": NANS}, {}, "Random weights: query 1 has NaN (not a number) as 4 of its 4 weights."),
    (
        {"weights": EVEN, "scores": 1.5},
        {},
        "Random weights: query 1 spreads its attention evenly over its 4 keys, 25 % each. The score of key 1 is 1.5.",
    ),
    (
        {"weights": [[[[0.3, 0.3, 0.3, 0.1]]]], "scores": [[[[2.0, 2.0, 2.0, 1.0]]]]},
        {"key": 1},
        "Random weights: query 1 gives 30 % of its attention to each of 3 keys, key 2 among them, the most of its 4. "
        "The score of key 2 is 2.",
    ),
    (
        {"weights": [[[[1.0, 0.0]]]], "mask": [[[[True, False]]]], "valid_lens": [1]},
        {},
        "Random weights: query 1 may attend to one key alone: key 1 gets 100 % of its attention. The score of key 1 "
        "is 0.",
    ),
    (
        {"weights": SPREAD, "scores": [[[[1.0, np.inf, NAN]]]], "dtype": "float16"},
        {"stage": "scores"},
        "Random weights: 2 of the 3 scores of query 1 did not stay finite in float16 (infinite or NaN).",
    ),
    (
        {"weights": [[[[1.0]]]], "scores": 0.5, "temperature": 2.0},
        {"stage": "scores"},
        "Random weights: query 1 gives key 1 the score 0.5, number 1 of 1 key: their dot product ÷ √2 ÷ temperature.",
    ),
    ({"weights": EVEN}, {"stage": "masked_scores"}, "No mask is on: query 1 may attend to 4 of 4 keys."),
    (
        {"weights": EVEN, "window": 9},
        {"stage": "masked_scores"},
        "Query 1 may attend to 4 of 4 keys; no mask forbids any (window).",
    ),
    (
        {"weights": SPREAD, "mask": [[[[True, True, False]]]], "valid_lens": [2]},
        {"stage": "masked_scores"},
        "Query 1 may attend to 2 of 3 keys; the score of key 3 becomes −∞ (valid lengths).",
    ),
    (
        {"weights": SPREAD, "mask": [[[[True, False, False]]]], "valid_lens": [2], "causal": True},
        {"stage": "masked_scores"},
        "Query 1 may attend to 1 of 3 keys; 2 scores become −∞ (causal 2, valid lengths 1).",
    ),
    (
        {"weights": SPREAD, "mask": [[[[True, True, False]]]], "scores": SCORES}
        | {"document_lens": [2], "painted": "0: 2"},
        {"stage": "masked_scores", "key": 2},
        "Random weights: −∞ replaces the score that query 1 gives key 3, −0.25: another document (1 and 2), painted.",
    ),
    (EMPTY, {"stage": "heads"}, "Random weights: head 1 pools no value for query 1: 2 numbers, all 0."),
    (
        {"weights": [[EVEN[0][0]] * 2]},
        {"stage": "heads", "head": 1},
        "Random weights: head 2 pools 4 values for query 1 into 2 numbers, key 1 with weight 50 %.",
    ),
    (
        THREE,
        {"stage": "split", "head": 2, "split": "k"},
        "The 6 features of K are divided among 3 heads: head 3 takes 5 to 6.",
    ),
    (THREE, {"stage": "merge", "head": 1}, "The row of query 1 has the 6 numbers of 3 heads: head 2 fills 3 to 4."),
    ({"weights": EVEN}, {"stage": "split"}, "The 2 features of Q are divided among 1 head: head 1 takes 1 to 2."),
]


@pytest.mark.parametrize(("values", "view", "expected"), COMPUTED)
def test_that_a_special_case_is_said_as_what_it_is(values: Any, view: Any, expected: str) -> None:
    trace = attention_trace(**values)
    if values.get("mask_policy") == "book":
        trace = with_layer(trace, masked_scores=np.where(trace.mask, trace.scores, np.float32(-1e6)))
    found = text_of(trace, **view)
    assert found == expected
    assert not written_well(found)


FIRST_AND_LAST = [True, False, True]
GIVEN_ROWS: list[tuple[list[float], list[bool], int | None, str]] = [
    ([0.2, 0.5, 0.3], [True] * 3, 0, "query 1 gives 20 % of its attention to key 1, number 3 of its 3 keys."),
    (
        [0.4, 0.2, 0.4],
        [True] * 3,
        None,
        "query 1 gives 40 % of its attention to each of 2 keys, key 1 among them, the most of its 3.",
    ),
    (
        [0.5, 0.5, 0.0],
        [True, True, False],
        1,
        "query 1 spreads its attention evenly over its 2 keys, 50 % each.",
    ),
    (
        [0.0, 1.0, 0.0],
        [False, True, False],
        None,
        "query 1 may attend to one key alone: key 2 gets 100 % of its attention.",
    ),
    ([NAN, 0.5, 0.5], [True] * 3, None, "query 1 has NaN (not a number) as 1 of its 3 weights."),
    ([0.0] * 3, [True] * 3, None, "query 1 attends to no key: its 3 weights are all 0."),
    ([0.0] * 3, [False] * 3, None, "query 1 attends to no key: its 3 weights are all 0."),
    (
        [0.2, 0.4, 0.1],
        [True] * 3,
        None,
        "query 1 gives key 2 the weight 0.4, number 1 of 3; they sum to 0.7, not to 1.",
    ),
    (
        [0.5, 0.3, 0.2],
        FIRST_AND_LAST,
        1,
        "query 1 gives 30 % of its attention to key 2, which is masked (by the mask that was given).",
    ),
    (
        [0.6, 0.0, 0.4],
        FIRST_AND_LAST,
        1,
        "query 1 gives 0 % of its attention to key 2, which is masked (by the mask that was given).",
    ),
]


@pytest.mark.parametrize(("weights", "mask", "key", "expected"), GIVEN_ROWS)
def test_that_given_weights_are_said_to_be_given_and_have_no_scores(
    weights: list[float], mask: list[bool], key: int | None, expected: str
) -> None:
    trace = attention_trace([[[weights]]], [[[mask]]], **GIVEN)
    assert text_of(trace, key=key) == f"Given weights: {expected}"
    assert text_of(trace, "output", key=key) == f"Given weights: {expected}"


DROPPED: list[tuple[list[float], int | None, str]] = [
    ([0.4, 1.0, 0.0], None, "dropout 0.5 sets 1 of 3 weights of query 1 to 0; the rest, × 2, sum to 1.4."),
    ([0.0, 0.0, 0.0], None, "dropout 0.5 sets 3 of 3 weights of query 1 to 0; the rest, × 2, sum to 0."),
    ([0.4, 1.0, 0.0], 1, "dropout 0.5 keeps the weight that query 1 gives key 2: 0.5 × 2 = 1."),
    ([0.4, 1.0, 0.0], 2, "dropout 0.5 sets the weight that query 1 gives key 3, 0.3, to 0."),
]


@pytest.mark.parametrize(("dropped", "key", "expected"), DROPPED)
def test_that_dropout_is_said_with_what_it_drops_and_by_what_the_rest_grows(
    dropped: list[float], key: int | None, expected: str
) -> None:
    trace = attention_trace(SPREAD, dropout=0.5, training=True)
    trace = with_layer(trace, dropped_weights=np.array([[[dropped]]], np.float32))
    assert text_of(trace, "dropped_weights", key=key) == f"Random weights: {expected}"
    pooled = text_of(trace, "heads", key=key)
    assert ("head 1 pools no value" in pooled) == (not any(dropped))


@pytest.mark.parametrize(
    ("inputs", "origin"),
    [
        ({"kind": "random"}, "Random inputs"),
        ({"kind": "ones"}, "All-ones inputs"),
        ({"kind": "identity"}, "One-hot inputs"),
        ({"kind": "sentence", "text": "one"}, "Random embeddings"),
        ({"kind": "file", "path": "mine.npz"}, "Inputs of the file"),
    ],
)
def test_that_scores_of_no_learned_matrix_are_said_to_be_of_their_inputs(inputs: Any, origin: str) -> None:
    values = {"num_kvpairs": 1} if inputs["kind"] == "sentence" else {}
    weights = [[[[1.0]]]] if values else SPREAD
    scores = 0.0 if values else SCORES
    trace = attention_trace(weights, scores=scores, mechanism="dot_product", inputs=inputs)
    assert text_of(trace, "scores").startswith(f"{origin}: ")


def test_that_weights_of_a_file_are_not_said_to_be_random_where_all_that_the_stage_uses_are_its() -> None:
    trace = attention_trace(SPREAD, scores=SCORES, inputs={"kind": "file", "path": "mine.npz"})
    assert text_of(trace).startswith("Random weights: ")
    of_file = with_layer(trace, random_parameters=frozenset({"W_v", "W_o"}))
    assert text_of(of_file).startswith("Inputs of the file: ")
    assert text_of(of_file, "heads").startswith("Random weights: ")  # W_v is random
    assert of_file.untrained_note.text == "Untrained: random weights, seed 0"


def test_that_a_trace_is_untrained_where_a_parameter_is_random() -> None:
    assert attention_trace(SPREAD, seed=3).untrained_note.text == "Untrained: random weights, seed 3"
    assert not attention_trace(SPREAD, mechanism="dot_product").untrained_note.text


@dataclass(frozen=True)
class Pointed:
    """What the mouse points at, unlike the view."""

    head: int = 1
    query: int | None = 0
    key: int | None = 2


def test_that_what_is_pointed_at_decides_and_is_brought_into_the_trace() -> None:
    trace = attention_trace([[SPREAD[0][0], [[0.1, 0.1, 0.8]]]], scores=[[SCORES[0][0], [[1.0, 1.0, 3.0]]]])
    view = AttentionViewSettings(head=0, query=0, key=0)
    assert "80 % of its attention to key 3" in sentence_of(trace.layer, view.of_layer, Pointed()).text
    assert sentence_of(trace.layer, view.of_layer, Pointed(9, 9, 9)) == sentence_of(
        trace.layer, view.of_layer, Pointed()
    )
    assert (
        sentence_of(trace.layer, view.of_layer, Pointed(1, None, None)).text
        == sentence_of(trace.layer, view.of_layer, Pointed()).text
    )
