"""Layout of the whole matrices, the single heads and the lines between them; nothing is painted here."""

import math
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF

from attnviz.gui.plots.matrix.tile import whole_cells

MOST_TILES = 96
_CELL, _ROW, _ROW_IN_WHOLE = 80, 64, 20
"""The greatest width of a feature, and the greatest height of a row in a tile and in a whole above several rows of
tiles."""
_SMALLEST, _NARROWEST = 14, 24
"""The least side of a tile, and the least width of tiles in one row before they are put in several."""
_WHOLE, _A_HEAD = (64, 400), 9
"""The limits of the least width of a whole, and its least width per head."""
_RIBBONS, _RIBBONS_ABOVE_ROWS = (0.3, 280), (0.22, 240)
"""The least share of the height for ribbons, and their greatest height."""

Station = tuple[float, float, float]
"""The left and right ends and the height of a position that a ribbon passes."""


@dataclass(frozen=True, slots=True)
class ReshapeRules:
    """The constraints of a layout: the widget, its type, the gutter for the tokens, and the request."""

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
        """The width for cells."""
        return max(1, self.width - self.gutter - self.px(10))

    @property
    def bracket(self) -> int:
        """The height of the brackets at the slices, including the gap above them."""
        return self.px(3) + self.px(4)


@dataclass(frozen=True, slots=True)
class _Plan:
    """The numbers and sizes of all parts."""

    wrapped: bool
    """Whether each item has its own rows; else all tiles are in one row."""
    wholes: range
    items: range
    heads: int
    across: int
    whole: tuple[float, float]
    tile: tuple[float, float]
    gap: float
    ribbon: float
    texts: int
    """The height of all texts outside the rows of tiles."""
    beside_row: int
    """The height of a row of tiles without its cells."""

    @property
    def rows_an_item(self) -> int:
        return math.ceil(self.heads / self.across)

    @property
    def rows(self) -> int:
        return self.rows_an_item * len(self.items) if self.wrapped else 1

    @property
    def height(self) -> float:
        return self.texts + self.whole[1] + self.ribbon + self.rows * (self.tile[1] + self.beside_row)


def _plan(shape: tuple[int, int, int, int], room: ReshapeRules) -> _Plan:
    one = _in_one_row(shape, room) if shape[0] * shape[1] <= MOST_TILES else None
    if one is not None and one.tile[0] >= room.px(_NARROWEST):
        return one
    several = _in_several_rows(shape, room)
    hides = several.heads * len(several.items) < shape[0] * shape[1]
    return one if one is not None and hides and one.tile[0] >= room.px(_SMALLEST) else several


def _in_one_row(shape: tuple[int, int, int, int], room: ReshapeRules) -> _Plan:
    """Put all heads side by side, in cells as large as the whole's: the slices just move apart."""
    items, heads, rows, features = shape
    tiles, gaps = items * heads, items * (heads - 1) + 3 * (items - 1)  # three gaps between the items
    width = whole_cells(min((room.breadth - gaps * room.px(5)) / tiles, features * room.px(_CELL)), features)
    gap = min((room.breadth - tiles * width) / max(1, gaps), max(room.px(24), width / 2))
    texts = _texts(shape, room) + room.line + room.px(3) + (room.line + room.px(4) if items > 1 else 0)
    left, (share, most) = room.height - texts, _RIBBONS
    ribbon = max(room.line + room.px(10), share * left)
    height = whole_cells(max(1.0, min((left - ribbon) / 2, rows * room.px(_ROW))), rows)
    ribbon = max(ribbon, min(left - 2 * height, room.px(most)))
    every = range(items)
    return _Plan(False, every, every, heads, tiles, (width * heads, height), (width, height), gap, ribbon, texts, 0)


