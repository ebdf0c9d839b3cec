"""The studies of the model lab, by their types, and the one that ablates every head in turn."""

import contextlib
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import torch

from attnviz.engine.model.interventions import done
from attnviz.engine.model.recording import outputs_under
from attnviz.engine.model.residual.lens_studies import lens
from attnviz.engine.model.token_maps.study import token_map
from attnviz.experiment.arrays import read_only
from attnviz.experiment.model.interventions.heads_off import HEADS_OFF
from attnviz.experiment.model.lens import Lens, LensAt
from attnviz.experiment.model.sides import SIDES, HeadAt
from attnviz.experiment.model.studies import HeadsInTurn, HeadsInTurnTrace
from attnviz.experiment.model.token_maps.study import TokenMapOf
from attnviz.experiment.run import Progress, ShouldStop, StoppedError, no_progress
from attnviz.experiment.study import StudyOf, StudyResult

_MOST_TOKENS = 1024
"""The most tokens per batch, over all copies of the text."""

Study = Callable[[Any, Progress, ShouldStop], StudyResult | None]
"""Returns the result of a study; None if stopped."""


def heads_in_turn(study: HeadsInTurn, progress: Progress, should_stop: ShouldStop) -> HeadsInTurnTrace | None:
    """Return the loss with each head ablated, beside the interventions of the spec; None if stopped.

    As many copies of the text as fit run as one batch, each with another head ablated. Raises as `done`.
    """
    spec = study.of
    with torch.inference_mode(), contextlib.suppress(StoppedError):
        runs = done(spec, no_progress, should_stop, study.continued)
        held, shown, base = runs.held, runs.shown, {HEADS_OFF: {}, **runs.changes}
        kind = SIDES[study.side].kind if study.side in SIDES and shown.beside else "self"
        of = shown.of(kind)
        arguments = held.record_arguments(shown.read, shown.target)
        numbers = {each: shown.of(each).stack.numbers for each in shown.kinds}
        heads = [HeadAt(kind, layer, head) for layer in numbers[kind] for head in range(of.call(layer).num_heads)]
        at_once = max(1, _MOST_TOKENS // (len(shown.read) + len(shown.target or ())))
        probability, cosine = np.full(of.shape, np.nan), np.full(of.shape, np.nan)
        usual = shown.probabilities
        top = None if usual is None else int(usual.argmax())
        for first in range(0, len(heads), at_once):
            progress(first, len(heads))
            part = heads[first : first + at_once]
            changes = [{**base, HEADS_OFF: {**base[HEADS_OFF], head: spec.ablation}} for head in part]
            logits, hidden = outputs_under(
                held.loaded.model, **arguments, changes=changes, should_stop=should_stop, numbers=numbers
            )
            at = tuple(np.array([(each.layer, each.head) for each in part]).T)
            if logits is not None and top is not None:
                probability[at] = logits[:, 0].double().softmax(-1)[:, top].cpu().numpy()
            if hidden is not None and shown.recording.last_hidden is not None:
                apart = torch.cosine_similarity(hidden.double(), shown.recording.last_hidden.double()[None], dim=-1)
                cosine[at] = apart.mean(-1).double().cpu().numpy()
        progress(len(heads), len(heads))
        return HeadsInTurnTrace(
            study,
            "" if top is None else held.loaded.tokens.name(top),
            float("nan") if usual is None or top is None else float(usual[top]),
            read_only(probability),
            read_only(cosine),
        )
    return None


STUDIES: Mapping[type[StudyOf], Study] = {
    HeadsInTurn: heads_in_turn,
    Lens: lens,
    LensAt: lens,
    TokenMapOf: token_map,
}
