"""The start of the model lab's runs and studies, and the studies that ablate heads: each in turn, and random sets."""

import contextlib
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from attnviz.engine.machine import RunError
from attnviz.engine.model.changes import Changes
from attnviz.engine.model.generating.run import GenerationRun
from attnviz.engine.model.interventions import Done, done
from attnviz.engine.model.recording import outputs_under
from attnviz.engine.model.residual.attributing import attributed, soft_cap_of, tokens_of
from attnviz.engine.model.residual.lens_studies import lens
from attnviz.engine.model.run import ModelRun
from attnviz.engine.model.token_maps.study import token_map
from attnviz.engine.single_run import SingleRun
from attnviz.experiment.arrays import read_only
from attnviz.experiment.model.interventions.heads_off import HEADS_OFF
from attnviz.experiment.model.lens import Lens, LensAt
from attnviz.experiment.model.residual.attribution import Attribution
from attnviz.experiment.model.sides import SIDES, HeadAt, at_of
from attnviz.experiment.model.spec import ModelSpec
from attnviz.experiment.model.studies import HeadsInTurn, HeadsInTurnTrace, RandomSets, RandomSetsTrace, drawn_sets
from attnviz.experiment.model.token_maps.study import TokenMapOf
from attnviz.experiment.run import Progress, Run, ShouldStop, StoppedError, no_progress
from attnviz.experiment.study import StudyOf, StudyResult

_MOST_TOKENS = 1024
"""The most tokens per batch, over all copies of the text."""

Study = Callable[[Any, Progress, ShouldStop], StudyResult | None]
"""Returns the result of a study; None if stopped."""


def heads_in_turn(study: HeadsInTurn, progress: Progress, should_stop: ShouldStop) -> HeadsInTurnTrace | None:
    """Return the loss with each head ablated, beside the interventions of the spec; None if stopped.

    Raises as `done`.
    """
    spec = study.of
    with torch.inference_mode(), contextlib.suppress(StoppedError):
        runs = done(spec, no_progress, should_stop, study.continued)
        shown, base = runs.shown, {HEADS_OFF: {}, **runs.changes}
        kind = SIDES[study.side].kind if study.side in SIDES and shown.beside else "self"
        of, usual = shown.of(kind), shown.probabilities
        heads = [HeadAt(kind, layer, head) for layer in of.stack.numbers for head in range(of.call(layer).num_heads)]
        probability, cosine, lost = (np.full(of.shape, np.nan) for _ in range(3))
        top = None if usual is None else int(usual.argmax())
        followed = _Followed.of(study, runs, should_stop)
        changes = [{**base, HEADS_OFF: {**base[HEADS_OFF], head: spec.ablation}} for head in heads]
        for part, logits, hidden in _outputs(runs, changes, progress, should_stop):
            at = tuple(np.array([(each.layer, each.head) for each in heads[part]]).T)
            if logits is not None and top is not None and followed is not None:
                probability[at] = _shares(logits)[:, top]
                lost[at] = followed.with_all - followed.value(logits)
            if hidden is not None and shown.recording.last_hidden is not None:
                cosine[at] = _cosines(hidden, shown.recording.last_hidden)
        return HeadsInTurnTrace(
            study,
            "" if top is None else runs.held.loaded.tokens.name(top),
            float("nan") if usual is None or top is None else float(usual[top]),
            read_only(probability),
            read_only(cosine),
            None if followed is None else read_only(lost),
        )
    return None


def random_sets(study: RandomSets, progress: Progress, should_stop: ShouldStop) -> RandomSetsTrace | None:
    """Return the loss by the ablated heads of a spec, and by other sets of as many in the same layers; None if stopped.

    Raises:
        RunError: as `done`; no head is ablated, or there is no other such set.
    """
    spec = study.of
    with torch.inference_mode(), contextlib.suppress(StoppedError):
        runs = done(spec, no_progress, should_stop, study.continued)
        chosen = frozenset(map(at_of, spec.heads_off))
        if not chosen:
            raise RunError("no_heads_off", "no head is off (ablated), so there is no set to compare with random ones")
        counts = {(at.kind, at.layer): runs.shown.of(at.kind).call(at.layer).num_heads for at in chosen}
        sets, possible = drawn_sets(chosen, counts, study.sets, study.seed)
        if not sets:
            raise RunError("no_other_set", "all heads of these layers are off, so there is no other set of as many")
        changes = [
            {**runs.changes, HEADS_OFF: dict.fromkeys(heads, spec.ablation)} for heads in (frozenset(), chosen, *sets)
        ]
        after: list[NDArray[np.float64]] = []
        top, shown, before = None, math.nan, None
        for _, logits, hidden in _outputs(runs, changes, progress, should_stop):
            if logits is not None and runs.shown.position is not None:
                shares = _shares(logits)
                if top is None:
                    top, shown = int(shares[0].argmax()), float(shares[0].max())
                after.append(shown - shares[:, top])
            elif hidden is not None:
                before = hidden[0] if before is None else before
                after.append(1 - _cosines(hidden, before))
        lost = np.concatenate(after)
        token = "" if top is None else runs.held.loaded.tokens.name(top)
        return RandomSetsTrace(study, token, shown, float(lost[1]), read_only(lost[2:]), tuple(sets), possible)
    return None


