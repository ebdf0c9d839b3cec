"""The layout of the whole matrices, the single heads and the lines between them; nothing is painted here."""

import math
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF

from attnviz.gui.plots.matrix.tile import whole_cells

MOST_TILES = 96
_LARGEST_CELL = 40
_TALLEST_ROW = 32
_SMALLEST_TILE = 14
_NARROWEST_IN_ONE_ROW = 24

Station = tuple[float, float, float]
"""Left, right and height of a place that a ribbon passes."""


@dataclass(frozen=True, slots=True)
class ReshapeRules:
    """What a layout has to fit into: the widget, its type, the gutter for the tokens, and what is asked of it."""

    width: int
    height: int
    scale: float
    line: int
    gutter: int
    item: int
    merging: bool

    def px(self, length: float) -> int:
        """Return a length at this type scale."""
        return round(length * self.scale)

    @property
    def breadth(self) -> int:
        """What is left of the width for cells."""
        return max(1, self.width - self.gutter - self.px(10))

    @property
    def bracket(self) -> int:
        """The height of the brackets at the slices, with the air above them."""
        return self.px(3) + self.px(4)


@dataclass(frozen=True, slots=True)
class _Plan:
    """How many of everything, and how large."""

    wholes: range
    items: range
    heads: int
    across: int
    whole: tuple[float, float]
    tile: tuple[float, float]
    gap: float
    group_gap: float
    ribbon: float

    @property
    def rows_an_item(self) -> int:
        return math.ceil(self.heads / self.across)


