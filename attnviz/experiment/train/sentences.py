"""The plain sentence about a training: what the chosen head attends to, and what the model predicts.

Positions and heads are counted from one. A token is in quotes, with its position if it occurs twice.
"""

import numpy as np

from attnviz.definitions.counting import head_name
from attnviz.definitions.text import Text, number_said, percent_said
from attnviz.experiment.layers import sentences as layer_sentences
from attnviz.experiment.layers.subject import Subject
from attnviz.experiment.train.marks import roles_said
from attnviz.experiment.train.spec import TrainSpec
from attnviz.experiment.train.trace import TrainTrace
from attnviz.experiment.train.view_settings import TrainViewSettings
from attnviz.experiment.view_settings import Chosen


def stages_of(spec: TrainSpec) -> tuple[str, ...]:
    """Return the stages of each layer's attention."""
    return tuple(stage.name for stage in spec.layer_stages)


def sentence_of(trace: TrainTrace, view: TrainViewSettings, chosen: Chosen) -> Text:
    """Return the sentence about a trace: of the layer's stage, or of the whole."""
    layer = trace.layers[view.layer]
    head = min(chosen.head, trace.num_heads - 1)
    if view.page == "learning":
        return Text("{origin}: {roles}.", {"origin": _origin(trace), "roles": roles_said(trace)})
    if view.page != "layer":
        return _of_the_whole(trace, view, head, chosen)
    if view.place != "layer":
        return _around_the_layers(trace, view.place, chosen)
    return layer_sentences.sentence_of(layer, view.of_layer, chosen)


def expected_said(trace: TrainTrace, chosen: Chosen) -> Text:
    """Return the model's prediction after the chosen token."""
    query = _query_of(trace, chosen)
    return Text("After {query}: {expected}", {"query": _token_said(trace, query), "expected": _expected(trace, query)})


def _query_of(trace: TrainTrace, chosen: Chosen) -> int:
    return trace.first_query if chosen.query is None else min(chosen.query, len(trace.token_numbers) - 1)


def _around_the_layers(trace: TrainTrace, stage: str, chosen: Chosen) -> Text:
    """Return a text about the chosen token before the first layer, or after the last."""
    query = _query_of(trace, chosen)
    values: dict[str, object] = {"query": _token_said(trace, query)}
    if stage == "tokens":
        values["tokens"] = Text("{count} tokens", {"count": len(trace.words)}, "{count} token")
        values |= {"number": trace.token_numbers[query] + 1, "vocabulary": len(trace.vocabulary)}
        return Text("The model reads {tokens}: {query} is number {number} of {vocabulary} there are.", values)
    if stage == "embed":
        row = trace.embedded[query]
        values |= {"hiddens": len(row), "low": number_said(float(row.min())), "high": number_said(float(row.max()))}
        return Text("{query} becomes {hiddens} learned numbers, from {low} to {high}.", values)
    return expected_said(trace, chosen)


def _of_the_whole(trace: TrainTrace, view: TrainViewSettings, head: int, chosen: Chosen) -> Text:
    """Return a text about the chosen head at the chosen token, and the model's prediction."""
    query = _query_of(trace, chosen)
    if not (np.isfinite(trace.logits[query]).all() and np.isfinite(trace.weights[view.layer, head, query]).all()):
        return _too_large(trace, query)
    values = {
        "origin": _origin(trace),
        "head": _head_said(trace, view.layer, head, query),
        "expected": _expected(trace, query),
    }
    return Text("{origin}: {head} {expected}", values)


def _too_large(trace: TrainTrace, query: int) -> Text:
    """Return why there is no prediction.

    A training stops if its task's own sequence has none; a typed one may have none.
    """
    values = {"origin": _origin(trace), "query": _token_said(trace, query), "dtype": trace.dtype}
    why = Text("{origin}: numbers at {query} are too large for {dtype}: there is no prediction.", values)
    if trace.spec.probe is None:
        return why
    return Text("{why} The training goes on: in the task's own sequence they are not.", {"why": why})


def _origin(trace: TrainTrace) -> Text:
    if not trace.step:
        return Text("Random weights")
    return Text("After {count} steps", {"count": trace.step}, "After {count} step")


def _token_said(trace: TrainTrace, query: int) -> Text:
    return Subject(trace.layers[0], "weights", 0, 0, query, None, "q").the_query


def _head_said(trace: TrainTrace, number: int, head: int, query: int) -> Text:
    layer, name = trace.layers[number], head_name(number, head)
    subject = Subject(layer, "weights", 0, head, query, None, "q")
    key = int(layer.weights[0, head, query].argmax())
    share = percent_said(layer.weights[0, head, query, key])
    role = trace.role(number, head)
    values = {"name": name, "query": subject.the_query, "share": share, "key": subject.the_key(key)}
    if head in layer.heads_off:
        return Text("head {name} is off and adds nothing, though {query} gives {share} to {key}.", values)
    if role is None:
        return Text("head {name} has no role; {query} gives {share} of its attention to {key}.", values)
    does = {
        **values,
        "does": role.does_at(trace.distance(number, head)),
        "score": percent_said(trace.score(role, number, head)),
        "lowest": percent_said(trace.lowest(role, number, head)),
    }
    return Text(
        "head {name} {does} ({score}, in every sequence at least {lowest}); {query} gives {share} to {key}.", does
    )


def _expected(trace: TrainTrace, query: int) -> Text:
    """Return the top prediction, and whether it is right."""
    token, answer = int(trace.predicted[query]), trace.answers[query]
    values = {"token": trace.vocabulary[token], "share": percent_said(trace.probabilities[query, token])}
    if answer is None:
        return Text("Next the model predicts “{token}” ({share}); what follows cannot be known.", values)
    if token == answer:
        return Text("Next the model predicts “{token}” ({share}), which is right.", values)
    right = {"answer": trace.vocabulary[answer], "other": percent_said(trace.probabilities[query, answer])}
    return Text(
        "Next the model predicts “{token}” ({share}); the right token is “{answer}”, with {other}.", values | right
    )
