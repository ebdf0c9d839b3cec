"""The colour bar: its two ends, what it holds for, and the signs of what is no number on it."""

from typing import Any

import numpy as np
import pytest
from eyes import colours_of, look
from pytestqt.qtbot import QtBot

from attnviz.experiment.colours import DIVERGING, HIGHEST, LOWEST, MASKED, NOT_FINITE, SEQUENTIAL, WEIGHT_SCALE, Scale
from attnviz.gui.plots.matrix.colour_bar import ColourBar
from attnviz.gui.plots.matrix.tile import colour_table
from attnviz.gui.plots.page import ColourLine
from attnviz.gui.theme import DARK, LIGHT, Look


@pytest.fixture
def bar(qtbot: QtBot) -> ColourBar:
    """A bar of 460x24."""
    made = ColourBar(Look(LIGHT))
    qtbot.addWidget(made)
    made.resize(460, 24)
    made.show()
    return made


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=lambda theme: theme.name)
@pytest.mark.parametrize("name", [*SEQUENTIAL, DIVERGING])
def test_that_the_bar_runs_from_the_lowest_to_the_highest_colour(name: str, theme: Any, bar: ColourBar) -> None:
    table = colour_table(name, theme)
    bar.restyle(Look(theme))
    bar.show_line(ColourLine(WEIGHT_SCALE, table, ""))
    row = look(bar)[bar.height() // 2]
    colours = colours_of(table, np.arange(LOWEST, HIGHEST + 1, dtype=np.uint8))
    on_it = np.flatnonzero(np.isin(row, colours))
    longest = max(np.split(on_it, np.flatnonzero(np.diff(on_it) > 1) + 1), key=len)
    assert len(longest) > 60
    first, last = colours_of(table, np.array([LOWEST, LOWEST + 3])), colours_of(table, np.array([HIGHEST - 3, HIGHEST]))
    near = np.array([[(int(c) >> shift) & 255 for shift in (16, 8, 0)] for c in (row[longest[0]], row[longest[-1]])])
    ends = np.array([[(int(c) >> shift) & 255 for shift in (16, 8, 0)] for c in (first[0], last[1])])
    assert np.abs(near - ends).max() <= 12


@pytest.mark.parametrize(
    ("scale", "ends"),
    [
        (WEIGHT_SCALE, "0 .. 1"),
        (Scale(-2.345678, 2.345678, diverging=True), "-2.35 .. 2.35"),
        (Scale(0.0, 0.03125), "0 .. 0.0312"),
        (Scale(0.0, 0.0), "0 .. 0"),
        (Scale(-1e9, 1e9), "-1e+09 .. 1e+09"),
    ],
)
def test_that_the_ends_of_the_scale_are_said(scale: Scale, ends: str, bar: ColourBar) -> None:
    bar.show_line(ColourLine(scale, colour_table("viridis", LIGHT), "weight, all heads"))
    assert bar.accessibleDescription() == f"{ends} weight, all heads"
    look(bar)


@pytest.mark.parametrize(("masked", "not_finite"), [(False, False), (True, False), (False, True), (True, True)])
def test_that_masked_and_not_a_number_have_a_sign_where_there_are_such(
    masked: bool, not_finite: bool, bar: ColourBar
) -> None:
    table = colour_table("viridis", LIGHT)
    bar.show_line(ColourLine(WEIGHT_SCALE, table, "weight", masked, not_finite))
    seen = look(bar)
    assert (np.count_nonzero(seen == colours_of(table, np.array(MASKED))) > 20) == masked
    assert (np.count_nonzero(seen == colours_of(table, np.array(NOT_FINITE))) > 20) == not_finite


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=lambda theme: theme.name)
@pytest.mark.parametrize("name", [*SEQUENTIAL, DIVERGING])
def test_that_no_weight_has_the_colour_of_a_masked_cell_or_of_none_at_all(name: str, theme: Any) -> None:
    table = colour_table(name, theme)
    weights = {tuple(rgb) for rgb in table.rgb[LOWEST : HIGHEST + 1].tolist()}
    assert tuple(table.rgb[MASKED].tolist()) not in weights
    assert tuple(table.rgb[NOT_FINITE].tolist()) not in weights


@pytest.mark.parametrize("name", SEQUENTIAL)
def test_that_a_larger_weight_is_never_a_step_back_in_lightness(name: str) -> None:
    table = colour_table(name, LIGHT)
    luma = table.rgb[LOWEST : HIGHEST + 1].astype(float) @ [0.2126, 0.7152, 0.0722]
    direction = np.sign(luma[-1] - luma[0])
    assert (np.diff(luma) * direction >= -1.0).all()


def test_that_the_diverging_map_is_lightest_in_its_middle() -> None:
    table = colour_table(DIVERGING, LIGHT)
    luma = table.rgb[LOWEST : HIGHEST + 1].astype(float) @ [0.2126, 0.7152, 0.0722]
    assert abs(int(luma.argmax()) - 127) <= 3


def test_that_a_bar_shrinks_before_its_caption_is_left_out(bar: ColourBar) -> None:
    line = ColourLine(Scale(-1.0, 1.0, diverging=True), colour_table(DIVERGING, LIGHT), "")
    bar.show_line(line)
    bar.resize(240, 24)
    without = look(bar)
    bar.show_line(line._replace(caption="each on its own ± scale"))
    assert (look(bar)[:, 200:] != without[:, 200:]).any()
