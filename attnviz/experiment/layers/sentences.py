"""The one sentence of a stage of attention: its chosen row or cell in plain words, with the layer's numbers.

Queries, keys and heads are counted from one. A token is in quotes, with its position where the word occurs twice; an
input without words is a number. With a key chosen the sentence is about that cell, else about the row.
"""

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from attnviz.definitions.counting import SCREEN
from attnviz.definitions.score_steps import SCORE_STEPS
from attnviz.definitions.score_steps.step import Place, ScoreStep
from attnviz.definitions.stages import STAGES
from attnviz.definitions.text import English, Text, listed, number_said, percent_said
from attnviz.experiment.arrays import NUMPY
from attnviz.experiment.layers.layer import Layer
from attnviz.experiment.layers.settings import LayerSettings
from attnviz.experiment.layers.subject import Subject
from attnviz.experiment.layers.view import LayerViewSettings
from attnviz.experiment.layers.weight_sentences import EQUAL, dropped_weights_sentence, weights_sentence
from attnviz.experiment.view_settings import Chosen


def sentence_about(trace: Any, view: LayerViewSettings, chosen: Chosen) -> Text:
    """Return the sentence about the layer of a trace that a view shows, and what must be known of it.

    It is empty if the layer has not come.
    """
    layer = trace.layers.layer(view.layer)
    if layer is None:
        return Text()
    sentence = sentence_of(layer, view.of_layer, chosen)
    return Text("{sentence} {note}", {"sentence": sentence, "note": layer.note}) if layer.note.template else sentence


def sentence_of(layer: Layer, view: LayerSettings, chosen: Chosen) -> Text:
    """Return the sentence about a view of a layer; without a chosen query it is about the last one."""
    *_, queries, keys = layer.weights.shape
    subject = Subject(
        layer=layer,
        stage=view.stage,
        item=min(view.item, layer.items - 1),
        head=min(chosen.head, layer.num_heads - 1),
        query=queries - 1 if chosen.query is None else min(chosen.query, queries - 1),
        key=None if chosen.key is None else min(chosen.key, keys - 1),
        split=view.split,
    )
    return _SENTENCES["weights" if layer.is_given else view.stage](subject)


def _project(subject: Subject) -> Text:
    layer, record = subject.layer, subject.layer.mechanism
    projections = [parameter for parameter in record.parameters if parameter.of in ("queries", "keys", "values")]
    if not projections:
        return subject.say(
            "nothing is projected; queries and keys of {numbers} are compared as they are.",
            numbers=_numbers(layer.queries.shape[-1]),
        )
    names = [projection.name for projection in projections]
    kinds = [Text(_KINDS[projection.of]) for projection in projections]
    shapes = [layer.parameters[projection.name].shape for projection in projections]
    if len(set(shapes)) == 1:
        made, given = shapes[0]
        return subject.say(
            "{layers} turn inputs of {given} into {kinds} of {made}.",
            layers=listed(names),
            kinds=listed(kinds),
            given=_numbers(given),
            made=made,
        )
    parts = [
        Text("{layer} turns {kind} of {given} into {made}", {"layer": n, "kind": k, "given": _numbers(i), "made": o})
        for n, k, (o, i) in zip(names, kinds, shapes, strict=True)
    ]
    return subject.say("{parts}.", parts=listed(parts))


_KINDS: dict[str, English] = {"queries": "queries", "keys": "keys", "values": "values"}


def _split(subject: Subject) -> Text:
    _, heads, _, size = subject.layer.split_into_heads(subject.split).shape
    head = subject.head if subject.split == "q" else subject.layer.kv_head(subject.head)
    if heads == 1:
        words = {"count": size, "name": subject.split.upper()}
        return Text(
            "One head takes all {count} features of {name}.", words, "One head takes the one feature of {name}."
        )
    return Text(
        "The {all} features of {name} are shared by {heads} heads: head {head} takes {first} to {last}.",
        {"all": heads * size, "name": subject.split.upper(), "heads": heads, **_slice(head, size)},
    )


