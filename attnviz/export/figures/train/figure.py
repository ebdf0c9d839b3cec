"""The training lab's figure for a paper: its curves, every head as a tile, and one head large."""

from math import ceil, isfinite
from typing import Any

import numpy as np
from numpy.typing import NDArray

from attnviz.definitions.counting import head_name
from attnviz.definitions.roles import Role
from attnviz.definitions.tasks import EVERY_ROLE
from attnviz.definitions.text import Text
from attnviz.experiment.layers.head_names import heads_said
from attnviz.experiment.layers.layer import Layer
from attnviz.experiment.train.curves import first_loss_end, head_curves, loss_end
from attnviz.experiment.train.trace import TrainTrace
from attnviz.export.figures.layers import contrast_title, draw_of_several
from attnviz.export.figures.parts import (
    Box,
    Cells,
    add_axes,
    bar_block,
    draw_cells,
    draw_colour_bar,
    draw_signs,
    label_large,
    new_page,
)
from attnviz.export.figures.settings import Extent, FigureSettings
from attnviz.export.figures.train.layout import LINE, SMALL_GAP, TrainLayout, layout_of
from attnviz.export.figures.type_style import SMALL_TYPE, TYPE, width_of

_APART = 0.1  # inches between the words of a heading


def extent_of(trace: TrainTrace) -> Extent:
    """Return the extent of the steps, and of the loss range of the plot; the same for every step."""
    return Extent((0.0, float(trace.spec.steps)), (0.0, float(first_loss_end(trace.spec))))


def draw_train(trace: TrainTrace, settings: FigureSettings) -> Any:
    """Return a matplotlib figure: loss and accuracy, the roles of the heads, and the weights of a step.

    Stages without a number for each query and key show the matrices of the chosen layer.

    Raises:
        ValueError: the page is too small for them.
    """
    heads = trace.spec.heads_off
    off = Text("heads off: {heads}", {"heads": heads_said(heads)}) if heads else Text()
    layer, head = settings.large_of(len(trace.layers))
    assert layer is not None
    return draw_of_several(
        trace.layers[layer], layer, off, settings, lambda settings: _draw(trace, settings, layer, head or 0)
    )


def _draw(trace: TrainTrace, settings: FigureSettings, layer: int, head: int) -> Any:
    heads, large = settings.heads_of(trace.num_heads), trace.layers[layer]
    scale = large.scale(settings.stage, settings.contrast_drawn)
    layout = layout_of(trace, settings, bar_block(scale))
    figure = new_page(layout.width, layout.height, settings)
    _draw_quality(add_axes(figure, layout.quality), trace, settings)
    _draw_roles(add_axes(figure, layout.roles), trace, settings)
    for number, (of_layer, boxes) in enumerate(zip(trace.layers, layout.tiles, strict=True)):
        for tile_head, box in zip(heads, boxes, strict=True):
            axes = add_axes(figure, box)
            _draw_head(axes, of_layer, tile_head, settings)
            _name_tile(axes, trace, number, tile_head, layout, settings)
            if (number, tile_head) == (layer, head):
                _mark(axes, settings.palette.accent)
    axes = add_axes(figure, layout.large)
    levels = _draw_head(axes, large, head, settings)
    _label_large(axes, trace, layer, head, layout.large, settings)
    left, top = layout.bar
    length = min(layout.large[3], 1.6)
    title = contrast_title(settings.stage, scale, settings)
    if scale.diverging and len(trace.layers) > 1:
        title = Text("{numbers} in layer {layer}", {"numbers": title, "layer": layer + 1})
    draw_colour_bar(figure, (left, top), length, scale, title, settings)
    draw_signs(figure, (left, top + length + 0.1), levels, settings)
    return figure


def _draw_head(axes: Any, layer: Layer, head: int, settings: FigureSettings) -> NDArray[np.uint8]:
    """Draw the cells of a head, and return their levels."""
    shown = settings.stage, settings.contrast_drawn
    levels: NDArray[np.uint8] = layer.levels(*shown)[0, head]
    draw_cells(axes, Cells(levels, None, layer.scale(*shown)), settings)
    axes.set_xticks([])
    axes.set_yticks([])
    return levels


