"""The sentences about a row of weights, computed or given, and about the effect of dropout."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from attnviz.definitions.empty_rows import EMPTY_ROW_POLICIES
from attnviz.definitions.score_steps import policy_acts
from attnviz.definitions.text import Text, listed, number_said, percent_said
from attnviz.experiment.layers.subject import Subject
from attnviz.experiment.texts.printed_sums import adding_up

_EQUAL = 1e-6
"""The relative difference up to which weights are equal except for rounding."""
_SUM_ERROR = 0.02
"""The distance from 1 of the sum of weights beyond which they are not called percentages."""


def weights_sentence(subject: Subject) -> Text:
    """Return the sentences about the attention of a query: about its largest weight, or the chosen key."""
    row = subject.row
    values: dict[str, Any] = {"query": subject.the_query, "count": row.weights.size}
    if row.is_empty and not subject.layer.is_given:
        return _about_an_empty_row(subject, values)
    if np.isnan(row.weights).any():
        return subject.say(
            "{query} has NaN (not a number) as {wrong} of its {count} weights.",
            "{query} has NaN (not a number) as its one weight.",
            wrong=np.count_nonzero(np.isnan(row.weights)),
            **values,
        )
    if not row.weights.any():
        return subject.say(
            "{query} attends to no key: its {count} weights are all 0.",
            "{query} attends to no key: its one weight is 0.",
            **values,
        )
    keys = np.flatnonzero(row.shown)
    largest = row.weights[keys].max()
    most = keys[row.weights[keys] >= largest - _EQUAL * abs(largest)]
    key = int(most[0]) if subject.key is None else subject.key
    values = {"query": subject.the_query, "key": subject.the_key(key), "keys": keys.size, "ties": most.size}
    values["share"] = percent_said(row.weights[key])
    values["rank"] = 1 + np.count_nonzero(row.weights[keys] > row.weights[key])
    return listed([_about_a_key(subject, key, most, values), *_notes(subject, key, values)], "{first} {rest}")


def _about_an_empty_row(subject: Subject, values: dict[str, Any]) -> Text:
    """Return the origin of the weights of an empty row: a sink, the chosen policy, or a model's fill."""
    row = subject.row
    if row.sink is not None and row.sink == 1:
        return Text("{query} may attend to no key: the sink takes all of its weight.", values)
    if not policy_acts(subject.layer.steps):
        return Text("{query} may attend to no key: its weights are 0, whatever the policy.", values)
    values |= {"fill": subject.fill(0), "weight": number_said(row.weights[0])}
    policy = EMPTY_ROW_POLICIES.get(subject.layer.mask_policy)
    if policy is None:
        return Text(
            "{query} may attend to no key: with a fill of {fill}, each of its {count} keys gets the weight {weight}.",
            values,
            "{query} may attend to no key: with a fill of {fill}, its one key gets the weight {weight}.",
        )
    return replace(policy.row, values=values | {"policy": Text(policy.title)})


def _about_a_key(subject: Subject, key: int, most: Any, values: dict[str, Any]) -> Text:
    """Return the sentence about a key; ``most`` are those with the largest weight."""
    row = subject.row
    if not row.mask[key]:
        why = subject.why_masked(key)
        return subject.say(
            "{query} gives {share} of its attention to {key}, which is masked ({why}).", why=why, **values
        )
    if (subject.layer.is_given or not subject.layer.sums_to_one) and abs(row.row_sum - 1) > _SUM_ERROR:
        values |= {"weight": number_said(row.weights[key]), "total": number_said(row.row_sum)}
        return subject.say(
            "{query} gives {key} the weight {weight}, number {rank} of {keys}; they sum to {total}, not to 1.", **values
        )
    if values["keys"] == 1:
        return subject.say("{query} may attend to one key alone: {key} gets {share} of its attention.", **values)
    if most.size == values["keys"]:
        return subject.say("{query} spreads its attention evenly over its {keys} keys, {share} each.", **values)
    if most.size > 1 and key in most:
        return subject.say(
            "{query} gives {share} of its attention to each of {ties} keys, {key} among them, the most of its {keys}.",
            **values,
        )
    if subject.layer.is_given:
        return subject.say(
            ("{query} gives {share} of its attention to {key}, number {rank} of its {keys} keys."), **values
        )
    values |= {"name": Text(row.score_name), "score": number_said(row.scores[key])}
    if key in most:
        return subject.say(
            "{query} gives {share} of its attention to {key}: its {name}, {score}, is the largest of {keys}.", **values
        )
    return subject.say(
        "{query} gives {share} of its attention to {key}: its {name}, {score}, ranks number {rank} of {keys}.", **values
    )


def _notes(subject: Subject, key: int, values: dict[str, Any]) -> Iterator[Text]:
    """Yield notes about computed weights: the score of the key, the share of masked keys and of the sink."""
    row = subject.row
    if subject.layer.is_given:
        return
    if row.mask[key] and "score" not in values:
        score = {"key": subject.the_value(key), "score": number_said(row.scores[key]), "name": Text(row.score_name)}
        yield Text("The {name} of {key} is {score}.", score)
    if row.weights[~row.mask].any():
        values = {"masked": percent_said(row.weights[~row.mask].sum(dtype=np.float64))}
        values["fill"] = subject.fill(int(np.flatnonzero(~row.mask)[0]))
        yield Text("Masked keys get {masked}: the fill, {fill}, is not far below the other scores.", values)
    yield from _sink_note(subject)


def _sink_note(subject: Subject) -> Iterator[Text]:
    sink = subject.row.sink
    if sink is not None and np.isfinite(sink):
        yield Text("The sink takes {sink}.", {"sink": percent_said(sink)})


def dropped_weights_sentence(subject: Subject) -> Text:
    """Return the sentence about the effect of dropout on a row, or on the weight of the chosen key."""
    row, rate, key = subject.row, subject.layer.dropout, subject.key
    if row.dropped is None or row.is_empty or (key is not None and not row.mask[key]):
        return weights_sentence(subject)
    values: dict[str, Any] = {
        "rate": number_said(rate),
        "query": subject.the_query,
        "factor": number_said(1 / (1 - rate)),
    }
    if key is not None:
        values |= {"key": subject.the_key(key), "before": number_said(row.weights[key])}
        if row.dropped[key]:
            return subject.say("dropout {rate} sets the weight that {query} gives {key}, {before}, to 0.", **values)
        numbers = row.weights[key], 1 / (1 - rate), row.dropped_weights[key]
        digits = adding_up(lambda digits: "{} × {} = {}".format(*(number_said(each, digits) for each in numbers)))
        values |= zip(("before", "factor", "after"), (number_said(each, digits) for each in numbers), strict=True)
        return subject.say(
            "dropout {rate} keeps the weight that {query} gives {key}: {before} × {factor} = {after}.", **values
        )
    values["dropped"] = np.count_nonzero(row.dropped)
    values["weights"] = Text("{count} weights", {"count": np.count_nonzero(row.weights)}, "{count} weight")
    values["total"] = number_said(row.dropped_weights.sum(dtype=np.float64))
    return subject.say(
        "dropout {rate} sets {dropped} of {weights} of {query} to 0; the rest, × {factor}, sum to {total}.", **values
    )
