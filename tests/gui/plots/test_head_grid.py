"""All heads side by side: any number of them, one colour table, one chosen cell in all of them."""

from typing import Any

import numpy as np
import pytest
from eyes import cell_of, colours_of, grid_colours, ground, inside, look
from hands import Hands
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QScrollArea
from pytestqt.qtbot import QtBot

from attnviz.experiment.colours import HIGHEST, LOWEST, MASKED, WEIGHT_SCALE, quantise
from attnviz.gui.plots.layout import tile_grid
from attnviz.gui.plots.matrix import head_grid
from attnviz.gui.plots.matrix.head_grid import HeadGrid
from attnviz.gui.plots.matrix.tile import colour_table, draw_tiles
from attnviz.gui.theme import DARK, LIGHT, Look
from attnviz.gui.widgets.selection import Selection

TABLE = colour_table("viridis", LIGHT)


@pytest.fixture
def grid(qtbot: QtBot) -> HeadGrid:
    made = HeadGrid(Look(LIGHT))
    qtbot.addWidget(made)
    made.show()
    return made


def show(grid: HeadGrid, levels: Any, mask: Any = None, table: Any = TABLE, *, across: int = 2) -> None:
    """Show heads in one or two columns, 120 pixels wide or high, as a layout does."""
    grid.show_heads(levels, mask, table)
    grid.place(tile_grid(grid.rules, across, 120))


def random_levels(*shape: int) -> Any:
    weights = np.random.default_rng(1).random(shape)
    return quantise(weights, None, WEIGHT_SCALE.low, WEIGHT_SCALE.high)


def rgb(colour: str) -> int:
    return QColor(colour).rgb() & 0xFFFFFF


@pytest.mark.parametrize("heads", [1, 2, 5, 16, 33, 96])
@pytest.mark.parametrize("shape", [(4, 6), (10, 10), (1, 10), (12, 2)])
def test_that_every_cell_of_every_head_has_the_colour_of_its_level(
    heads: int, shape: tuple[int, int], grid: HeadGrid
) -> None:
    levels = random_levels(heads, *shape)
    show(grid, levels)
    assert len(grid.tiles) == heads
    if min(grid.tiles[0].width() / shape[1], grid.tiles[0].height() / shape[0]) >= 1:
        assert (grid_colours(grid, shape) == colours_of(TABLE, levels)).all()


