"""The study of the model lab: every head off in turn."""

from dataclasses import replace

import numpy as np
import torch

from attnviz.engine.model.interventions import done
from attnviz.engine.model.recording import outputs_under
from attnviz.engine.model.running import inputs_of, predicted_place, probabilities, rows_of
from attnviz.experiment.arrays import read_only
from attnviz.experiment.model.studies import HeadsInTurn, HeadsInTurnTrace
from attnviz.experiment.run import Progress, ShouldStop, no_progress

_MOST_TOKENS = 1024
"""So many tokens are run at once, of all copies of the text together."""


def heads_in_turn(study: HeadsInTurn, progress: Progress, should_stop: ShouldStop) -> HeadsInTurnTrace | None:
    """Return what is lost with each head off, beside the interventions of the spec; None if stopped.

    As many copies of the text as fit are run at once, each with another head off.

    Raises:
        RunError: the folder holds no model, or the interventions do not fit it.
    """
    spec = study.of
    with torch.inference_mode():
        found = done(spec, no_progress, should_stop)
        if found is None:
            return None
        held, plain, shown, base, read = found.held, found.plain, found.shown, found.changes, found.plain.read
        calls = plain.recording.shown
        heads = [(call.layer, head) for call in calls for head in range(call.num_heads)]
        at_once = max(1, _MOST_TOKENS // len(read))
        shape = len(calls), max(call.num_heads for call in calls)
        probability, cosine = np.full(shape, np.nan), np.full(shape, np.nan)
        place = predicted_place(held, read)
        predicts = place is not None and shown.recording.logits is not None
        usual = probabilities(shown.recording) if predicts else None
        top = None if usual is None else int(np.argsort(-usual, kind="stable")[0])
        for first in range(0, len(heads), at_once):
            progress(first, len(heads))
            part = heads[first : first + at_once]
            changes = [replace(base, heads_off=base.heads_off | {head}, ablation=spec.ablation) for head in part]
            outputs = outputs_under(
                held.loaded.model, inputs_of(held, read), changes, should_stop=should_stop, rows=rows_of(held, read)
            )
            if outputs is None:
                return None
            logits, hidden = outputs
            at = tuple(np.array(part).T)
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
