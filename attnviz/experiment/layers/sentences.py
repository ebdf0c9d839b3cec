"""The plain sentence about a stage of attention, for a chosen row or cell, with the layer's numbers.

Queries, keys and heads are counted from one. A token is in quotes, with its position if the word occurs twice; an input
without words is a number. With a key chosen the sentence is about that cell, else about the row.
"""

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from attnviz.definitions.counting import SCREEN
from attnviz.definitions.score_steps import LAYER_STEPS, SCORE_STEPS
from attnviz.definitions.score_steps.step import Place, ScoreStep
from attnviz.definitions.stages import STAGES
from attnviz.definitions.text import English, Text, listed, number_said, percent_said
from attnviz.experiment.arrays import NUMPY
from attnviz.experiment.layers.layer import Layer
from attnviz.experiment.layers.settings import LayerSettings
from attnviz.experiment.layers.subject import Subject
from attnviz.experiment.layers.view import LayerViewSettings
from attnviz.experiment.layers.weight_sentences import dropped_weights_sentence, weights_sentence
from attnviz.experiment.view_settings import Chosen


def sentence_about(trace: Any, view: LayerViewSettings, chosen: Chosen) -> Text:
    """Return the sentence about the layer of a trace that a view shows, with its note and its warning.

    It is empty if the layer has not arrived.
    """
    layer = trace.layers.layer(view.layer)
    return Text() if layer is None else warned(trace.warning, sentence_with_note(layer, view.of_layer, chosen))


def warned(warning: Text, sentence: Text) -> Text:
    """Return a sentence after the warning of its trace, if there is one."""
    return listed([warning, sentence], "{first}; {rest}") if warning else sentence


def sentence_with_note(layer: Layer, view: LayerSettings, chosen: Chosen) -> Text:
    """Return the sentence about a view of a layer, with its note."""
    sentence = sentence_of(layer, view, chosen)
    return Text("{sentence} {note}", {"sentence": sentence, "note": layer.note}) if layer.note else sentence


def sentence_of(layer: Layer, view: LayerSettings, chosen: Chosen) -> Text:
    """Return the sentence about a view of a layer, by default about its last query."""
    return _SENTENCES["weights" if layer.is_given else view.stage](subject_of(layer, view, chosen))


def subject_of(layer: Layer, view: LayerSettings, chosen: Chosen) -> Subject:
    """Return the selection in a layer; positions that do not exist become the last one."""
    *_, queries, keys = layer.weights.shape
    return Subject(
        layer=layer,
        stage=view.stage,
        item=min(view.item, layer.items - 1),
        head=min(chosen.head, layer.num_heads - 1),
        query=queries - 1 if chosen.query is None else min(chosen.query, queries - 1),
        key=None if chosen.key is None else min(chosen.key, keys - 1),
        split=view.split,
    )


def _project(subject: Subject) -> Text:
    layer, split = subject.layer, subject.split
    source, kind = _KINDS[split]
    if not STAGES["project"].chooses(layer) and layer.mechanism.parameters:
        return subject.say(
            "nothing is projected; queries of {numbers} and keys of {of_key} are compared through {layer}.",
            numbers=_numbers(layer.queries.shape[-1]),
            of_key=layer.keys.shape[-1],
            layer=layer.mechanism.parameters[0].name,
        )
    if not STAGES["project"].chooses(layer):
        return subject.say(
            "nothing is projected; queries and keys of {numbers} are compared as they are.",
            numbers=_numbers(layer.queries.shape[-1]),
        )
    projection, inputs = layer.mechanism.projection(source), getattr(layer, source)
    if projection is None:
        kinds = Text(source)
        return subject.say(
            "the {kinds} are taken as they are, {given} each.", kinds=kinds, given=_numbers(inputs.shape[-1])
        )
    outputs = layer.projected(split)
    row = subject.query if split == "q" or subject.key is None else subject.key
    row = min(row, outputs.shape[1] - 1)  # for keys without a chosen one, that at the position of the query
    return subject.say(
        "{layer} projects the {given} of {name} to its {kind} of {made}.",
        layer=projection.name,
        given=_numbers(inputs.shape[-1]),
        name=subject.the_query if split == "q" else subject.the_value(row),
        kind=Text(kind),
        made=outputs.shape[-1],
    )


_KINDS: dict[str, tuple[str, English]] = {"q": ("queries", "query"), "k": ("keys", "key"), "v": ("values", "value")}


