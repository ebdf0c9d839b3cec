"""Stages of many cells: their colours are made outside the window's thread, and drawn when they are there."""

import threading
from typing import Any

import numpy as np
import pytest
from eyes import colours_of, look
from hands import Hands
from small_specs import regression
from windows import At

from attnviz.experiment.colours import DIVERGING, HIGHEST, LOWEST
from attnviz.experiment.regression.trace import RegressionTrace
from attnviz.gui.plots.matrix.tile import colour_table
from attnviz.gui.run.background import AT_ONCE

LARGE = regression(
    data={"kind": "synthetic", "n_train": 800, "noise": 0.2}, x_test={"start": 0, "stop": 5, "step": 0.005}
)


@pytest.fixture
def threads(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, bool]]:
    """The stages whose colours are prepared, and whether that happens in the window's thread."""
    seen: list[tuple[str, bool]] = []
    prepare = RegressionTrace.prepare_stage

    def noted(trace: RegressionTrace, stage: str) -> None:
        if stage not in ("contrast", "head"):  # those come with every trace
            seen.append((stage, threading.current_thread() is threading.main_thread()))
        prepare(trace, stage)

    monkeypatch.setattr(RegressionTrace, "prepare_stage", noted)
    return seen


def test_that_colours_of_many_cells_are_made_in_another_thread_and_then_drawn(
    at: At, hands: Hands, threads: list[tuple[str, bool]]
) -> None:
    window = at(LARGE)
    stage: Any = window.rooms["regression"].stage
    assert stage.trace.weights.size > AT_ONCE
    stage.strip.go_to("differences")
    hands.qtbot.waitUntil(lambda: "x − xᵢ" in stage.bar.accessibleDescription())
    assert threads == [("differences", False)]
    ends = colours_of(colour_table(DIVERGING, window.look.theme), np.array([LOWEST, HIGHEST], np.uint8))
    assert np.isin(ends, look(stage.heatmap)).all()
    stage.strip.go_to("weights")


def test_that_a_stage_left_before_its_colours_are_there_is_not_drawn(
    at: At, hands: Hands, threads: list[tuple[str, bool]]
) -> None:
    window = at(LARGE)
    stage: Any = window.rooms["regression"].stage
    stage.strip.go_to("kernel")
    stage.strip.go_to("weights")
    said = stage.bar.accessibleDescription()
    assert "weight" in said, "the weights are ready and need not wait"
    hands.qtbot.wait(200)
    assert stage.bar.accessibleDescription() == said


def test_that_few_cells_are_drawn_at_once(at: At, threads: list[tuple[str, bool]]) -> None:
    window = at(regression())
    stage: Any = window.rooms["regression"].stage
    stage.strip.go_to("pooling")
    assert "weight × yᵢ" in stage.bar.accessibleDescription()
    assert threads == []
    stage.strip.go_to("weights")
