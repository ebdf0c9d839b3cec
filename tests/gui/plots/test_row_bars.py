"""One row of weights as bars: the largest by name, in the colours of the heatmap, each as long as its weight."""

from typing import Any

import numpy as np
import pytest
from eyes import colours_of, look
from PySide6.QtGui import QColor
from pytestqt.qtbot import QtBot

from attnviz.experiment.colours import MASKED, quantise
from attnviz.gui.plots.matrix.tile import colour_table
from attnviz.gui.plots.tensors.row_bars import Row, RowBars
from attnviz.gui.theme import LIGHT, Look

TABLE = colour_table("viridis", LIGHT)


@pytest.fixture
def bars(qtbot: QtBot) -> RowBars:
    """Bars 260 points wide."""
    made = RowBars(Look(LIGHT))
    qtbot.addWidget(made)
    made.resize(260, 260)
    made.show()
    return made


def row_of(weights: Any, mask: Any = None, **more: Any) -> Row:
    weights = np.asarray(weights, float)
    allowed = np.ones(len(weights), bool) if mask is None else np.asarray(mask, bool)
    labels = tuple(f"k{key}" for key in range(len(weights)))
    return Row(labels, weights, quantise(weights, allowed, 0.0, 1.0), allowed, **more)


def said(bars: RowBars) -> list[str]:
    return bars.accessibleDescription().split(", ")


def test_that_bars_stand_from_the_largest_weight_to_the_smallest(bars: RowBars) -> None:
    bars.show_row(row_of([0.1, 0.5, 0.05, 0.35]), TABLE)
    assert said(bars) == ["k1 0.500", "k3 0.350", "k0 0.100", "k2 0.050"]


def test_that_equal_weights_stand_in_the_order_of_the_keys(bars: RowBars) -> None:
    bars.show_row(row_of([0.25] * 4), TABLE)
    assert said(bars) == [f"k{key} 0.250" for key in range(4)]


def test_that_masked_keys_have_no_bar(bars: RowBars) -> None:
    bars.show_row(row_of([0.4, 0.6, 0.0, 0.0], [True, True, False, False]), TABLE)
    assert said(bars) == ["k1 0.600", "k0 0.400"]


def test_that_of_many_keys_the_ten_largest_are_shown_and_the_rest_is_counted(bars: RowBars) -> None:
    weights = np.arange(1, 31) / np.arange(1, 31).sum()
    bars.show_row(row_of(weights), TABLE)
    assert said(bars) == [f"k{key} {weights[key]:.3f}" for key in range(29, 19, -1)]
    assert bars.sizeHint().height() == 11 * bars.look.px(22)


@pytest.mark.parametrize("lit", [0, 3, 29])
def test_that_the_chosen_key_is_always_among_those_shown(lit: int, bars: RowBars) -> None:
    weights = np.arange(1, 31) / np.arange(1, 31).sum()
    bars.show_row(row_of(weights, lit=lit), TABLE)
    assert len(said(bars)) == 10
    assert f"k{lit} {weights[lit]:.3f}" in said(bars)
    assert (look(bars) == QColor(LIGHT.k_text).rgb() & 0xFFFFFF).any()


def test_that_a_chosen_key_that_is_masked_has_no_bar(bars: RowBars) -> None:
    bars.show_row(row_of([0.4, 0.6, 0.0], [True, True, False], lit=2), TABLE)
    assert said(bars) == ["k1 0.600", "k0 0.400"]


def test_that_a_bar_is_as_long_as_its_weight_and_has_its_colour(bars: RowBars) -> None:
    weights = [0.5, 0.25, 0.125]
    row = row_of(weights)
    bars.show_row(row, TABLE)
    seen, height = look(bars), bars.look.px(22)
    lengths = []
    for place, colour in enumerate(colours_of(TABLE, row.levels)):
        line = seen[place * height + height // 2]
        lengths.append(np.count_nonzero(line == colour))
    assert lengths[0] > 40
    assert lengths[1] == pytest.approx(lengths[0] / 2, abs=2)
    assert lengths[2] == pytest.approx(lengths[0] / 4, abs=2)


@pytest.mark.parametrize("weights", [[0.0, 0.0], [np.nan, np.nan], [np.nan, 0.5]])
def test_that_a_row_without_weights_or_with_none_that_are_numbers_is_drawn(weights: Any, bars: RowBars) -> None:
    bars.show_row(row_of(weights), TABLE)
    assert {words.split()[0] for words in said(bars)} == {"k0", "k1"}
    assert len(np.unique(look(bars))) > 3


def test_that_a_row_without_a_valid_key_says_so(bars: RowBars) -> None:
    bars.show_row(row_of([0.5, 0.5]), TABLE)
    look(bars)
    bars.show_row(row_of([0.0, 0.0], [False, False]), TABLE)
    assert bars.accessibleDescription() == ""
    seen = look(bars)
    assert not np.isin(seen, colours_of(TABLE, np.arange(1, 255, dtype=np.uint8))).any()
    assert len(np.unique(seen[: bars.look.px(22)])) > 3, "nothing is written"
    assert colours_of(TABLE, np.array(MASKED)) not in seen


@pytest.mark.parametrize(
    ("weights", "more", "words"),
    [
        ([0.02] * 50, {}, "and 40 more, none larger"),
        (np.arange(30) / np.arange(30).sum(), {}, "and 20 more, none larger"),
        (np.arange(30) / np.arange(30).sum(), {"lit": 1}, "and 20 more"),
        ([0.1] * 10 + [0.0] * 5, {}, "and 5 more, all 0"),
        ([0.1] * 10, {"zeros": 3}, "and 3 more, all 0"),
        ([0.05] * 20, {"zeros": 3}, "and 13 more, none larger"),
        ([np.nan] * 12, {}, "and 2 more"),
        ([0.1] * 10, {}, ""),
    ],
    ids=["equal", "falling", "one chosen", "exact zeros", "zeros apart", "both", "no numbers", "none left out"],
)
def test_that_the_keys_left_out_are_all_counted_and_called_smaller_only_where_they_are(
    weights: Any, more: dict[str, Any], words: str, bars: RowBars
) -> None:
    bars.show_row(row_of(weights, **more), TABLE)
    assert bars.rest == words
    assert bars.sizeHint().height() == (10 + bool(words)) * bars.look.px(22)
