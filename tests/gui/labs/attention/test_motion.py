"""Cells move to where the next stage makes its numbers of them; what is there at the end is the still picture."""

import subprocess
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from attention_hands import cell_levels, stage_of, symmetric, table_of
from eyes import colours_of, look
from PySide6.QtCore import QCoreApplication, QPoint, QPointF, QRectF, Qt
from PySide6.QtGui import QWheelEvent
from pytestqt.qtbot import QtBot
from small_specs import SMALL, attention, regression
from windows import At, Settle

from attnviz.definitions.mechanisms import MECHANISMS
from attnviz.definitions.score_steps import SCORE_STEPS
from attnviz.definitions.stages import STAGES, stages_of
from attnviz.gui.layers.motion import Motion, between
from attnviz.gui.session.settings import system_allows_motion
from attnviz.gui.widgets.selection import Selection
from attnviz.gui.window.main_window import MainWindow

WAYS = [
    ("project", "split"),
    ("split", "scores"),
    ("masked_scores", "weights"),
    ("weights", "heads"),
    ("heads", "merge"),
]
QUERY, KEY = 2, 1


class Moving:
    """A window whose motion a test's clock drives."""

    def __init__(self, window: MainWindow) -> None:
        self.window, self.stage, self.now = window, stage_of(window), 0.0
        self.page = self.stage.pages.stages
        self.motion: Motion = self.page.motion
        window.room.selection.lock(Selection(1, QUERY, KEY))
        window.show_motion(True)
        self.motion.clock = lambda: self.now

    def go(self, before: str, after: str, ms: float = 0) -> Any:
        """Return the page some time after one stage has followed another."""
        self.motion.end()
        self.stage.strip.go_to(before)
        self.motion.end()
        self.now = 0.0
        self.stage.strip.go_to(after)
        look(self.page)  # the first frame, with which it begins
        self.now = ms
        return look(self.page)


@pytest.fixture
def moving(on: At) -> Iterator[Moving]:
    """A settled window in which cells move."""
    window = on(SMALL)
    moving = Moving(window)
    yield moving
    window.show_motion(False)


@pytest.mark.parametrize(("before", "after"), WAYS)
def test_that_cells_move_and_the_end_is_the_still_picture(moving: Moving, before: str, after: str) -> None:
    midway = moving.go(before, after, 200)
    assert moving.motion.isVisible()
    moving.now = 400
    last = look(moving.page)
    moving.motion.step()
    assert moving.motion.isHidden()
    ended = look(moving.page)
    moving.window.show_motion(False)
    still = moving.go(before, after)
    assert np.array_equal(ended, still)
    assert np.array_equal(last, still)
    assert not np.array_equal(midway, still)


def with_every_step(mechanism: str) -> Any:
    """Return a spec whose module has every stage that the mechanism can have."""
    steps: Any = {name: {} for name, step in SCORE_STEPS.items() if step.stage is not None}
    if MECHANISMS[mechanism].features is not None:
        steps = {"softcap": {}}  # norms need a product of queries and keys
    return attention(mechanism=mechanism, score_steps=steps, num_kvpairs=3, dropout=0.1, training=True)


@pytest.mark.parametrize("mechanism", [name for name, record in MECHANISMS.items() if name != "given"])
def test_that_every_stage_comes_by_a_movement_or_says_why_not(mechanism: str, on: At) -> None:
    window = on(with_every_step(mechanism))
    moving = Moving(window)
    try:
        stages = stages_of(moving.stage.trace.spec)
        assert STAGES[stages[0]].stays
        for before, after in pairwise(stages):
            moving.go(before, after, 200)
            assert (moving.motion.movement is None) == bool(STAGES[after].stays), (before, after)
            assert bool(STAGES[after].moves) != bool(STAGES[after].stays)
            moving.now = 400
            moving.motion.step()
            ended = look(moving.page)
            window.show_motion(False)
            assert np.array_equal(ended, moving.go(before, after)), (before, after)
            window.show_motion(True)
    finally:
        window.show_motion(False)


