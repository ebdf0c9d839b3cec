"""The training lab's figure for a paper: its curves, every head as a tile, and one head large."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from math import ceil, isfinite, log
from typing import Any

import numpy as np
from numpy.typing import NDArray

from attnviz.definitions.contrasts import CONTRASTS
from attnviz.definitions.roles import ROLES, Role, role_of
from attnviz.experiment.attention.stages import CELL_STAGES
from attnviz.experiment.attention.trace import AttentionTrace
from attnviz.experiment.train.spec import TrainSpec, head_name
from attnviz.experiment.train.trace import TrainTrace
from attnviz.export.figures.attention import CELL_TITLES, draw_panels
from attnviz.export.figures.parts import (
    BAR,
    CAPTION_ROW,
    Cells,
    bar_block,
    colours_for,
    draw_caption,
    draw_cells,
    draw_colour_bar,
    draw_signs,
    label_axis,
    widest,
)
from attnviz.export.figures.settings import Extent, FigureSettings
from attnviz.export.figures.type_style import LINE_HEIGHT, POINT, SMALL_TYPE, TYPE, width_of

_LINE = SMALL_TYPE * LINE_HEIGHT * POINT
_TITLE = TYPE * LINE_HEIGHT * POINT
_EDGE, _GAP, _SMALL_GAP, _ROW_GAP = 0.08, 0.12, 0.05, 0.08
_AXIS = 0.24  # of the numbers beside a plot
_PLOT = 0.8  # height of a plot
_WIDE = 4.2  # a page of this width has the plots side by side, and the tiles beside the large head
_SHARE = 0.6  # of the width of such a page, of the large head with its labels
_LARGEST = 2.6  # side of the large head
_LARGEST_TILE, _LEAST_TILE = 0.8, 0.1
_LEAST_PLOT, _LEAST_LARGE = 0.25, 0.4
_AROUND_LOSS = 0.5  # how much larger the first loss may be than that of equal chances

Box = tuple[float, float, float, float]
"""Left, top, width and height in inches of the page."""


@dataclass(frozen=True, slots=True)
class _Layout:
    width: float
    height: float
    quality: Box
    roles: Box
    tiles: tuple[tuple[Box, ...], ...]
    """By layer, then by chosen head."""
    lines: int
    """Above a tile: 2, 1, or 0 lines of text."""
    large: Box
    bar: tuple[float, float]
    """The left edge and the top of the colour bar."""


def extent_of(trace: TrainTrace) -> Extent:
    """Return the extent of the steps, and of the loss that its plot has room for; the same for every step."""
    return Extent((0.0, float(trace.spec.steps)), (0.0, float(_room_for_loss(trace.spec))))


def _room_for_loss(spec: TrainSpec) -> int:
    return ceil(log(spec.vocab_size) + _AROUND_LOSS)


def draw_train(trace: TrainTrace, settings: FigureSettings) -> Any:
    """Return a matplotlib figure: loss and accuracy, the roles of the heads, and the weights of a step.

    At stages that have no number for each query and key it shows those of the chosen layer, as the attention lab does.

    Raises:
        ValueError: the page is too small for them.
    """
    off = f"heads off: {', '.join(trace.spec.heads_off)}" if trace.spec.heads_off else ""
    said = " · ".join(text for text in (settings.caption, off) if text)
    settings = settings.model_copy(update={"caption": said})
    layer, head = settings.large_of(len(trace.layers))
    assert layer is not None
    if settings.stage not in CELL_STAGES:
        named = f"layer {layer + 1}" + f" · {said}" * bool(said)
        settings = settings.model_copy(update={"caption": named})
        figure = draw_panels(trace.layers[layer], settings)
    else:
        figure = _draw(trace, settings, layer, head or 0)
    draw_caption(figure, settings.caption, settings.palette)
    return figure


def _draw(trace: TrainTrace, settings: FigureSettings, layer: int, head: int) -> Any:
    from matplotlib.figure import Figure

    theme, heads = settings.palette, settings.heads_of(trace.num_heads)
    stage, contrast = settings.stage, settings.contrast_drawn
    large = trace.layers[layer]
    scale = large.scale(stage, contrast)  # type: ignore[arg-type]
    layout = _layout(trace, settings, bar_block(scale))
    figure = Figure(figsize=(layout.width, layout.height), facecolor="none" if settings.transparent else theme.panel)

    def add_axes(box: Box) -> Any:
        left, top, wide, tall = box
        return figure.add_axes(
            (left / layout.width, 1 - (top + tall) / layout.height, wide / layout.width, tall / layout.height)
        )

    _draw_quality(add_axes(layout.quality), trace, settings)
    _draw_roles(add_axes(layout.roles), trace, settings)
    colours = colours_for(scale, settings.colour_map, theme)
    for number, (of_layer, boxes) in enumerate(zip(trace.layers, layout.tiles, strict=True)):
        for each, box in zip(heads, boxes, strict=True):
            axes = add_axes(box)
            _draw_head(axes, of_layer, each, settings, colours)
            _name_tile(axes, trace, number, each, layout, settings)
            if (number, each) == (layer, head):
                _mark(axes, theme.accent)
    axes = add_axes(layout.large)
    levels = _draw_head(axes, large, head, settings, colours)
    _label_large(axes, trace, layer, head, layout.large, settings)
    left, top = layout.bar
    length = min(layout.large[3], 1.6)
    title = CELL_TITLES[stage] + (f" ({CONTRASTS[contrast].figure})" if contrast and not scale.diverging else "")
    title += f" in layer {layer + 1}" if scale.diverging and len(trace.layers) > 1 else ""
    draw_colour_bar(add_axes((left, top, BAR, length)), scale, colours, title, theme)
    draw_signs(figure, (left, top + length + 0.1), levels, theme)
    return figure


def _draw_head(
    axes: Any, layer: AttentionTrace, head: int, settings: FigureSettings, colours: NDArray[np.uint8]
) -> NDArray[np.uint8]:
    """Draw the cells of a head, and return their levels."""
    stage: Any = settings.stage
    levels: NDArray[np.uint8] = layer.levels(stage, settings.contrast_drawn)[0, head]
    diverging = layer.scale(stage, settings.contrast_drawn).diverging
    draw_cells(axes, Cells(levels, None, colours), settings.palette, diverging=diverging)
    axes.set_xticks([])
    axes.set_yticks([])
    return levels


def _mark(axes: Any, colour: str) -> None:
    for side in axes.spines.values():
        side.set(color=colour, linewidth=1.4)


def _title_of(trace: TrainTrace, layer: int, head: int) -> tuple[Role | None, str, str]:
    """Return the role of a head, its name, and its score."""
    if (layer, head) in trace.spec.pairs_off:
        return None, "off", ""
    role = trace.role(layer, head)
    return (None, "", "") if role is None else (role, role.short, f"{trace.score(role, layer, head):.2f}")


def _name_tile(axes: Any, trace: TrainTrace, layer: int, head: int, layout: _Layout, settings: FigureSettings) -> None:
    """Write the head's name, its role and its score above a tile, in as many lines as there is room for."""
    if not layout.lines:
        return
    role, name, score = _title_of(trace, layer, head)
    colour = settings.palette.muted if role is None else settings.palette.mark_text(_place_of(role))
    first, second = (f"{name} {score}", "") if layout.lines == 1 else (score, name)
    wide, tall = (each / 72 for each in _points(axes))
    above = 1 + (0.02 + _LINE * (layout.lines - 1)) / tall
    style: dict[str, Any] = {"transform": axes.transAxes, "fontsize": SMALL_TYPE, "va": "bottom"}
    axes.text(0, above, head_name(layer, head), color=settings.palette.text, fontweight="bold", **style)
    if width_of(f"{head_name(layer, head)}  {first}") <= wide:
        axes.text(1, above, first, color=colour, ha="right", **style)
    if second and width_of(second) <= wide + _SMALL_GAP:
        axes.text(1, 1 + 0.02 / tall, second, color=colour, ha="right", **style)


