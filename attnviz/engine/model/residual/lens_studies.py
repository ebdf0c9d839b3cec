"""The studies of the logit lens: of every position, or of one at once."""

import contextlib
from typing import Any

import torch
from numpy.typing import NDArray

from attnviz.engine.machine import RunError
from attnviz.engine.model.calls import difference
from attnviz.engine.model.generating.run import GenerationRun
from attnviz.engine.model.interventions import done
from attnviz.engine.model.residual.attributing import token_of
from attnviz.engine.model.residual.lens import Top, states_of
from attnviz.experiment.arrays import read_only
from attnviz.experiment.model.lens import Lens, LensAt, LensTrace
from attnviz.experiment.model.sides import has_sides
from attnviz.experiment.model.spec import ModelSpec
from attnviz.experiment.model.trace import TOP
from attnviz.experiment.run import Cursor, Progress, ShouldStop, StoppedError, no_progress


def lens(study: Lens, progress: Progress, should_stop: ShouldStop) -> LensTrace | None:
    """Return what the states after each layer predict; None if stopped. Raises as `done` and `states_of`.

    Logits are computed for some positions at a time, so that memory is bounded for a long text.
    """
    with torch.inference_mode(), contextlib.suppress(StoppedError):
        continued = all_read(study.of, should_stop) if study.continued is None else study.continued
        runs = done(study.of, no_progress, should_stop, continued)
        held, shown = runs.held, runs.shown
        own = shown.recording.logits
        if shown.read.image is not None or not held.loaded.head or own is None or own.dim() != 2:
            what = held.loaded.folder.model_type
            raise RunError(
                "no_lens", "the model {what} predicts no token at every position, so there is no lens", what=what
            )
        of = shown.beside["decoder"] if shown.beside else shown
        arguments = held.record_arguments(shown.read, shown.target)
        found = shown.states or states_of(
            held.loaded.model,
            arguments["inputs"],
            of.calls,
            {kind: shown.of(kind).stack.numbers for kind in shown.kinds},
            changes=runs.changes,
            should_stop=should_stop,
        )
        shown.states = found  # the next position or token needs no pass
        (position,) = arguments["rows"]
        one = min(study.position, len(of.read) - 1) if isinstance(study, LensAt) else None
        positions = range(len(of.read)) if one is None else range(one, one + 1)
        asked, followed = study.token if isinstance(study, LensAt) else None, None
        if asked is not None:
            token = token_of(held, asked, found.vocabulary, should_stop)
            followed = torch.full((len(positions),), token, device=own.device)
        count, parts = len(found.layers), list[Top]()
        for layer in reversed(range(count)):
            progress(count - 1 - layer, count)
            tops = found.tops(layer, positions, TOP, followed, should_stop)
            if not parts and position in positions:
                tops = tops.replaced(positions.index(position), own, followed)
            followed = tops.followed
            parts.insert(0, tops)
        progress(count, count)

        def stacked(name: str) -> NDArray[Any]:
            return read_only(torch.stack([getattr(each, name) for each in parts]).cpu().numpy())

        return LensTrace(
            spec=study,
            tokens=of.read.names,
            position=position,
            positions=tuple(positions),
            ids=stacked("ids"),
            probabilities=stacked("probabilities"),
            followed=read_only(parts[-1].followed.cpu().numpy()),
            ranks=stacked("ranks"),
            shares=stacked("shares"),
            vocabulary=found.vocabulary,
            rest=difference(found.logits(-1, (position,)), own),
            name=held.loaded.tokens.name,
        )
    return None


def all_read(spec: ModelSpec, should_stop: ShouldStop) -> tuple[int, ...]:
    """Return the new tokens that the run of a spec reads; raises `StoppedError`."""
    if not spec.generate and (spec.target or not has_sides(spec.path)):
        return ()
    going = GenerationRun(spec, no_progress)
    while not going.final:
        if not going.advance(should_stop):
            raise StoppedError
    return going.at(Cursor(side="decoder")).continued
