"""Layout of the heads of a figure: on a page as high as they need, or filling a page of a given height."""

from bisect import bisect_left
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache
from math import ceil, sqrt
from typing import Any

from attnviz.definitions.counting import are_numbers
from attnviz.definitions.text import Refused, Text, listed
from attnviz.experiment.layers.layer import Layer
from attnviz.export.figures.parts import CAPTION_ROW, LABEL_PITCH, Box, widest
from attnviz.export.figures.settings import CM, WIDEST, FigureSettings
from attnviz.export.figures.type_style import LINE_HEIGHT, POINT, SMALL_TYPE, TYPE

TITLE = TYPE * LINE_HEIGHT * POINT
TOP = 0.06
_GAP, _SMALL_GAP = 0.08, 0.02
_LEAST_PANEL = 0.5
_SMALLEST = 0.12  # 3 mm, the least side of a panel before the page gets higher than paper
_LEAST_HIGH = 0.75  # above the labels, for the colour bar and its caption
_LEAST_ON_A_PAGE = 0.02  # the least side of a panel on a page of given height
_LEAST_NAMED = 0.36  # the least width of a panel for its head's name
_LEAST_NUMBERED = 0.17  # the least width of a panel for its head's number
_LEAST_LABELLED = 0.42  # the least side of a panel for token labels
_MANY = 24  # from this number of heads on they are closer to each other


@dataclass(frozen=True, slots=True)
class GridLayout:
    """The positions of the panels of a grid, in inches from the top left corner of the page."""

    columns: int
    rows: int
    panel: tuple[float, float]
    left: float
    bottom: float
    """The height of the labels below the lowest row and of the caption."""
    width: float
    bar: float
    """The width of the colour bar at the right edge."""
    named: tuple[bool, bool]
    """Whether rows and columns are labelled with tokens; if not, they have no margin."""
    gap: float = _GAP
    page: float | None = None
    """The given height of the page, if any."""

    @property
    def title(self) -> float:
        """The height of the name above a panel; 0 if panels are too narrow for one."""
        return TITLE if self.panel[0] >= (_LEAST_NUMBERED if self.page is None else _LEAST_NAMED) else 0.0

    @property
    def only_numbered(self) -> bool:
        """Whether the name above a panel is only its head's number."""
        return self.title > 0 and self.panel[0] < _LEAST_NAMED

    @property
    def needed(self) -> float:
        """The height that the page needs."""
        return self.rows * (self.panel[1] + self.title) + (self.rows - 1) * self.gap + self.bottom + TOP

    @property
    def height(self) -> float:
        """The height of the page."""
        return max(self.needed, self.bottom + _LEAST_HIGH) if self.page is None else self.page

    def panel_box(self, index: int) -> Box:
        """Return the box of a panel."""
        row, column = divmod(index, self.columns)
        width, height = self.panel
        x = self.left + column * (width + self.gap)
        y = TOP + row * (height + self.title + self.gap) + self.title
        return x, y, width, height


def grid_layout(layer: Layer, count: int, bar: float, settings: FigureSettings) -> GridLayout:
    """Return the layout of some heads beside a colour bar of a given width.

    Raises:
        ValueError: the page is too small for them, or would be too high; names the nearest.
    """
    layout = _grid_on(settings.width, layer, count, bar, settings)
    if layout is None:
        wide = least_width(settings.width, lambda width: _grid_on(width, layer, count, bar, settings) is not None)
        nearest = Text("a higher page") if wide is None else Text("a page {wide:g} cm wide", {"wide": wide})
        height = "" if settings.height_cm is None else f" × {settings.height_cm:.3g}"
        values = {"width_cm": settings.width_cm, "height": height, "count": count, "nearest": nearest}
        raise Refused(
            "a page of {width_cm:.3g}{height} cm has no room for {count} heads of such tokens; nearest: {nearest}, or "
            "choose some of the heads",
            **values,
        )

    def fits(some: int, width: float) -> bool:
        grid = _grid_on(width, layer, some, bar, settings)
        return grid is not None and is_low(grid.height)

    check_height(layout.height, settings.width, count, fits)
    return layout


def _grid_on(width: float, layer: Layer, count: int, bar: float, settings: FigureSettings) -> GridLayout | None:
    """Return the grid on a page of a width; None if its panels would be too small."""
    rows_named = columns_named = True
    while True:
        frame = _frame(width, layer, bar, settings, (rows_named, columns_named))
        Q, K = layer.weights.shape[2:]
        if frame.page is None:
            layout = _as_high_as_needed(frame, layer, count)
        else:
            layout = _filling_the_page(frame, count, min(max(Q / K, 1 / 3), 3.0))
        wide, tall = layout.panel
        named = rows_named and tall >= _LEAST_LABELLED, columns_named and wide >= _LEAST_LABELLED
        if named == (rows_named, columns_named):
            return layout if min(wide, tall) >= (_SMALLEST if frame.page is None else _LEAST_ON_A_PAGE) else None
        rows_named, columns_named = named  # axes without room for labels get no margin


