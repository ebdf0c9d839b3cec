"""The one bridge from a spec to torch: `start` makes its run, `run` yields its traces, or one failure."""

import re
from collections.abc import Container, Iterator, Sequence
from dataclasses import replace
from typing import Any, overload

import torch

from attnviz.definitions.text import Text, TextError
from attnviz.engine.kept_results import KeptResults
from attnviz.engine.labs import ENGINE_LABS, cores_for
from attnviz.engine.machine import RunError, choose
from attnviz.engine.memory import is_of_library, ran_out, readable
from attnviz.engine.single_run import SingleRun
from attnviz.experiment.extras import Extra
from attnviz.experiment.labs import Asked, RunEvent, Spec, Trace, Trained
from attnviz.experiment.layers.studies import LayerAt, LayerAtTrace
from attnviz.experiment.run import CarriedRun, Cursor, Failure, Progress, Run, ShouldStop, never_stop, no_progress
from attnviz.experiment.study import StudyOf, StudyResult
from attnviz.log import first_line, note_defect

_EXPECTED = (RunError, MemoryError, torch.OutOfMemoryError, RuntimeError, ValueError, OSError, StopIteration)
"""Errors that become a `Failure`. Others are bugs and raised, except StopIteration, which a generator must not raise.
"""


def start(
    asked: Asked,
    past: Run | None = None,
    progress: Progress = no_progress,
    *,
    trained: Trained | None = None,
    kept: KeptResults | None = None,
) -> Run:
    """Return the run of a spec or study, not yet started.

    The run depends on its spec only: no global seed, no default device.

    Args:
        asked: the spec or study.
        past: a run whose spec has the same identity (see `attnviz.engine.labs`), to reuse its steps; both stay usable.
        progress: called after each training step.
        trained: the trained state stored in a session; the run resumes from it if it fits.
        kept: a cache of results to use and extend; a run of a lab without caching empties it.
    """
    if isinstance(asked, LayerAt):
        return SingleRun(asked, _layer_at)
    lab = ENGINE_LABS[asked.lab]
    if kept is not None and lab.keeping is not None:
        return lab.keeping(asked, kept)
    if kept is not None:
        kept.clear()
    going = lab.start(asked, past, progress)
    if trained is not None and trained.fits(asked) and isinstance(going, CarriedRun):
        going.carry(trained)
    return going


def _layer_at(study: LayerAt, should_stop: ShouldStop) -> LayerAtTrace | None:
    """Return the trace of a run at a layer and a step, or the nearest step that it takes; None if stopped."""
    going, wanted = start(study.of), Cursor(study.step, study.layer, study.side or None)
    while not going.final and (study.step is None or going.known is None or going.known.is_before(wanted)):
        if not going.advance(should_stop):
            return None
    assert going.known is not None
    place = going.known.moved_to(wanted)
    if going.known.is_before(place):  # a generation may end before the step
        place = replace(place, step=going.known.step)
    return LayerAtTrace(study, going.at(place))


@overload
def run(
    asked: Spec,
    *,
    should_stop: ShouldStop = ...,
    untrained_first: bool = ...,
    steps: Container[int] | None = ...,
    progress: Progress = ...,
    past: Run | None = ...,
    side: str | None = ...,
) -> Iterator[RunEvent]: ...
@overload
def run(
    asked: StudyOf, *, should_stop: ShouldStop = ..., progress: Progress = ..., past: Run | None = ...
) -> Iterator[StudyResult | Failure[StudyOf]]: ...
def run(
    asked: Asked,
    *,
    should_stop: ShouldStop = never_stop,
    untrained_first: bool = False,
    steps: Container[int] | None = None,
    progress: Progress = no_progress,
    past: Run | None = None,
    side: str | None = None,
) -> Iterator[Any]:
    """Yield a spec's traces: one, or one for every training step; or the one result of a study.

    A run that is not possible ends with one `Failure` as the last event. Errors that a user can cause are never raised.

    Args:
        asked: the spec or study.
        should_stop: called between steps; True ends the run without a further event.
        untrained_first: also yield the fit before the first training step.
        steps: the training steps whose traces are made and yielded; None for all.
        progress: called after each training step, overlays' included, with the steps taken and their total; for a study
            of many parts before each of them.
        past: see `start`.
        side: the side of an encoder-decoder that the traces are of; None: its encoder.
    """
    try:
        going = start(asked, past, progress=progress)
        while not going.final:
            with cores_for(asked):
                if not going.advance(should_stop):
                    break
            step = going.known.step if going.known is not None else None
            ends_early = asked.trains and going.final and (step or 0) < asked.steps  # such as by an end token
            wanted = ends_early or (untrained_first if step == 0 else steps is None or step in steps)
            if wanted or not asked.trains:
                yield _newest(going, side)
    except _EXPECTED as error:
        yield failure_of(asked, error)


