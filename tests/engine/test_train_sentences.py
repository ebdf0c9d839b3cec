"""The sentence about a training: its words are compared with the trace's arrays."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from sentence_reader import position, same_share, words_of

from attnviz.definitions.roles import ROLES
from attnviz.definitions.text import Text, number_said
from attnviz.engine.run import start
from attnviz.experiment.run import Cursor
from attnviz.experiment.train.sentences import sentence_of
from attnviz.experiment.train.spec import TrainSpec
from attnviz.experiment.train.trace import TrainTrace
from attnviz.experiment.train.view_settings import TrainViewSettings

SPEC = TrainSpec(num_hiddens=32, num_heads=2, learning_rate=0.01, steps=160, seed=2)
# What sentences have beside the words of any.
HEADS = ("has no role", "does", "is off")
EXPECTED = ("cannot be known", "which is right", "answer")


@pytest.fixture(scope="module")
def run() -> Any:
    """A training of an induction model, to its end."""
    going = start(SPEC)
    while not going.final:
        going.advance(lambda: False)
    return going


def traces(run: Any) -> Iterator[TrainTrace]:
    yield from (run.at(Cursor(step=step)) for step in (0, 1, 60, 160))
    off = start(SPEC.model_copy(update={"heads_off": ("1.2",)}), run)
    off.advance(lambda: False)
    yield off.at(Cursor(step=160))


def test_that_every_number_of_the_sentence_is_that_of_the_trace(run: Any) -> None:
    seen: set[tuple[str, str]] = set()
    for trace in traces(run):
        for layer, head, query in np.ndindex(2, 2, len(trace.words)):
            view = TrainViewSettings(layer=layer, head=head, query=query)
            text = sentence_of(trace, view, view)
            steps = {0: "Random weights", 1: "After 1 step"}.get(trace.step, f"After {trace.step} steps")
            assert text.text.startswith(f"{steps}: head ")
            seen.add(check(text, trace, layer, head, query))
    assert seen >= {(each, EXPECTED[0]) for each in HEADS} | {(HEADS[1], EXPECTED[1]), (HEADS[1], EXPECTED[2])}


def test_that_a_typed_sequence_whose_numbers_are_too_large_is_said_to_be_the_reason(run: Any) -> None:
    typed = start(SPEC.model_copy(update={"probe": ("a", "b", "a", "c")}), run)
    typed.advance(lambda: False)
    trace = typed.at(Cursor(step=160))
    logits = trace.logits.copy()
    logits[2] = np.nan
    broken = replace(trace, logits=logits)
    said = [sentence_of(broken, view, view).text for view in (TrainViewSettings(query=query) for query in range(4))]
    assert said[2] == (
        "After 160 steps: numbers at “a” (3) are too large for float32: there is no prediction. "
        "The training goes on: in the task's own sequence they are not."
    )
    assert not any("nan" in text.lower() or "too large" in text for text in (*said[:2], said[3]))


def check(text: Text, trace: TrainTrace, layer: int, head: int, query: int) -> tuple[str, str]:
    """Compare the words of a sentence with the trace; return which forms it has."""
    of_head, of_next = (dict(words_of(text.values[part])) for part in ("head", "expected"))
    row, name = trace.layers[layer].weights[0, head, query], f"{layer + 1}.{head + 1}"
    assert of_head["name"] == name
    assert position(of_head["query"], trace.words, query) == query
    assert position(of_head["key"], trace.words, query) == row.argmax()
    assert same_share(of_head["share"], row.max())
    if "does" in of_head:
        distance = trace.distance(layer, head)
        (role,) = [each for each in ROLES.values() if str(each.does_at(distance)) == of_head["does"]]
        assert same_share(of_head["lowest"], trace.lowest(role, layer, head))
        score = dict(zip(ROLES, trace.role_scores[layer, head], strict=True))[role.name]
        assert same_share(of_head["score"], score)
        assert score >= role.from_score
    assert ("is off" in text.text) == (name in trace.spec.heads_off)
    chances, answer = trace.probabilities[query], trace.answers[query]
    assert of_next["token"] == trace.vocabulary[chances.argmax()]
    assert same_share(of_next["share"], chances.max())
    assert ("cannot be known" in text.text) == (answer is None)
    assert ("which is right" in text.text) == (chances.argmax() == answer)
    assert ("answer" in of_next) == (answer not in (None, chances.argmax()))
    if "answer" in of_next:
        assert of_next["answer"] == trace.vocabulary[answer]  # type: ignore[index]
        assert same_share(of_next["other"], chances[answer])
    has = text.text, *of_head, *of_next
    forms = ([form for form in every if any(form in part for part in has)] for every in (HEADS, EXPECTED))
    return tuple(form[0] for form in forms)  # type: ignore[return-value]


def test_that_the_sentence_of_a_layer_is_that_of_its_attention_and_names_a_head_that_is_off(run: Any) -> None:
    *_, whole, off = traces(run)
    weights = TrainViewSettings(page="layer", layer=1, query=20)
    assert sentence_of(whole, weights, weights).text.startswith("Learned weights: “")
    heads = TrainViewSettings(page="layer", layer=0, head=1, stage="heads", query=20)
    assert sentence_of(off, heads, heads).text == "Head 2 is off: its output is 0 for every token."
    assert "pools" in sentence_of(whole, heads, heads).text


def test_that_without_a_chosen_token_the_last_that_can_be_known_is_looked_at(run: Any) -> None:
    trace = run.at(Cursor(step=160))
    assert trace.answers[trace.first_query] is not None
    assert all(answer is None for answer in trace.answers[trace.first_query + 1 :])
    chosen = TrainViewSettings(query=trace.first_query)
    assert sentence_of(trace, TrainViewSettings(), TrainViewSettings()).text == sentence_of(trace, chosen, chosen).text


def test_that_before_and_after_the_layers_the_sentence_is_about_what_is_drawn(run: Any) -> None:
    trace = run.at(Cursor(step=160))
    token, row = trace.words[3], trace.embedded[3]
    said = {}
    for place in ("tokens", "embed", "prediction"):
        view = TrainViewSettings(page="layer", place=place, query=3)
        said[place] = sentence_of(trace, view, view).text
    assert f"{trace.token_numbers[3] + 1} of {len(trace.vocabulary)}" in said["tokens"]
    assert f"{len(row)} learned numbers, from {number_said(row.min())} to {number_said(row.max())}" in said["embed"]
    assert f"predicts “{trace.vocabulary[trace.predicted[3]]}”" in said["prediction"]
    assert all(f"“{token}”" in each for each in said.values())
