"""The one selection that every view shows: hover previews, click locks, letting go keeps head and row."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pytestqt.qtbot import QtBot

from attnviz.gui.widgets.selection import Selection, SelectionModel

CELL, OTHER = Selection(1, 2, 3), Selection(0, 1, 1)


@pytest.fixture
def model(qtbot: QtBot) -> SelectionModel:
    return SelectionModel()


@pytest.fixture
def changes(model: SelectionModel) -> list[Selection]:
    """What was shown after each change."""
    seen: list[Selection] = []
    model.changed.connect(lambda: seen.append(model.current))
    return seen


def test_that_what_the_mouse_is_over_is_shown_while_it_lasts(model: SelectionModel, changes: list[Selection]) -> None:
    model.lock(CELL)
    model.hover(OTHER)
    assert (model.current, model.locked) == (OTHER, CELL)
    model.hover(None)
    assert (model.current, model.locked) == (CELL, CELL)
    assert changes == [CELL, OTHER, CELL]


def test_that_the_same_place_under_the_mouse_is_no_change(model: SelectionModel, changes: list[Selection]) -> None:
    for _ in range(3):
        model.hover(OTHER)
    assert changes == [OTHER]


def test_that_a_second_click_on_a_cell_lets_its_key_go(model: SelectionModel) -> None:
    model.toggle(CELL)
    assert model.locked == CELL
    model.toggle(CELL)
    assert model.locked == Selection(1, 2, None)


def test_that_keeping_a_kept_cell_by_other_means_than_a_click_on_it_keeps_it(model: SelectionModel) -> None:
    model.lock(CELL)
    model.lock(CELL)
    assert model.locked == CELL


def test_that_what_lies_outside_the_trace_on_screen_is_neither_shown_nor_kept(model: SelectionModel) -> None:
    model.fit(2, 4, 6)
    kept = model.locked
    for outside in (Selection(0, 9, 1), Selection(0, 1, 11)):
        model.hover(outside)
        model.lock(outside)
        assert model.current == model.locked == kept
    model.lock(Selection(7, 3, 5))
    assert model.locked == Selection(1, 3, 5), "a head that is not there is the nearest one"


def test_that_letting_go_keeps_head_and_row_and_forgets_the_mouse(model: SelectionModel) -> None:
    model.lock(CELL)
    model.hover(OTHER)
    model.release()
    assert model.current == model.locked == Selection(1, 2, None)


def test_that_the_first_row_chosen_is_the_last_unless_told_otherwise(model: SelectionModel) -> None:
    model.fit(4, 10, 10)
    assert model.locked == Selection(0, 9, None)
    other = SelectionModel()
    other.fit(1, 10, 10, first_query=5)
    assert other.locked == Selection(0, 5, None)


def test_that_a_trace_of_the_same_sizes_changes_nothing(model: SelectionModel, changes: list[Selection]) -> None:
    model.lock(CELL)
    changes.clear()
    model.fit(4, 10, 10)
    assert model.locked == CELL
    assert not changes


@given(
    chosen=st.builds(Selection, st.integers(0, 9), st.integers(0, 9), st.none() | st.integers(0, 9)),
    heads=st.integers(1, 9),
    queries=st.integers(1, 9),
    keys=st.integers(1, 9),
)
def test_that_a_selection_always_lies_within_the_trace(chosen: Selection, heads: int, queries: int, keys: int) -> None:
    model = SelectionModel()
    model.lock(chosen)
    model.hover(chosen)
    model.fit(heads, queries, keys)
    found: Any = model.current
    assert found.head == min(chosen.head, heads - 1)
    assert found.query == min(chosen.query or 0, queries - 1)
    assert found.key == (None if chosen.key is None else min(chosen.key, keys - 1))
