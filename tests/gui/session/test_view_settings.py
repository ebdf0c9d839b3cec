"""How a run is looked at: read from a room, and brought back to it, before its trace is there or after."""

from collections.abc import Iterator
from typing import Any

import pytest
from fake_engine import FakeEngine
from pytestqt.qtbot import QtBot
from session_hands import begin_at
from small_specs import SMALL, attention, regression, training
from windows import At, Settle

from attnviz.experiment.attention.view import AttentionViewSettings
from attnviz.experiment.files.session import Session
from attnviz.experiment.regression.view_settings import RegressionViewSettings
from attnviz.experiment.run import Cursor
from attnviz.gui.window.main_window import MainWindow

STRANGE = AttentionViewSettings(
    colour_map="cividis", head=1, query=2, key=3, stage="masked_scores", page="compare", item=1, contrast=True,
    statistic="distance", ranked=True, extremes=True, split="v",
)  # fmt: skip
FIT = RegressionViewSettings(colour_map="cividis", query=3, key=4, stage="kernel", page="kernels", full_contrast=False)


@pytest.fixture
def begun(used_window: MainWindow) -> Iterator[MainWindow]:
    """The module's window as it opens; and again afterwards."""
    yield begin_at(used_window)
    for room in used_window.rooms.values():
        room.set_map("viridis")


def test_that_a_room_is_brought_to_every_setting_that_it_says(begun: MainWindow) -> None:
    room: Any = begun.room
    assert room.view_settings() == AttentionViewSettings(query=2)  # the last row is chosen where none is
    room.apply_view(STRANGE)
    assert room.view_settings() == STRANGE
    stage = room.stage
    assert stage.strip.stage == "masked_scores"
    assert stage.page_buttons.value == "compare"
    assert stage.tools.items.currentText() == "2"
    assert stage.pages.compare.isVisible()
    assert stage.heatmap is not None
    assert (room.selection.locked.head, room.selection.locked.query, room.selection.locked.key) == (1, 2, 3)
    room.apply_view(AttentionViewSettings())
    assert room.view_settings() == AttentionViewSettings(query=2)
    assert stage.pages.heads.isVisible()


def test_that_a_page_with_runs_of_its_own_asks_for_them(begun: MainWindow, qtbot: QtBot) -> None:
    room: Any = begun.room
    room.apply_view(AttentionViewSettings(page="policies"))
    columns = room.stage.pages.pages["policies"].columns
    qtbot.waitUntil(lambda: all(column.isVisible() for column in columns[:3]))


def test_that_the_regression_room_is_brought_to_every_setting_that_it_says(at: At, begun: MainWindow) -> None:
    room: Any = at(regression()).room
    room.apply_view(RegressionViewSettings())
    assert room.view_settings() == RegressionViewSettings(query=5)  # the query in the middle
    room.apply_view(FIT)
    assert room.view_settings() == FIT
    assert room.stage.kernels.isVisible()
    room.apply_view(RegressionViewSettings())
    assert room.stage.views.isVisible()


def test_that_a_learned_head_is_chosen_again(at: At, begun: MainWindow) -> None:
    room: Any = at(training(num_heads=3)).room
    room.apply_view(RegressionViewSettings(head=2))
    assert room.view_settings().head == 2
    assert room.stage.shown is room.stage.trace.heads[1]
    room.apply_view(RegressionViewSettings(head=99))
    assert room.stage.shown is room.stage.trace


def test_that_settings_wait_for_the_trace_they_are_for(
    begun: MainWindow, engine: FakeEngine, qtbot: QtBot, settle: Settle
) -> None:
    room: Any = begun.room
    wide = attention(num_heads=4, num_hiddens=8, num_queries=9, batch_size=3, mechanism="multi_head")
    settings = AttentionViewSettings(head=3, query=8, item=2, stage="split", split="k")
    engine.hold()
    begun.controller.propose(wide)
    room.apply_view(settings)
    assert room.view_settings() == settings  # what is to come is what is saved meanwhile
    assert room.stage.strip.stage == "weights"  # and what is on screen stays as it was
    engine.let_go()
    settle(begun)
    assert room.stage.trace.spec == wide
    assert room.view == settings
    assert room.stage.pages.reshape.isVisible()


def test_that_what_a_trace_has_not_falls_back_to_what_it_has(begun: MainWindow) -> None:
    room: Any = begun.room
    room.apply_view(AttentionViewSettings(head=70, query=80, key=90, item=99, stage="features"))
    found = room.view_settings()
    assert (found.head, found.query, found.key, found.item) == (1, 2, 3, 1)
    assert found.stage in room.stage.strip.offered


def test_that_the_settings_of_one_stage_survive_a_run_without_it(begun: MainWindow, at: At, settle: Settle) -> None:
    room: Any = at(attention(mechanism="additive")).room
    room.apply_view(AttentionViewSettings(stage="features"))
    assert room.stage.strip.stage == "features"
    room.apply_view(AttentionViewSettings(stage="split"))
    assert room.stage.strip.stage in room.stage.strip.offered
    at(SMALL)
    assert room.stage.strip.stage in room.stage.strip.offered


def test_that_a_training_opens_at_the_step_that_was_looked_at(at: At, qtbot: QtBot) -> None:
    spec = training()
    window = at(spec)
    room = window.rooms["regression"]
    assert room.view_settings().step is None  # type: ignore[union-attr] - the last one
    window.controller.seek(Cursor(step=1))
    qtbot.waitUntil(lambda: room.stage.trace.step == 1)
    settings = room.view_settings()
    assert settings.step == 1  # type: ignore[union-attr]
    at(training(seed=9))
    window.session_state.lay_out(Session(spec=spec, view=settings))
    qtbot.waitUntil(lambda: room.stage.trace.spec == spec and room.stage.trace.step == 1)
    qtbot.wait(50)
    assert room.stage.trace.step == 1


def test_that_what_is_chosen_while_a_trace_is_awaited_stays_chosen(begun: MainWindow, settle: Settle) -> None:
    room: Any = begun.room
    begun.controller.propose(attention(seed=4))
    room.apply_view(AttentionViewSettings(colour_map="Reds", stage="output", item=1))
    begun.rooms.set_map("cividis")
    room.stage.strip.go_to("scores")
    awaited = room.view_settings()
    settle(begun)
    found = room.view
    assert (found.colour_map, found.stage, found.item) == ("cividis", "scores", 1)
    assert (awaited.colour_map, awaited.stage, awaited.item) == ("cividis", "scores", 1)


def test_that_colours_chosen_again_while_a_trace_is_awaited_stay_chosen(begun: MainWindow, settle: Settle) -> None:
    room: Any = begun.room
    begun.controller.propose(attention(seed=4))
    room.apply_view(AttentionViewSettings(colour_map="Reds"))
    begun.rooms.set_map(room.stage.view.colour_map)
    chosen = room.stage.view.colour_map
    settle(begun)
    assert room.stage.view.colour_map == chosen == "viridis"