def _rotate(subject: Subject) -> Text:
    """Say how far the first pair of features is turned, which turns the fastest: by one radian per place."""
    layer, rotation = subject.layer, subject.layer.mechanism.rotation
    assert rotation is not None
    size = layer.q.shape[-1]
    pair = 0, rotation.partner(0, size)
    words: dict[str, Any] = {
        "first": SCREEN.number(pair[0]),
        "second": SCREEN.number(pair[1]),
        "query": subject.the_query,
        "place": SCREEN.number(subject.query),
        "angle": number_said(rotation.angle(subject.query, pair[0], size)),
    }
    if subject.key is not None:
        words |= {
            "key": subject.the_value(subject.key),
            "other": SCREEN.number(subject.key),
            "turned": number_said(rotation.angle(subject.key, pair[0], size)),
            "distance": abs(subject.query - subject.key),
        }
        return Text(
            "Features {first} and {second} of {query} at place {place} are turned by {angle} rad, of {key} at place "
            "{other} by {turned} rad: the distance is {distance}.",
            words,
        )
    for name, array in (("x", layer.split_into_heads("q")), ("y", layer.q)):
        numbers = array[subject.item, subject.head, subject.query, list(pair)]
        words |= {f"{name}_{number}": number_said(each) for number, each in enumerate(numbers, 1)}
    return subject.say(
        "features {first} and {second} of {query} at place {place} are turned by {angle} rad in head {head}: {x_1} and "
        "{x_2} become {y_1} and {y_2}.",
        head=SCREEN.head(subject.head),
        **words,
    )


def _merge(subject: Subject) -> Text:
    heads, size = subject.layer.num_heads, subject.row.output.size
    if heads == 1:
        return Text(
            "The {count} numbers of the one head are already the row of {query}.",
            {"count": size, "query": subject.the_query},
            "The one number of the one head is already the row of {query}.",
        )
    return Text(
        "The {heads} heads are put side by side, {all} numbers for {query}: head {head} fills {first} to {last}.",
        {"heads": heads, "all": heads * size, "query": subject.the_query, **_slice(subject.head, size)},
    )


def _numbers(count: int) -> Text:
    return Text("{count} numbers", {"count": count}, "{count} number")


def _slice(head: int, size: int) -> dict[str, int]:
    return {"head": SCREEN.head(head), "first": SCREEN.number(head * size), "last": (head + 1) * size}


def _features(subject: Subject) -> Text:
    layer, record = subject.layer, subject.layer.mechanism
    assert record.features is not None
    name = record.features.name
    assert layer.features is not None
    key = int(subject.row.scores.argmax()) if subject.key is None else subject.key
    found = layer.features[subject.item, subject.query, key]
    return subject.say(
        "{query} and {key} have {features}, from {low} to {high}; {factors} weighs and sums them.",
        query=subject.the_query,
        key=subject.the_key(key),
        features=Text("{count} {name} features", {"count": found.size, "name": name}, "{count} {name} feature"),
        low=number_said(found.min()),
        high=number_said(found.max()),
        factors=record.features.factors,
    )


def _scores(subject: Subject) -> Text:
    row, count = subject.row, subject.row.scores.size
    finite = np.isfinite(row.scores)
    if not finite.all():
        return subject.say(
            "{wrong} of the {count} scores of {query} did not stay finite in {dtype} (infinite or NaN).",
            "the one score of {query} did not stay finite in {dtype} (infinite or NaN).",
            wrong=count - int(finite.sum()),
            count=count,
            query=subject.the_query,
            dtype=subject.layer.dtype,
        )
    top = int(row.scores.argmax())
    about = top if subject.key is None else subject.key
    words: dict[str, Any] = {
        "query": subject.the_query,
        "key": subject.the_key(about),
        "count": count,
        "score": number_said(row.scores[about]),
        "how": _how(subject),
    }
    if count == 1:
        return subject.say("the one key of {query} has the score {score}: {how}.", **words)
    if number_said(row.scores.min()) == number_said(row.scores[top]):
        return subject.say("{query} gives each of its {count} keys the score {score}: {how}.", **words)
    if row.scores[about] == row.scores[top]:
        return subject.say("{query} gives {key} the highest of its {count} scores, {score}: {how}.", **words)
    words["rank"] = 1 + int((row.scores > row.scores[about]).sum())
    return subject.say("{query} gives {key} the score {score}, rank {rank} of {count}: {how}.", **words)


def _how(subject: Subject) -> Text:
    """Return how a score is made: "their dot product ÷ √8"; the sum's title for a mechanism without words for it."""
    layer, record, d = subject.layer, subject.layer.mechanism, subject.layer.q.shape[-1]
    parts = [Text(record.score_words or record.sum_title, {"d": d} | layer.mechanism_knobs)]
    steps = (step for step in layer.steps if step.does in ("divide", "add"))
    parts += [Text(step.line, step.words(layer.knobs, Place(d, subject.head))) for step in steps]
    return listed(parts, "{first} {rest}")