def _split(subject: Subject) -> Text:
    _, heads, _, size = subject.layer.split_into_heads(subject.split).shape
    head = subject.head if subject.split == "q" else subject.layer.kv_head(subject.head)
    values: dict[str, Any] = {"name": subject.split.upper(), "heads": _heads_said(heads), **_slice(head, size)}
    values["features"] = Text("{count} features", {"count": heads * size}, "{count} feature")
    said = Text("The {features} of {name} are divided among {heads}: head {head} takes {first} to {last}.", values)
    shared = Text() if subject.split == "q" else key_head_said(subject.layer, subject.head)
    return Text("{sentence} Here: {shared}.", {"sentence": said, "shared": shared}) if shared else said


def key_head_said(layer: Layer, head: int) -> Text:
    """Return which head of the keys and values serves a head, and which others; empty unless heads share them."""
    if not layer.shares_keys:
        return Text()
    each, shared = layer.num_heads // layer.num_kv_heads, layer.kv_head(head)
    values = {"head": SCREEN.head(shared), "count": layer.num_kv_heads}
    values |= {"first": SCREEN.head(shared * each), "last": SCREEN.head(shared * each + each - 1)}
    return Text("key head {head} of {count}, shared by heads {first} to {last}", values)


def _rotate(subject: Subject) -> Text:
    """Return the angle of the first pair of features, which rotates fastest: by one radian per position."""
    layer, rotation = subject.layer, subject.layer.mechanism.rotation
    assert rotation is not None
    size = layer.q.shape[-1]
    pair = 0, rotation.partner(0, size)
    values: dict[str, Any] = {
        "first": SCREEN.number(pair[0]),
        "second": SCREEN.number(pair[1]),
        "query": subject.the_query,
        "place": SCREEN.number(subject.query),
        "angle": number_said(rotation.angle(subject.query, pair[0], size, **layer.mechanism_knobs)),
    }
    if subject.key is not None:
        values |= {
            "key": subject.the_value(subject.key),
            "other": SCREEN.number(subject.key),
            "turned": number_said(rotation.angle(subject.key, pair[0], size, **layer.mechanism_knobs)),
            "distance": abs(subject.query - subject.key),
        }
        return Text(
            "Features {first} and {second} of {query} at position {place} are turned by {angle} rad, "
            "of {key} at position {other} by {turned} rad: the distance is {distance}.",
            values,
        )
    for name, array in (("x", layer.before["rotate"][0]), ("y", layer.q)):
        numbers = array[subject.item, subject.head, subject.query, list(pair)]
        values |= {f"{name}_{number}": number_said(each) for number, each in enumerate(numbers, 1)}
    return subject.say(
        "features {first} and {second} of {query} at position {place} turn by {angle} rad in "
        "head {head}: {x_1} and {x_2} become {y_1} and {y_2}.",
        head=SCREEN.head(subject.head),
        **values,
    )


def _off(subject: Subject) -> Text:
    zeros = not subject.layer.heads[subject.item, subject.head].any()
    return Text(
        "Head {head} is off: its output is 0 for every token."
        if zeros
        else "Head {head} is off: its output is its mean over the tokens, for every token.",
        {"head": SCREEN.head(subject.head)},
    )


def _merge(subject: Subject) -> Text:
    if subject.head in subject.layer.heads_off:
        return _off(subject)
    heads, size = subject.layer.num_heads, subject.row.output.size
    values: dict[str, Any] = {"query": subject.the_query, "heads": _heads_said(heads), **_slice(subject.head, size)}
    values["numbers"] = _numbers(heads * size)
    return Text("The row of {query} has the {numbers} of {heads}: head {head} fills {first} to {last}.", values)


def _numbers(count: int) -> Text:
    return Text("{count} numbers", {"count": count}, "{count} number")


def _keys(count: int) -> Text:
    return Text("{count} keys", {"count": count}, "{count} key")


def _heads_said(count: int) -> Text:
    return Text("{count} heads", {"count": count}, "{count} head")


def _slice(head: int, size: int) -> dict[str, int]:
    return {"head": SCREEN.head(head), "first": SCREEN.number(head * size), "last": (head + 1) * size}


def _features(subject: Subject) -> Text:
    layer, record = subject.layer, subject.layer.mechanism
    assert record.features is not None
    name = record.features.name
    assert layer.features is not None
    key = int(layer.scores[subject.at].argmax()) if subject.key is None else subject.key
    features = layer.features[subject.item, subject.query, key]
    return subject.say(
        "{query} and {key} have {features}, from {low} to {high}; {factors} weighs and sums them.",
        query=subject.the_query,
        key=subject.the_key(key),
        features=Text("{count} {name} features", {"count": features.size, "name": name}, "{count} {name} feature"),
        low=number_said(features.min()),
        high=number_said(features.max()),
        factors=record.features.factors,
    )