def _mark(axes: Any, colour: str) -> None:
    for side in axes.spines.values():
        side.set(color=colour, linewidth=1.4)


def _title_of(trace: TrainTrace, layer: int, head: int, settings: FigureSettings) -> tuple[Role | None, str, str]:
    """Return the role of a head, its name, and its score."""
    if (layer, head) in trace.spec.pairs_off:
        return None, settings.tr("off"), ""
    role = trace.role(layer, head)
    if role is None:
        return None, "", ""
    named = role.short_at(trace.distance(layer, head))
    return role, settings.tr(named), f"{trace.score(role, layer, head):.2f}"


def _name_tile(
    axes: Any, trace: TrainTrace, layer: int, head: int, layout: TrainLayout, settings: FigureSettings
) -> None:
    """Write the head's name, its role and its score above a tile, in as many lines as fit."""
    if not layout.lines:
        return
    role, name, score = _title_of(trace, layer, head, settings)
    colour = settings.palette.muted if role is None else settings.palette.mark_text(_index_of(role))
    first, second = (f"{name} {score}", "") if layout.lines == 1 else (score, name)
    wide, tall = (each / 72 for each in _points(axes))
    above = 1 + (0.02 + LINE * (layout.lines - 1)) / tall
    style: dict[str, Any] = {"transform": axes.transAxes, "fontsize": SMALL_TYPE, "va": "bottom"}
    axes.text(0, above, head_name(layer, head), color=settings.palette.text, fontweight="bold", **style)
    if width_of(f"{head_name(layer, head)}  {first}") <= wide:
        axes.text(1, above, first, color=colour, ha="right", **style)
    if second and width_of(second) <= wide + SMALL_GAP:
        axes.text(1, 1 + 0.02 / tall, second, color=colour, ha="right", **style)


def _points(axes: Any) -> tuple[float, float]:
    """Return the width and the height of axes in points."""
    box = axes.get_position()
    wide, tall = axes.figure.get_size_inches() * 72
    return box.width * wide, box.height * tall


def _label_large(axes: Any, trace: TrainTrace, layer: int, head: int, box: Box, settings: FigureSettings) -> None:
    label_large(axes, (trace.words, trace.words), box, settings)
    if max(map(len, trace.words)) == 1:  # a letter needs no more room upright
        for text in axes.get_xticklabels():
            text.set_rotation(0)
    _, name, score = _title_of(trace, layer, head, settings)
    named = settings.tr(Text("head {name}", {"name": head_name(layer, head)}))
    axes.set_title(f"{named}  {name} {score}".rstrip(), fontsize=TYPE, pad=3, loc="left")


def _draw_quality(axes: Any, trace: TrainTrace, settings: FigureSettings) -> None:
    """Draw loss and accuracy on one axis from 0 to 1: the loss is divided by an integer."""
    theme, history, extent = settings.palette, trace.history, settings.extent
    divisor = loss_end(trace) if extent is None else max(first_loss_end(trace.spec), ceil(extent.y[1]))
    steps = np.arange(len(history.loss))
    axes.plot(steps, history.loss / divisor, color=theme.accent, lw=0.9)
    axes.plot(steps, history.accuracy, color=theme.v, lw=0.9)
    _style(axes, trace, settings)
    if len(steps):
        at_end = float(history.loss[-1]) / divisor, float(history.accuracy[-1])
        loss_name = settings.tr(Text("loss / {divisor}", {"divisor": divisor}))
        ends = [(at_end[0], loss_name, theme.accent), (at_end[1], settings.tr("accuracy"), theme.v_text)]
        _name_ends(axes, len(steps) / trace.spec.steps, ends)
    titles = Text("loss"), Text("accuracy")
    if trace.step:
        loss, accuracy = history.loss[trace.step - 1], history.accuracy[trace.step - 1]
        titles = (
            Text("loss {loss}", {"loss": f"{loss:.3g}"}),
            Text("accuracy {share} %", {"share": f"{100 * accuracy:.0f}"}),
        )
    _heading(axes, [(settings.tr(titles[0]), theme.accent), (settings.tr(titles[1]), theme.v_text)])


