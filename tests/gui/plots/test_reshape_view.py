"""Heads folded into the batch: the same numbers above and below, in batch order, and what joins them."""

import itertools
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from eyes import cell_of, colours_of, ground, look
from hands import Hands
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor
from pytestqt.qtbot import QtBot

from attnviz.experiment.colours import DIVERGING, quantise
from attnviz.gui.plots.matrix.tile import colour_table
from attnviz.gui.plots.tensors.head_colours import every_nth, head_colour
from attnviz.gui.plots.tensors.reshape_view import Reshape, ReshapeCell, ReshapeView
from attnviz.gui.theme import DARK, LIGHT, Look, Theme

TABLE = colour_table(DIVERGING, LIGHT)
SHAPES = [(2, 5, 4, 20), (1, 8, 10, 8), (2, 2, 3, 4), (1, 12, 64, 64), (8, 16, 16, 16), (1, 1024, 4, 1), (8, 5, 4, 20)]
SIZES = [(1100, 700), (700, 420), (400, 250)]


@pytest.fixture
def view(qtbot: QtBot) -> ReshapeView:
    """A view of 1000x520."""
    made = ReshapeView(Look(LIGHT))
    qtbot.addWidget(made)
    made.resize(1000, 520)
    made.show()
    return made


def picture_of(shape: tuple[int, int, int, int], item: int = 0, merging: bool = False) -> Reshape:
    """A picture of (B, h, L, d) heads of random numbers."""
    items, heads, rows, features = shape
    values = np.random.default_rng(2).standard_normal((items, rows, heads * features))
    whole = quantise(values, None, -3.0, 3.0)
    split = whole.reshape(items, rows, heads, features).transpose(0, 2, 1, 3)
    labels = tuple(f"token{row}" for row in range(rows))
    return Reshape(whole, split, item, "Q", "q", labels, merging)


def show(view: ReshapeView, shape: tuple[int, int, int, int], item: int = 0, merging: bool = False) -> Reshape:
    picture = picture_of(shape, item, merging)
    view.show_split(picture, TABLE)
    return picture


def rect(found: QRectF | None) -> QRectF:
    assert found is not None, "this is not drawn"
    return found


def colours_in(view: ReshapeView, place: QRectF | None, rows: int, columns: int, seen: Any = None) -> Any:
    """The colours of the cells of a drawn matrix."""
    picture = look(view) if seen is None else seen
    where = rect(place)
    return np.array(
        [[ground(picture, cell_of(where, (rows, columns), r, c)) for c in range(columns)] for r in range(rows)]
    )


def tiles_of(view: ReshapeView, shape: tuple[int, int, int, int]) -> dict[tuple[int, int], QRectF]:
    found = {key: view.tile_rect(*key) for key in itertools.product(range(shape[0]), range(shape[1]))}
    return {key: place for key, place in found.items() if place is not None}


@pytest.mark.parametrize("merging", [False, True], ids=["split", "merge"])
@pytest.mark.parametrize(
    "shape", [(2, 5, 4, 20), (1, 8, 10, 8), (2, 2, 3, 4), (1, 1, 1, 1), (3, 1, 2, 3), (4, 8, 3, 4)]
)
def test_that_every_number_has_its_colour_in_the_whole_and_in_its_head(
    shape: tuple[int, int, int, int], merging: bool, view: ReshapeView
) -> None:
    items, heads, rows, features = shape
    picture = show(view, shape, merging=merging)
    seen = look(view)
    for item in range(items):
        whole = colours_in(view, view.whole_rect(item), rows, heads * features, seen)
        assert (whole == colours_of(TABLE, picture.whole[item])).all()
        for head in range(heads):
            tile = colours_in(view, view.tile_rect(item, head), rows, features, seen)
            assert (tile == colours_of(TABLE, picture.heads[item, head])).all()
            part = colours_in(view, view.slice_rect(item, head), rows, features, seen)
            assert (part == tile).all(), "a slice is not its tile"


def at_every_size(view: ReshapeView) -> Iterator[tuple[float, tuple[int, int]]]:
    """Give a view each scale of its type and each size, and name them."""
    for scale in (1.0, 1.6):
        view.restyle(Look(LIGHT, scale))
        for size in SIZES:
            view.resize(*size)
            yield scale, size


