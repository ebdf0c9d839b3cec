"""How the runs of the training lab begin: a training, or a study of one of its steps."""

from collections.abc import Hashable
from itertools import combinations
from typing import Any

import numpy as np
import torch
from torch import Tensor

from attnviz.attention.transformer import Transformer, next_token_accuracy, next_token_loss
from attnviz.definitions.roles import role_of
from attnviz.engine.machine import one_thread
from attnviz.engine.single_run import SingleRun
from attnviz.engine.train.batches import HELD_OUT, Batch, draw_batch, generator_of
from attnviz.engine.train.model import roles_of
from attnviz.engine.train.run import TrainRun
from attnviz.experiment.arrays import read_only
from attnviz.experiment.run import Cursor, Progress, Run, ShouldStop, never_stop, no_progress
from attnviz.experiment.train.spec import TrainSpec
from attnviz.experiment.train.studies import (
    MOST_PAIRED,
    HeadsInTurn,
    HeadsInTurnTrace,
    HeadsOff,
    HeldOut,
    HeldOutTrace,
    Quality,
    RolesInTurn,
    RolesInTurnTrace,
    Study,
    StudyTrace,
    TraceAt,
    TraceAtTrace,
    Writing,
    WritingTrace,
    Written,
)

SEQUENCES = 64
"""The number of test sequences."""
_AT_ONCE = 8
"""The number of test sequences per batch, unless a training step reads more."""


def start(asked: Any, past: Any, progress: Progress) -> Run:
    """Return the run of a spec, or of a study, which has one step; both reuse the steps of ``past``."""
    if isinstance(asked, TrainSpec):
        return TrainRun(asked, past if isinstance(past, TrainRun) else None, progress)
    return SingleRun(asked, lambda study, should_stop: run_study(study, past, progress, should_stop))


def identity(asked: Any) -> Hashable:
    """Return a key of the steps of a training: equal for all specs and studies that share them."""
    past: Hashable = (asked if isinstance(asked, TrainSpec) else asked.of).past
    return past


def past_for(asked: Any) -> Run:
    """Return a prepared run whose steps a study shares with the next one of the same training."""
    run = TrainRun(asked, None, no_progress) if isinstance(asked, TrainSpec) else run_of(asked, None, no_progress)
    run.advance(never_stop)
    return run


def run_study(study: Study, past: Any, progress: Progress, should_stop: ShouldStop) -> StudyTrace | None:
    """Return the result of a study; None if stopped. Missing training steps are taken first.

    The progress counts heads or roles for a study of each of them, and steps for the others.
    """
    of_heads = isinstance(study, HeadsInTurn | RolesInTurn)
    run = run_of(study, past, no_progress if of_heads else progress)
    return _looked_at(study, run, progress if of_heads else no_progress, should_stop)


def run_of(study: Study, past: Any, progress: Progress) -> TrainRun:
    """Return the run of the steps that a study examines; it shares those of ``past``."""
    spec = study.of if study.of.steps >= study.step else study.of.model_copy(update={"steps": study.step})
    return TrainRun(spec, past if isinstance(past, TrainRun) else None, progress)


def _looked_at(study: Study, run: TrainRun, progress: Progress, should_stop: ShouldStop) -> StudyTrace | None:
    while run.known is None or (run.known.step or 0) < study.step:
        if not run.advance(should_stop):
            return None
    if isinstance(study, TraceAt):
        return TraceAtTrace(study, run.at(Cursor(step=study.step)))
    model, device = run.model_at(study.step)
    with one_thread(), torch.no_grad():
        try:
            return _on_model(study, model, device, progress, should_stop)
        finally:
            model.turn_off(())


