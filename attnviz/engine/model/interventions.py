"""Validates the interventions of a spec against the model and the text, and runs the model with them."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from attnviz.definitions.counting import SCREEN, Position
from attnviz.engine.machine import RunError, choose
from attnviz.engine.model.calls import Call
from attnviz.engine.model.changes import NO_CHANGES, Changes
from attnviz.engine.model.images.patches import Patches
from attnviz.engine.model.opened import Opened, Ran, opened
from attnviz.engine.model.sides.decoding import read_target
from attnviz.engine.model.stack import Stack
from attnviz.experiment.fields.painted import extent
from attnviz.experiment.model.generation import MOST_UNASKED
from attnviz.experiment.model.interventions.intervention import RunOf
from attnviz.experiment.model.sides import OF_KIND, HeadAt, Kind, at_of
from attnviz.experiment.model.spec import ModelSpec
from attnviz.experiment.model.text import ReadText
from attnviz.experiment.model.trace import Effect
from attnviz.experiment.run import Progress, ShouldStop, no_progress

_NOT_RUN = ("attends_twice", "fused_attention", "model_failed", "model_refused", "no_attention", "not_followed")
"""The codes of errors after which only the encoder of an encoder-decoder is run."""


@dataclass(frozen=True, slots=True, eq=False)
class Done:
    """A model run on the text of a spec, without and with the interventions."""

    held: Opened
    plain: Ran
    shown: Ran
    """With the interventions; the same as `plain` without any."""
    read_b: ReadText | None
    changes: Changes = field(default_factory=dict)
    effects: Mapping[Kind, Effect] = field(default_factory=dict)
    """Of the interventions on each kind of attention; empty without any."""
    changes_for: Callable[[int], Changes] = lambda _: NO_CHANGES
    """Returns the interventions in a run of this number of tokens, which begins with the text."""


def done(spec: ModelSpec, progress: Progress, should_stop: ShouldStop, continued: Sequence[int] = ()) -> Done:
    """Open the model of a spec and run it on its text, ``continued`` by tokens.

    Raises:
        RunError: the folder holds no model, or the text or the interventions do not fit it.
        StoppedError: cancelled.
    """
    held = opened(spec, choose(spec.device), should_stop)
    tokens = held.loaded.tokens
    read = held.read_for(spec, should_stop)
    target = None
    if held.decoding is None or isinstance(tokens, Patches):
        read = tokens.continued(read, continued, should_stop)
    else:
        target = read_target(held.decoding, tokens, spec.target, spec.forced_bos_token_id, should_stop)
        target = tokens.continued(target, continued, should_stop)
    read_b = (
        held.read(spec.text_b, spec.special_tokens, should_stop, chat=spec.chat)
        if spec.text_b and not spec.image
        else None
    )
    if target is None:
        check_side(spec, held)
        _check_tokens(spec, read, read_b)
    try:
        plain = held.plain(read, progress, should_stop, target)
    except RunError as error:
        if target is None or error.code not in _NOT_RUN:
            raise
        held.decoding, held.alone = None, error.text
        check_side(spec, held)
        plain = held.plain(read, progress, should_stop)
    if target is not None and plain.target is not None:
        _check_tokens_of_sides(spec, plain, read_b)
    if not spec.has_changes:
        return Done(held, plain, plain, read_b)
    for name in (head for knob, each in spec.acting.items() for head in each.heads(getattr(spec, knob))):
        _check_head(name, plain)
    reads_b = any(each.reads_b for each in spec.acting.values())
    source = held.plain(read_b, no_progress, should_stop, target) if read_b is not None and reads_b else plain

    def changes_for(tokens: int) -> Changes:
        sizes: Mapping[Kind, tuple[int, int]] = {
            "self": (tokens, tokens) if not plain.beside else (len(plain.read),) * 2,
            "decoder": (tokens, tokens),
            "cross": (tokens, len(plain.read)),
        }
        run = RunOf(
            sizes.__getitem__,
            lambda kind, layer: plain.of(kind).call(layer).num_heads,
            lambda kind, layer: source.of(kind).call(layer).heads,
        )
        return {each: each.prepared(spec, run) for each in spec.acting.values()}

    changes = changes_for(len(plain.target or plain.read))
    shown, effects = held.changed(plain, changes, progress, should_stop)
    return Done(held, plain, shown, read_b, changes, effects, changes_for)


def check_side(spec: ModelSpec, held: Opened) -> None:
    """Check that a model has the decoder beside an encoder that a spec speaks of."""
    if held.decoding is not None:
        return
    names = {"target": spec.target, "forced_bos_token_id": spec.forced_bos_token_id is not None}
    named = next((name for name, is_set in names.items() if is_set), "")
    if not named:
        return
    if held.alone:
        values = {"name": named, "why": held.alone}
        sentence = "the decoder of this model is not run ({why}), so {name} has no effect; nearest: none"
        raise RunError(f"{named}_unused", sentence, **values)
    sentence = "this model is no encoder-decoder, so {name} has no effect; nearest: none"
    raise RunError(f"{named}_unused", sentence, name=named)


def _check_head(name: str, plain: Ran) -> None:
    at = at_of(name)
    layer, head = at.layer, at.head
    values: dict[str, Any] = {"head": name}
    if at.kind not in plain.kinds:
        nearest = HeadAt("self", *_nearest(plain.stack, plain.call, layer, head)).name
        sentence = "there is no head {head}: this model shows no {side} side; nearest: {nearest}"
        raise RunError("no_such_head", sentence, **values, side=OF_KIND[at.kind], nearest=nearest)
    of = plain.of(at.kind)
    stack = of.stack
    nearest_at = _nearest(stack, of.call, layer, head)
    if (layer, head) == nearest_at:
        return
    nearest = HeadAt(at.kind, *nearest_at).name
    values |= {"layers": stack.num_layers, "heads": of.call(nearest_at[0]).num_heads, "nearest": nearest}
    if layer in stack.others:
        values |= {"layer": SCREEN.number(layer), "what": stack.others[layer]}
        sentence = "there is no head {head}: layer {layer} of this model has no attention ({what}); nearest: {nearest}"
        raise RunError("no_such_head", sentence, **values)
    if plain.beside:
        sentence = "there is no head {head}: side {side} has {layers} layers of {heads} heads; nearest: {nearest}"
        raise RunError("no_such_head", sentence, **values, side=OF_KIND[at.kind])
    sentence = "there is no head {head}: this model has {layers} layers of {heads} heads; nearest: {nearest}"
    raise RunError("no_such_head", sentence, **values)


def _nearest(stack: Stack, call: Callable[[int], Call], layer: int, head: int) -> tuple[int, int]:
    """Return the nearest layer that has attention, and its nearest head; -1 stays all of them."""
    nearest = stack.nearest(layer)
    return nearest, min(head, call(nearest).num_heads - 1)


def _check_tokens(spec: ModelSpec, read: ReadText, read_b: ReadText | None) -> None:
    """Check that the tokens named by interventions exist, or may be generated."""
    count = len(read) + spec.steps  # the last new token is not read
    named = {each: list(each.tokens(getattr(spec, knob))) for knob, each in spec.acting.items()}
    token = max((token for tokens in named.values() for token in tokens), default=0)
    if token >= count:
        values = {"token": Position(token), "first": Position(0), "last": Position(count - 1)}
        sentence = "token {token} is not in the text, whose tokens are {first}..{last}; nearest: {last}"
        raise RunError("no_token", sentence, **values)
    in_b = max((token for each, tokens in named.items() if each.reads_b for token in tokens), default=0)
    if read_b is not None and in_b >= len(read_b):
        values = {"token": Position(in_b), "last": Position(len(read_b) - 1)}
        sentence = "token {token} of a patch is not in text B, which has {count} tokens and is shorter; nearest: {last}"
        raise RunError("text_b_shorter", sentence, **values, count=len(read_b))


def _check_tokens_of_sides(spec: ModelSpec, plain: Ran, read_b: ReadText | None) -> None:
    """Check that the tokens named by interventions exist in the texts of their sides."""
    assert plain.target is not None
    queries = {"self": len(plain.read), "decoder": len(plain.target), "cross": len(plain.target)}
    new = len(plain.target) + max(spec.steps, MOST_UNASKED if not spec.target else 0)
    named: list[tuple[int, int, str]] = [(token, len(plain.read), "text") for token in spec.tokens_hidden]
    for patch in spec.patch:  # text B has the same target, and no new tokens
        of_text = patch.at.kind == "self"
        named.append((patch.token, queries[patch.at.kind], "text" if of_text else "target"))
        if of_text and read_b is not None:
            named.append((patch.token, len(read_b), "text_b"))
    for name, text in spec.painted.items():
        rows, columns = extent(text)
        kind = at_of(name).kind
        named.append((rows - 1, queries["self"] if kind == "self" else new, "text" if kind == "self" else "target"))
        named.append(
            (columns - 1, new if kind == "decoder" else len(plain.read), "target" if kind == "decoder" else "text")
        )
    for token, count, where in named:
        if token >= count:
            values = {"token": Position(token), "first": Position(0), "last": Position(count - 1), "where": where}
            sentence = "token {token} is not in {where}, whose tokens are {first}..{last}; nearest: {last}"
            raise RunError("no_token", sentence, **values)