def _draw_roles(axes: Any, trace: TrainTrace, settings: FigureSettings) -> None:
    """Draw a curve for each chosen head: its score in its final role, or in the nearest one."""
    theme, history = settings.palette, trace.history
    best: dict[int, tuple[float, str]] = {}
    last_step = 0
    heads = settings.heads_of(trace.num_heads)
    for curve in (each for each in head_curves(trace) if each.head in heads):
        last, index = float(curve.scores[-1]), _index_of(curve.role)
        last_step = int(curve.steps[-1])
        if curve.named and last > best.get(index, (-1.0, ""))[0]:
            name = settings.tr(curve.role.short_at(curve.distance))
            best[index] = last, f"{head_name(curve.layer, curve.head)} {name}"
        colour = theme.mark(index) if curve.named else theme.hatch
        width = 0.9 if curve.named else 0.5
        style: dict[str, Any] = {"marker": "o", "ms": 3, "clip_on": False} if len(curve.steps) == 1 else {}
        axes.plot(curve.steps, curve.scores, color=colour, lw=width, zorder=2 + width, **style)
    _style(axes, trace, settings)
    _name_ends(
        axes,
        last_step / trace.spec.steps,
        [(score, name, theme.mark_text(index)) for index, (score, name) in best.items()],
    )
    on_probe = [(settings.tr("measured on its probe"), theme.muted)] if history.on_probe else []
    _heading(axes, [(settings.tr("what the heads do"), theme.text), *on_probe])


def _index_of(role: Role) -> int:
    return list(EVERY_ROLE).index(role.name)


def _style(axes: Any, trace: TrainTrace, settings: FigureSettings) -> None:
    theme = settings.palette
    axes.set_facecolor("none")
    axes.set_xlim(0, trace.spec.steps)
    axes.set_ylim(0, 1.02)
    axes.set_yticks([0, 0.5, 1], ["0", "0.5", "1"])
    room = _points(axes)[0] / 72 / (width_of(f"{trace.spec.steps}") + SMALL_GAP)
    axes.xaxis.set_major_locator(_whole_steps(min(max(int(room), 1), 4)))
    axes.tick_params(labelsize=SMALL_TYPE, length=2, width=0.5, pad=2)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    axes.axvline(trace.step, color=theme.muted, lw=0.6, zorder=1)


def _whole_steps(intervals: int) -> Any:
    from matplotlib.ticker import MaxNLocator

    return MaxNLocator(intervals, integer=True, steps=[1, 2, 5, 10])


def _heading(axes: Any, parts: list[tuple[str, str]]) -> None:
    """Write coloured words above axes, from the left; in smaller type, and then fewer, if they do not fit."""
    x, (wide, tall) = 0.0, (each / 72 for each in _points(axes))
    room = (1 - axes.get_position().x0) * float(axes.figure.get_size_inches()[0])
    size = TYPE if sum(width_of(text, TYPE) + _APART for text, _ in parts) <= room + _APART else SMALL_TYPE
    for text, colour in parts:
        if x + width_of(text, size) > room:
            break
        axes.text(x / wide, 1 + 0.04 / tall, text, transform=axes.transAxes, fontsize=size, color=colour, va="bottom")
        x += width_of(text, size) + _APART


def _name_ends(axes: Any, end: float, ends: list[tuple[float, str, str]]) -> None:
    """Write names beside the ends of curves, each at its value and without overlaps.

    ``end`` is the share of the steps that the curves cover.
    """
    tall = _points(axes)[1] / 72
    pitch = LINE / tall
    heights: list[float] = []
    ordered = sorted(
        (min(max(value, 0.0), 1.0) if isfinite(value) else 1.0, name, colour) for value, name, colour in ends
    )
    room = 1.0 - pitch * (len(ordered) - 1)
    for number, (value, name, colour) in enumerate(ordered):
        y = min(value, room + pitch * number)
        y = max(y, heights[-1] + pitch) if heights else y
        heights.append(y)
        height = y / 1.02
        axes.text(end + 0.02, height, name, transform=axes.transAxes, fontsize=SMALL_TYPE, color=colour, va="center")