def _outputs(
    runs: Done, changes: Sequence[Changes], progress: Progress, should_stop: ShouldStop
) -> Iterator[tuple[slice, Tensor | None, Tensor | None]]:
    """Yield the logits (n, V) of the predicting row, and last hidden states (n, T, D), under sets of interventions.

    As many copies of the text as fit run as one batch.
    """
    held, shown = runs.held, runs.shown
    arguments = held.record_arguments(shown.read, shown.target)
    numbers = {each: shown.of(each).stack.numbers for each in shown.kinds}
    at_once = max(1, _MOST_TOKENS // (len(shown.read) + len(shown.target or ())))
    for first in range(0, len(changes), at_once):
        progress(first, len(changes))
        part = slice(first, min(first + at_once, len(changes)))
        logits, hidden = outputs_under(
            held.loaded.model, **arguments, changes=changes[part], should_stop=should_stop, numbers=numbers
        )
        yield part, None if logits is None else logits[:, 0], hidden
    progress(len(changes), len(changes))


def _shares(logits: Tensor) -> NDArray[np.float64]:
    shares: NDArray[np.float64] = logits.double().softmax(-1).cpu().numpy()
    return shares


def _cosines(hidden: Tensor, before: Tensor) -> NDArray[np.float64]:
    """Return the cosines of states (n, T, D) with others (T, D), averaged over the tokens."""
    apart = torch.cosine_similarity(hidden.double(), before.double()[None], dim=-1)
    cosines: NDArray[np.float64] = apart.mean(-1).cpu().numpy()
    return cosines


@dataclass(frozen=True, slots=True)
class _Followed:
    """The logit of a token, or the difference of two, which a study follows."""

    token: int
    minus: int | None
    cap: float | None
    with_all: float = math.nan
    """Its value with every head on."""

    @classmethod
    def of(cls, study: HeadsInTurn, runs: Done, should_stop: ShouldStop) -> "_Followed | None":
        """Return that of a study; None without a prediction."""
        usual, logits = runs.shown.probabilities, runs.shown.recording.logits
        if usual is None or logits is None:
            return None
        token, minus = tokens_of(runs.held, usual, study.token, study.minus, should_stop)
        found = cls(token, minus, soft_cap_of(runs.held.loaded.model))
        return replace(found, with_all=float(found.value(logits[:1])[0]))

    def value(self, logits: Tensor) -> NDArray[np.float64]:
        """Return it for each row of logits (n, V), before a soft cap."""
        both = logits[:, [self.token] if self.minus is None else [self.token, self.minus]].double()
        both = both if self.cap is None else self.cap * (both / self.cap).atanh()
        value: NDArray[np.float64] = (both[:, 0] - (0 if self.minus is None else both[:, 1])).cpu().numpy()
        return value


STUDIES: Mapping[type[StudyOf], Study] = {
    HeadsInTurn: heads_in_turn,
    RandomSets: random_sets,
    Attribution: attributed,
    Lens: lens,
    LensAt: lens,
    TokenMapOf: token_map,
}


def start(asked: Any, _past: Any, progress: Progress) -> Run:
    """Return the run of a spec, or of a study, which has one step."""
    if isinstance(asked, ModelSpec):
        generates = asked.generate or not asked.target
        return GenerationRun(asked, progress) if generates else ModelRun(asked, progress)
    make = STUDIES[type(asked)]
    return SingleRun(asked, lambda study, should_stop: make(study, progress, should_stop))
