"""Where pictures are placed: the rules hold for any sizes."""

import itertools
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rects import inside, overlap

from attnviz.gui.plots.layout import (
    NO_BARS,
    HeadsLayout,
    Margins,
    Rect,
    TileRules,
    cells_size,
    has_true_proportions,
    heads_and_bars_layout,
    heads_layout,
    in_a_grid,
)
from attnviz.gui.plots.tensors.tensor_layout import Tensor, product_layout, tensors_layout

SHAPES = st.tuples(st.integers(1, 600), st.integers(1, 600))
MARGINS = st.builds(Margins, *[st.integers(0, 90)] * 4)
ROOMS = st.builds(Rect, st.just(0.0), st.just(0.0), st.integers(300, 2400), st.integers(200, 1400))
LEAST = 16


@given(SHAPES, st.integers(20, 2000), st.integers(20, 2000))
def test_that_cells_are_square_and_as_large_as_fit_and_stretched_in_long_matrices(
    shape: tuple[int, int], width: int, height: int
) -> None:
    rows, columns = shape
    got_width, got_height = cells_size(shape, width, height, LEAST)
    assert got_width <= width + 1e-6
    assert got_height <= height + 1e-6
    side = (got_width / columns, got_height / rows)[columns < rows]  # along the longer side
    largest = min(width / columns, height / rows)
    assert largest * 0.96 <= side <= largest + 1e-9
    if has_true_proportions(shape) and min(shape) * side > LEAST:
        assert got_width / columns == pytest.approx(got_height / rows)
    elif max(shape) * side / 3 > LEAST and not has_true_proportions(shape):
        thinner, room = (got_height, height) if rows < columns else (got_width, width)
        assert thinner == pytest.approx(min(max(shape) * side / 3, room))


def test_that_ten_tokens_by_ten_in_a_room_by_hand() -> None:
    # 444 x 520 leave 44.4 pixels for a cell: 44 whole ones.
    assert cells_size((10, 10), 444, 520, LEAST) == (440, 440)
    # Two rows of 20 square cells would be 60 pixels high.
    assert cells_size((2, 20), 600, 300, LEAST) == (600, pytest.approx(200))
    # A row of 512 keys would be 1.2 pixels high.
    assert cells_size((1, 512), 600, 100, LEAST) == (600, 100)


@given(st.integers(1, 6), SHAPES, MARGINS, ROOMS)
def test_that_pictures_of_one_size_neither_overlap_nor_leave_the_room(
    count: int, shape: tuple[int, int], margins: Margins, room: Rect
) -> None:
    places = in_a_grid(count, shape, margins, room, gap=12, least=LEAST)
    assert len({(place.width, place.height) for place in places}) == 1
    for a, b in itertools.combinations(places, 2):
        assert not overlap(a, b)
    fits = all(place.within(margins).width > 1 and place.within(margins).height > 1 for place in places)
    roomy = room.width / count > margins.left + margins.right + 40 and room.height / count > margins.top + 150
    assert fits or not roomy
    if roomy:
        assert all(inside(place, room) for place in places)


@given(
    st.integers(1, 98),
    st.tuples(st.integers(1, 64), st.integers(1, 64)),
    st.builds(Rect, st.just(0.0), st.just(0.0), st.integers(500, 2400), st.integers(260, 1400)),
    st.integers(1, 3),
)
def test_that_heads_are_beside_the_chosen_one(count: int, shape: tuple[int, int], room: Rect, items: int) -> None:
    tiles = TileRules(count, shape, label=17, text=60, gap=10, least=56, most=120, scroll_bar=10, edge=4)
    margins = Margins(60, 60, 50, 8)
    layout = heads_layout(room, shape, margins, tiles, items=items, gap=12, least=LEAST)
    assert len(layout.pictures) == items
    assert all(inside(picture, room) for picture in layout.pictures)
    if count == 1:
        assert not layout.tiles.area
        return
    assert inside(layout.tiles, room)
    assert not any(overlap(layout.tiles, picture) for picture in layout.pictures)
    placed = [layout.grid.tile(place) for place in range(count)]
    assert all(inside(tile, Rect(0, 0, layout.grid.width, layout.grid.height)) for tile in placed)
    assert not any(overlap(a, b) for a, b in itertools.pairwise(placed))
    # Tokens by tokens stay square, the tile as the picture; a long one is stretched to 3:1.
    width, height = layout.grid.size
    ratio = shape[1] / shape[0] if has_true_proportions(shape) else (1 / 3, 3)[shape[1] > shape[0]]
    if min(shape) * max(width, height) / max(shape) > 8:
        assert math.isclose(width / height, ratio, rel_tol=0.2)


