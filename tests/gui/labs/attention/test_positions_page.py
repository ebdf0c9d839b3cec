"""The page of positions draws the facts about the chosen cell, follows its sliders, and has them in its figure."""

import csv
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from attention_hands import press_page, stage_of
from calling import attnviz as command
from hands import Hands
from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QFileDialog
from pytestqt.qtbot import QtBot
from small_specs import attention
from windows import At

from attnviz.experiment.attention.positions import position_facts
from attnviz.export.document import write_session
from attnviz.export.figures.settings import FigureSettings, looked_at
from attnviz.export.labs import figure_of_page
from attnviz.gui.labs.attention.positions_page import PositionsPage
from attnviz.gui.widgets.selection import Selection
from attnviz.gui.window.main_window import MainWindow

SPEC = attention(mechanism="rotary", num_heads=2, num_hiddens=16, num_queries=4, num_kvpairs=6)


@pytest.fixture
def window(on: At, hands: Hands) -> MainWindow:
    shown = on(SPEC)
    shown.room.selection.lock(Selection(1, 2, 4))
    press_page(shown, "positions", hands)
    return shown


def page_of(window: MainWindow) -> Any:
    return stage_of(window).pages.page_of(PositionsPage)


def test_that_curve_dots_and_circle_are_of_the_chosen_cell(window: MainWindow) -> None:
    page, trace = page_of(window), stage_of(window).trace
    facts = position_facts(trace, 0, (1, 2, 4))
    np.testing.assert_array_equal(page.curve.curve.data, (facts.distances, facts.scores))
    np.testing.assert_array_equal(page.curve.row.data, (np.arange(6) - 2, trace.scores[0, 1, 2]))
    assert [each.item() for each in page.curve.cell.data] == [2, trace.scores[0, 1, 2, 4]]
    np.testing.assert_array_equal(page.plane.plane.query[0], trace.unrotated_q[0, 1, 2, [0, 4]])
    assert page.words.startswith("Query 3 and key 5, at distance 2, have the score ")
    assert page.said_of_shift.text() == "Shift the whole sentence to see what depends on where it stands."


def test_that_the_sliders_choose_pair_and_shift_for_page_and_figure(window: MainWindow) -> None:
    page, room = page_of(window), window.room
    page.pair.slider.setValue(2)
    page.shift.slider.setValue(30)
    assert (room.view.pair, room.view.shift) == (2, 30)
    assert page.plane.plane.features == (2, 6)
    assert page.said_of_shift.text().startswith("All tokens 30 positions later: no score changes")
    settings = FigureSettings(**looked_at(room.view, SPEC))
    assert (settings.cell, settings.pair, settings.shift) == ((1, 2, 4), 2, 30)
    figure = figure_of_page(SPEC, "positions")(stage_of(window).trace, settings)
    curve, circle = figure.axes
    facts = position_facts(stage_of(window).trace, 0, (1, 2, 4), 2, 30)
    np.testing.assert_array_equal(curve.lines[0].get_data(), (facts.distances, facts.scores))
    assert curve.get_title(loc="left").startswith("head 2, query 3, key 5\nshifted by 30")
    np.testing.assert_array_equal(np.array(circle.lines[2].get_data())[:, 1], facts.plane.query[1])  # type: ignore[union-attr]


def test_that_a_click_in_the_curve_chooses_the_key_at_that_distance(window: MainWindow, hands: Hands) -> None:
    page = page_of(window)
    for distance, key in ((-1, 1), (3, 5), (20, 5)):
        place = page.curve.place_of(float(distance), 0.0)
        hands.qtbot.mouseClick(page.curve.viewport(), hands.left, pos=QPoint(round(place.x()), round(place.y())))
        assert window.room.selection.locked == Selection(1, 2, key)


def test_that_only_a_run_with_positions_offers_the_page_and_alibi_has_no_circle(on: At, hands: Hands) -> None:
    window = on(SPEC.model_copy(update={"mechanism": "alibi", "mechanism_knobs": type(SPEC.mechanism_knobs)()}))
    press_page(window, "positions", hands)
    assert page_of(window).plane.isHidden()
    window = on(attention(num_queries=4))
    assert window.room.view.page == "stages"
    assert not stage_of(window).page_buttons.isHidden()
    assert stage_of(window).page_box.view().isRowHidden(stage_of(window).page_box.findData("positions"))


def test_that_window_and_command_write_the_curve_as_the_table_of_the_page(
    window: MainWindow, tmp_path: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    window.room.current_view.propose(shift=3)
    write_session(window.exporter.session(), tmp_path / "s.attnviz")
    assert command("export", str(tmp_path / "s.attnviz"), "-o", str(tmp_path / "command.csv")).code == 0
    asked: list[str] = []

    def answer(_window: Any, _title: str, _proposed: str, filters: str) -> tuple[str, str]:
        asked.append(filters)
        return str(tmp_path / "window.csv"), ""

    monkeypatch.setattr(QFileDialog, "getSaveFileName", answer)
    with qtbot.waitSignal(window.exporter.said):
        window.actions_["save_numbers"].trigger()
    assert "Table with a row for each distance (*.csv)" in asked[0]
    text = (tmp_path / "window.csv").read_text()
    assert text == (tmp_path / "command.csv").read_text()
    rows, trace = list(csv.DictReader(text.splitlines())), stage_of(window).trace
    facts = position_facts(trace, 0, (1, 2, 4), 0, 3)
    assert [(float(row["distance"]), float(row["score"])) for row in rows] == list(
        zip(facts.distances.tolist(), facts.scores.tolist(), strict=True)
    )
    assert [float(row["score_of_run"]) for row in rows if row["score_of_run"]] == trace.scores[0, 1, 2].tolist()
    assert {(row["head"], row["query"], row["key"], row["shift"]) for row in rows} == {("2", "2", "4", "3")}
    assert {float(row["largest_difference"]) for row in rows} == {facts.largest}
    with qtbot.waitSignal(window.exporter.said):
        window.exporter.save_numbers(tmp_path / "all.npz")
    with np.load(tmp_path / "all.npz") as file:
        np.testing.assert_array_equal(file["positions_score"], facts.scores)
        np.testing.assert_array_equal(file["weights"], trace.weights)