class _Planner:
    """Works out how large everything can be."""

    def __init__(self, shape: tuple[int, int, int, int], room: ReshapeRules) -> None:
        self.shape, self.room = shape, room

    def best(self) -> tuple[bool, _Plan]:
        """Return whether the tiles need more than one row, and the plan."""
        one = self.in_one_row()
        if one is not None and one.tile[0] >= self.room.px(_NARROWEST_IN_ONE_ROW):
            return False, one
        plan = self.wrapped()
        hides = plan.heads * len(plan.items) < self.shape[0] * self.shape[1]
        if one is not None and hides and one.tile[0] >= self.room.px(_SMALLEST_TILE):
            return False, one
        return True, plan

    def in_one_row(self) -> _Plan | None:
        """All heads side by side, in cells as large as the whole's: the slices just move apart."""
        items, heads, rows, features = self.shape
        room = self.room
        tiles, least, group_gap = items * heads, room.px(5), room.px(15)
        if tiles > MOST_TILES:
            return None
        inner, outer = items * (heads - 1), items - 1
        free = room.breadth - inner * least - outer * group_gap
        width = whole_cells(min(free / tiles, features * room.px(_LARGEST_CELL)), features)
        gap = min((room.breadth - tiles * width) / max(1, inner + 3 * outer), max(room.px(24), width / 2))
        height_left = room.height - self.text_height(1)
        ribbon = max(room.line + room.px(10), 0.3 * height_left)
        limit = min((height_left - ribbon) / 2, rows * room.px(_TALLEST_ROW))
        height = whole_cells(max(1.0, limit), rows)
        ribbon = max(ribbon, min(height_left - 2 * height, room.px(280)))
        whole, every = (width * heads, height), range(items)
        return _Plan(every, every, heads, tiles, whole, (width, height), gap, 3 * gap, ribbon)

    def wrapped(self) -> _Plan:
        """Every item in a row of its own, or in several; the chosen item, and as many others as fit."""
        items, heads, rows, features = self.shape
        room = self.room
        gap, least = room.px(10), room.px(_SMALLEST_TILE)
        height_left = room.height - self.text_height(0)
        whole = whole_cells(max(1.0, min(rows * room.px(20), 0.25 * height_left)), rows)
        ribbon = max(room.line + room.px(10), 0.22 * height_left)
        band = max(1.0, height_left - whole - ribbon)
        most_across = max(1, int((room.breadth + gap) / (least + gap)))
        most_rows = max(1, int(band / (least + self.row_extra)))
        heads = min(heads, MOST_TILES, most_across * most_rows)
        fewest = math.ceil(heads / most_across)
        count = max(1, min(items, MOST_TILES // heads, most_rows // fewest))
        best: tuple[int, float, float] = (0, 0.0, 0.0)
        for rows_an_item in range(fewest, max(fewest, most_rows // count) + 1):
            across = math.ceil(heads / rows_an_item)
            width = min((room.breadth - (across - 1) * gap) / across, features * room.px(_LARGEST_CELL))
            height = min(band / (rows_an_item * count) - self.row_extra, rows * room.px(_TALLEST_ROW))
            if width * height > best[1] * best[2]:
                best = (across, width, height)
        across = best[0] or most_across
        tile = (whole_cells(max(1.0, best[1]), features), whole_cells(max(1.0, best[2]), rows))
        legible = max(
            room.px(64), min(self.shape[1] * features, room.px(220)), min(self.shape[1] * room.px(9), room.px(400))
        )
        wholes = max(1, min(items, int((room.breadth + room.px(24)) / (legible + room.px(24)))))
        breadth = (room.breadth - (wholes - 1) * room.px(24)) / wholes
        cells = self.shape[1] * features
        breadth = whole_cells(min(breadth, cells * room.px(_LARGEST_CELL)), cells)
        loose = (room.breadth - across * tile[0]) / max(1, across - 1)
        shown, drawn = _window(room.item, count, items), _window(room.item, wholes, items)
        spare = band - math.ceil(heads / across) * count * (tile[1] + self.row_extra)
        ribbon += max(0.0, min(spare, room.px(240) - ribbon))
        return _Plan(drawn, shown, heads, across, (breadth, whole), tile, min(loose, room.px(24)), 0, ribbon)

    @property
    def row_extra(self) -> int:
        """What a row of tiles takes beside its cells: the batch indices and some air."""
        return self.room.line + self.room.px(12)

    def text_height(self, rows: int) -> int:
        """Return the height of all that has a fixed one, with the labels of some rows of tiles."""
        room, several = self.room, self.shape[0] > 1
        fixed = 2 * room.px(6) + 2 * room.line + 2 * room.px(6) + self.room.bracket + (room.line if several else 0)
        return fixed + rows * (room.line + room.px(3) + (room.line + room.px(4) if several else 0))


class ReshapeLayout:
    """Places (B, h, L, d) heads and their (B, L, h * d) wholes; the ribbons run down, from what is there before."""

    def __init__(self, shape: tuple[int, int, int, int], room: ReshapeRules) -> None:
        self.shape, self.room = shape, room
        self.wholes: dict[int, QRectF] = {}
        """Rectangles of the cells of the items' matrices; those that do not fit are missing."""
        self.tiles: dict[tuple[int, int], QRectF] = {}
        """Rectangles of the cells of single heads by (item, head), in batch order; some may be missing."""
        self._planner = _Planner(shape, room)
        self.wrapped, plan = self._planner.best()
        self._plan, self.gap = plan, plan.gap
        self._place_tiles(plan)
        self._place_rest(plan)
        # The edge of the tiles that the ribbons reach first.
        ends = (tile.bottom() if room.merging else tile.top() for tile in self.tiles.values())
        self._nearest = max(ends) if room.merging else min(ends)

    @property
    def hidden_items(self) -> int:
        """How many whole matrices did not fit."""
        return self.shape[0] - len(self.wholes)

    @property
    def hidden_heads(self) -> int:
        """How many single heads did not fit."""
        return self.shape[0] * self.shape[1] - len(self.tiles)

    def slice_rect(self, item: int, head: int) -> QRectF | None:
        """Return where a head's slice of a whole matrix is drawn."""
        whole = self.wholes.get(item)
        if whole is None or not 0 <= head < self.shape[1]:
            return None
        width = whole.width() / self.shape[1]
        return QRectF(whole.x() + head * width, whole.y(), width, whole.height())

    def beside_whole(self, rect: QRectF, gap: float, height: float, *, facing: bool) -> QRectF:
        """Return the strip beside a whole or slice: on the side that faces the heads, or on the other."""
        return _strip(rect, gap, height, below=facing != self.room.merging)

    def beside_tile(self, rect: QRectF, gap: float, height: float, *, facing: bool) -> QRectF:
        """Return the strip beside a tile: on the side that faces the wholes, or on the other."""
        return _strip(rect, gap, height, below=facing == self.room.merging)

    def course(self, item: int, head: int) -> list[Station]:
        """Return what the ribbon from a slice to its tile passes; empty where one of them is not drawn.

        To a tile behind another row it runs through the gap beside the tiles of that row.
        """
        part, tile = self.slice_rect(item, head), self.tiles.get((item, head))
        if part is None or tile is None:
            return []
        sign = -1 if self.room.merging else 1
        start, edge = (part.top(), tile.bottom()) if self.room.merging else (part.bottom(), tile.top())
        inset = 0.5 if part.width() >= 4 else 0.0
        stations: list[Station] = [(part.left() + inset, part.right() - inset, start + sign * self.room.bracket)]
        end = edge - sign * self.room.px(1)
        if abs(edge - self._nearest) > 1:
            lanes = min(self.gap - 2, self.room.px(8))
            lane = lanes / self._plan.rows_an_item
            left = tile.left() - self.room.px(2) - lanes + head // self._plan.across * lane
            stations.append((left, left + lane * 0.9, self._nearest))
            stations.append((left, left + lane * 0.9, end - sign * self.room.px(8)))
        return [*stations, (tile.left(), tile.right(), end)]

    def cell_at(self, place: QPointF) -> tuple[int, int, int, int] | None:
        """Return item, head, row and feature of the number under a point, in a whole or in a tile."""
        _, heads, rows, features = self.shape
        for item, whole in self.wholes.items():
            if whole.contains(place):
                row, column = _cell_under(place, whole, rows, heads * features)
                return item, column // features, row, column % features
        for (item, head), tile in self.tiles.items():
            if tile.contains(place):
                return item, head, *_cell_under(place, tile, rows, features)
        return None

    @property
    def air(self) -> int:
        """How far from the first tile of a row something may be written: ribbons may pass between."""
        return self.room.px(12 if self.wrapped else 7)

    def _used(self, plan: _Plan) -> float:
        """Return the height of everything."""
        cells = plan.whole[1] + plan.ribbon + plan.tile[1]
        if not self.wrapped:
            return self._planner.text_height(1) + cells
        rows = plan.rows_an_item * len(plan.items)
        return self._planner.text_height(0) + cells + (rows - 1) * plan.tile[1] + rows * self._planner.row_extra

    def _top(self, plan: _Plan) -> int:
        """Return where the whole matrices begin in a split."""
        room = self.room
        above = room.px(12) + room.line + (room.line if self.shape[0] > 1 else 0)
        return round(above + max(0.0, (room.height - self._used(plan)) / 2))

    def _place_tiles(self, plan: _Plan) -> None:
        """Place the tiles as in a split, and turn them over for a merge."""
        room, groups = self.room, 1 if self.wrapped else len(plan.items)
        width, height = plan.tile
        across = plan.across * width + (plan.across - groups) * plan.gap + (groups - 1) * plan.group_gap
        left = room.gutter + max(0.0, (room.breadth - across) / 2)
        top = self._top(plan) + plan.whole[1] + self.room.bracket + plan.ribbon
        rows = plan.rows_an_item * len(plan.items)
        for place, item in enumerate(plan.items):
            for head in range(plan.heads):
                x, y = left + head % plan.across * (width + plan.gap), top
                if self.wrapped:
                    row = place * plan.rows_an_item + head // plan.across
                    y += (rows - 1 - row if room.merging else row) * (height + self._planner.row_extra)
                else:
                    x += place * (plan.heads * (width + plan.gap) - plan.gap + plan.group_gap)
                y = room.height - y - height if room.merging else y
                self.tiles[item, head] = QRectF(round(x), round(y), width, height)

    def _place_rest(self, plan: _Plan) -> None:
        """Place the whole matrices, each centred over its tiles if those are in one row, and the captions."""
        room = self.room
        width, height = plan.whole
        y: float = self._top(plan)
        for place, item in enumerate(plan.wholes):
            middle = room.gutter + room.breadth * (place + 0.5) / len(plan.wholes)
            if not self.wrapped:
                middle = self.tiles[item, 0].united(self.tiles[item, plan.heads - 1]).center().x()
            top = room.height - y - height if room.merging else y
            self.wholes[item] = QRectF(round(middle - width / 2), top, width, height)
        edge = max(float(room.px(6)), (room.height - self._used(plan)) / 2 + room.px(6))
        first = QRectF(room.px(10), round(edge), room.width - 2 * room.px(10), room.line)
        # The lines for text above the upper band and below the lower one.
        self.captions = (first, first.translated(0, room.height - 2 * first.y() - room.line))


def _strip(rect: QRectF, gap: float, height: float, *, below: bool) -> QRectF:
    top = rect.bottom() + gap if below else rect.top() - gap - height
    return QRectF(rect.x(), top, rect.width(), height)


def _cell_under(place: QPointF, rect: QRectF, rows: int, columns: int) -> tuple[int, int]:
    row = int((place.y() - rect.y()) / rect.height() * rows)
    column = int((place.x() - rect.x()) / rect.width() * columns)
    return min(row, rows - 1), min(column, columns - 1)


def _window(chosen: int, count: int, total: int) -> range:
    """Return ``count`` neighbours in batch order, the first ones unless the chosen one is behind them."""
    start = max(0, min(chosen - count + 1, total - count))
    return range(start, start + count)