@given(
    st.integers(1, 98),
    st.tuples(st.integers(1, 64), st.integers(1, 64)),
    st.builds(Rect, st.just(0.0), st.just(8.0), st.integers(800, 2400), st.integers(400, 1400)),
    st.integers(1, 3),
    st.integers(22, 260),
)
def test_that_the_bars_of_a_row_cover_nothing_and_give_way_before_the_pictures_shrink(
    count: int, shape: tuple[int, int], room: Rect, items: int, height: int
) -> None:
    tiles = TileRules(count, shape, label=17, text=60, gap=10, least=56, most=120, scroll_bar=10, edge=4)
    margins, wanted = Margins(60, 60, 50, 8), room.area / 3
    layout = heads_and_bars_layout(
        room, shape, margins, tiles, bars=(200, height), items=items, gap=12, least=LEAST, wanted=wanted
    )
    alone = heads_layout(room, shape, margins, tiles, items=items, gap=12, least=LEAST, wanted=wanted)
    most = alone.cells(margins)
    assert layout.cells(margins) >= (wanted if most >= wanted else most / 1.16)
    if layout.bars is NO_BARS:
        assert layout == alone
        return
    assert inside(layout.bars, room)
    assert layout.bars.height >= height - 1
    assert layout.bars.width >= 140
    parts = (layout.tiles, layout.bars, *layout.pictures)
    assert not any(overlap(a, b) for a, b in itertools.combinations(parts, 2) if a.area and b.area)


def test_that_tiles_and_bars_make_room_for_the_picture_by_hand() -> None:
    # An audience's page of a window of 1280 x 800: ten tokens and eight heads; two items of four queries by six keys.
    room, margins = Rect(0, 13, 1196, 615), Margins(86, 98, 74, 6)

    def layout(shape: tuple[int, int], heads: int, items: int, keys: int) -> HeadsLayout:
        tiles = TileRules(heads, shape, label=24, text=96, gap=16, least=90, most=192, scroll_bar=16, edge=6)
        bars = 320, 35 * (keys + 1)
        return heads_and_bars_layout(
            room, shape, margins, tiles, bars=bars, items=items, gap=19, least=26, wanted=0.22 * 1280 * 800
        )

    sentence = layout((10, 10), 8, 1, 10)
    assert sentence.grid.across == 1
    assert sentence.bars.x > sentence.pictures[0].right
    assert sentence.pictures[0].within(margins).area >= 0.22 * 1280 * 800
    first, second = (pair := layout((4, 6), 5, 2, 3)).pictures
    assert first.y == second.y
    assert pair.bars.y > first.bottom


@given(
    st.lists(
        st.lists(st.tuples(st.integers(1, 120), st.integers(1, 120)), min_size=1, max_size=3), min_size=1, max_size=4
    ),
    ROOMS,
)
def test_that_tensors_share_one_scale(rows: list[list[tuple[int, int]]], room: Rect) -> None:
    margins = Margins(40, 40, 10, 8)
    tensors = [[Tensor(shape, margins, sign=24, title=60) for shape in row] for row in rows]
    placed = tensors_layout(tensors, room, gap=8, least=LEAST)
    every = [place for row in placed for place in row]
    assert not any(overlap(a, b) for a, b in itertools.combinations(every, 2))
    sides = set()
    for row, places in zip(rows, placed, strict=True):
        for (down, across), place in zip(row, places, strict=True):
            cells = place.within(margins)
            for length, other, count in ((cells.width, cells.height, across), (cells.height, cells.width, down)):
                if length > max(LEAST, other / 3) + 1e-6:  # else it is stretched
                    sides.add(round(length / count, 6))
    assert len(sides) <= 1
    needed = max(sum(LEAST + 50 + 24 + 60 for _ in row) + 8 * 2 for row in rows)
    if needed < room.width and len(rows) * (LEAST + 48 + 8) < room.height:
        assert all(inside(place, room) for place in every)


