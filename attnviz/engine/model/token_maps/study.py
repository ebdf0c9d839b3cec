"""The study of a map of tokens: what it is made of is kept, so that another residual share costs the products alone."""

import contextlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from attnviz.engine import memory
from attnviz.engine.machine import RunError, choose
from attnviz.engine.model import LESS_MEMORY
from attnviz.engine.model.interventions import Done, done
from attnviz.engine.model.layers import array_of
from attnviz.engine.model.opened import Attended, opened, telling
from attnviz.engine.model.residual.lens_studies import all_read
from attnviz.engine.model.token_maps.gradients import weighted_gradients
from attnviz.engine.model.token_maps.products import (
    combined,
    lengths,
    lengths_of_sums,
    reachable,
    rolled_gradients,
    rolled_out,
    shares_of,
)
from attnviz.experiment.arrays import read_only
from attnviz.experiment.model.sides import SIDES, Kind
from attnviz.experiment.model.token_maps.study import TokenMapOf, TokenMapTrace
from attnviz.experiment.run import Progress, ShouldStop, StoppedError, check_stop, no_progress

_GRAPH = 6
"""The approximate number of arrays of all weights that a run with gradients keeps."""


@dataclass(frozen=True, slots=True, eq=False)
class _Source:
    """The matrices of all layers that a map is made of, (T, T) in float32, and what one of their heads is made from."""

    key: tuple[Any, ...]
    run: Done
    attended: Attended
    token: int | None
    layers: tuple[Tensor, ...]
    heads: tuple[Tensor, ...] | None
    """(h, T, T) of each layer, if a run with gradients has made them and one of the heads is shown."""
    masks: tuple[Tensor | None, ...]
    """The keys that any head of each layer may attend to, bool (T, T); None: all."""
    has_sinks: bool
    reached: dict[tuple[bool, int], NDArray[np.bool_]] = field(default_factory=dict)
    """Which keys are reached, by whether layers are rolled out, and the last layer."""


def token_map(study: TokenMapOf, progress: Progress, should_stop: ShouldStop) -> TokenMapTrace | None:
    """Return a map of tokens; None if stopped.

    Raises:
        RunError: as `done`, or the numbers that the map needs are not known for this model.
    """
    # Gradients need tensors made outside of inference mode; without them nothing is tracked.
    with torch.inference_mode(mode=False), torch.no_grad(), contextlib.suppress(StoppedError):
        held = opened(study.of, choose(study.of.device), should_stop)
        key = _key_of(study)
        source = held.kept if isinstance(held.kept, _Source) and held.kept.key == key else None
        if source is None:
            held.kept = None  # before the next one is made, since both may not fit
            held.kept = source = _source_of(study, key, progress, should_stop)
        return _traced(study, source, should_stop)
    return None


def _key_of(study: TokenMapOf) -> tuple[Any, ...]:
    """Return what the matrices of all layers depend on."""
    mean = "mean" if study.heads == "head" else study.heads
    effective = study.in_effect
    keeps_heads = study.heads == "head" and study.record.of == "gradients"
    return study.of, study.continued, study.side, study.record.of, mean, effective.token, keeps_heads


def _source_of(study: TokenMapOf, key: tuple[Any, ...], progress: Progress, should_stop: ShouldStop) -> _Source:
    continued = all_read(study.of, should_stop) if study.continued is None else study.continued
    run = done(study.of, no_progress, should_stop, continued)
    shown = run.shown
    kind: Kind = SIDES[study.side].kind if study.side in SIDES and shown.beside else "self"
    attended, record = shown.of(kind), study.record
    if attended.keys is not attended.read:
        raise RunError("not_rolled", "in cross-attention, queries and keys are different texts, so there is no product")
    tokens, count = len(attended.read), len(attended.calls)
    memory.require(4 * tokens**2 * (count + 4 * attended.shape[1]), run.held.device, LESS_MEMORY)
    token, heads = None, None
    if record.of == "gradients":
        token = _token_of(study, run)
        heads = _gradients(run, kind, token, should_stop)
    how = "mean" if study.heads == "head" else study.heads
    layers = []
    for at in range(count):
        check_stop(should_stop)
        progress(at, count)
        layers.append(_combined(study, attended, at, how) if heads is None else combined(heads[at], how))
    progress(count, count)
    has_sinks = any(call.scoring is not None and call.scoring.sinks is not None for call in attended.calls)
    kept = heads if study.heads == "head" else None  # they take much memory
    masks = tuple(None if call.mask is None else call.mask.any(0) for call in attended.calls)
    return _Source(key, run, attended, token, tuple(layers), kept, masks, has_sinks)