def seen_in(seen: Any, place: QRectF, count: int) -> Any:
    """Return the colours along a row of cells."""
    across = [int(place.x() + (each + 0.5) * place.width() / count) for each in range(count)]
    return seen[int(place.center().y()), across]


def test_that_a_rotated_query_unfolds_from_the_one_it_is_made_of(on: At) -> None:
    moving = Moving(window := on(attention(mechanism="rotary")))
    try:
        seen = moving.go("split", "rotate", 300)
        movement, trace = moving.motion.movement, moving.stage.trace
        assert movement is not None
        assert [len(block.stops) for block in movement.blocks] == [2, 2, 2]
        given, rotated = trace.before["rotate"][0][0, 1], trace.q[0, 1]
        both, table = np.stack([given, rotated]), table_of(window, "scores")
        (began, start, *_), (_, end, *_) = movement.blocks[1].stops
        place = between(start, end, (0.75 - began) / (1 - began))
        assert start.width() == 0
        for at, row in ((movement.blocks[0].stops[-1].place, given), (place, rotated)):
            colours = colours_of(table, symmetric(row[QUERY], both))
            assert np.array_equal(seen_in(seen, at, len(colours)), colours)
    finally:
        window.show_motion(False)


def test_that_a_query_and_a_key_slide_on_to_their_features(on: At) -> None:
    moving = Moving(window := on(attention(mechanism="additive")))
    try:
        seen = moving.go("project", "features", 290)
        movement, trace = moving.motion.movement, moving.stage.trace
        assert movement is not None
        table, whole = table_of(window, "scores"), (trace.q[0, 0, QUERY], trace.k[0, 0])
        ways = [block for block in movement.blocks if not block.role]
        assert len(ways) == 2
        for block, row, scale in zip(ways, (whole[0], whole[1][KEY]), whole, strict=True):
            (began, start, *_), (_, end, *_) = block.stops
            place = between(start, end, (0.725 - began) / (1 - began))
            colours = colours_of(table, symmetric(row, scale))
            assert np.array_equal(seen_in(seen, place, len(colours)), colours)
        assert ways[0].stops[-1].place.bottom() == ways[1].stops[-1].place.top()
    finally:
        window.show_motion(False)


def test_that_a_row_of_scores_becomes_bars_as_high_as_its_weights(moving: Moving) -> None:
    seen = moving.go("masked_scores", "weights", 200)
    trace = moving.stage.trace
    levels, weights = cell_levels(trace, "weights", 0)[1, QUERY], trace.weights[0, 1, QUERY]
    movement = moving.motion.movement
    assert movement is not None
    paper = movement.veils[0].place
    keys = np.flatnonzero(trace.mask[0, 1, QUERY])
    assert len(movement.blocks) == len(keys) > 1
    heatmap = moving.stage.heatmap
    colours, heights = colours_of(table_of(moving.window, "weights"), levels), []
    for key in keys:
        middle = heatmap.mapTo(moving.page, heatmap.rect_of(QUERY, int(key)).center().toPoint()).x()
        column = seen[round(paper.top()) : round(paper.bottom()), middle]
        heights.append(int((column == colours[key]).sum()))
    assert heights == pytest.approx(list(paper.height() * weights[keys]), abs=1.5)
    assert sum(heights) == pytest.approx(paper.height(), abs=1.5 * len(keys))


def test_that_a_query_comes_from_where_it_was_in_its_own_colours(moving: Moving) -> None:
    moving.stage.strip.go_to("split")
    picture = moving.stage.pages.reshape.picture
    tile = picture.tile_rect(0, 1)
    rows = picture.picture.heads.shape[2]
    start = QRectF(tile.x(), tile.y() + QUERY * tile.height() / rows, tile.width(), tile.height() / rows)
    start.translate(QPointF(picture.mapTo(moving.page, QPoint())))
    seen = moving.go("split", "scores", 200)
    movement = moving.motion.movement
    assert movement is not None
    first, second = movement.blocks[0].stops[:2]
    assert first.place == start
    trace, place = moving.stage.trace, between(start, second.place, 0.5 / second.time)
    q = trace.split_into_heads("q")
    colours = colours_of(table_of(moving.window, "scores"), symmetric(q[0, 1, QUERY], q))
    width = place.width() / len(colours)
    across = [int(place.x() + (each + 0.5) * width) for each in range(len(colours))]
    assert np.array_equal(seen[int(place.center().y()), across], colours)