def test_that_of_heads_that_scroll_those_in_sight_are_drawn_each_true_to_its_levels(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    area, grid, drawn = QScrollArea(), HeadGrid(Look(LIGHT)), []
    monkeypatch.setattr(head_grid, "draw_tiles", lambda p, tiles, *of: (drawn.extend(tiles), draw_tiles(p, tiles, *of)))
    qtbot.addWidget(area)
    area.setWidget(grid)
    area.resize(300, 400)
    area.show()
    levels = random_levels(96, 6, 6)
    show(grid, levels)
    bar, expected = area.verticalScrollBar(), colours_of(TABLE, levels)
    for value in (0, 37, bar.maximum(), bar.maximum() // 2):
        bar.setValue(value)
        drawn.clear()
        seen = look(area)
        sight = grid.visibleRegion().boundingRect()
        offset = grid.mapTo(area, sight.topLeft()) - sight.topLeft()
        whole = [place for place, tile in enumerate(grid.tiles) if sight.contains(tile.toAlignedRect())]
        assert 4 <= len(whole) <= len(drawn) <= len(whole) + 4
        for place in whole:
            tile = grid.tiles[place].translated(offset)
            cells = [[ground(seen, cell_of(tile, (6, 6), q, k)) for k in range(6)] for q in range(6)]
            assert (np.array(cells) == expected[place]).all()


@pytest.mark.parametrize("heads", [1, 3, 12, 32, 33, 96])
@pytest.mark.parametrize("across", [1, 2])
def test_that_the_heads_are_one_beside_the_other_within_the_grid(heads: int, across: int, grid: HeadGrid) -> None:
    show(grid, random_levels(heads, 4, 6), across=across)
    tiles = grid.tiles
    assert len({tile.x() for tile in tiles}) == min(heads, across)
    assert all(QRectF(grid.rect()).contains(tile) for tile in tiles)
    assert not any(one.intersects(other) for n, one in enumerate(tiles) for other in tiles[:n])


def test_that_heads_too_small_for_their_cells_show_the_largest_weight_of_each_pixel(grid: HeadGrid) -> None:
    levels = np.full((16, 512, 512), LOWEST, np.uint8)
    levels[:, 511, 0] = HIGHEST
    show(grid, levels)
    picture = look(grid)
    for tile in grid.tiles:
        assert picture[int(tile.bottom()) - 1, int(tile.left())] == colours_of(TABLE, np.array(HIGHEST))


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=lambda theme: theme.name)
def test_that_masked_cells_are_hatched_in_every_head_and_never_the_colour_of_a_weight(
    theme: Any, grid: HeadGrid
) -> None:
    mask = np.array([[True, True, False], [True, False, False]])
    levels = np.where(mask, LOWEST + 3, MASKED).astype(np.uint8)
    table = colour_table("viridis", theme)
    grid.restyle(Look(theme))
    show(grid, np.stack([levels] * 3), mask, table)
    picture = look(grid)
    weight_colours = colours_of(table, np.arange(LOWEST, HIGHEST + 1, dtype=np.uint8))
    for tile in grid.tiles:
        for row, column in np.argwhere(~mask):
            cell = inside(picture, cell_of(tile, mask.shape, row, column))
            assert colours_of(table, np.array(MASKED)) in cell
            assert not np.isin(cell, weight_colours).any()
            assert len(np.unique(cell)) > 1, "there is no hatching"


def test_that_the_mouse_is_over_the_head_and_cell_that_are_drawn_there(grid: HeadGrid, hands: Hands) -> None:
    show(grid, random_levels(3, 4, 6))
    seen: list[Selection | None] = []
    grid.hovered.connect(seen.append)
    for head, query, key in ((0, 0, 0), (2, 3, 5), (1, 2, 4)):
        place = cell_of(grid.tiles[head], (4, 6), query, key)
        hands.point(grid, place)
        assert seen[-1] == Selection(head, query, key)


def test_that_a_click_chooses_a_head_whose_cells_are_previewed_again_once_the_mouse_has_left(
    grid: HeadGrid, hands: Hands
) -> None:
    show(grid, random_levels(3, 4, 6))
    chosen: list[int] = []
    seen: list[Selection | None] = []
    grid.hovered.connect(seen.append)
    grid.clicked.connect(chosen.append)
    hands.click(grid, cell_of(grid.tiles[2], (4, 6), 3, 5))
    hands.point(grid, cell_of(grid.tiles[2], (4, 6), 1, 1))
    assert (chosen, seen[-1]) == ([2], None)
    for head in (0, 2):
        hands.point(grid, cell_of(grid.tiles[head], (4, 6), 1, 1))
        assert seen[-1] == Selection(head, 1, 1)


def test_that_between_the_heads_the_mouse_is_over_nothing(grid: HeadGrid, hands: Hands) -> None:
    show(grid, random_levels(3, 4, 6))
    seen: list[Selection | None] = []
    grid.hovered.connect(seen.append)
    grid.clicked.connect(seen.append)
    gap = QPointF((grid.tiles[0].right() + grid.tiles[1].left()) / 2, grid.tiles[0].center().y())
    hands.point(grid, grid.tiles[0])
    hands.point(grid, gap)
    assert seen[-1] is None
    count = len(seen)
    hands.click(grid, gap)
    assert seen[count:] in ([], [None])


def test_that_the_chosen_cell_is_lit_in_every_head(grid: HeadGrid) -> None:
    show(grid, random_levels(4, 5, 5))
    plain = look(grid)
    grid.select(Selection(1, 3, 2))
    lit = look(grid)
    for tile in grid.tiles:
        cell = cell_of(tile, (5, 5), 3, 2).adjusted(-1, -1, 1, 1).toRect()
        within = np.s_[cell.top() : cell.bottom() + 1, cell.left() : cell.right() + 1]
        assert rgb(LIGHT.k) in lit[within]
        assert rgb(LIGHT.k) not in plain[within]
        row = cell_of(tile, (5, 5), 0, 2).adjusted(2, 2, -2, -2).toRect()
        elsewhere = np.s_[row.top() : row.bottom(), row.left() : row.right()]
        assert (lit[elsewhere] == plain[elsewhere]).all()


def test_that_only_the_chosen_head_has_a_border(grid: HeadGrid) -> None:
    show(grid, random_levels(4, 5, 5))
    grid.select(Selection(2))
    picture = look(grid)
    bordered = [picture[int(tile.center().y()), int(tile.left()) - 3] == rgb(LIGHT.accent) for tile in grid.tiles]
    assert bordered == [False, False, True, False]


def test_that_a_choice_beyond_the_heads_is_no_error(grid: HeadGrid) -> None:
    levels = random_levels(2, 3, 3)
    show(grid, levels)
    grid.select(Selection(7, 9, 9))
    picture = look(grid)
    assert (grid_colours(grid, (3, 3), picture) == colours_of(TABLE, levels)).all()
    assert not np.isin(picture, [rgb(LIGHT.accent), rgb(LIGHT.k), rgb(LIGHT.q)]).any()


def test_that_a_chosen_row_and_head_draw_no_cell_anew(grid: HeadGrid) -> None:
    show(grid, random_levels(2, 3, 3))
    look(grid)
    drawn: list[float] = []
    grid.painted.connect(drawn.append)
    grid.select(Selection(1, 1, 1))
    look(grid)
    assert not drawn


def test_that_the_number_of_heads_is_said_to_a_screen_reader(grid: HeadGrid) -> None:
    grid.show_heads(random_levels(7, 3, 3), None, TABLE)
    assert "7" in grid.accessibleDescription()
