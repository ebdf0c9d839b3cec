"""A layer that is asked for: made in little time, and the same whatever else the machine does."""

from typing import Any

import numpy as np
import pytest
import torch
from model_folders import SMALL, made, written

from attnviz.engine import memory
from attnviz.engine.machine import one_thread
from attnviz.engine.model import layers
from attnviz.engine.model.run import ModelRun
from attnviz.experiment.labs import make_spec
from attnviz.experiment.layers.arrays import layer_of_arrays
from attnviz.experiment.layers.layer import Layer
from attnviz.experiment.model.spec import ModelSpec
from attnviz.experiment.run import Cursor, never_stop, no_progress


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> ModelRun:
    folder = written(tmp_path_factory.mktemp("models") / "llama", made("llama", **SMALL, initializer_range=0.4))
    spec = make_spec({"lab": "model", "device": "cpu", "folder": str(folder), "text": "the cat sat on the mat " * 8})
    assert isinstance(spec, ModelSpec)
    going = ModelRun(spec, no_progress)
    while not going.final:
        assert going.advance(never_stop)
    return going


def test_that_one_thread_ends_with_the_threads_before_even_if_it_fails() -> None:
    seen: list[int] = []

    def fail() -> None:
        with one_thread():
            seen.append(torch.get_num_threads())
            raise ZeroDivisionError

    before = torch.get_num_threads()
    try:
        torch.set_num_threads(2)
        with pytest.raises(ZeroDivisionError):
            fail()
        assert [*seen, torch.get_num_threads()] == [1, 2]
    finally:
        torch.set_num_threads(before)


def test_that_only_the_weights_of_a_layer_are_made_with_the_threads_of_the_run(
    run: ModelRun, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[tuple[str, int]] = []
    weights = layers.array_of

    def made_of(*arrays: Any, **further: Any) -> Layer:
        seen.append(("layer", torch.get_num_threads()))
        return layer_of_arrays(*arrays, **further)

    def first(tensor: torch.Tensor, **further: Any) -> object:
        seen.append(("array", torch.get_num_threads()))
        return weights(tensor, **further)

    monkeypatch.setattr(layers, "array_of", first)
    monkeypatch.setattr(layers, "layer_of_arrays", made_of)
    before = torch.get_num_threads()
    try:
        torch.set_num_threads(2)
        run.rest()
        run.at(Cursor(layer=1))
    finally:
        torch.set_num_threads(before)
    assert seen[0] == ("array", 2)
    assert ("layer", 1) in seen


def test_that_a_layer_checked_at_some_queries_has_the_stages_of_one_checked_at_all(
    run: ModelRun, monkeypatch: pytest.MonkeyPatch
) -> None:
    run.rest()
    some = run.at(Cursor(layer=1)).layer
    monkeypatch.setattr(layers, "_CHECKED", 1 << 30)
    run.rest()
    every = run.at(Cursor(layer=1)).layer
    assert some.stage_names == every.stage_names
    assert np.array_equal(some.scores, every.scores)
    assert np.array_equal(some.weights, every.weights)


def test_that_the_system_gets_memory_back_after_a_large_layer_alone(
    run: ModelRun, monkeypatch: pytest.MonkeyPatch
) -> None:
    given: list[None] = []
    monkeypatch.setattr(memory, "give_back", lambda: given.append(None))
    run.rest()
    run.at(Cursor(layer=1))
    assert not given
    monkeypatch.setattr("attnviz.engine.model.run._LARGE_LAYER", 0)
    run.rest()
    run.at(Cursor(layer=1))
    assert given