def _combined(study: TokenMapOf, attended: Attended, at: int, how: str) -> Tensor:
    """Return the matrix of a call: of weights, or of the lengths of what they write."""
    call = attended.calls[at]
    if study.record.of == "weights":
        return combined(call.weights(), how)
    off = _off(study, attended, at)
    written = lengths_of_sums(call, off) if how == "mean" else lengths(call, off)
    if written is None:
        raise RunError("no_norms", "the values or output projections of this model are not known, nor their norms")
    return written if how == "mean" else combined(written, how)


def _off(study: TokenMapOf, attended: Attended, at: int) -> list[int]:
    """Return the ablated heads of a call, whose weights write nothing."""
    number = attended.stack.numbers[at]
    return [head for layer, head in study.of.pairs_off(attended.calls[at].kind) if layer == number]


def _of_one_head(study: TokenMapOf, source: _Source, at: int) -> Tensor:
    """Return the matrix of one head of a call."""
    call = source.attended.calls[at]
    head = min(study.head, call.num_heads - 1)
    if source.heads is not None:
        return source.heads[at][head].float()
    if study.record.of == "weights":
        return call.weights(head)[0].float()
    written = lengths(call, _off(study, source.attended, at))
    assert written is not None
    return written[head]


def _token_of(study: TokenMapOf, run: Done) -> int:
    """Return the token whose logit is followed."""
    usual = run.shown.probabilities
    if usual is None:
        raise RunError("no_prediction", "this model predicts no token, so there is no logit to follow")
    if study.token is None:
        return int(usual.argmax())
    if study.token >= len(usual):
        values = {"token": study.token, "last": len(usual) - 1}
        sentence = "there is no token {token}: the model has tokens 0..{last}; nearest: {last}"
        raise RunError("no_such_token", sentence, **values)
    return study.token


def _gradients(run: Done, kind: Kind, token: int, should_stop: ShouldStop) -> tuple[Tensor, ...]:
    """Return the positive parts of weights times gradients, (h, T, T) of each layer."""
    shown, held = run.shown, run.held
    cells = sum(call.num_heads for each in shown.kinds for call in shown.of(each).calls) * len(shown.read) ** 2
    memory.require(_GRAPH * 4 * cells, held.device, LESS_MEMORY)
    numbers = {each: shown.of(each).stack.numbers for each in shown.kinds}
    arguments = held.record_arguments(shown.read, shown.target)
    with telling(held.loaded.model):
        found = weighted_gradients(
            held.loaded.model,
            arguments["inputs"],
            kind,
            token,
            rows=arguments["rows"],
            numbers=numbers,
            changes=run.changes,
            should_stop=should_stop,
        )
    calls, tokens = shown.of(kind).calls, len(shown.of(kind).read)
    if [each.shape for each in found] != [(call.num_heads, tokens, tokens) for call in calls]:
        raise RunError("no_gradient", "no gradient reaches the weights of this model ({why})", why="some are not seen")
    return tuple(each.clamp(min=0) for each in found)


def _traced(study: TokenMapOf, source: _Source, should_stop: ShouldStop) -> TokenMapTrace:
    attended, record = source.attended, study.record
    stack, tokens = attended.stack, len(attended.read)
    number = stack.numbers[-1] if study.layer is None else stack.nearest(study.layer)
    last = stack.numbers.index(number)
    layers = list(source.layers[: last + 1])
    if study.heads == "head":
        layers[last] = _of_one_head(study, source, last)
    check_stop(should_stop)
    layers = layers if record.rolled else layers[-1:]
    if not record.rolled:
        matrix = layers[0]
    elif record.of == "gradients":
        matrix = rolled_gradients(layers)
    else:
        shares = map(shares_of, layers) if record.of == "norms" else layers  # lengths have units
        matrix = rolled_out(tuple(shares), study.residual)
    first = last + 1 - len(layers)
    if (record.rolled, last) not in source.reached:
        source.reached[record.rolled, last] = _reached(source.masks[first : last + 1], tokens, rolled=record.rolled)
    shown = source.run.shown
    name = "" if source.token is None else source.run.held.loaded.tokens.name(source.token)
    return TokenMapTrace(
        spec=study,
        read=attended.read,
        matrix=array_of(matrix),
        mask=source.reached[record.rolled, last],
        number=number,
        numbers=stack.numbers[first : last + 1],
        left_out=sum(other < number for other in stack.others) if record.rolled else 0,
        has_sinks=source.has_sinks,
        position=shown.position if shown.target is None or attended is not shown else None,
        token=source.token,
        token_name=name,
    )


def _reached(masks: Sequence[Tensor | None], tokens: int, *, rolled: bool) -> Any:
    if rolled:
        return array_of(reachable(masks, tokens))
    return read_only(torch.ones(tokens, tokens, dtype=torch.bool).numpy()) if masks[0] is None else array_of(masks[0])