def _frame(width: float, layer: Layer, bar: float, settings: FigureSettings, named: tuple[bool, bool]) -> GridLayout:
    """Return a grid without panels, whose margins hold the names of the axes and, if requested, of tokens."""
    keys = layer.key_names
    left = (_widest(layer.query_names) if named[0] else 0.0) + TITLE + 0.1
    below = SMALL_TYPE * LINE_HEIGHT * POINT if are_numbers(keys) else _widest(keys)
    bottom = (below if named[1] else 0.0) + TITLE + 0.08 + (CAPTION_ROW if settings.caption else 0.0)
    return GridLayout(1, 1, (0.0, 0.0), left, bottom, width, bar, named, page=settings.height)


@lru_cache(64)  # the search for a width calls it often
def _widest(tokens: tuple[str, ...]) -> float:
    return widest(tokens)


def _as_high_as_needed(frame: GridLayout, layer: Layer, count: int) -> GridLayout:
    """Return the most columns that leave room for every token's label; else a grid of balanced shape.

    If that is higher than a page of paper, there are more columns, as long as heads stay visible.
    """
    Q, K = layer.weights.shape[2:]
    has_words = not (are_numbers(layer.query_names) and are_numbers(layer.key_names))
    room = frame.width - frame.left - frame.bar - _GAP
    aspect = min(max(Q / K, 1 / 3), 3.0)
    gap = _GAP if count <= _MANY else _SMALL_GAP

    def grid(columns: int, gap: float = _GAP) -> GridLayout:
        panel = (room - (columns - 1) * gap) / columns
        return replace(frame, columns=columns, rows=ceil(count / columns), panel=(panel, panel * aspect), gap=gap)

    def legible(layout: GridLayout) -> bool:
        across, down = layout.panel[0] / K, layout.panel[1] / Q
        return min(across, down) >= LABEL_PITCH and layout.height <= FAIR

    most = max(1, min(count, int((room + _GAP) / (_LEAST_PANEL + _GAP))))
    fair = grid(min(most, max(1, round(sqrt(1.3 * count)))))
    if has_words and all(frame.named):
        fair = next((layout for layout in map(grid, range(most, 0, -1)) if legible(layout)), fair)
    if fair.height <= FAIR:
        return fair
    most = max(1, min(count, int((room + gap) / (_SMALLEST / min(aspect, 1.0) + gap))))
    smaller = [grid(columns, gap) for columns in range(min(fair.columns, most), most + 1)]
    return next((layout for layout in smaller if layout.height <= FAIR), smaller[-1])


def _filling_the_page(frame: GridLayout, count: int, aspect: float) -> GridLayout:
    """Return the grid with the largest panels, centred on the page."""
    page: Any = frame.page
    gap = _GAP if count <= _MANY else _SMALL_GAP
    room = frame.width - frame.left - frame.bar - _GAP
    best = frame
    for columns in range(1, count + 1):
        rows = ceil(count / columns)
        across = (room - (columns - 1) * gap) / columns
        for title in (TITLE, 0.0):
            down = (page - TOP - frame.bottom - (rows - 1) * gap) / rows - title
            panel = min(across, down / aspect)
            grid = replace(frame, columns=columns, rows=rows, panel=(panel, panel * aspect), gap=gap)
            if panel > best.panel[0] and grid.needed <= page + 1e-9:
                best = grid
    used = best.columns * (best.panel[0] + gap) - gap
    return replace(best, left=best.left + (room - used) / 2)


FAIR = 9.4
"""The preferred maximal height in inches, just below A4."""
_MOST_CM = 480
_MOST = _MOST_CM * CM
"""PDF viewers cannot open pages higher than 508 cm."""


def check_height(height: float, width: float, count: int, fits: Callable[[int, float], bool]) -> None:
    """Reject a page that is too high to be opened.

    Args:
        height: in inches.
        width: in inches.
        count: the number of heads on it.
        fits: whether a page with a number of heads and a width (inches) can be opened.

    Raises:
        ValueError: it is too high; names the largest number of heads and the least width that fit.
    """
    if height <= _MOST:
        return
    fewer = bisect_left(range(1, count), True, key=lambda some: not fits(some, width))
    wider = least_width(width, lambda wide: fits(count, wide))
    nearest = [Text("{heads} of the heads (--heads 1-{heads})", {"heads": fewer})] if fewer else []
    nearest += [Text("a page {wide:g} cm wide", {"wide": wider})] if wider is not None else []
    raise Refused(
        "{count} heads on a page {width:.3g} cm wide make it {height:.0f} cm high, and nothing opens more than "
        "{most}; nearest: {nearest}",
        count=count,
        width=width / CM,
        height=height / CM,
        most=_MOST_CM,
        nearest=listed(nearest, "{first} or {rest}"),
    )


def least_width(width: float, fits: Callable[[float], bool]) -> float | None:
    """Return the least width above this one (inches) that fits, in centimetres; None if not even the widest does."""
    tenths = range(int(width / CM * 10) + 1, int(WIDEST * 10) + 1)
    index = bisect_left(tenths, True, key=lambda each: fits(each / 10 * CM))
    return tenths[index] / 10 if index < len(tenths) else None


def is_low(height: float) -> bool:
    """Return whether a page of this height (inches) can be opened everywhere."""
    return height <= _MOST
