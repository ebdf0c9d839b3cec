"""The sentence about a row of weights, computed or given, and about what dropout makes of them."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from attnviz.definitions.text import Text, number_said, percent_said
from attnviz.experiment.layers.subject import Subject

EQUAL = 1e-6
"""The relative difference below which weights are equal but for rounding."""
_ALL_0 = "{query} may attend to no key, so its {count} weights are all 0."
_THE_ONE_0 = "{query} may attend to no key, so its one weight is 0."
_SUM_ERROR = 0.02
"""How far from 1 the sum of given weights may be before their shares are not called percentages."""


def _without_weights(subject: Subject) -> Text | None:
    """Return the sentence about a row that attends to nothing in particular, by its mask; None for any other."""
    row, layer = subject.row, subject.layer
    words: dict[str, Any] = {"query": subject.the_query, "count": row.mask.size, "dtype": layer.dtype}
    if not np.isfinite(row.weights).all():
        if not row.is_empty:
            return subject.say("the weights of {query} are not finite (NaN); a score of its row overflows.", **words)
        if layer.mask_policy == "book":
            return Text(
                "{query} may attend to no key: −1e6 is −∞ in {dtype}, so its {count} weights are NaN (not a number).",
                words,
                "{query} may attend to no key: −1e6 is −∞ in {dtype}, so its one weight is NaN (not a number).",
            )
        return Text(
            "{query} may attend to no key: its scores are all −∞, so its {count} weights are NaN (not a number).",
            words,
            "{query} may attend to no key: its one score is −∞, so its one weight is NaN (not a number).",
        )
    if row.is_empty and not row.weights.any():
        return Text(_ALL_0, words, _THE_ONE_0)
    if row.is_empty:
        return Text(
            "{query} may attend to no key: equal fills of {fill} give each of its {count} keys the same weight, "
            "{share}.",
            words
            | {
                "fill": number_said(subject.layer.masked_scores[subject.item, subject.head, subject.query, 0]),
                "share": percent_said(row.weights[0]),
            },
            "{query} may attend to no key: the fill of {fill} gives its one key all the weight, {share}.",
        )
    return None


def weights_sentence(subject: Subject) -> Text:
    """Return the sentence about the attention of a query: the key that gets most of it, or the chosen one."""
    if subject.layer.is_given:
        return _given_weights(subject)
    said = _computed_weights(subject)
    if subject.row.sink is None or not np.isfinite(subject.row.sink):
        return said
    return Text("{sentence} The sink takes {sink}.", {"sentence": said, "sink": percent_said(subject.row.sink)})


def _computed_weights(subject: Subject) -> Text:
    row = subject.row
    special = _without_weights(subject)
    if special is not None:
        return special
    allowed = np.flatnonzero(row.mask)
    largest = row.weights[allowed].max()
    most = allowed[row.weights[allowed] >= largest * (1 - EQUAL)]
    top = int(most[row.scores[most].argmax()])
    key = subject.key
    words: dict[str, Any] = {
        "query": subject.the_query,
        "key": subject.the_key(top if key is None else key),
        "share": percent_said(row.weights[top if key is None else key]),
        "keys": row.allowed,
        "score": number_said(row.scores[top if key is None else key]),
    }
    if row.weights[~row.mask].any():
        return _masked_weights(subject, words)
    if key is not None and not row.mask[key]:
        return Text("The weight that {query} gives {key} is 0: {why}.", words | {"why": subject.why_masked(key)})
    if row.allowed == 1 and subject.layer.has_sink:
        return subject.say("{query} may attend to one key alone, and gives {key} {share} of its attention.", **words)
    if row.allowed == 1:
        return Text("{query} may attend to one key alone: all its attention, {share}, goes to {key}.", words)
    if len(most) == row.allowed:
        return _even(subject, words)
    if key is not None and key not in most:
        words["rank"] = 1 + int((row.scores[allowed] > row.scores[key]).sum())
        return subject.say(
            "{query} gives {share} of its attention to {key}: its score, {score}, is rank {rank} of {keys}.", **words
        )
    if key is None and len(most) == 2:
        return subject.say(
            "{query} gives {share} of its attention each to {first} and {second}: {score} is the largest of its {keys} "
            "scores.",
            **words,
            **_keys_said(subject, most),
        )
    if len(most) > 1:
        return subject.say(
            "{query} gives {share} of its attention to each of {count} keys, {key} among them, whose score of {score} "
            "is the largest.",
            count=len(most),
            **words,
        )
    return subject.say(
        "{query} gives {share} of its attention to {key}: {score} is the largest of its {keys} scores.", **words
    )


def _masked_weights(subject: Subject, words: dict[str, Any]) -> Text:
    """Return the sentence about a row whose masked keys get weight, as their fill is not far below its scores."""
    row, key = subject.row, subject.key
    first = int(np.flatnonzero(~row.mask)[0])
    words["fill"] = number_said(subject.layer.masked_scores[subject.item, subject.head, subject.query, first])
    words["masked"] = percent_said(row.weights[~row.mask].sum(dtype=np.float64))
    if key is None:
        return subject.say(
            "{query} gives {masked} of its attention to masked keys: the fill, {fill}, is not far below its scores.",
            **words,
        )
    if row.mask[key]:
        return subject.say(
            "{query} gives {share} of its attention to {key} and {masked} to masked keys: the fill, {fill}, is not "
            "far below its scores.",
            **words,
        )
    return subject.say(
        "{query} gives {share} of its attention to {key}, which is masked ({why}): the fill, {fill}, is not far below "
        "its scores.",
        why=subject.why_masked(key),
        **words,
    )


def _even(subject: Subject, words: dict[str, Any]) -> Text:
    """Return the sentence about a row of equal weights."""
    row = subject.row
    scores = row.scores[row.mask]
    if number_said(scores.min()) != number_said(scores.max()):
        return subject.say("{query} spreads its attention evenly over its {keys} keys, {share} each.", **words)
    if subject.is_all_ones:
        return subject.say(
            "{query} spreads its attention evenly over its {keys} keys, {share} each: their scores are equal.",
            of_inputs=True,
            **words,
        )
    return subject.say(
        "{query} spreads its attention evenly over its {keys} keys, {share} each: their scores are all {score}.",
        **words,
    )


def _given_weights(subject: Subject) -> Text:
    row, key = subject.row, subject.key
    words: dict[str, Any] = {"query": subject.the_query, "count": row.mask.size}
    finite = np.isfinite(row.weights)
    if not finite.all():
        return subject.say(
            "the file holds NaN (not a number) for {wrong} of the {count} weights of {query}.",
            "the file holds NaN (not a number) for the one weight of {query}.",
            wrong=int((~finite).sum()),
            **words,
        )
    shown = np.flatnonzero(row.shown)
    if not row.weights.any():
        if row.is_empty:
            return subject.say(_ALL_0, _THE_ONE_0, **words)
        return subject.say(
            "{query} attends to no key: its {count} weights are all 0.",
            "{query} attends to no key: its one weight is 0.",
            **words,
        )
    largest = row.weights[shown].max()
    most = shown[row.weights[shown] >= largest * (1 - EQUAL)]
    about = int(most[0]) if key is None else key
    weight, total = row.weights[about], row.row_sum
    words = {"query": subject.the_query, "key": subject.the_key(about), "keys": shown.size}
    words["share"] = percent_said(weight)
    if not row.mask[about]:
        if weight == 0:
            return subject.say("{query} may not attend to {key} by the mask that was given: its weight is 0.", **words)
        return subject.say(
            "{query} gives {share} of its attention to {key}, which the given mask forbids; rank {rank} of {keys}.",
            rank=1 + int((row.weights > weight).sum()),
            **words,
        )
    if abs(total - 1) > _SUM_ERROR:
        return subject.say(
            "{query} gives {key} the weight {weight}, rank {rank} of {keys}; they sum to {total}, not to 1.",
            weight=number_said(weight),
            rank=1 + int((row.weights > weight).sum()),
            total=number_said(total),
            **words,
        )
    if shown.size == 1:
        return subject.say("{query} attends to one key alone: all its attention, {share}, goes to {key}.", **words)
    if most.size == shown.size:
        return subject.say("{query} spreads its attention evenly over its {keys} keys, {share} each.", **words)
    if about not in most:
        return subject.say(
            "{query} gives {share} of its attention to {key}, rank {rank} of its {keys} keys.",
            rank=1 + int((row.weights > weight).sum()),
            **words,
        )
    if key is None and most.size == 2:
        return subject.say(
            "{query} gives {share} of its attention each to {first} and {second}, the most of its {keys} keys.",
            **words,
            **_keys_said(subject, most),
        )
    if most.size > 1:
        return subject.say(
            "{query} gives {share} of its attention to each of {count} keys, {key} among them, the most of its {keys}.",
            count=most.size,
            **words,
        )
    return subject.say("{query} gives {share} of its attention to {key}, the most of its {keys} keys.", **words)


def dropped_weights_sentence(subject: Subject) -> Text:
    """Return the sentence about what dropout does to a row, or to the weight of the chosen key."""
    row, rate = subject.row, subject.layer.dropout
    weighed = np.flatnonzero(row.weights)
    if row.dropped is None or row.is_empty or (subject.key is not None and not row.mask[subject.key]):
        return weights_sentence(subject)
    words: dict[str, Any] = {
        "rate": number_said(rate),
        "query": subject.the_query,
        "factor": number_said(1 / (1 - rate)),
    }
    key = int(weighed[0]) if subject.key is None and weighed.size == 1 else subject.key
    if key is not None:
        words |= {"key": subject.the_key(key), "before": number_said(row.weights[key])}
        words["after"] = number_said(row.dropped_weights[key])
        if row.dropped[key]:
            return subject.say("dropout {rate} sets the weight that {query} gives {key}, {before}, to 0.", **words)
        return subject.say(
            "dropout {rate} keeps the weight that {query} gives {key}: {before} × {factor} = {after}.", **words
        )
    words |= {"count": int(row.dropped.sum()), "weights": weighed.size}
    if words["count"] == weighed.size:
        return subject.say("dropout {rate} sets all {weights} weights of {query} to 0.", **words)
    words["total"] = number_said(row.dropped_weights.sum(dtype=np.float64))
    return subject.say(
        "dropout {rate} sets {count} of the {weights} weights of {query} to 0; the rest, × {factor}, sum to {total}.",
        **words,
    )


def _keys_said(subject: Subject, keys: NDArray[np.intp]) -> dict[str, Any]:
    return {"first": subject.the_key(int(keys[0])), "second": subject.the_key(int(keys[1]))}