def _newest(going: Run, side: str | None) -> Any:
    """Return the trace at a run's last step, so that no local of `run` keeps it alive while the caller has it."""
    with cores_for(going.spec):
        return going.at(Cursor(side=side))


def run_to_end(
    spec: Spec,
    *,
    progress: Progress = no_progress,
    trained: Trained | None = None,
    layer: int | None = None,
    side: str | None = None,
) -> RunEvent:
    """Return a spec's last trace, or its `Failure`; no earlier trace of a training is made.

    With the trained state of a session, only the steps after it are taken. For a run with one trace per layer, return
    that of ``layer``, or the first; for one with several sides, that of ``side``.
    """
    try:
        going = start(spec, progress=progress, trained=trained)
        with cores_for(spec):
            while not going.final:
                going.advance(never_stop)
            last: Trace = going.at(Cursor(layer=layer, side=side))
        return last
    except _EXPECTED as error:
        return failure_of(spec, error)


def with_extras(trace: Any, extras: Sequence[Extra], *, progress: Progress = no_progress) -> RunEvent:
    """Return a trace with the arrays of extras, each from a study of its run; else the failure of the first that fails.

    The trace has a field ``further`` for them.
    """
    arrays: dict[str, Any] = {}
    for extra in extras:
        (found,) = run(extra.study(trace), progress=progress)
        if isinstance(found, Failure):
            return Failure(trace.spec, found.code, found.text)
        arrays |= found.arrays()
    last: Trace = replace(trace, further=arrays) if arrays else trace
    return last


def trained_to_end(
    spec: Spec, *, progress: Progress = no_progress, trained: Trained | None = None
) -> tuple[Trace, Trained] | Failure[Spec]:
    """Return the last trace of a training and its trained state, or its `Failure`; arguments as `run_to_end`."""
    try:
        going = start(spec, progress=progress, trained=trained)
        assert isinstance(going, CarriedRun)
        with cores_for(spec):
            while not going.final:
                going.advance(never_stop)
            return going.at(Cursor()), going.carried(Cursor())
    except _EXPECTED as error:
        return failure_of(spec, error)


_WANTED = re.compile(r"(?:tried|unable) to allocate ([\d.]+) ?(bytes|[KMGTPE]?i?B)\b", re.IGNORECASE)
"""The size in out-of-memory messages of torch (CPU, CUDA, MPS) and numpy."""


def failure_of(asked: Asked, error: BaseException) -> Failure[Any]:
    """Return the failure for an error that ended a run or the preparation of its picture; never raises.

    Its code is that of a `RunError`; else "out_of_memory", "run_failed" (a library or a file raised), or "internal" (a
    bug of attnviz). A library's error may be caused by such a bug too, for example by shapes that do not fit; the log
    has the traceback of both.
    """
    if isinstance(error, RunError):
        return Failure(asked, error.code, error.text)
    message = first_line(error)
    if ran_out(error):
        return _out_of_memory(asked, error, message)
    if is_of_library(error):
        why = error.text if isinstance(error, TextError) else message
        if not isinstance(error, OSError):
            note_defect("a library's error ended a run", error)
        return Failure(asked, "run_failed", Text("the run failed: {why}", {"why": why}))
    note_defect("an unexpected exception ended a run", error)
    kind = type(error).__name__
    why = kind if message == kind else f"{kind}: {message}"
    return Failure(asked, "internal", Text("the run failed unexpectedly: {why}", {"why": why}))


def _out_of_memory(asked: Asked, error: BaseException, message: str) -> Failure[Any]:
    # Results of a GPU pass through main memory, which may be the one that is too small.
    of_machine = isinstance(error, MemoryError) or "CPUAllocator" in message
    device = "cpu" if of_machine else _device_of(asked)
    values = {"device": device, "remedy": ENGINE_LABS[asked.lab].less_memory, "said": message}
    wanted = _WANTED.search(message)
    if wanted is None:
        return Failure(asked, "out_of_memory", Text("the memory of {device} ran out; {remedy}", values))
    number, unit = wanted.groups()
    values["size"] = readable(int(number)) if unit == "bytes" and number.isdecimal() else f"{number} {unit}"
    sentence = "the memory of {device} ran out when {size} more were asked for; {remedy}"
    return Failure(asked, "out_of_memory", Text(sentence, values))


def _device_of(asked: Asked) -> str:
    """Return the device of the run, or its name in the spec if the device is gone."""
    try:
        return str(choose(asked.device))
    except (RunError, RuntimeError):
        return asked.device