def _points(axes: Any) -> tuple[float, float]:
    """Return the width and the height of axes in points."""
    box = axes.get_position()
    wide, tall = axes.figure.get_size_inches() * 72
    return box.width * wide, box.height * tall


def _label_large(axes: Any, trace: TrainTrace, layer: int, head: int, box: Box, settings: FigureSettings) -> None:
    theme, (_, _, wide, tall) = settings.palette, box
    label_axis(axes.yaxis, trace.words, tall)
    label_axis(axes.xaxis, trace.words, wide, across=True)
    if max(map(len, trace.words)) == 1:  # a letter needs no more room upright
        for text in axes.get_xticklabels():
            text.set_rotation(0)
    axes.tick_params(axis="y", colors=theme.q_text)
    axes.tick_params(axis="x", colors=theme.k_text)
    axes.set_ylabel("queries", fontsize=TYPE, labelpad=2, color=theme.q_text)
    axes.set_xlabel("keys", fontsize=TYPE, labelpad=1, color=theme.k_text)
    _, name, score = _title_of(trace, layer, head)
    axes.set_title(f"head {head_name(layer, head)}  {name} {score}".rstrip(), fontsize=TYPE, pad=3, loc="left")


def _draw_quality(axes: Any, trace: TrainTrace, settings: FigureSettings) -> None:
    """Draw loss and accuracy on one axis from 0 to 1: the loss is divided by a whole number."""
    theme, history, extent = settings.palette, trace.history, settings.extent
    divisor = max(_room_for_loss(trace.spec), 0 if extent is None else ceil(extent.y[1]))
    if extent is None:
        reached = history.loss[np.isfinite(history.loss)].max(initial=0.0)
        divisor = max(divisor, ceil(min(reached, 1e9)))
    steps = np.arange(len(history.loss))
    axes.plot(steps, history.loss / divisor, color=theme.accent, lw=0.9)
    axes.plot(steps, history.accuracy, color=theme.v, lw=0.9)
    _style(axes, trace, settings)
    if len(steps):
        loss_end, accuracy_end = float(history.loss[-1]) / divisor, float(history.accuracy[-1])
        ends = [(loss_end, f"loss / {divisor}", theme.accent), (accuracy_end, "accuracy", theme.v_text)]
        _name_ends(axes, len(steps) / trace.spec.steps, ends)
    said = "loss", "accuracy"
    if trace.step:
        loss, accuracy = history.loss[trace.step - 1], history.accuracy[trace.step - 1]
        said = f"loss {loss:.3g}", f"accuracy {100 * accuracy:.0f} %"
    _heading(axes, [(said[0], theme.accent), (said[1], theme.v_text)])