@pytest.mark.parametrize("merging", [False, True], ids=["split", "merge"])
@pytest.mark.parametrize("shape", SHAPES)
def test_that_everything_lies_side_by_side_within_the_widget_and_the_heads_in_the_order_of_the_batch(
    shape: tuple[int, int, int, int], merging: bool, view: ReshapeView
) -> None:
    for case in at_every_size(view):
        show(view, shape, item=shape[0] - 1, merging=merging)
        wholes = [whole for item in range(shape[0]) if (whole := view.whole_rect(item)) is not None]
        tiles = tiles_of(view, shape)
        places = [*wholes, *tiles.values()]
        assert all(QRectF(view.rect()).contains(place) for place in places), case
        assert not any(one.intersects(other) for one, other in itertools.combinations(places, 2)), case
        highest = max(whole.bottom() for whole in wholes)
        assert all((tile.top() > highest) is not merging for tile in tiles.values()), case
        assert list(tiles) == sorted(tiles, key=lambda key: (tiles[key].y(), tiles[key].x())), case


@pytest.mark.parametrize("shape", SHAPES)
def test_that_no_text_and_no_ribbon_reaches_the_edge(shape: tuple[int, int, int, int], view: ReshapeView) -> None:
    for case in at_every_size(view):
        show(view, shape)
        view.clearFocus()
        seen = look(view)
        edges = np.concatenate((seen[0], seen[-1], seen[:, 0], seen[:, -1]))
        assert (edges == QColor(LIGHT.window).rgb() & 0xFFFFFF).all(), case


@pytest.mark.parametrize("item", [0, 5])
def test_that_the_chosen_item_is_drawn_whole_and_what_is_left_out_is_counted(item: int, view: ReshapeView) -> None:
    shape = (8, 16, 16, 16)
    show(view, shape, item)
    places = view.places
    assert places is not None
    assert view.whole_rect(item) is not None
    assert all(view.tile_rect(item, head) is not None for head in range(16))
    assert places.hidden_heads == 8 * 16 - len(tiles_of(view, shape)) > 0
    assert places.hidden_items == sum(view.whole_rect(other) is None for other in range(8)) > 0


@pytest.mark.parametrize("shape", [(8, 16, 16, 16), (1, 1024, 4, 1)])
def test_that_it_is_said_how_many_are_left_out(
    shape: tuple[int, int, int, int], view: ReshapeView, monkeypatch: pytest.MonkeyPatch
) -> None:
    show(view, shape)
    said: list[str] = []
    asked = view.tr

    def listen(text: str, *rest: Any) -> str:
        said.append(text)
        return asked(text, *rest)

    monkeypatch.setattr(view, "tr", listen)
    view.redraw()
    look(view)
    assert "+ {0} more" in said


def test_that_so_many_heads_as_could_not_be_seen_are_not_drawn(view: ReshapeView) -> None:
    show(view, (1, 1024, 4, 1))
    tiles = tiles_of(view, (1, 1024, 4, 1))
    assert list(tiles) == [(0, head) for head in range(len(tiles))]
    assert 24 < len(tiles) <= 96
    assert all(min(tile.width(), tile.height()) >= 12 for tile in tiles.values())
    assert view.slice_rect(0, 1023) is not None


