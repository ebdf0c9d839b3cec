"""The frames of an animation: traces in order, each with a caption.

The three films say what to run; the caller runs it in the engine and passes the traces in.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

import numpy as np

from attnviz.definitions.text import Refused, Text, untranslated
from attnviz.experiment.labs import LABS, RunEvent, Spec, Trace, stages_of
from attnviz.experiment.run import Failure
from attnviz.experiment.sweeps.frames import MOST_FRAMES, Sweep
from attnviz.export.labs import EXPORTS


class FilmFailedError(Refused):
    """A run of a film failed; the message is the failure's."""

    def __init__(self, failure: Failure[Spec]) -> None:
        super().__init__(failure.text)


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """One picture of a film."""

    trace: Trace
    caption: Text
    stage: str | None = None
    """None means the stage of the figure's settings."""


@dataclass(frozen=True, slots=True, eq=False)
class Film:
    """A stream of frames, which can be iterated once."""

    frames: Iterable[Frame]
    count: int
    """The number of frames."""
    beforehand: Iterable[Trace] = ()
    """Traces read before the first frame, if the axes depend on all frames."""


def film_of_training(events: Iterable[RunEvent], spec: Spec, most: int = 100) -> Film:
    """Return the film of a training: the untrained fit, evenly spaced steps, and the last, at most ``most``.

    Args:
        events: the events of the spec's run, the untrained fit first.
        spec: the spec of the run.
        most: the largest number of frames.

    Raises:
        ValueError: the spec has no training, or ``most`` is below 2 or too large.
        FilmFailedError: the run failed; raised while the frames are iterated.
    """
    if not spec.trains:
        raise Refused("this spec trains nothing, so there are no steps to show; nearest: the preset kernel-learned")
    if not 2 <= most <= MOST_FRAMES:
        values = {"frames": most, "most": MOST_FRAMES, "nearest": min(max(most, 2), MOST_FRAMES)}
        raise Refused("{frames} frames must be in 2..{most}; nearest: {nearest}", **values)
    shown = steps_shown(spec, most)
    captioned = EXPORTS[spec.lab].training_frames(_traces(events), frozenset(shown))
    return Film((Frame(trace, caption) for trace, caption in captioned), len(shown))


def steps_shown(spec: Spec, most: int) -> set[int]:
    """Return the steps of a training that its film shows; the run need not yield others."""
    return set(np.linspace(0, spec.steps, min(most, spec.steps + 1)).round().astype(int).tolist())


def _traces(events: Iterable[RunEvent]) -> Iterator[Trace]:
    for event in events:
        if isinstance(event, Failure):
            raise FilmFailedError(event)
        yield event


def film_of_stages(trace: Trace) -> Film:
    """Return the film of one run, stage by stage; the captions name the stages as the screen does."""
    stages, titles = trace.stage_names or stages_of(trace.spec), LABS[trace.spec.lab].stages
    frames = []
    for number, stage in enumerate(stages, 1):
        values = {"place": number, "count": len(stages), "title": Text(titles[stage])}
        frames.append(Frame(trace, Text("stage {place} of {count}: {title}", values), stage))
    return Film(frames, len(frames))


def film_of_sweep(sweep: Sweep, trace_of: Callable[[Spec], Trace]) -> Film:
    """Return the film of a sweep: the trace of each of its specs.

    Args:
        sweep: the specs.
        trace_of: runs a spec and returns its last trace. If points differ between specs, each is run twice, since the
            axes must contain all of them. It is not called before the film is iterated.
    """

    def frames() -> Iterator[Frame]:
        for swept in sweep.specs:
            yield Frame(trace_of(swept.spec), untranslated(f"{sweep.field} {swept.value:.6g}"))

    scouts = (trace_of(each.spec) for each in sweep.specs) if sweep.changes_points else ()
    return Film(frames(), len(sweep.specs), scouts)