def test_that_values_fill_the_output_row_by_their_weights(moving: Moving) -> None:
    moving.go("weights", "heads", 200)
    movement = moving.motion.movement
    assert movement is not None
    weights = moving.stage.trace.weights[0, 1, QUERY]
    parts = [block.stops[2].place for block in movement.blocks[::2]]
    row = movement.veils[0].place
    assert [part.height() / row.height() for part in parts] == pytest.approx(list(weights[weights > 0]), abs=1e-5)
    assert (parts[0].top(), parts[-1].bottom()) == pytest.approx((row.top(), row.bottom()), abs=1e-3)


@pytest.mark.parametrize(
    "act", ["key", "click", "wheel", "hover", "knob", "stage", "theme", "resize", "switch", "lab", "F11"]
)
def test_that_whatever_the_user_does_ends_it(moving: Moving, act: str, qtbot: QtBot, settle: Settle) -> None:
    moving.go("masked_scores", "weights", 200)
    window, motion = moving.window, moving.motion
    assert motion.isVisible()
    if act == "key":
        qtbot.keyPress(moving.stage.strip, Qt.Key.Key_Shift)
    elif act == "click":
        qtbot.mousePress(moving.stage, Qt.MouseButton.LeftButton, pos=QPoint(1, 1))
    elif act == "wheel":
        buttons, keys = Qt.MouseButton.NoButton, Qt.KeyboardModifier.NoModifier
        turn = QPointF(), QPointF(), QPoint(), QPoint(0, 120), buttons, keys, Qt.ScrollPhase.NoScrollPhase, False
        QCoreApplication.sendEvent(moving.stage, QWheelEvent(*turn))
    elif act == "hover":
        window.room.selection.hover(Selection(1, 0, 0))
    elif act == "knob":
        window.controller.propose(SMALL.model_copy(update={"num_kvpairs": 5}))
        settle(window)
    elif act == "stage":
        moving.stage.strip.go_to("masked_scores")
    elif act == "theme":
        window.actions_["theme"].trigger()
        window.actions_["theme"].trigger()
    elif act == "switch":
        window.show_motion(False)
    elif act == "lab":
        window.controller.propose(regression())
        settle(window)
    elif act == "F11":
        window.actions_["present"].trigger()
    else:
        moving.page.resize(moving.page.width() - 1, moving.page.height())
        look(moving.page)
        motion.setGeometry(moving.page.rect())
    assert motion.isHidden()


def test_that_a_switch_turns_it_off_and_a_window_begins_without(moving: Moving) -> None:
    action = moving.window.actions_["motion"]
    assert action.isChecked()
    action.trigger()
    moving.go("masked_scores", "weights")
    assert moving.motion.isHidden()
    assert not moving.window.look.motion
    moving.window.present(True, full_screen=False)
    action.trigger()
    moving.window.present(False, full_screen=False)
    assert moving.window.look.motion


def test_that_going_back_shows_the_stage_at_once(moving: Moving) -> None:
    moving.go("weights", "masked_scores")
    assert moving.motion.isHidden()


@pytest.mark.parametrize(("said", "allowed"), [(b"false\n", False), (b"true\n", True), (None, True)])
def test_that_gnome_is_asked_once_for_less_motion(
    said: bytes | None, allowed: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    def run(command: tuple[str, ...], **_: object) -> Any:
        if said is None:
            raise FileNotFoundError(command[0])
        return subprocess.CompletedProcess(command, 0, stdout=said)

    monkeypatch.setattr("sys.platform", "linux")
    monkeypatch.setenv("XDG_CURRENT_DESKTOP", "ubuntu:GNOME")
    monkeypatch.setattr(subprocess, "run", run)
    assert system_allows_motion() is allowed