@pytest.mark.parametrize("merging", [False, True], ids=["split", "merge"])
@pytest.mark.parametrize("shape", [(2, 5, 4, 20), (1, 8, 10, 8), (4, 8, 3, 4), (1, 1, 1, 1)])
def test_that_pointing_at_a_number_names_it_in_both_bands(
    shape: tuple[int, int, int, int], merging: bool, view: ReshapeView, hands: Hands
) -> None:
    items, heads, rows, features = shape
    show(view, shape, merging=merging)
    pointed: list[ReshapeCell | None] = []
    view.hovered.connect(pointed.append)
    cell = ReshapeCell(items - 1, heads // 2, rows - 1, features // 2)
    for place in (view.slice_rect(cell.item, cell.head), view.tile_rect(cell.item, cell.head)):
        hands.point(view, cell_of(rect(place), (rows, features), cell.row, cell.feature))
        assert pointed[-1] == cell
    hands.point(view, QPointF(2, 2))
    assert pointed[-1] is None


def test_that_a_click_chooses_a_number_and_one_beside_the_cells_does_not(view: ReshapeView, hands: Hands) -> None:
    show(view, (2, 5, 4, 20))
    chosen: list[ReshapeCell] = []
    view.clicked.connect(chosen.append)
    hands.click(view, QPointF(3, 3))
    assert not chosen
    hands.click(view, cell_of(rect(view.tile_rect(1, 3)), (4, 20), 2, 7))
    assert chosen == [ReshapeCell(1, 3, 2, 7)]


@pytest.mark.parametrize("merging", [False, True], ids=["split", "merge"])
def test_that_a_chosen_number_is_marked_in_the_whole_and_in_its_head_and_nowhere_else(
    merging: bool, view: ReshapeView
) -> None:
    shape = (2, 5, 4, 20)
    show(view, shape, merging=merging)
    before = look(view)
    cell = ReshapeCell(0, 3, 2, 7)
    view.select(cell)
    changed = look(view) != before
    for item, head in itertools.product(range(2), range(5)):
        for place in (rect(view.slice_rect(item, head)), rect(view.tile_rect(item, head))):
            around = cell_of(place, (4, 20), cell.row, cell.feature).adjusted(-3, -3, 3, 3).toRect()
            marked = changed[around.top() : around.bottom() + 1, around.left() : around.right() + 1].any()
            assert marked == ((item, head) == (0, 3))
    view.select(None)
    assert (look(view) == before).all()


def test_that_a_mark_spares_the_colour_of_its_number(view: ReshapeView) -> None:
    picture = show(view, (2, 2, 3, 4))
    view.select(ReshapeCell(0, 1, 1, 2))
    seen = look(view)
    for place in (view.slice_rect(0, 1), view.tile_rect(0, 1)):
        colour = ground(seen, cell_of(rect(place), (3, 4), 1, 2))
        assert colour == colours_of(TABLE, picture.heads[0, 1, 1, 2])


def test_that_marks_draw_no_cell_anew(view: ReshapeView) -> None:
    show(view, (2, 5, 4, 20))
    look(view)
    drawn: list[float] = []
    view.painted.connect(drawn.append)
    view.select(ReshapeCell(0, 1, 1, 1))
    look(view)
    assert not drawn


def test_that_a_number_that_is_gone_is_not_marked(view: ReshapeView) -> None:
    show(view, (1, 2, 3, 4))
    before = look(view)
    view.select(ReshapeCell(0, 5, 9, 9))
    assert (look(view) == before).all()


@pytest.mark.parametrize(
    ("start", "key", "end"),
    [
        (None, Qt.Key.Key_Right, ReshapeCell(1, 0, 0, 0)),
        (ReshapeCell(0, 0, 1, 19), Qt.Key.Key_Right, ReshapeCell(0, 1, 1, 0)),
        (ReshapeCell(0, 2, 1, 0), Qt.Key.Key_Left, ReshapeCell(0, 1, 1, 19)),
        (ReshapeCell(0, 2, 1, 0), Qt.Key.Key_Down, ReshapeCell(0, 2, 2, 0)),
        (ReshapeCell(0, 2, 1, 0), Qt.Key.Key_Up, ReshapeCell(0, 2, 0, 0)),
        (ReshapeCell(0, 4, 1, 19), Qt.Key.Key_Right, None),
        (ReshapeCell(0, 0, 1, 0), Qt.Key.Key_Left, None),
        (ReshapeCell(0, 0, 3, 0), Qt.Key.Key_Down, None),
    ],
)
def test_that_the_arrows_go_on_across_the_borders_of_the_heads(
    start: ReshapeCell | None, key: Qt.Key, end: ReshapeCell | None, view: ReshapeView, qtbot: QtBot
) -> None:
    show(view, (2, 5, 4, 20), item=1)
    view.select(start)
    chosen: list[ReshapeCell] = []
    view.clicked.connect(chosen.append)
    qtbot.keyClick(view, key)
    assert chosen == ([] if end is None else [end])


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=lambda theme: theme.name)
def test_that_slice_ribbon_and_tile_of_a_head_share_its_colour_and_only_the_chosen_ribbon_is_strong(
    theme: Theme, view: ReshapeView
) -> None:
    view.restyle(Look(theme))
    show(view, (2, 5, 4, 20))
    seen = look(view)
    window = np.array(QColor(theme.window).getRgb()[:3])
    for head in range(5):
        colour = head_colour(head, 5, theme)
        part, tile = rect(view.slice_rect(0, head)), rect(view.tile_rect(0, head))
        assert seen[int(part.bottom()) + 5, int(part.center().x())] == colour.rgb() & 0xFFFFFF
        assert seen[int(tile.top()) - 1, int(tile.center().x())] == colour.rgb() & 0xFFFFFF
        reach = []
        for item in (0, 1):
            place = rect(view.tile_rect(item, head))
            ribbon = QColor(int(seen[int(place.top()) - 6, int(place.center().x())]))
            reach.append(np.abs(np.array(ribbon.getRgb()[:3]) - window).sum())
        assert reach[0] > 2 * reach[1] > 0


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=lambda theme: theme.name)
@pytest.mark.parametrize("count", [1, 2, 8, 9, 12, 96])
def test_that_head_colours_differ_and_stand_out(count: int, theme: Theme) -> None:
    colours = [head_colour(head, count, theme) for head in range(count)]
    assert len({colour.rgb() for colour in colours}) == count
    assert all(_contrast(colour, QColor(theme.window)) >= 3 for colour in colours)


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=lambda theme: theme.name)
@pytest.mark.parametrize("eyes", ["normal", "red-blind", "green-blind"])
def test_that_up_to_eight_heads_can_be_told_apart_by_colour_blind_eyes(eyes: str, theme: Theme) -> None:
    seen = [_oklab(_BLINDNESS[eyes] @ _linear(head_colour(head, 8, theme))) for head in range(8)]
    distances = [float(np.linalg.norm(one - other)) for one, other in itertools.combinations(seen, 2)]
    assert min(distances) > 0.07