def _draw_roles(axes: Any, trace: TrainTrace, settings: FigureSettings) -> None:
    """Draw a curve for each chosen head: its score in the role that it has at the end, or is nearest to."""
    theme, history = settings.palette, trace.history
    best: dict[int, tuple[float, str]] = {}
    for layer, head in np.ndindex(history.roles.shape[1], history.roles.shape[2]):
        if head not in settings.heads_of(trace.num_heads) or not len(history.role_steps):
            continue
        last = history.roles[-1, layer, head].tolist()
        role = role_of(last)
        if role is None:
            away = [score - each.from_score for score, each in zip(last, ROLES.values(), strict=True)]
            place = int(np.nanargmax(away)) if any(map(isfinite, away)) else 0
        else:
            place = _place_of(role)
            if last[place] > best.get(place, (-1.0, ""))[0]:
                best[place] = last[place], f"{head_name(layer, head)} {role.short}"
        colour = theme.hatch if role is None else theme.mark(place)
        width = 0.5 if role is None else 0.9
        style: dict[str, Any] = {"marker": "o", "ms": 3, "clip_on": False} if len(history.role_steps) == 1 else {}
        curve = history.roles[:, layer, head, place]
        axes.plot(history.role_steps, curve, color=colour, lw=width, zorder=2 + width, **style)
    _style(axes, trace, settings)
    _name_ends(
        axes,
        history.role_steps.max(initial=0) / trace.spec.steps,
        [(score, name, theme.mark_text(place)) for place, (score, name) in best.items()],
    )
    _heading(axes, [("what the heads do", theme.text)])


