"""The interventions of a spec, checked against the model and the text, as changes of a recorded run; and that run."""

from dataclasses import dataclass

from torch import Tensor

from attnviz.definitions.counting import Position, head_name
from attnviz.engine.machine import RunError, choose
from attnviz.engine.model.calls import Call
from attnviz.engine.model.changes import NO_CHANGES, Changes
from attnviz.engine.model.opened import Opened, Plain, opened
from attnviz.engine.model.running import changed_run, plain_run
from attnviz.experiment.layers.head_names import place_of
from attnviz.experiment.model.spec import ModelSpec
from attnviz.experiment.model.text import ReadText
from attnviz.experiment.model.trace import Effect
from attnviz.experiment.painted import extent, forbidden
from attnviz.experiment.run import Progress, ShouldStop, no_progress


@dataclass(frozen=True, slots=True, eq=False)
class Done:
    """A model that ran on the text of a spec, as it is and with the interventions."""

    held: Opened
    plain: Plain
    shown: Plain
    """With the interventions; without any the same as `plain`."""
    read_b: ReadText | None
    changes: Changes
    effect: Effect | None


def done(spec: ModelSpec, progress: Progress, should_stop: ShouldStop) -> Done | None:
    """Open the model of a spec and run it; None if stopped.

    Raises:
        RunError: the folder holds no model, the text does not fit it, or the interventions do not.
    """
    held = opened(spec, choose(spec.device), should_stop)
    if held is None:
        return None
    read = held.read(spec.text, spec.special_tokens)
    read_b = held.read(spec.text_b, spec.special_tokens) if spec.text_b else None
    check_tokens(spec, read, read_b)
    plain = plain_run(held, spec.special_tokens, read, progress, should_stop)
    if plain is None:
        return None
    if not spec.has_changes:
        return Done(held, plain, plain, read_b, NO_CHANGES, None)
    changes = changes_of(spec, held, read, read_b, plain, should_stop)
    changed = None if changes is None else changed_run(held, plain, changes, progress, should_stop)
    if changes is None or changed is None:
        return None
    shown, effect = changed
    return Done(held, plain, shown, read_b, changes, effect)


def changes_of(
    spec: ModelSpec, held: Opened, read: ReadText, read_b: ReadText | None, plain: Plain, should_stop: ShouldStop
) -> Changes | None:
    """Return the interventions of a spec; None if the run of text B, which patches are taken from, was stopped.

    Raises:
        RunError: the model has no such head.
    """
    calls = plain.recording.shown
    for name in (*spec.heads_off, *(each.head for each in spec.patch), *spec.painted):
        _check_head(name, calls)
    patches: dict[tuple[int, int, int], Tensor] = {}
    if spec.patch and read_b is not None:
        other = plain_run(held, spec.special_tokens, read_b, no_progress, should_stop)
        if other is None:
            return None
        for each in spec.patch:
            layer, head, token = each.place
            patches[each.place] = other.recording.shown[layer].heads[head, token]
    painted = {}
    for name, text in spec.painted.items():
        layer, head = place_of(name)
        painted[layer, None if head < 0 else head] = ~forbidden(text, len(read), len(read))
    return Changes(
        heads_off=frozenset(spec.pairs_off),
        hidden=frozenset(spec.tokens_hidden),
        temperature=spec.temperature,
        patches=patches,
        painted=painted,
        ablation=spec.ablation,
    )


def _check_head(name: str, calls: tuple[Call, ...]) -> None:
    layer, head = place_of(name)
    if layer < len(calls) and head < calls[layer].num_heads:
        return
    nearest = min(layer, len(calls) - 1)
    words = {"head": name, "layers": len(calls), "heads": calls[nearest].num_heads}
    words["nearest"] = head_name(nearest, min(max(head, 0), calls[nearest].num_heads - 1)) if head >= 0 else nearest + 1
    sentence = "there is no head {head}: this model has {layers} layers of {heads} heads; nearest: {nearest}"
    raise RunError("no_such_head", sentence, **words)


def check_tokens(spec: ModelSpec, read: ReadText, read_b: ReadText | None) -> None:
    """Check that the tokens which interventions name are there.

    Raises:
        RunError: names one that is not.
    """
    reach = max((max(extent(text)) for text in spec.painted.values()), default=0) - 1
    for token in (*spec.tokens_hidden, *(each.token for each in spec.patch), reach):
        if token >= len(read):
            words = {"token": Position(token), "first": Position(0), "last": Position(len(read) - 1)}
            sentence = "token {token} is not in the text, whose tokens are {first}..{last}; nearest: {last}"
            raise RunError("no_token", sentence, **words)
    for each in spec.patch:
        if read_b is not None and each.token >= len(read_b):
            words = {"token": Position(each.token), "last": Position(len(read_b) - 1)}
            sentence = (
                "token {token} of a patch is not in text B, which has {count} tokens and is shorter; nearest: {last}"
            )
            raise RunError("text_b_shorter", sentence, **words, count=len(read_b))
