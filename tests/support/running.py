"""Runs for the engine's tests: their events, traces and failures."""

import itertools
from collections.abc import Callable
from dataclasses import fields
from typing import Any

import numpy as np
import pytest

from attnviz.attention import Descent
from attnviz.engine.run import run
from attnviz.experiment.attention.trace import AttentionTrace
from attnviz.experiment.labs import Event, Spec, Trace, make_spec
from attnviz.experiment.regression.trace import RegressionTrace
from attnviz.experiment.run import Failure


def events(values: dict[str, Any], **options: Any) -> list[Event]:
    """Return every event of the run of these values, by default on the CPU."""
    return list(run(make_spec({"device": "cpu", **values}), **options))


def attention_trace(**values: Any) -> AttentionTrace:
    """Return the one trace of an attention spec."""
    (trace,) = events(values)
    assert isinstance(trace, AttentionTrace), trace
    return trace


def regression_traces(untrained_first: bool = False, **values: Any) -> list[RegressionTrace]:
    """Return the traces of a regression spec."""
    found = events({"lab": "regression", **values}, untrained_first=untrained_first)
    traces = [event for event in found if isinstance(event, RegressionTrace)]
    assert traces == found
    return traces


def regression_trace(**values: Any) -> RegressionTrace:
    """Return the last trace of a regression spec."""
    return regression_traces(**values)[-1]


def the_failure(**values: Any) -> Failure[Spec]:
    """Return the failure of a run, which must be its only event."""
    (failure,) = events(values)
    assert isinstance(failure, Failure), failure
    return failure


def bits(trace: Trace) -> dict[str, tuple[str, tuple[int, ...], bytes]]:
    """Return dtype, shape and bytes of every array of a trace, to compare traces bit for bit."""
    return {name: (str(array.dtype), array.shape, array.tobytes()) for name, array in trace.arrays().items()}


def own_arrays(trace: Trace) -> dict[str, np.ndarray[Any, Any]]:
    """Return every array of a trace, including parameters."""
    held = {
        field.name: getattr(of, field.name) for of in (trace, getattr(trace, "layer", trace)) for field in fields(of)
    }
    held |= held.get("parameters", {})
    return {name: value for name, value in held.items() if isinstance(value, np.ndarray)}


def stopping_after(questions: int) -> Callable[[], bool]:
    """Return a ``should_stop`` that is false for the first ``questions`` calls, then true."""
    asked = itertools.count(1)
    return lambda: next(asked) > questions


def count_steps(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Return a list to which every further descent step of the engine is appended."""
    taken: list[int] = []
    true_step = Descent.step

    def counted(descent: Descent, gradients: Any) -> None:
        taken.append(1)
        true_step(descent, gradients)

    monkeypatch.setattr(Descent, "step", counted)
    return taken