def _place_of(role: Role) -> int:
    return list(ROLES).index(role.name)


def _style(axes: Any, trace: TrainTrace, settings: FigureSettings) -> None:
    theme = settings.palette
    axes.set_facecolor("none")
    axes.set_xlim(0, trace.spec.steps)
    axes.set_ylim(0, 1.02)
    axes.set_yticks([0, 0.5, 1], ["0", "0.5", "1"])
    axes.xaxis.set_major_locator(_whole_steps())
    axes.tick_params(labelsize=SMALL_TYPE, length=2, width=0.5, pad=2)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    axes.axvline(trace.step, color=theme.muted, lw=0.6, zorder=1)


def _whole_steps() -> Any:
    from matplotlib.ticker import MaxNLocator

    return MaxNLocator(4, integer=True, steps=[1, 2, 5, 10])


def _heading(axes: Any, parts: list[tuple[str, str]]) -> None:
    """Write coloured words above axes, from the left."""
    x, (wide, tall) = 0.0, (each / 72 for each in _points(axes))
    for text, colour in parts:
        axes.text(x / wide, 1 + 0.04 / tall, text, transform=axes.transAxes, fontsize=TYPE, color=colour, va="bottom")
        x += width_of(text, TYPE) + 0.1


def _name_ends(axes: Any, end: float, ends: list[tuple[float, str, str]]) -> None:
    """Write names beside the ends of curves, each at its value and none above another.

    ``end`` is the share of the steps that the curves reach to.
    """
    tall = _points(axes)[1] / 72
    pitch = _LINE / tall
    found: list[float] = []
    ordered = sorted(
        (min(max(value, 0.0), 1.0) if isfinite(value) else 1.0, name, colour) for value, name, colour in ends
    )
    room = 1.0 - pitch * (len(ordered) - 1)
    for number, (value, name, colour) in enumerate(ordered):
        y = min(value, room + pitch * number)
        y = max(y, found[-1] + pitch) if found else y
        found.append(y)
        place = y / 1.02
        axes.text(end + 0.02, place, name, transform=axes.transAxes, fontsize=SMALL_TYPE, color=colour, va="center")


def _names_block() -> float:
    """Return the width of the names at the ends of curves."""
    return 0.06 + max(width_of(f"6.16 {role.short}") for role in ROLES.values())


def _layout(trace: TrainTrace, settings: FigureSettings, bar: float) -> _Layout:
    """Place everything on the page.

    Raises:
        ValueError: the page is too small.
    """
    width, page = settings.width, settings.height
    caption = CAPTION_ROW if settings.caption else 0.0
    place = _side_by_side if width >= _WIDE and (page is None or width > page) else _stacked
    layout = place(trace, settings, bar, width, None if page is None else page - caption)
    sides = (*layout.quality[2:], *layout.roles[2:])
    tile = min(layout.tiles[0][0][2:])
    if min(sides) < _LEAST_PLOT or tile < _LEAST_TILE or min(layout.large[2:]) < _LEAST_LARGE:
        height = "" if page is None else f" × {settings.height_cm:.3g}"
        raise ValueError(
            f"a page of {settings.width_cm:.3g}{height} cm has no room for the curves and "
            f"{len(layout.tiles)} × {len(layout.tiles[0])} heads; a larger one has, or choose some of the heads"
        )
    return replace(layout, height=layout.height + caption)


