"""Validates the interventions of a spec against the model and the text, and runs the model with them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from attnviz.definitions.counting import SCREEN, Position, head_name
from attnviz.engine.machine import RunError, choose
from attnviz.engine.model.changes import NO_CHANGES, Changes
from attnviz.engine.model.opened import Opened, Ran, opened
from attnviz.experiment.layers.head_names import head_of
from attnviz.experiment.model.interventions.intervention import RunOf
from attnviz.experiment.model.spec import ModelSpec
from attnviz.experiment.model.text import ReadText
from attnviz.experiment.model.trace import Effect
from attnviz.experiment.run import Progress, ShouldStop, no_progress


@dataclass(frozen=True, slots=True, eq=False)
class Done:
    """A model run on the text of a spec, without and with the interventions."""

    held: Opened
    plain: Ran
    shown: Ran
    """With the interventions; the same as `plain` without any."""
    read_b: ReadText | None
    changes: Changes = field(default_factory=dict)
    effect: Effect | None = None
    changes_for: Callable[[int], Changes] = lambda _: NO_CHANGES
    """Returns the interventions in a run of this number of tokens, which begins with the text."""


def done(spec: ModelSpec, progress: Progress, should_stop: ShouldStop, continued: Sequence[int] = ()) -> Done:
    """Open the model of a spec and run it on its text, ``continued`` by tokens.

    Raises:
        RunError: the folder holds no model, or the text or the interventions do not fit it.
        StoppedError: cancelled.
    """
    held = opened(spec, choose(spec.device), should_stop)
    read = held.read_for(spec, should_stop)
    read = held.loaded.tokens.continued(read, continued, should_stop)
    read_b = (
        held.read(spec.text_b, spec.special_tokens, should_stop, chat=spec.chat)
        if spec.text_b and not spec.image
        else None
    )
    _check_tokens(spec, read, read_b)
    plain = held.plain(read, progress, should_stop)
    if not spec.has_changes:
        return Done(held, plain, plain, read_b)
    for name in (head for knob, each in spec.acting.items() for head in each.heads(getattr(spec, knob))):
        _check_head(name, plain)
    reads_b = any(each.reads_b for each in spec.acting.values())
    source = held.plain(read_b, no_progress, should_stop) if read_b is not None and reads_b else plain
    heads = [plain.call(layer).num_heads if layer in plain.stack.numbers else 0 for layer in range(plain.shape[0])]

    def changes_for(tokens: int) -> Changes:
        run = RunOf(tokens, heads, lambda layer: source.call(layer).heads)
        return {each: each.prepared(spec, run) for each in spec.acting.values()}

    changes = changes_for(len(read))
    shown, effect = held.changed(plain, changes, progress, should_stop)
    return Done(held, plain, shown, read_b, changes, effect, changes_for)


def _check_head(name: str, plain: Ran) -> None:
    layer, head = head_of(name)
    stack = plain.stack
    nearest = stack.nearest(layer)
    heads = plain.call(nearest).num_heads
    if layer == nearest and head < heads:
        return
    values: dict[str, Any] = {"head": name, "layers": stack.num_layers, "heads": heads}
    values["nearest"] = head_name(nearest, min(max(head, 0), heads - 1)) if head >= 0 else SCREEN.number(nearest)
    if layer in stack.others:
        values |= {"layer": SCREEN.number(layer), "what": stack.others[layer]}
        sentence = "there is no head {head}: layer {layer} of this model has no attention ({what}); nearest: {nearest}"
        raise RunError("no_such_head", sentence, **values)
    sentence = "there is no head {head}: this model has {layers} layers of {heads} heads; nearest: {nearest}"
    raise RunError("no_such_head", sentence, **values)


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
