"""Layout of a training's figure: one column on a narrow page, else the tiles beside a large head."""

from collections.abc import Callable
from dataclasses import dataclass, replace

from attnviz.definitions.counting import head_name
from attnviz.definitions.text import Refused
from attnviz.experiment.train.trace import TrainTrace
from attnviz.export.figures.parts import CAPTION_ROW, Box, widest
from attnviz.export.figures.settings import FigureSettings
from attnviz.export.figures.type_style import LINE_HEIGHT, POINT, SMALL_TYPE, TYPE, width_of

LINE = SMALL_TYPE * LINE_HEIGHT * POINT
_TITLE = TYPE * LINE_HEIGHT * POINT
_EDGE, _GAP, SMALL_GAP, _ROW_GAP = 0.08, 0.12, 0.05, 0.08
_AXIS = 0.24  # the width of the numbers beside a plot
_PLOT = 0.8  # the height of a plot
_WIDE = 4.2  # from this width on the plots are side by side, and the tiles beside the large head
_SHARE = 0.6  # the share of such a page's width for the large head with its labels
_LARGEST = 2.6  # the greatest side of the large head
_LARGEST_TILE, _LEAST_TILE = 0.8, 0.1
_FAR = 88  # a distance
_LEAST_PLOT, _LEAST_LARGE = 0.25, 0.4


@dataclass(frozen=True, slots=True)
class TrainLayout:
    """The positions on a page, in inches from its top left corner."""

    width: float
    height: float
    quality: Box
    roles: Box
    tiles: tuple[tuple[Box, ...], ...]
    """By layer, then by chosen head."""
    lines: int
    """The number of text lines above a tile: 2, 1, or 0."""
    large: Box
    bar: tuple[float, float]
    """The left edge and the top of the colour bar."""


def _role_names(trace: TrainTrace) -> list[str]:
    """Return the names of all roles, with a distance of typical length."""
    return [str(role.short_at(_FAR)) for role in trace.spec.roles]


def _names_block(trace: TrainTrace) -> float:
    """Return the width of the names at the ends of curves."""
    return 0.06 + max(width_of(f"6.16 {name}") for name in _role_names(trace))


def layout_of(trace: TrainTrace, settings: FigureSettings, bar: float) -> TrainLayout:
    """Lay everything out on the page.

    Raises:
        ValueError: the page is too small.
    """
    width, page = settings.width, settings.height
    caption = CAPTION_ROW if settings.caption else 0.0
    arrange = _side_by_side if width >= _WIDE and (page is None or width > page) else _stacked
    layout = arrange(trace, settings, bar, width, None if page is None else page - caption)
    sides = (*layout.quality[2:], *layout.roles[2:])
    tile = min(layout.tiles[0][0][2:])
    if min(sides) < _LEAST_PLOT or tile < _LEAST_TILE or min(layout.large[2:]) < _LEAST_LARGE:
        height = "" if page is None else f" × {settings.height_cm:.3g}"
        raise Refused(
            "a page of {width_cm:.3g}{height} cm has no room for the curves and {rows} × {columns} heads; a larger "
            "one has, or choose some of the heads",
            width_cm=settings.width_cm,
            height=height,
            rows=len(layout.tiles),
            columns=len(layout.tiles[0]),
        )
    return replace(layout, height=layout.height + caption)