def _in_several_rows(shape: tuple[int, int, int, int], room: ReshapeRules) -> _Plan:
    """Put every item in one or several rows of its own; the chosen item, and as many others as fit."""
    items, heads, rows, features = shape
    gap, least, apart = room.px(10), room.px(_SMALLEST), room.px(24)
    texts, beside_row = _texts(shape, room), room.line + room.px(12)
    left, (share, most) = room.height - texts, _RIBBONS_ABOVE_ROWS
    whole = whole_cells(max(1.0, min(rows * room.px(_ROW_IN_WHOLE), 0.25 * left)), rows)
    ribbon = max(room.line + room.px(10), share * left)
    band = max(1.0, left - whole - ribbon)
    most_rows = max(1, int(band / (least + beside_row)))

    def rows_for(side: float) -> int:
        return math.ceil(drawn / max(1, int((room.breadth + gap) / (side + gap))))

    drawn = min(heads, MOST_TILES, most_rows * max(1, int((room.breadth + gap) / (least + gap))))
    count = max(1, min(items, MOST_TILES // drawn, most_rows // rows_for(least)))
    rows_an_item = min(
        rows_for(min(max(least, features), room.px(_NARROWEST))), max(rows_for(least), most_rows // count)
    )
    across = math.ceil(drawn / rows_an_item)
    width = min((room.breadth - (across - 1) * gap) / across, features * room.px(_CELL))
    height = min(band / (rows_an_item * count) - beside_row, rows * room.px(_ROW))
    tile = whole_cells(max(1.0, width), features), whole_cells(max(1.0, height), rows)
    legible = min(max(room.px(_WHOLE[0]), heads * room.px(_A_HEAD)), room.px(_WHOLE[1]))
    wholes = max(1, min(items, int((room.breadth + apart) / (legible + apart))))
    cells = heads * features
    breadth = whole_cells(min((room.breadth - (wholes - 1) * apart) / wholes, cells * room.px(_CELL)), cells)
    loose = min((room.breadth - across * tile[0]) / max(1, across - 1), apart)
    spare = band - rows_an_item * count * (tile[1] + beside_row)
    ribbon += max(0.0, min(spare, room.px(most) - ribbon))
    shown = _window(room.item, wholes, items), _window(room.item, count, items)
    return _Plan(True, *shown, drawn, across, (breadth, whole), tile, loose, ribbon, texts, beside_row)


def _texts(shape: tuple[int, int, int, int], room: ReshapeRules) -> int:
    """Return the height of captions, brackets and, for several items, their names."""
    return 2 * room.line + 4 * room.px(6) + room.bracket + (room.line if shape[0] > 1 else 0)


class ReshapeLayout:
    """Places (B, h, L, d) heads and their (B, L, h * d) wholes; the ribbons run down, from input to output."""

    def __init__(self, shape: tuple[int, int, int, int], room: ReshapeRules) -> None:
        self.shape, self.room = shape, room
        self.wholes: dict[int, QRectF] = {}
        """Rectangles of the cells of the items' matrices; those that do not fit are missing."""
        self.tiles: dict[tuple[int, int], QRectF] = {}
        """Rectangles of the cells of single heads by (item, head), in batch order; some may be missing."""
        self._plan = _plan(shape, room)
        self.wrapped, self.gap = self._plan.wrapped, self._plan.gap
        self._place_tiles(self._plan)
        self._place_rest(self._plan)
        # The edge of the tiles that the ribbons reach first.
        ends = (tile.bottom() if room.merging else tile.top() for tile in self.tiles.values())
        self._nearest = max(ends) if room.merging else min(ends)

    @property
    def hidden_items(self) -> int:
        """The number of whole matrices that did not fit."""
        return self.shape[0] - len(self.wholes)

    @property
    def hidden_heads(self) -> int:
        """The number of single heads that did not fit."""
        return self.shape[0] * self.shape[1] - len(self.tiles)

    def slice_rect(self, item: int, head: int) -> QRectF | None:
        """Return the rectangle of a head's slice of a whole matrix."""
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
        """Return the stations of the ribbon from a slice to its tile; empty if one of them is not drawn.

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
        """The distance from the first tile of a row within which texts are allowed: ribbons may pass beyond."""
        return self.room.px(12 if self.wrapped else 7)

    def _top(self, plan: _Plan) -> int:
        """Return the top of the whole matrices in a split."""
        room = self.room
        above = room.px(12) + room.line + (room.line if self.shape[0] > 1 else 0)
        return round(above + max(0.0, (room.height - plan.height) / 2))

    def _place_tiles(self, plan: _Plan) -> None:
        """Place the tiles as in a split, and mirror them for a merge."""
        room, (width, height), groups = self.room, plan.tile, 1 if plan.wrapped else len(plan.items)
        across = plan.across * (width + plan.gap) - plan.gap + (groups - 1) * 2 * plan.gap
        left = room.gutter + max(0.0, (room.breadth - across) / 2)
        top = self._top(plan) + plan.whole[1] + room.bracket + plan.ribbon
        for place, item in enumerate(plan.items):
            for head in range(plan.heads):
                x, row = left + head % plan.across * (width + plan.gap), 0
                if plan.wrapped:
                    row = place * plan.rows_an_item + head // plan.across
                    row = plan.rows - 1 - row if room.merging else row
                else:
                    x += place * (plan.heads * (width + plan.gap) + 2 * plan.gap)
                y = top + row * (height + plan.beside_row)
                self.tiles[item, head] = QRectF(
                    round(x), round(room.height - y - height if room.merging else y), width, height
                )

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
        edge = max(float(room.px(6)), (room.height - plan.height) / 2 + room.px(6))
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
    """Return ``count`` neighbours in batch order, the first ones unless the chosen one is beyond them."""
    start = max(0, min(chosen - count + 1, total - count))
    return range(start, start + count)
