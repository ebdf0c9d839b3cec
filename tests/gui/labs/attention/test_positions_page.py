"""The page of positions draws the facts about the chosen cell, follows its sliders, and has them in its figure."""

from typing import Any

import numpy as np
import pytest
from attention_hands import press_page, stage_of
from hands import Hands
from PySide6.QtCore import QPoint
from small_specs import attention
from windows import At

from attnviz.experiment.attention.positions import position_facts
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