def _stacked(trace: TrainTrace, settings: FigureSettings, bar: float, width: float, page: float | None) -> TrainLayout:
    """Lay everything out in one column."""
    left = _EDGE + _AXIS
    plot = width - left - _names_block(trace) - _EDGE
    columns, count = len(settings.heads_of(trace.num_heads)), len(trace.layers)
    widest_tile = min((width - 2 * _EDGE - (columns - 1) * SMALL_GAP) / columns, _LARGEST_TILE)
    largest = min(width - _labels(trace) - bar - 2 * _EDGE, _LARGEST)
    around = 2 * (_TITLE + LINE + _GAP) + _GAP + _TITLE + _below(trace) + 2 * _EDGE

    def share(lines: int) -> float:
        """Return the scale of everything but text on the page."""
        if page is None:
            return 1.0
        room = page - around - count * (lines * LINE + _ROW_GAP)
        return min(1.0, room / (2 * _PLOT + count * widest_tile + largest))

    lines = _lines_above(trace, lambda lines: widest_tile * share(lines))
    tall, tile, side = (share(lines) * size for size in (_PLOT, widest_tile, largest))
    top = _EDGE + _TITLE
    quality = left, top, plot, tall
    top += tall + LINE + _GAP + _TITLE
    roles = left, top, plot, tall
    top += tall + LINE + _GAP
    tiles, top = _tiles(_EDGE, top, tile, columns, count, lines)
    top += _GAP + _TITLE
    large = _EDGE + _labels(trace), top, side, side
    height = top + side + _below(trace) + _EDGE if page is None else page
    return TrainLayout(width, height, quality, roles, tiles, lines, large, (large[0] + side + 0.1, top))


def _side_by_side(
    trace: TrainTrace, settings: FigureSettings, bar: float, width: float, page: float | None
) -> TrainLayout:
    """Lay the two plots out side by side, and below them the tiles beside the large head."""
    half = width / 2
    plot = half - _EDGE - _AXIS - _names_block(trace)
    tall = _PLOT if page is None else min(_PLOT, page * 0.25)
    top = _EDGE + _TITLE
    quality, roles = (_EDGE + _AXIS, top, plot, tall), (half + _EDGE + _AXIS, top, plot, tall)
    top += tall + LINE + _GAP
    columns, count = len(settings.heads_of(trace.num_heads)), len(trace.layers)
    side = _SHARE * width - _labels(trace) - bar - 2 * _EDGE
    side = min(side, _LARGEST) if page is None else min(side, page - top - _TITLE - _below(trace))
    room = width - side - _labels(trace) - bar - 3 * _EDGE  # the room beside the large head
    widest_tile = (room - (columns - 1) * SMALL_GAP) / columns

    def tile(lines: int) -> float:
        most = _LARGEST_TILE if page is None else (page - top) / count - lines * LINE - _ROW_GAP
        return min(widest_tile, most)

    lines = _lines_above(trace, tile)
    tiles, bottom = _tiles(_EDGE, top, tile(lines), columns, count, lines)
    x = width - side - bar - _EDGE
    large = x, top + _TITLE, side, side
    height = max(bottom, top + _TITLE + side + _below(trace)) + _EDGE if page is None else page
    return TrainLayout(width, height, quality, roles, tiles, lines, large, (x + side + 0.1, top + _TITLE))


def _tiles(
    left: float, top: float, side: float, columns: int, rows: int, lines: int
) -> tuple[tuple[tuple[Box, ...], ...], float]:
    """Return the boxes of tiles, and their lower end."""
    pitch = side + lines * LINE + _ROW_GAP
    boxes = tuple(
        tuple(
            (left + column * (side + SMALL_GAP), top + row * pitch + lines * LINE, side, side)
            for column in range(columns)
        )
        for row in range(rows)
    )
    return boxes, top + rows * pitch


def _lines_above(trace: TrainTrace, tile: Callable[[int], float]) -> int:
    """Return the number of lines for the name, the role and the score of a head above a tile.

    ``tile`` returns the side that remains with a number of lines. With 0 lines there is no room for a name.
    """
    name = head_name(len(trace.layers) - 1, trace.num_heads - 1)
    longest = max(_role_names(trace), key=width_of)
    if width_of(f"{name}  {longest} 0.00") <= tile(1):
        return 1
    if width_of(longest) <= tile(2) + SMALL_GAP and width_of(f"{name}  0.00") <= tile(2):
        return 2
    return 1 if width_of(name) <= tile(1) else 0


def _labels(trace: TrainTrace) -> float:
    """Return the width of the labels at the left of the large head."""
    return widest(trace.words) + _TITLE + 0.08


def _below(trace: TrainTrace) -> float:
    """Return the height of the labels below the large head."""
    return max(widest(trace.words), LINE) + _TITLE + 0.08
