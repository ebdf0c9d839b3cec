"""Where the heads of a figure stand: on a page as high as they need, or filling a page that is given."""

from dataclasses import dataclass, replace
from math import ceil, sqrt
from typing import Any

from attnviz.experiment.attention_trace import AttentionTrace
from attnviz.export.figure_parts import (
    CAPTION_ROW,
    LABEL_PITCH,
    LINE_HEIGHT,
    POINT,
    SMALL_TYPE,
    TYPE,
    are_positions,
    widest,
)
from attnviz.export.figure_settings import FigureSettings

TITLE = TYPE * LINE_HEIGHT * POINT
TOP = 0.06
_GAP, _SMALL_GAP = 0.08, 0.02
_HIGHEST = 9.4  # of a page
_LEAST_PANEL = 0.5
_LEAST_HIGH = 0.75  # above the labels: the colour bar and what stands below it
_LEAST_ON_A_PAGE = 0.02  # of a panel on a page of given height
_LEAST_NAMED = 0.36  # a narrower panel has no room for its head's name
_MANY = 24  # heads stand closer to each other

Box = tuple[float, float, float, float]


@dataclass(frozen=True, slots=True)
class GridLayout:
    """Where the panels of a grid stand, in inches from the top left corner of the page."""

    columns: int
    rows: int
    panel: tuple[float, float]
    left: float
    bottom: float
    """What the labels below the lowest row and a caption take."""
    width: float
    bar: float
    """What the colour bar takes at the right edge."""
    gap: float = _GAP
    page: float | None = None
    """How high the page is, where that is given."""

    @property
    def title(self) -> float:
        """How much room the name above a panel takes; none where panels are too narrow for one."""
        return TITLE if self.panel[0] >= _LEAST_NAMED or self.page is None else 0.0

    @property
    def needed(self) -> float:
        """How high the page must be."""
        return self.rows * (self.panel[1] + self.title) + (self.rows - 1) * self.gap + self.bottom + TOP

    @property
    def height(self) -> float:
        """How high the page is."""
        return max(self.needed, self.bottom + _LEAST_HIGH) if self.page is None else self.page

    def place(self, index: int) -> Box:
        """Return a panel's box as matplotlib wants it: left, bottom, width, height as shares of the page."""
        row, column = divmod(index, self.columns)
        width, height = self.panel
        x = self.left + column * (width + self.gap)
        y = TOP + row * (height + self.title + self.gap) + self.title
        return self.box(x, y, width, height)

    def box(self, x: float, y: float, width: float, height: float) -> Box:
        """Return a box that is measured from the top left corner as matplotlib wants it."""
        return x / self.width, 1 - (y + height) / self.height, width / self.width, height / self.height


def grid_layout(trace: AttentionTrace, count: int, bar: float, settings: FigureSettings) -> GridLayout:
    """Return where so many heads stand beside a colour bar that takes so much of the width.

    Raises:
        ValueError: the page is too small for them.
    """
    keys = trace.key_tokens
    left = widest(trace.query_tokens) + TITLE + 0.1
    below = SMALL_TYPE * LINE_HEIGHT * POINT if are_positions(keys) else widest(keys)
    bottom = below + TITLE + 0.08 + (CAPTION_ROW if settings.caption else 0.0)
    frame = GridLayout(1, 1, (0.0, 0.0), left, bottom, settings.width, bar, page=settings.height)
    Q, K = trace.weights.shape[2:]
    if frame.page is None:
        return _as_high_as_needed(frame, trace, count)
    return _filling_the_page(frame, count, min(max(Q / K, 1 / 3), 3.0))


def _as_high_as_needed(frame: GridLayout, trace: AttentionTrace, count: int) -> GridLayout:
    """Return as many columns as leave every token's label room; where none does, a grid of fair shape."""
    Q, K = trace.weights.shape[2:]
    words = not (are_positions(trace.query_tokens) and are_positions(trace.key_tokens))
    room = frame.width - frame.left - frame.bar - _GAP
    aspect = min(max(Q / K, 1 / 3), 3.0)

    def grid(columns: int) -> GridLayout:
        panel = (room - (columns - 1) * _GAP) / columns
        return replace(frame, columns=columns, rows=ceil(count / columns), panel=(panel, panel * aspect))

    def legible(layout: GridLayout) -> bool:
        across, down = layout.panel[0] / K, layout.panel[1] / Q
        return min(across, down) >= LABEL_PITCH and layout.height <= _HIGHEST

    most = max(1, min(count, int((room + _GAP) / (_LEAST_PANEL + _GAP))))
    fair = min(most, max(1, round(sqrt(1.3 * count))))
    if words:
        return next((layout for layout in map(grid, range(most, 0, -1)) if legible(layout)), grid(fair))
    return grid(fair)


def _filling_the_page(frame: GridLayout, count: int, aspect: float) -> GridLayout:
    """Return the grid whose panels are largest, in the middle of the page."""
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
    if best.panel[0] < _LEAST_ON_A_PAGE:
        raise ValueError(
            f"a page of {frame.width * 2.54:.3g} × {page * 2.54:.3g} cm has no room for {count} heads of such tokens; "
            "a larger one has, or choose some of the heads"
        )
    used = best.columns * (best.panel[0] + gap) - gap
    return replace(best, left=best.left + (room - used) / 2)