def _scores(subject: Subject) -> Text:
    scores = subject.layer.scores[subject.at]
    values: dict[str, Any] = {"query": subject.the_query, "count": scores.size, "dtype": subject.layer.dtype}
    if not np.isfinite(scores).all():
        return subject.say(
            "{wrong} of the {count} scores of {query} did not stay finite in {dtype} (infinite or NaN).",
            "the one score of {query} did not stay finite in {dtype} (infinite or NaN).",
            wrong=np.count_nonzero(~np.isfinite(scores)),
            **values,
        )
    key = int(scores.argmax()) if subject.key is None else subject.key
    values |= {"key": subject.the_key(key), "keys": _keys(scores.size), "score": number_said(scores[key])}
    values |= {"rank": 1 + np.count_nonzero(scores > scores[key]), "how": _how(subject)}
    return subject.say("{query} gives {key} the score {score}, number {rank} of {keys}: {how}.", **values)


def _how(subject: Subject) -> Text:
    """Return the computation of a score: "their dot product ÷ √8"; else the title of its sum."""
    layer, record, d = subject.layer, subject.layer.mechanism, subject.layer.q.shape[-1]
    parts = [Text(record.score_words or record.sum_title, {"d": d} | layer.mechanism_knobs)]
    steps = (step for step in layer.steps if step.does in ("vectors", "divide", "add"))
    parts += [Text(step.line, step.values(layer.knobs, Place(d, subject.head))) for step in steps]
    return listed(parts, "{first} {rest}")


def _changed(subject: Subject, step: ScoreStep) -> Text:
    """Return the effect of a step on the chosen score, or on the largest one of the row."""
    assert step.stage is not None
    layer = subject.layer
    scores = {"": layer.scores, **layer.changed_scores}
    names = list(scores)
    before = scores[names[names.index(step.stage.name) - 1]][subject.at]
    key = int(before.argmax()) if subject.key is None else subject.key
    values: dict[str, Any] = {"query": subject.the_query, "key": subject.the_key(key), "count": before.size}
    values |= {"before": number_said(before[key]), "after": number_said(scores[step.stage.name][(*subject.at, key)])}
    numbers = step.values(layer.knobs, Place(layer.q.shape[-1], subject.head))
    values |= {name: number if isinstance(number, str) else number_said(number) for name, number in numbers.items()}
    of_row = subject.key is None and before.size > 1
    return subject.say(step.stage.of_row if of_row else step.stage.of_cell, **values)


def _changed_vectors(subject: Subject, step: ScoreStep) -> Text:
    """Return the effect of a step on the norm of the chosen query, and of the chosen key."""
    assert step.stage is not None
    layer, query = subject.layer, (subject.item, subject.head, subject.query)
    both = layer.before[step.stage.name], layer.after(step.stage.name)
    named = Text("{query} in head {head}", {"query": subject.the_query, "head": SCREEN.head(subject.head)})
    values: dict[str, Any] = {"query": named if layer.has_heads else subject.the_query, "count": layer.q.shape[-1]}
    values |= dict(step.values(layer.knobs, Place(layer.q.shape[-1], subject.head)))
    for name, (q, k) in zip(("before", "after"), both, strict=True):
        values[name] = number_said(float(np.linalg.norm(q[query])))
        if subject.key is not None:
            key = subject.item, layer.kv_head(subject.head), subject.key
            values |= {"key": subject.the_key(subject.key), f"key_{name}": number_said(float(np.linalg.norm(k[key])))}
    return subject.say(step.stage.of_row if subject.key is None else step.stage.of_cell, **values)


