"""A knob that one place ignores is caught here: each changes the trace, and script, files and session have it too."""

import csv
import dataclasses
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from every_field import NOT_WALKED, WITHOUT_RUNS, changes
from scripts import run_scripts

from attnviz.definitions.mechanisms import MECHANISMS
from attnviz.engine.run import run_to_end
from attnviz.experiment.attention.masks import FurtherMasks
from attnviz.experiment.files.session import Session, session_from_json, session_to_json
from attnviz.experiment.labs import LABS, Spec, make_spec
from attnviz.experiment.run import Failure
from attnviz.export.code.script import pytorch_code
from attnviz.export.numbers import write_long_table, write_npz

UNSEEN = {
    ("attention", "context_length"): "the buffer of the causal mask is cut to the tokens",
    ("attention", "dropout"): "it acts in training alone",
    ("attention", "training"): "without dropout nothing is dropped",
    ("attention", "positions"): "sentences alone have them by default, which other inputs lack without them too",
    ("attention", "mask_policy"): "it decides about rows without a valid key alone",
    ("regression", "seed"): "it decides about a first w that is drawn",
    ("train", "clip"): "a gradient that is shorter is not clipped",
    ("model", "ablation"): "it decides about heads that are off, and about the study of each",
    ("model", "text_b"): "it acts where a head is patched from it",
    ("model", "special_tokens"): "the tokenizer of the model that comes along adds none",
}
"""Active fields that leave the arrays of some small spec as they are, and why."""
NEVER_SEEN = {("attention", "context_length"), ("model", "special_tokens")}
"""Those of them that leave the arrays of every spec as they are."""

NOT_IN_FILES = {
    "embedded": "rows of a parameter",
    "logits": "their softmax is there",
    "w_path": "without the value before the first step",
    "mixture_path": "as `w_path`",
    "head_y_hat": "products of the weights of each head",
}
"""Tensors of a trace that its file of arrays leaves out, and why: what it holds instead."""


@pytest.fixture(scope="module")
def traces() -> dict[Spec, Any]:
    """The last trace of every small spec, and of every one with another value."""
    specs = {spec for change in changes() for spec in (change.before, change.after)}
    last = {spec: run_to_end(spec) for spec in specs}
    assert not [event for event in last.values() if isinstance(event, Failure)]
    return last


def arrays_differ(a: Any, b: Any) -> bool:
    left, right = a.arrays(), b.arrays()
    return left.keys() != right.keys() or not all(same_numbers(left[name], right[name]) for name in left)


def same_numbers(left: Any, right: Any) -> bool:
    numeric = all(np.issubdtype(each.dtype, np.floating) for each in (left, right))
    return left.shape == right.shape and np.array_equal(left, right, equal_nan=numeric)


@pytest.mark.parametrize("lab", [lab for lab in LABS if lab not in WITHOUT_RUNS])
def test_that_every_field_of_a_spec_has_two_values_in_some_small_spec(lab: str) -> None:
    walked = {change.field for change in changes() if change.before.lab == lab}
    fields = set(LABS[lab].spec_type.model_fields) - NOT_WALKED  # type: ignore[attr-defined]
    none_comes_along = {"masks": FurtherMasks.records(), "mechanism_knobs": [r for r in MECHANISMS.values() if r.knobs]}
    assert fields - walked <= {name for name, records in none_comes_along.items() if not records}


def test_that_an_active_field_changes_the_trace_and_an_inactive_one_does_not(traces: dict[Spec, Any]) -> None:
    silent, loud = [], []
    unseen, seen = set(), set()
    for change in changes():
        place = change.before.lab, change.field
        if arrays_differ(traces[change.before], traces[change.after]):
            seen.add(place)
            loud += [] if change.may_act else [str(change)]
        elif change.is_active:
            unseen.add(place)
            silent += [] if place in UNSEEN else [str(change)]
    assert silent == []
    assert loud == []
    assert unseen == set(UNSEEN)
    assert set(UNSEEN) - seen == NEVER_SEEN


def test_that_whatever_alters_the_run_of_a_model_is_named_in_the_status_bar(traces: dict[Spec, Any]) -> None:
    """Beside what it reads, how long it goes on, in which precision, and where. How tokens are drawn is a fact."""

    def named(spec: Spec, field: str) -> str:
        trace = traces[spec]
        return str(trace.spec.drawn_said if field in {"choose", "sampling", "seed"} else trace.badge)

    inputs = {"folder", "text", "text_b", "special_tokens", "generate", "dtype", "device"}
    of_model = [each for each in changes() if each.before.lab == "model" and each.field not in inputs]
    altering = [each for each in of_model if arrays_differ(traces[each.before], traces[each.after])]
    unnamed = [str(each) for each in altering if named(each.before, each.field) == named(each.after, each.field)]
    assert unnamed == []
    assert {each.field for each in altering} >= set(LABS["model"].spec_type.interventions())  # type: ignore[attr-defined]


def test_that_the_script_of_every_spec_has_the_numbers_of_its_run(traces: dict[Spec, Any], tmp_path: Path) -> None:
    specs = {f"spec_{number:04}": spec for number, spec in enumerate(traces)}
    left = run_scripts({name: pytorch_code(spec) for name, spec in specs.items()}, tmp_path, fresh=True)
    wrong = {}
    for name, spec in specs.items():
        numbers = left_by_a_script(traces[spec])
        differing = [each for each, array in numbers.items() if not same_bits(left[name].get(each), array)]
        if differing:
            wrong[spec.model_dump_json()] = differing
    assert wrong == {}


def left_by_a_script(trace: Any) -> dict[str, Any]:
    """Return those arrays of a trace that its script leaves under these names."""
    arrays = {name: getattr(trace, name, None) for name in ("output", "y_hat", "logits")}
    arrays["weights"] = trace.arrays()["weights"]
    history = getattr(trace, "history", None)
    arrays |= {"losses": getattr(history, "loss", None), "accuracies": getattr(history, "accuracy", None)}
    return {name: array for name, array in arrays.items() if array is not None}


def same_bits(left: Any, right: Any) -> bool:
    return left is not None and left.dtype == right.dtype and left.tobytes() == right.tobytes()


def test_that_files_hold_every_tensor_and_every_row_and_a_session_the_spec(
    traces: dict[Spec, Any], tmp_path: Path
) -> None:
    for spec, trace in traces.items():
        assert session_from_json(session_to_json(Session(spec=spec))).spec == spec
        write_npz(trace, tmp_path / "trace.npz")
        with np.load(tmp_path / "trace.npz") as file:
            held = {name: file[name] for name in file.files}
        assert make_spec(json.loads(str(held.pop("spec")))) == spec
        tensors = {each.name: getattr(trace, each.name) for each in dataclasses.fields(trace)}
        for name, tensor in tensors.items():
            if isinstance(tensor, np.ndarray) and tensor.size > 1 and name not in NOT_IN_FILES:
                assert any(same_numbers(np.squeeze(tensor), np.squeeze(each)) for each in held.values()), (name, spec)
        write_long_table(trace, tmp_path / "table.csv")
        with (tmp_path / "table.csv").open(encoding="utf-8", newline="") as table:
            cells = int(np.prod(trace.weights.shape[-2:]))
            heads = trace.num_heads * max(1, spec.layers_run)
            assert len(list(csv.reader(table))) == 1 + trace.items * heads * cells