def _changed(subject: Subject, step: ScoreStep) -> Text:
    """Return what a step makes of the chosen score, or of the largest one of the row."""
    assert step.stage is not None
    layer, place = subject.layer, (subject.item, subject.head, subject.query)
    names = ["", *layer.changed_scores]
    after = layer.changed_scores[step.stage.name][place]
    earlier = names[names.index(step.stage.name) - 1]
    before = layer.changed_scores[earlier][place] if earlier else subject.row.scores
    about = int(before.argmax()) if subject.key is None else subject.key
    words: dict[str, Any] = {
        "query": subject.the_query,
        "key": subject.the_key(about),
        "count": after.size,
        "before": number_said(before[about]),
        "after": number_said(after[about]),
    }
    numbers = step.words(layer.knobs, Place(layer.q.shape[-1], subject.head))
    words |= {name: number_said(number) for name, number in numbers.items()}
    of_row = subject.key is None and after.size > 1
    return subject.say(step.stage.of_row if of_row else step.stage.of_cell, **words)


def _masked_scores(subject: Subject) -> Text:
    row = subject.row
    words: dict[str, Any] = {"query": subject.the_query, "keys": row.mask.size}
    if subject.key is not None:
        before = subject.layer.unmasked_scores[subject.item, subject.head, subject.query, subject.key]
        words["key"], words["score"] = subject.the_key(subject.key), number_said(before)
        if row.mask[subject.key]:
            return subject.say("{query} may attend to {key}: the mask keeps its score, {score}.", **words)
        words |= {"fill": _fill(subject, subject.key), "why": subject.why_masked(subject.key)}
        return subject.say("{fill} replaces the score that {query} gives {key}, {score}: {why}.", **words)
    masked = row.mask.size - row.allowed
    if not masked and row.mask.size == 1:
        return Text("{query} may attend to its one key, {key}.", words | {"key": subject.the_key(0)})
    if not masked:
        masks = [Text(mask.words) for mask, _ in subject.layer.masks or ()]
        if not masks:
            return Text("No mask is on: {query} may attend to all its keys, {keys} of {keys}.", words)
        return Text(
            "{query} may attend to all its keys, {keys} of {keys}; no mask forbids one ({masks}).",
            words | {"masks": listed(masks)},
        )
    first = int(np.flatnonzero(~row.mask)[0])
    words |= {"masked": masked, "allowed": row.allowed, "fill": _fill(subject, first), "why": _masks_of_row(subject)}
    if row.is_empty:
        return Text(
            "{query} may attend to none of its {count} keys: all scores become {fill} ({why}).",
            words | {"count": row.mask.size},
            "{query} may not attend to its one key: the score becomes {fill} ({why}).",
        )
    if masked == 1:
        return Text(
            "{query} may attend to {allowed} of {keys} keys; the score of {key} becomes {fill} ({why}).",
            words | {"key": subject.the_key(first)},
        )
    return Text("{query} may attend to {allowed} of {keys} keys; {masked} scores become {fill} ({why}).", words)


def _fill(subject: Subject, key: int) -> str:
    return number_said(subject.layer.masked_scores[subject.item, subject.head, subject.query, key])


def _masks_of_row(subject: Subject) -> Text:
    """Return the masks that forbid a key of the row, each with the number of these keys if there are several."""
    places = [[[[subject.item]]]], [[[subject.head]]], [[subject.query]], range(subject.row.mask.size)
    b, h, i, j = (np.array(place, np.int32) for place in places)
    found: list[tuple[English, int]] = []
    for mask, state in subject.layer.masks or ():
        allowed = np.broadcast_to(mask.allows(state, b, h, i, j, NUMPY), (1, 1, 1, j.size))
        found.append((mask.words, j.size - int(np.count_nonzero(allowed))))
    found = [(words, count) for words, count in found if count]
    if len(found) == 1:
        return Text(found[0][0])
    return listed([Text("{mask} {count}", {"mask": Text(words), "count": count}) for words, count in found])


