"""Weights as lines: each as thick as its weight, from its query to its key; the largest of many; mouse and keys."""

from typing import Any

import numpy as np
import pytest
from eyes import look
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QColor
from pytestqt.qtbot import QtBot

from attnviz.gui.plots.lines.lines import line_colour, lines_of, others_in
from attnviz.gui.plots.lines.lines_view import LinePicture, LinesView
from attnviz.gui.plots.matrix.matrix import Cell
from attnviz.gui.theme import DARK, LIGHT, Look, Theme


@pytest.fixture
def view(qtbot: QtBot) -> LinesView:
    made = LinesView(Look(LIGHT))
    qtbot.addWidget(made)
    made.resize(600, 500)
    made.show()
    return made


def show(view: LinesView, weights: Any, query: int | None = 0, **more: Any) -> LinePicture:
    weights = np.asarray(weights, float)
    mask = more.pop("mask", np.ones(weights.shape, bool))
    names = [
        tuple(f"{letter}{place}" for place in range(count)) for letter, count in zip("qk", weights.shape, strict=True)
    ]
    picture = LinePicture(weights, np.asarray(mask, bool), *names, **more)
    view.show_picture(picture)
    cell = None if query is None else Cell(query, None)
    view.select(cell, cell)
    return picture


def ink(view: LinesView, x: float, y: float, reach: float, colour: QColor) -> float:
    """Return how many pixels of a colour are in a column around a height, parts of smooth edges counted as parts."""
    rows = look(view)[int(y - reach) : int(y + reach) + 1, int(x)]
    ground = view.look.color("window")
    channel = max((16, 8, 0), key=lambda at: abs((colour.rgb() >> at & 255) - (ground.rgb() >> at & 255)))
    below, above = (each.rgb() >> channel & 255 for each in (ground, colour))
    return float(((rows >> channel & 255).astype(float) - below).sum() / (above - below))


@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_that_a_line_ends_at_its_key_and_is_as_thick_as_its_weight(theme: Any, view: LinesView) -> None:
    weights = np.array([[0.5, 0.3, 0.15, 0.05], [0, 0, 0, 0], [0, 0, 0, 0]])
    view.restyle(Look(theme))
    show(view, weights)
    ends = view.places.ends
    for key, weight in enumerate(weights[0]):
        seen = ink(view, ends.right - 8, ends.keys[key], 20, line_colour(weight, view.look, "q"))
        assert seen == pytest.approx(ends.thickest * weight, abs=0.4), key
    both = ink(view, ends.left + 12, ends.queries[0], 20, line_colour(0.5, view.look, "q"))
    assert both >= ends.thickest * 0.5 - 0.5
    assert ink(view, ends.left + 12, ends.queries[1], 5, line_colour(0.5, view.look, "q")) == 0


@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_that_a_weight_that_reads_0_has_a_line_far_fainter_than_the_least_of_the_legend(
    theme: Theme, view: LinesView
) -> None:
    view.restyle(Look(theme))
    weights = np.zeros((40, 40))
    weights[0, 10], weights[0, 30] = 0.05, 0.0004
    show(view, weights)
    ends, colour = view.places.ends, view.look.color("q")
    legend, faint = (ink(view, ends.right - 8, ends.keys[key], 4, colour) for key in (10, 30))
    assert 0 < faint <= legend / 3


def test_that_a_line_passes_halfway_between_its_ends(view: LinesView) -> None:
    show(view, [[0, 0, 1.0], [0, 0, 0], [0, 0, 0]])
    ends = view.places.ends
    middle = (ends.left + ends.right) / 2
    seen = ink(view, middle, (ends.queries[0] + ends.keys[2]) / 2, 3, line_colour(1.0, view.look, "q"))
    assert seen == pytest.approx(7, abs=0.2)