def test_that_rows_of_tensors_are_beside_each_other_where_cells_are_larger_then() -> None:
    margins, room = Margins(20, 40, 10, 8), Rect(0, 0, 1800, 700)
    shapes = [[(1, 20), (20, 8), (1, 8)], [(10, 2), (2, 8), (10, 8)], [(10, 4)]]
    rows = [[Tensor(shape, margins, sign=24 * bool(place)) for place, shape in enumerate(row)] for row in shapes]
    queries, keys, (values,) = tensors_layout(rows, room, gap=8, least=LEAST)
    middles = [place.y + place.height / 2 for place in (*queries, *keys, values)]
    assert max(middles) - min(middles) < 1, "in one line"
    assert keys[0].x - queries[-1].right > 3 * 8, "farther apart than the parts of one equation"
    assert values.x > keys[-1].right
    assert queries[1].within(margins).height / 20 > 1.5 * (700 - 3 * 48) / 40, "than one below the other"
    narrow = tensors_layout(rows, Rect(0, 0, 500, 1400), gap=8, least=LEAST)
    assert narrow[0][0].bottom <= narrow[1][1].y
    assert narrow[1][0].bottom <= narrow[2][0].y


@given(st.integers(1, 60), st.integers(1, 80), st.integers(1, 80), ROOMS, st.integers(1, 80))
def test_that_the_parts_of_a_product_are_in_line_or_their_rows_and_columns_meet(
    tokens: int, given_size: int, made: int, room: Rect, wanted: int
) -> None:
    shapes = [(tokens, given_size), (given_size, made), (tokens, made)]
    factors = [Tensor(shape, Margins(40, 40, 10, 8), sign=24 * bool(n), title=60) for n, shape in enumerate(shapes)]
    places, in_line = product_layout(factors, room, gap=8, least=LEAST, wanted=wanted)
    assert not any(overlap(a, b) for a, b in itertools.combinations(places, 2))
    left, matrix, product = (place.within(Margins(40, 40, 10, 8)) for place in places)
    if room.width > 3 * (LEAST + 50 + 24 + 60):
        assert all(inside(place, room) for place in places)
    assert (matrix.width, left.height) == pytest.approx((product.width, product.height))
    if in_line:
        assert left.right < matrix.x < matrix.right < product.x
    else:
        assert (matrix.x, left.y) == pytest.approx((product.x, product.y), abs=1)
        assert matrix.bottom < product.y
        assert left.right < product.x


def test_that_cells_of_a_product_are_widened_for_their_numbers_and_wide_ones_are_in_a_corner_by_hand() -> None:
    margins = Margins(40, 40, 10, 8)

    def layout(tokens: int, size: int, wanted: float, room: Rect) -> tuple[tuple[float, float], bool]:
        shapes = [(tokens, size), (size, size), (tokens, size)]
        factors = [Tensor(shape, margins, sign=24 * bool(n)) for n, shape in enumerate(shapes)]
        places, in_line = product_layout(factors, room, gap=8, least=LEAST, wanted=wanted)
        cells = places[1].within(margins)
        return (cells.width / size, cells.height / size), in_line

    # 900 pixels less 150 for labels, 48 for signs and 16 for gaps are 57 for each of twelve columns.
    assert layout(4, 4, 36, Rect(0, 0, 900, 400)) == ((57, 57), True)
    # 500 pixels less 96 for labels and 8 for the gap are 22 for each of 18 rows; a number needs 30.
    assert layout(10, 8, 30, Rect(0, 0, 680, 500)) == ((30, 22), False)
    assert layout(10, 64, 36, Rect(0, 0, 680, 500))[1] is False
