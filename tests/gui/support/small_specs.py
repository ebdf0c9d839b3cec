"""Specs whose runs take less than a frame, and the traces of independent runs."""

from typing import Any

from attnviz.engine.run import run, run_to_end
from attnviz.experiment.labs import Spec, Trace, make_spec
from attnviz.experiment.regression.trace import RegressionTrace
from attnviz.experiment.train.trace import TrainTrace

_ATTENTION = {
    "mechanism": "multi_head",
    "num_heads": 2,
    "num_hiddens": 8,
    "batch_size": 2,
    "num_queries": 3,
    "num_kvpairs": 4,
    "device": "cpu",
}
_REGRESSION = {
    "lab": "regression",
    "estimator": "nonparametric",
    "data": {"kind": "synthetic", "n_train": 12, "noise": 0.2},
    "x_test": {"start": 0, "stop": 5, "step": 0.5},
    "device": "cpu",
}


def attention(**values: Any) -> Spec:
    """Return a small attention spec, updated with some values."""
    return make_spec(_ATTENTION | values)


def regression(**values: Any) -> Spec:
    """Return a small regression spec, updated with some values."""
    return make_spec(_REGRESSION | values)


def training(**values: Any) -> Spec:
    """Return a small regression spec with a learned width."""
    return regression(**{"estimator": "parametric", "w_init": 0.5, "epochs": 6} | values)


def transformer(**values: Any) -> Spec:
    """Return the spec of a small transformer trained for a few steps."""
    sizes = {"num_heads": 2, "num_hiddens": 16, "num_tokens": 12, "vocab_size": 12, "batch_size": 4, "steps": 6}
    task = {"kind": "repeat", "segment": 4}
    return make_spec({"lab": "train", "task": task, "device": "cpu", **sizes} | values)


def rhyme(**values: Any) -> Spec:
    """Return the spec of a small transformer trained on a text for a few steps."""
    return transformer(**{"task": {"kind": "text", "text": "a cat, a hat, a cat; "}, "vocab_size": 7} | values)


def cut_short(spec: Spec, steps: int = 2) -> Spec:
    """Return a spec with few training steps if it has thousands, else unchanged."""
    return spec.model_copy(update={"steps": steps}) if "steps" in dict(spec) else spec


def what_matters(spec: Spec) -> dict[str, Any]:
    """Return the fields of a spec that affect its run; a form may hide the others."""
    values = {name: getattr(spec, name) for name in type(spec).model_fields}
    return {name: values[name] for name in sorted(type(spec).active_fields(values))}


def independent_run(spec: Spec, *, untrained_first: bool = False) -> list[Any]:
    """Return the traces of a run independent of any window."""
    return list(run(spec, untrained_first=untrained_first))


def independent_trace(spec: Spec, layer: int | None = None) -> Any:
    """Return the last trace of a run independent of any window, at a layer if it has several."""
    return run_to_end(spec, layer=layer) if layer else independent_run(spec)[-1]


def steps_of(trace: Trace) -> int:
    """Return the number of training steps of a trace."""
    assert isinstance(trace, RegressionTrace | TrainTrace)
    return trace.step


SMALL = attention()
