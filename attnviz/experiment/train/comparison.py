"""Two trainings, or two steps of one, side by side: whether their cells match, and how A is shown B's probe."""

from pydantic import ValidationError

from attnviz.definitions.counting import SCREEN
from attnviz.definitions.sentences import Sentence
from attnviz.experiment.train.spec import TrainSpec
from attnviz.experiment.train.trace import TrainTrace


def beside(pinned: TrainSpec, spec: TrainSpec) -> TrainSpec:
    """Return a pinned spec that looks at the probe of another one, if it can."""
    if pinned.alphabet != spec.alphabet or pinned.probe_tokens == spec.probe_tokens:
        return pinned
    words = tuple(spec.alphabet[token] for token in spec.probe_tokens)
    try:
        return TrainSpec.model_validate({**dict(pinned), "probe": words})
    except ValidationError:
        return pinned  # its sequences are shorter


def name_of(trace: TrainTrace) -> str:
    """Return what is shown of a training: "step 400, 1.4 off"."""
    off = f", {', '.join(trace.spec.heads_off)} off" if trace.spec.heads_off else ""
    return f"step {trace.step}{off}"


def mismatch(a: TrainTrace, b: TrainTrace, layer: int) -> Sentence:
    """Return why there is no B - A of a layer; empty if there is one."""
    if layer >= len(a.layers):
        words = {"a": len(a.layers), "b": len(b.layers), "wanted": SCREEN.number(layer)}
        return Sentence("A has {a} layers and B has {b}: layer {wanted} is not in both.", words)
    if a.words == b.words:
        return Sentence()
    if len(a.words) != len(b.words):
        words = {"a": len(a.words), "b": len(b.words)}
        return Sentence("A looks at {a} tokens and B at {b}: cells do not match, so there is no B - A.", words)
    place = next(place for place, pair in enumerate(zip(a.words, b.words, strict=True)) if pair[0] != pair[1])
    found = {"place": SCREEN.number(place), "a": a.words[place], "b": b.words[place]}
    return Sentence("Token {place} is “{a}” in A and “{b}” in B: cells do not match, so there is no B - A.", found)
