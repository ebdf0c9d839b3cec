"""A small training for tests of the training lab, with its user actions and pictures."""

from typing import Any

import numpy as np
from eyes import colours_of, grid_colours, heatmap_colours
from small_specs import independent_run

from attnviz.experiment.labs import make_spec
from attnviz.experiment.train.spec import TrainSpec
from attnviz.experiment.train.trace import TrainTrace
from attnviz.gui.labs.train.room import TrainRoom
from attnviz.gui.labs.train.stage import TrainStage
from attnviz.gui.window.main_window import MainWindow

STEPS = 12


def small_training(**changes: Any) -> TrainSpec:
    """Return a short training of two layers of two heads."""
    values = {
        "lab": "train",
        "task": {"kind": "repeat", "segment": 3},
        "num_tokens": 9,
        "vocab_size": 8,
        "num_layers": 2,
        "num_heads": 2,
        "num_hiddens": 8,
        "batch_size": 4,
        "steps": STEPS,
        "device": "cpu",
    }
    spec = make_spec(values | changes)
    assert isinstance(spec, TrainSpec)
    return spec


def room_of(window: MainWindow) -> TrainRoom:
    """Return the room of the training lab."""
    room = window.rooms["train"]
    assert isinstance(room, TrainRoom)
    return room


def stage_of(window: MainWindow) -> TrainStage:
    """Return the stage of the training lab."""
    return room_of(window).stage


def trace_of(window: MainWindow) -> TrainTrace:
    """Return the trace on screen."""
    trace = window.controller.shown
    assert isinstance(trace, TrainTrace)
    return trace


def steps_of(spec: TrainSpec) -> list[Any]:
    """Return the trace of each step of an independent run, from step 0."""
    return independent_run(spec, untrained_first=True)


def check_shows(window: MainWindow, truth: TrainTrace) -> None:
    """Compare tiles, the chosen head and predictions on screen with a trace, by pixels and texts."""
    stage, page = stage_of(window), stage_of(window).pages.train
    trace = trace_of(window)
    assert trace.step == truth.step
    assert trace.weights.tobytes() == truth.weights.tobytes()
    assert trace.logits.tobytes() == truth.logits.tobytes()
    layers, heads, tokens, _ = truth.weights.shape
    levels = np.concatenate([layer.levels()[0] for layer in truth.layers])
    allowed = np.tril(np.ones((tokens, tokens), bool))
    seen = grid_colours(page.grid, (tokens, tokens))
    expected = colours_of(stage.weight_table, levels)
    chosen = stage.number * heads + stage.pages.train._selection.current.head
    assert len(seen) == layers * heads
    assert (seen[:, allowed] == expected[:, allowed]).mean() > 0.97  # but for the marks of the chosen row and cell
    large = heatmap_colours(page.heatmap, (tokens, tokens))
    assert (large[allowed] == expected[chosen][allowed]).all()
    predicted = tuple(truth.vocabulary[token] for token in truth.predicted)
    assert tuple(each.predicted for each in page.chips.shown) == predicted
    assert tuple(each.token for each in page.chips.shown) == truth.words