def _stacked(trace: TrainTrace, settings: FigureSettings, bar: float, width: float, page: float | None) -> _Layout:
    """Place everything in one column."""
    left = _EDGE + _AXIS
    plot = width - left - _names_block() - _EDGE
    columns, count = len(settings.heads_of(trace.num_heads)), len(trace.layers)
    widest_tile = min((width - 2 * _EDGE - (columns - 1) * _SMALL_GAP) / columns, _LARGEST_TILE)
    largest = min(width - _labels(trace) - bar - 2 * _EDGE, _LARGEST)
    around = 2 * (_TITLE + _LINE + _GAP) + _GAP + _TITLE + _below(trace) + 2 * _EDGE

    def share(lines: int) -> float:
        """Return the share of its natural size that everything but text has on the page."""
        if page is None:
            return 1.0
        room = page - around - count * (lines * _LINE + _ROW_GAP)
        return min(1.0, room / (2 * _PLOT + count * widest_tile + largest))

    lines = _lines_above(trace, lambda lines: widest_tile * share(lines))
    tall, tile, side = (share(lines) * size for size in (_PLOT, widest_tile, largest))
    top = _EDGE + _TITLE
    quality = left, top, plot, tall
    top += tall + _LINE + _GAP + _TITLE
    roles = left, top, plot, tall
    top += tall + _LINE + _GAP
    tiles, top = _tiles(_EDGE, top, tile, columns, count, lines)
    top += _GAP + _TITLE
    large = _EDGE + _labels(trace), top, side, side
    height = top + side + _below(trace) + _EDGE if page is None else page
    return _Layout(width, height, quality, roles, tiles, lines, large, (large[0] + side + 0.1, top))


def _side_by_side(trace: TrainTrace, settings: FigureSettings, bar: float, width: float, page: float | None) -> _Layout:
    """Place the two plots side by side, and below them the tiles beside the large head."""
    half = width / 2
    plot = half - _EDGE - _AXIS - _names_block()
    tall = _PLOT if page is None else min(_PLOT, page * 0.25)
    top = _EDGE + _TITLE
    quality, roles = (_EDGE + _AXIS, top, plot, tall), (half + _EDGE + _AXIS, top, plot, tall)
    top += tall + _LINE + _GAP
    columns, count = len(settings.heads_of(trace.num_heads)), len(trace.layers)
    side = _SHARE * width - _labels(trace) - bar - 2 * _EDGE
    side = min(side, _LARGEST) if page is None else min(side, page - top - _TITLE - _below(trace))
    room = width - side - _labels(trace) - bar - 3 * _EDGE  # what the large head leaves the tiles
    widest_tile = (room - (columns - 1) * _SMALL_GAP) / columns

    def tile(lines: int) -> float:
        most = _LARGEST_TILE if page is None else (page - top) / count - lines * _LINE - _ROW_GAP
        return min(widest_tile, most)

    lines = _lines_above(trace, tile)
    tiles, bottom = _tiles(_EDGE, top, tile(lines), columns, count, lines)
    x = width - side - bar - _EDGE
    large = x, top + _TITLE, side, side
    height = max(bottom, top + _TITLE + side + _below(trace)) + _EDGE if page is None else page
    return _Layout(width, height, quality, roles, tiles, lines, large, (x + side + 0.1, top + _TITLE))


def _tiles(
    left: float, top: float, side: float, columns: int, rows: int, lines: int
) -> tuple[tuple[tuple[Box, ...], ...], float]:
    """Return the boxes of tiles, and what they reach down to."""
    pitch = side + lines * _LINE + _ROW_GAP
    boxes = tuple(
        tuple(
            (left + column * (side + _SMALL_GAP), top + row * pitch + lines * _LINE, side, side)
            for column in range(columns)
        )
        for row in range(rows)
    )
    return boxes, top + rows * pitch


def _lines_above(trace: TrainTrace, tile: Callable[[int], float]) -> int:
    """Return in how many lines the name, the role and the score of a head are written above a tile.

    ``tile`` is the side that such lines leave it. With 0 lines there is no room for a name.
    """
    name = head_name(len(trace.layers) - 1, trace.num_heads - 1)
    longest = max((role.short for role in ROLES.values()), key=width_of)
    if width_of(f"{name}  {longest} 0.00") <= tile(1):
        return 1
    if width_of(longest) <= tile(2) + _SMALL_GAP and width_of(f"{name}  0.00") <= tile(2):
        return 2
    return 1 if width_of(name) <= tile(1) else 0


def _labels(trace: TrainTrace) -> float:
    """Return the width of the labels at the left of the large head."""
    return widest(trace.words) + _TITLE + 0.08


def _below(trace: TrainTrace) -> float:
    """Return the height of the labels below the large head."""
    return max(widest(trace.words), _LINE) + _TITLE + 0.08