@pytest.mark.parametrize(("strong", "role", "strength"), [(False, "edge", 0.18), (True, "q", 1.0)])
def test_that_other_queries_have_pale_lines_of_the_same_width(
    strong: bool, role: str, strength: float, view: LinesView
) -> None:
    show(view, [[0, 0, 0], [0, 0.4, 0], [0, 0, 0]], strong=strong)
    ends = view.places.ends
    seen = ink(view, ends.right - 8, ends.keys[1], 20, line_colour(0.4, view.look, role, strength))
    assert seen == pytest.approx(ends.thickest * 0.4, abs=0.4)


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
def test_that_pale_lines_are_seen_on_the_window_and_far_from_those_of_the_chosen_query(theme: Theme) -> None:
    dress = Look(theme)
    ground, own = dress.color("window").lightness(), line_colour(0.2, dress, "q").lightness()
    pale = line_colour(0.2, dress, *others_in(dress)).lightness()
    assert 12 <= abs(pale - ground) <= 0.4 * abs(own - ground)


def test_that_of_many_keys_the_five_largest_have_lines_and_of_equal_ones_the_first() -> None:
    rng = np.random.default_rng(0)
    weights = rng.dirichlet(np.ones(40), size=3)
    weights[2] = 1 / 40
    lines = lines_of(weights)
    for query in range(3):
        found = set(lines.keys[lines.queries == query].tolist())
        assert found == set(np.argsort(-weights[query], kind="stable")[:5].tolist())
    assert (np.diff(lines.weights) >= 0).all()
    assert (lines.weights == weights[lines.queries, lines.keys]).all()


def test_that_a_weight_of_0_or_none_has_no_line() -> None:
    assert lines_of(np.array([[0.0, 1.0], [np.nan, np.nan]])).keys.tolist() == [1]
    assert not lines_of(np.zeros((3, 600))).keys.size


@pytest.mark.parametrize("count", [1, 69, 512])
def test_that_names_of_many_tokens_do_not_collide_and_those_with_lines_are_among_them(
    count: int, view: LinesView, monkeypatch: pytest.MonkeyPatch
) -> None:
    from attnviz.gui.plots.lines import lines_view

    drawn: list[list[int]] = []
    legible = lines_view._legible
    monkeypatch.setattr(lines_view, "_legible", lambda *of: drawn.append(legible(*of)) or drawn[-1])
    weights = np.full((count, count), 1e-4)
    weights[0, count // 2] = 0.9
    show(view, weights)
    look(view)
    queries, keys = drawn[-2:]
    assert 0 in queries
    assert count // 2 in keys
    for heights, names in ((view.places.ends.queries, queries), (view.places.ends.keys, keys)):
        assert np.diff(np.sort(heights[names])).min(initial=99) >= view.places.line
        assert view.places.legend > heights.max()


def test_that_the_mouse_is_over_a_query_a_key_or_a_line_of_the_held_query(view: LinesView, qtbot: QtBot) -> None:
    weights = np.array([[0.0, 0.0, 1.0], [1.0, 0, 0], [0, 1.0, 0]])
    show(view, weights)
    ends = view.places.ends
    middle = (ends.left + ends.right) / 2
    found: list[Cell | None] = []
    view.hovered.connect(found.append)
    view.clicked.connect(found.append)
    places = [
        (ends.left - 20, ends.queries[2]),
        (ends.right + 20, ends.keys[1]),
        (middle, (ends.queries[0] + ends.keys[2]) / 2),
        (middle, ends.queries[0]),
    ]
    for x, y in places:
        qtbot.mouseMove(view, QPoint(round(x), round(y)))
    qtbot.mouseClick(view, Qt.MouseButton.LeftButton, pos=QPoint(round(ends.left - 20), round(ends.queries[1])))
    assert found == [Cell(2, None), Cell(0, 1), Cell(0, 2), None, Cell(1, None)]


def test_that_arrows_move_the_held_query_and_its_key(view: LinesView, qtbot: QtBot) -> None:
    show(view, np.eye(3), query=1)
    found: list[Cell] = []
    view.clicked.connect(found.append)
    for key in (Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_Right):
        qtbot.keyClick(view, key)
    assert found == [Cell(0, None), Cell(2, None), Cell(1, 0)]