@pytest.mark.parametrize(
    ("needed", "available", "step"), [(10, 10, 1), (11, 10, 2), (45, 10, 5), (51, 10, 10), (30, 1, 50)]
)
def test_that_labels_are_left_out_in_round_steps(needed: float, available: float, step: int) -> None:
    assert every_nth(needed, available) == step


def test_that_a_screen_reader_is_told_what_is_shown(view: ReshapeView) -> None:
    show(view, (2, 5, 4, 20))
    assert view.accessibleName()
    assert view.accessibleDescription() == "split of Q: 2 items, 5 heads"
    show(view, (1, 1, 4, 20), merging=True)
    assert view.accessibleDescription() == "merge of Q: 1 item, 1 head"


@pytest.mark.parametrize("size", [(40, 24), (90, 300), (400, 60)])
@pytest.mark.parametrize("shape", [*SHAPES, (1, 1, 1, 1)])
def test_that_it_draws_in_whatever_room_there_is(
    shape: tuple[int, int, int, int], size: tuple[int, int], view: ReshapeView
) -> None:
    view.resize(*size)
    show(view, shape)
    view.select(ReshapeCell(0, 0, 0, 0))
    assert view.tile_rect(0, 0) is not None
    assert look(view).shape == (size[1], size[0])


def test_that_without_a_picture_there_is_nothing_to_point_at(view: ReshapeView, hands: Hands) -> None:
    pointed: list[Any] = []
    view.hovered.connect(pointed.append)
    hands.point(view, QPointF(50, 50))
    assert pointed == [None]
    assert view.whole_rect(0) is view.slice_rect(0, 0) is view.tile_rect(0, 0) is None


def _contrast(one: QColor, other: QColor) -> float:
    light, dark = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def _luminance(colour: QColor) -> float:
    return float(_linear(colour) @ np.array([0.2126, 0.7152, 0.0722]))


def _linear(colour: QColor) -> Any:
    share = np.array(colour.getRgbF()[:3])
    return np.where(share <= 0.04045, share / 12.92, ((share + 0.055) / 1.055) ** 2.4)


def _oklab(linear: Any) -> Any:
    """Ottosson's OKLab, in which equal distances look equally far apart."""
    cones = [
        [0.4122214708, 0.5363325363, 0.0514459929],
        [0.2119034982, 0.6806995451, 0.1073969566],
        [0.0883024619, 0.2817188376, 0.6299787005],
    ]
    lab = [
        [0.2104542553, 0.7936177850, -0.0040720468],
        [1.9779984951, -2.4285922050, 0.4505937099],
        [0.0259040371, 0.7827717662, -0.8086757660],
    ]
    return np.array(lab) @ np.cbrt(np.array(cones) @ np.clip(linear, 0, 1))


# Machado, Oliveira and Fernandes 2009: what eyes without red or without green cones see.
_BLINDNESS = {
    "normal": np.eye(3),
    "red-blind": np.array(
        [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]]
    ),
    "green-blind": np.array(
        [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]]
    ),
}


@pytest.mark.parametrize("row", [0, 22, 27])
def test_that_before_an_audience_the_chosen_row_is_named_beside_its_place(row: int, view: ReshapeView) -> None:
    view.restyle(Look(LIGHT).presented(1080))
    shape = (1, 4, 28, 16)
    named = tuple("D" if each == row else "" for each in range(28))
    view.show_split(replace(picture_of(shape), row_labels=named), TABLE)
    view.select(ReshapeCell(0, 1, row, 0))
    seen = look(view)
    for place in map(rect, (view.whole_rect(0), view.tile_rect(0, 0))):
        left, top = round(place.x()) - 8, round(place.y())
        inked = np.flatnonzero((seen[top - 2 : round(place.bottom()) + 2, :left] != seen[0, 0]).any(axis=1))
        assert inked.size
        middle = top - 2 + inked.mean()
        assert abs(middle - place.y() - (row + 0.5) * place.height() / 28) <= view.look.px(8)
