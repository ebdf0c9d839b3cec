"""The stored picture of a fresh start: on screen before any run, marked, and gone once the run has its own."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from eyes import colours_of, heatmap_colours, look
from fake_engine import FakeEngine
from pytestqt.qtbot import QtBot
from windows import Opener, Settle

from attnviz.definitions.labs import FIRST_LAB
from attnviz.experiment.attention.trace import AttentionTrace
from attnviz.experiment.files.first_picture import first_picture
from attnviz.experiment.files.specs_in_files import opening_session, preset
from attnviz.gui.app import Options
from attnviz.gui.run.background import Background
from attnviz.gui.window.main_window import MainWindow

OPENING = opening_session(FIRST_LAB)
MARK = "stored picture, loading PyTorch"


@pytest.fixture
def stored() -> AttentionTrace:
    """Return the stored trace."""
    found = first_picture(OPENING.spec)
    assert isinstance(found, AttentionTrace)
    return found


@pytest.fixture
def fresh(engine: FakeEngine, open_window: Opener, stored: AttentionTrace, qtbot: QtBot) -> MainWindow:
    """A window as it opens, with the stored picture; the engine holds its run back."""
    engine.hold()
    window = open_window(OPENING.spec, start=False)
    window.keeper.begin(OPENING, None)
    window.start()
    window.controller.show_stored(stored)
    qtbot.wait(1)
    return window


def shows(window: MainWindow, trace: AttentionTrace) -> bool:
    """Return whether the large picture has the colours of a trace's weights."""
    stage, levels = window.room.stage, trace.levels()[0, window.room.view.head or 0]
    return bool((heatmap_colours(stage.heatmap, levels.shape) == colours_of(stage.table, levels)).all())


def test_that_the_stored_picture_is_on_screen_and_marked_before_the_engine_has_said_anything(
    fresh: MainWindow, stored: AttentionTrace, engine: FakeEngine
) -> None:
    assert shows(fresh, stored)
    assert fresh.status.state.text() == MARK
    assert not fresh.room.stage.last_good.isVisible()
    assert "run" not in fresh.status.facts.text(), "no run of this machine took any time"
    assert fresh.panels.stages.currentWidget() is fresh.room.stage
    assert fresh.controller.up_to_date


def test_that_the_run_confirms_it_and_the_mark_goes_while_not_a_pixel_of_the_picture_changes(
    fresh: MainWindow, engine: FakeEngine, settle: Settle, qtbot: QtBot
) -> None:
    qtbot.waitUntil(engine.began.is_set)
    qtbot.waitUntil(lambda: not any(each.busy for each in fresh.findChildren(Background)))  # its formula is set
    before = look(fresh.room.stage)
    engine.let_go()
    settle(fresh)
    assert not fresh.controller.shows_stored
    assert fresh.status.state.text() == ""
    assert "run" in fresh.status.facts.text()
    assert np.array_equal(look(fresh.room.stage), before)
    assert not fresh.keeper.modified


def test_that_other_numbers_of_the_run_take_its_place_without_a_word(
    engine: FakeEngine, open_window: Opener, stored: AttentionTrace, settle: Settle
) -> None:
    turned = np.ascontiguousarray(stored.weights[..., ::-1])
    other = replace(stored, layer=replace(stored.layer, weights=turned, dropped_weights=turned, _levels={}))
    engine.hold()
    window = open_window(OPENING.spec, start=False)
    window.start()
    window.controller.show_stored(other)
    assert window.controller.shown is other
    engine.let_go()
    settle(window)
    assert shows(window, stored)
    assert not shows(window, other)
    assert window.status.state.text() == ""
    assert not window.notice.isVisible()


def test_that_a_knob_turned_meanwhile_keeps_it_as_the_last_good_picture(
    fresh: MainWindow, stored: AttentionTrace, engine: FakeEngine, settle: Settle, qtbot: QtBot
) -> None:
    fresh.controller.propose(fresh.controller.spec.model_copy(update={"seed": 9}))
    qtbot.waitUntil(fresh.room.stage.last_good.isVisible)
    assert shows(fresh, stored)
    assert fresh.status.state.text() == "loading PyTorch"
    engine.let_go()
    settle(fresh)
    assert fresh.controller.shown is not None
    assert fresh.controller.shown.spec.seed == 9  # type: ignore[attr-defined]
    assert not fresh.room.stage.last_good.isVisible()


def test_that_it_stays_marked_when_the_run_is_stopped(fresh: MainWindow, engine: FakeEngine, qtbot: QtBot) -> None:
    qtbot.waitUntil(engine.began.is_set)
    fresh.controller.stop()
    qtbot.waitUntil(lambda: not fresh.controller.computing)
    assert fresh.status.state.text() == "stored picture"


def test_that_its_numbers_can_be_exported_as_those_of_a_run(fresh: MainWindow, tmp_path: Path) -> None:
    from attnviz.engine.run import run_to_end
    from attnviz.export.numbers import write_npz

    assert fresh.controller.shown is not None
    for name, trace in (("stored", fresh.controller.shown), ("run", run_to_end(OPENING.spec))):
        write_npz(trace, tmp_path / f"{name}.npz")  # type: ignore[arg-type]
    with np.load(tmp_path / "stored.npz") as ours, np.load(tmp_path / "run.npz") as theirs:
        assert ours.files == theirs.files
        assert str(ours["spec"]) == str(theirs["spec"])
        for name in ours.files[:-1]:
            np.testing.assert_allclose(ours[name], theirs[name], rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize(
    "options",
    [
        Options(OPENING, source=Path("mine.attnviz")),
        Options(OPENING, screenshot=Path("out.png")),
    ],
)
def test_that_it_is_for_a_start_that_opens_nothing_else(options: Options) -> None:
    assert not options.is_fresh
    assert Options(OPENING).is_fresh
    assert first_picture(preset("kernel-learned").spec) is None
    assert first_picture(preset("multi-head-random").spec) is None
