"""Comparison of two trainings, or two steps of one: whether their cells match, and A's run on B's probe."""

import numpy as np
from pydantic import ValidationError

from attnviz.definitions.counting import SCREEN, head_name, name_at
from attnviz.definitions.text import Text, number_said
from attnviz.experiment.layers.head_names import heads_said
from attnviz.experiment.train.spec import TrainSpec
from attnviz.experiment.train.trace import TrainTrace


def beside(pinned: TrainSpec, spec: TrainSpec) -> TrainSpec:
    """Return a pinned spec with the probe of another one, if possible."""
    if pinned.alphabet != spec.alphabet or pinned.probe_tokens == spec.probe_tokens:
        return pinned
    probe = tuple(spec.alphabet[token] for token in spec.probe_tokens)
    try:
        return TrainSpec.model_validate({**dict(pinned), "probe": probe})
    except ValidationError:
        return pinned  # its sequences are shorter


def on_one_probe(shown: TrainSpec, spec: TrainSpec) -> TrainSpec:
    """Return the spec of A with B's notation of the probe if the tokens are the same: that is no difference."""
    same = shown.alphabet == spec.alphabet and shown.probe_tokens == spec.probe_tokens
    return shown.model_copy(update={"probe": spec.probe}) if same else shown


def name_of(trace: TrainTrace) -> Text:
    """Return a description of a training's state: "step 400, 1.4 off"."""
    off = trace.spec.heads_off
    return Text("step {step}, {heads} off" if off else "step {step}", {"step": trace.step, "heads": heads_said(off)})


def change_of_head(a: TrainTrace, b: TrainTrace, layer: int, head: int) -> Text:
    """Return a text about the largest change of a head's weights from A to B; empty if they cannot be compared."""
    if head >= min(a.num_heads, b.num_heads) or mismatch(a, b, layer).template:
        return Text()
    change = b.weights[layer, head].astype(np.float64) - a.weights[layer, head]
    query, key = np.unravel_index(int(np.nan_to_num(np.abs(change)).argmax()), change.shape)
    if not change[query, key]:
        return Text("Head {head} has the same weights in A and B.", {"head": head_name(layer, head)})
    values = {
        "head": head_name(layer, head),
        "query": name_at(b.words, int(query), words=True),
        "key": name_at(b.words, int(key), words=True),
        "a": number_said(float(a.weights[layer, head, query, key])),
        "b": number_said(float(b.weights[layer, head, query, key])),
    }
    return Text("Head {head} changes most where token {query} attends to {key}: {a} in run A, {b} in run B.", values)


def mismatch(a: TrainTrace, b: TrainTrace, layer: int) -> Text:
    """Return why there is no B − A of a layer; empty if there is one."""
    if layer >= len(a.layers):
        layers = Text("{count} layers", {"count": len(a.layers)}, "{count} layer")
        values = {"a": layers, "b": len(b.layers), "wanted": SCREEN.number(layer)}
        return Text("A has {a} and B has {b}: layer {wanted} is not in both.", values)
    if a.words == b.words:
        return Text()
    if len(a.words) != len(b.words):
        tokens = Text("{count} tokens", {"count": len(a.words)}, "{count} token")
        values = {"a": tokens, "b": len(b.words)}
        return Text("A shows {a} and B shows {b}: cells do not match, so there is no B − A.", values)
    index = next(index for index, pair in enumerate(zip(a.words, b.words, strict=True)) if pair[0] != pair[1])
    both = {"place": SCREEN.number(index), "a": a.words[index], "b": b.words[index]}
    return Text("Token {place} is “{a}” in A and “{b}” in B: cells do not match, so there is no B − A.", both)