def _on_model(
    study: HeldOut | HeadsInTurn | RolesInTurn | Writing,
    model: Transformer,
    device: torch.device,
    progress: Progress,
    should_stop: ShouldStop,
) -> StudyTrace | None:
    spec = study.of
    if isinstance(study, Writing):
        return _written(study, model, device, should_stop)
    batch = draw_batch(spec.task.record, spec.knobs, SEQUENCES, spec.seed, HELD_OUT)
    batch = Batch(batch.tokens.to(device), batch.counts.to(device))
    at_once = max(spec.batch_size, _AT_ONCE)
    model.turn_off(spec.pairs_off)
    shown = quality(model, batch, at_once)
    if isinstance(study, HeldOut):
        model.turn_off(())
        return HeldOutTrace(study, SEQUENCES, quality(model, batch, at_once) if spec.heads_off else shown, shown)
    if isinstance(study, RolesInTurn):
        tests = _together(spec, model, device)
        tested: list[HeadsOff] = []
        for done, (role, heads) in enumerate(tests):
            progress(done, len(tests))
            if should_stop():
                return None
            model.turn_off({*spec.pairs_off, *heads})
            tested.append(HeadsOff(role, heads, quality(model, batch, at_once)))
        count = len({role for role, _ in tests})
        return RolesInTurnTrace(study, SEQUENCES, shown, tuple(tested[:count]), tuple(tested[count:]))
    loss = np.empty((spec.num_layers, spec.num_heads))
    accuracy = np.empty_like(loss)
    for done, (layer, head) in enumerate(np.ndindex(loss.shape)):
        progress(done, loss.size)
        if should_stop():
            return None
        model.turn_off({*spec.pairs_off, (layer, head)})
        measured = quality(model, batch, at_once)
        loss[layer, head], accuracy[layer, head] = measured.loss, measured.accuracy
    return HeadsInTurnTrace(study, SEQUENCES, shown, read_only(loss), read_only(accuracy))


def _together(
    spec: TrainSpec, model: Transformer, device: torch.device
) -> list[tuple[str, tuple[tuple[int, int], ...]]]:
    """Return the heads of each role in a model, then each pair of heads from roles with few."""
    scores = roles_of(spec, model, device).scores
    named = {at: role_of(scores[at].tolist(), spec.roles) for at in np.ndindex(scores.shape[:2])}
    heads_of = {role.name: tuple(at for at in named if named[at] is role) for role in spec.roles}
    roles = [(role, heads) for role, heads in heads_of.items() if heads]
    return roles + [
        (role, pair) for role, heads in roles if 2 < len(heads) <= MOST_PAIRED for pair in combinations(heads, 2)
    ]


def quality(model: Transformer, batch: Batch, at_once: int = _AT_ONCE) -> Quality:
    """Return the quality of a model's predictions on a batch, in parts of ``at_once`` sequences."""
    loss = right = num_positions = 0.0
    for first in range(0, len(batch.tokens), at_once):
        tokens, counts = (each[first : first + at_once] for each in batch)
        logits, counted = model(tokens), int(counts[:, :-1].sum())
        if counted:
            loss += counted * next_token_loss(logits, tokens, counts).item()
            right += round(counted * next_token_accuracy(logits, tokens, counts).item())  # a mean in float32
            num_positions += counted
    return Quality(loss / num_positions, right / num_positions)


def chances_of(logits: Tensor, temperature: float) -> Tensor:
    """Return the probabilities (V,) of the next token for its logits (V,): softmax(logits / temperature)."""
    logits = logits.double().cpu()
    if temperature == 0:
        return torch.zeros_like(logits).index_fill_(0, logits.argmax(), 1.0)
    return ((logits - logits.max()) / temperature).softmax(dim=0)  # at most 0: a small temperature must not overflow


def _written(study: Writing, model: Transformer, device: torch.device, should_stop: ShouldStop) -> WritingTrace | None:
    spec: TrainSpec = study.of
    numbers = {word: number for number, word in enumerate(spec.alphabet)}
    prompt = tuple(numbers[word] for word in study.prompt)
    generator = generator_of(study.seed, HELD_OUT)
    model.turn_off(spec.pairs_off)
    tokens, written = list(prompt), []
    for _ in range(study.count):
        if should_stop():
            return None
        seen = tuple(tokens[-spec.num_tokens :])
        chances = chances_of(model(torch.tensor([seen], device=device))[0, -1], study.temperature)
        token = int(torch.multinomial(chances, 1, generator=generator))
        written.append(Written(token, float(chances[token]), seen))
        tokens.append(token)
    return WritingTrace(study, prompt, tuple(written))