def _heads(subject: Subject) -> Text:
    row = subject.row
    words: dict[str, Any] = {"head": SCREEN.head(subject.head), "query": subject.the_query, "count": row.output.size}
    words["numbers"] = _numbers(row.output.size)
    if row.is_empty and not np.isfinite(row.weights).all():
        return Text("Head {head} has NaN (not a number) for {query}, which may attend to no key.", words)
    if row.is_empty and not row.weights.any():
        return Text(
            "Head {head} has {count} zeros for {query}, which may attend to no key.",
            words,
            "Head {head} has {count} zero for {query}, which may attend to no key.",
        )
    words |= _pooled(subject)
    if not words["keys"]:
        return subject.say(
            "dropout leaves head {head} no value for {query}: its {count} numbers are 0.",
            "dropout leaves head {head} no value for {query}: its one number is 0.",
            **words,
        )
    if words["keys"] == 1:
        return subject.say(
            "head {head} pools one value for {query} into {numbers}, {key} with weight {share}.", **words
        )
    if words["mean"]:
        return subject.say("head {head} takes the mean of {keys} values for {query}: {numbers}.", **words)
    if subject.key is None:
        return subject.say(
            "head {head} pools {keys} values for {query} into {numbers}, {key} with the largest weight, {share}.",
            **words,
        )
    return subject.say(
        "head {head} pools {keys} values for {query} into {numbers}, {key} with weight {share}.", **words
    )


def _pooled(subject: Subject) -> dict[str, Any]:
    """Return how many values a row pools, whether as their mean, and the chosen or heaviest one with its weight."""
    pooled, acts = np.nan_to_num(subject.row.dropped_weights), subject.layer.dropped is not None
    weighed = np.flatnonzero(pooled)
    key = int(pooled.argmax()) if subject.key is None or weighed.size == 1 else subject.key
    return {
        "keys": weighed.size,
        "mean": not acts and bool(weighed.size) and pooled[weighed].min() >= pooled.max() * (1 - EQUAL),
        "key": subject.the_value(key),
        # Dropout may make a weight more than 1, and the sum another one.
        "share": number_said(pooled[key]) if acts else percent_said(pooled[key]),
    }


def _output(subject: Subject) -> Text:
    layer, row = subject.layer, subject.row
    found = layer.output[subject.item, subject.query]
    projection = layer.mechanism.output
    words: dict[str, Any] = {"query": subject.the_query, "count": found.size, "numbers": _numbers(found.size)}
    if not np.isfinite(found).all():
        if row.is_empty:
            return Text("The output of {query} is NaN (not a number): it may attend to no key.", words)
        return subject.say("the output of {query} is not finite (NaN or infinite).", **words)
    words |= {"low": number_said(found.min()), "high": number_said(found.max())}
    if projection is not None:
        merged = row.output.size * layer.num_heads
        words |= {"layer": projection.name, "merged": _numbers(merged)}
        if row.is_empty and not found.any():
            zeros = {
                name: Text("{count} zeros", {"count": n}, "{count} zero")
                for name, n in (("given", merged), ("made", found.size))
            }
            return Text("{query} may attend to no key: {layer} turns {given} into {made}.", words | zeros)
        return subject.say(
            "{layer} turns the {merged} of {query} into its output: {numbers}, from {low} to {high}.",
            **words,
        )
    if row.is_empty and not row.weights.any():
        return Text(
            "{query} may attend to no key, so the {count} numbers of its output are 0.",
            words,
            "{query} may attend to no key, so the one number of its output is 0.",
        )
    words |= _pooled(subject)
    if not words["keys"]:
        return subject.say(
            "dropout leaves {query} no value: the {count} numbers of its output are 0.",
            "dropout leaves {query} no value: the one number of its output is 0.",
            **words,
        )
    if words["keys"] == 1:
        return subject.say(
            "{query} pools one value, {key} with weight {share}: {numbers}, from {low} to {high}.", **words
        )
    if words["mean"]:
        return subject.say(
            "the output of {query} is the mean of {keys} values: {numbers}, from {low} to {high}.",
            of_inputs=subject.is_all_ones,
            **words,
        )
    if subject.key is None:
        return subject.say(
            "{query} pools {keys} values, {key} with the largest weight, {share}: {numbers}, from {low} to {high}.",
            **words,
        )
    return subject.say(
        "{query} pools {keys} values, {key} with weight {share}: {numbers}, from {low} to {high}.", **words
    )


_OF_STAGES: dict[str, Callable[[Subject], Text]] = {
    "project": _project,
    "split": _split,
    "rotate": _rotate,
    "features": _features,
    "scores": _scores,
    "masked_scores": _masked_scores,
    "weights": weights_sentence,
    "dropped_weights": dropped_weights_sentence,
    "heads": _heads,
    "merge": _merge,
    "output": _output,
}
_OF_STEPS = {step.stage.name: partial(_changed, step=step) for step in SCORE_STEPS.values() if step.stage is not None}
_SENTENCES = {name: (_OF_STAGES | _OF_STEPS)[name] for name in STAGES}