def _masked_scores(subject: Subject) -> Text:
    row, key = subject.row, subject.key
    values: dict[str, Any] = {"query": subject.the_query, "keys": _keys(row.mask.size), "allowed": row.allowed}
    if key is not None:
        values |= {"key": subject.the_key(key), "name": Text(row.score_name), "score": number_said(row.scores[key])}
        if row.mask[key]:
            return subject.say("{query} may attend to {key}: the mask keeps its {name}, {score}.", **values)
        values |= {"fill": subject.fill(key), "why": subject.why_masked(key)}
        return subject.say("{fill} replaces the {name} that {query} gives {key}, {score}: {why}.", **values)
    if row.allowed == row.mask.size:
        if not subject.layer.masks:
            return Text("No mask is on: {query} may attend to {allowed} of {keys}.", values)
        values["masks"] = listed([Text(mask.words) for mask, _ in subject.layer.masks])
        return Text("{query} may attend to {allowed} of {keys}; no mask forbids any ({masks}).", values)
    first = int(np.flatnonzero(~row.mask)[0])
    values |= {"count": row.mask.size - row.allowed, "key": subject.the_key(first), "fill": subject.fill(first)}
    return Text(
        "{query} may attend to {allowed} of {keys}; {count} scores become {fill} ({why}).",
        values | {"why": _masks_of_row(subject)},
        "{query} may attend to {allowed} of {keys}; the score of {key} becomes {fill} ({why}).",
    )


def _masks_of_row(subject: Subject) -> Text:
    """Return the masks of the row, each with the number of masked keys if there are several."""
    indices = [[[[subject.item]]]], [[[subject.head]]], [[subject.query]], range(subject.row.mask.size)
    b, h, i, j = (np.array(index, np.int32) for index in indices)
    counts: list[tuple[English, int]] = []
    for mask, state in subject.layer.masks or ():
        allowed = np.broadcast_to(mask.allows(state, b, h, i, j, NUMPY), (1, 1, 1, j.size))
        counts.append((mask.words, j.size - int(np.count_nonzero(allowed))))
    counts = [(mask_name, count) for mask_name, count in counts if count]
    if len(counts) == 1:
        return Text(counts[0][0])
    return listed([Text("{mask} {count}", {"mask": Text(mask_name), "count": count}) for mask_name, count in counts])


def _heads(subject: Subject) -> Text:
    output, values = subject.row.output, _pooled(subject)
    values |= {"head": SCREEN.head(subject.head), "numbers": _numbers(output.size)}
    if subject.head in subject.layer.heads_off:
        return _off(subject)
    if subject.row.is_replaced:
        return Text("The output of head {head} for {query} is replaced by that of another run (patched).", values)
    if not np.isfinite(output).all():
        return subject.say("what head {head} pools for {query} is not finite (NaN or infinite).", **values)
    if not values["count"]:
        return subject.say("head {head} pools no value for {query}: {numbers}, all 0.", **values)
    return subject.say(
        "head {head} pools {count} values for {query} into {numbers}, {key} with weight {share}.",
        "head {head} pools one value for {query} into {numbers}, {key} with weight {share}.",
        **values,
    )


def _pooled(subject: Subject) -> dict[str, Any]:
    """Return the query, the number of values that its row pools, and the chosen or heaviest one with its weight."""
    pooled = np.nan_to_num(subject.row.dropped_weights)
    count = np.count_nonzero(pooled)
    key = int(pooled.argmax()) if subject.key is None or count == 1 else subject.key
    # Dropout may make a weight exceed 1, and change the sum; and not every function makes rows that sum to 1.
    is_share = subject.layer.dropped is None and subject.layer.sums_to_one
    share = percent_said(pooled[key]) if is_share else number_said(pooled[key])
    return {"query": subject.the_query, "count": count, "key": subject.the_value(key), "share": share}


def _output(subject: Subject) -> Text:
    layer, values = subject.layer, _pooled(subject)
    output = layer.output[subject.item, subject.query]
    values["numbers"] = _numbers(output.size)
    if not np.isfinite(output).all():
        return subject.say("the output of {query} is not finite (NaN or infinite).", **values)
    values |= {"low": number_said(output.min()), "high": number_said(output.max())}
    if layer.mechanism.output is not None:
        values |= {"layer": layer.mechanism.output.name, "merged": _numbers(subject.row.output.size * layer.num_heads)}
        return subject.say(
            "{layer} projects the {merged} of {query} to its output: {numbers}, from {low} to {high}.", **values
        )
    if not values["count"]:
        return subject.say("{query} pools no value: its output is {numbers}, all 0.", **values)
    return subject.say(
        "{query} pools {count} values, {key} with weight {share}: {numbers}, from {low} to {high}.",
        "{query} pools one value, {key} with weight {share}: {numbers}, from {low} to {high}.",
        **values,
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
_OF_STEPS = {
    step.stage.name: partial(_changed_vectors if step.does == "vectors" else _changed, step=step)
    for step in (*SCORE_STEPS.values(), *LAYER_STEPS.values())
    if step.stage is not None
}
_SENTENCES = {name: (_OF_STAGES | _OF_STEPS)[name] for name in STAGES}
