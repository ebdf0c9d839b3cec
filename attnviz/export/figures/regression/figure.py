"""The regression lab's figure for a paper: the fit with its points, and the tensor of a stage beside or below it."""

from dataclasses import dataclass
from math import ceil
from operator import attrgetter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from attnviz.definitions.counting import SCREEN
from attnviz.definitions.text import Refused, Text
from attnviz.experiment.colours import WEIGHT_SCALE, Scale, quantise, stretched, stretched_scale, symmetric_scale
from attnviz.experiment.regression.data import truth_line
from attnviz.experiment.regression.spec import Overlay
from attnviz.experiment.regression.trace import RegressionTrace
from attnviz.export.figures.layers import contrast_title
from attnviz.export.figures.parts import (
    CAPTION_ROW,
    Box,
    Cells,
    add_axes,
    bar_block,
    draw_caption,
    draw_cells,
    draw_colour_bar,
    draw_signs,
    new_page,
    number,
)
from attnviz.export.figures.settings import Extent, FigureSettings
from attnviz.export.figures.type_style import LINE_HEIGHT, POINT, SMALL_TYPE, TYPE, width_of

_DASHES = ((5, 1.5), (1, 1), (5, 1.5, 1, 1.5), (8, 2), (3, 1, 1, 1, 1, 1), (2, 2), (8, 1, 1, 1), (4, 4))
_LEFT, _BOTTOM, _TOP, _BAR_GAP = 0.42, 0.34, 0.06, 0.08
_FIT, _CELLS, _BETWEEN = 0.62, 0.5, 0.36  # shares of the plot's width, and inches
_WIDE = 1.25  # beyond this aspect ratio the cells are beside the fit
_LEAST_PLOT = 0.25
_MARGIN = 0.05  # a share of an axis, beyond its data


@dataclass(frozen=True, slots=True)
class _Layout:
    """The positions of the fit and the matrices."""

    height: float
    fit: Box
    cells: tuple[Box, ...]


@dataclass(frozen=True, slots=True, eq=False)
class _Matrix:
    """The tensor of a stage, of the fit or of one head."""

    title: str
    values: NDArray[np.float64]
    """(Q, K)."""


def extent_of(trace: RegressionTrace) -> Extent:
    """Return the extent of all points, the truth, and every curve that can be fitted to these points."""
    x = np.concatenate([trace.x_train, trace.x_test])
    # A prediction is an average of training outputs, so it never exceeds their range.
    y = np.concatenate([trace.y_train, trace.y_truth[np.isfinite(trace.y_truth)]])
    return Extent((float(x.min()), float(x.max())), (float(y.min()), float(y.max())))


def draw_regression(trace: RegressionTrace, settings: FigureSettings) -> Any:
    """Return a matplotlib figure: points, truth, fit and overlays, and the tensor of the stage or those of its heads.

    Raises:
        ValueError: the page is too small for them.
    """
    matrices = _matrices(trace, settings)
    scale, name = _scale(trace, settings, matrices)
    layout = _layout(trace, settings, len(matrices), bar_block(scale) + _BAR_GAP)
    figure = new_page(settings.width, layout.height, settings)
    _draw_fit(add_axes(figure, layout.fit), trace, settings)
    every = [_levels(matrix.values, scale, settings) for matrix in matrices]
    for matrix, levels, box in zip(matrices, every, layout.cells, strict=True):
        axes = add_axes(figure, box)
        draw_cells(axes, Cells(levels, matrix.values, scale), settings)
        _label_cells(axes, trace, matrix.title, settings)
    _, top, _, tall = layout.cells[0]
    left = settings.width - bar_block(scale)
    draw_colour_bar(figure, (left, top), min(tall, 1.6), scale, name, settings)
    draw_signs(figure, (left, top + min(tall, 1.6) + 0.1), np.concatenate(every), settings)
    draw_caption(figure, settings.caption, settings.palette)
    return figure


def _matrices(trace: RegressionTrace, settings: FigureSettings) -> list[_Matrix]:
    """Return the stage's tensor, or those of the chosen heads if these have their own."""
    if settings.heads is None or settings.stage == "differences":
        match settings.stage:
            case "differences":
                return [_Matrix("", trace.differences)]
            case "kernel":
                return [_Matrix("", trace.kernel_values)]
            case "pooling":
                return [_Matrix("", trace.contributions)]
        return [_Matrix("", trace.weights)]
    of_heads = trace.head_kernel_values if settings.stage == "kernel" else trace.head_weights
    factor = trace.y_train if settings.stage == "pooling" else 1.0
    return [
        _Matrix(settings.tr(Text("head {number}", {"number": SCREEN.head(head)})), of_heads[head] * factor)
        for head in settings.heads
    ]


def _scale(trace: RegressionTrace, settings: FigureSettings, matrices: list[_Matrix]) -> tuple[Scale, Text]:
    """Return the colour scale of all matrices, and its name."""
    contrast = settings.contrast_drawn
    match settings.stage:
        case "differences":
            return trace.difference_scale, Text("x − xᵢ")
        case "kernel":
            return WEIGHT_SCALE, Text("K(u), the kernel's height")
        case "pooling":
            return symmetric_scale(np.concatenate([matrix.values for matrix in matrices])), Text("weight × yᵢ")
    scale = max((stretched_scale(matrix.values, WEIGHT_SCALE, contrast) for matrix in matrices), key=attrgetter("high"))
    if contrast != "head":
        return scale, contrast_title("weights", scale, settings)
    return Scale(0.0, scale.high or 1.0), Text("weight, up to the largest")


def _levels(values: NDArray[np.float64], scale: Scale, settings: FigureSettings) -> NDArray[np.uint8]:
    if settings.stage == "weights" and settings.contrast_drawn not in ("", "head"):
        return stretched(values, None, WEIGHT_SCALE, settings.contrast_drawn)
    return quantise(values, None, scale.low, scale.high)  # heads share the upper end of their scale


def _layout(trace: RegressionTrace, settings: FigureSettings, count: int, right: float) -> _Layout:
    legend, width, page = _legend_height(trace), settings.width, settings.height
    caption = CAPTION_ROW if settings.caption else 0.0
    between = _BETWEEN + (TYPE * LINE_HEIGHT * POINT if settings.heads is not None else 0.0)
    top = _TOP + legend
    plot = width - _LEFT - right
    if page is not None and width > _WIDE * page:
        half = (plot - _LEFT) / 2
        room = page - top - _BOTTOM - caption
        height = (room - (count - 1) * between) / count
        tops = [top + index * (height + between) for index in range(count)]
        fit, cells = (_LEFT, top, half, room), tuple((2 * _LEFT + half, y, half, height) for y in tops)
    else:
        tall, height = plot * _FIT, plot * _CELLS
        needed = top + tall + count * (height + between) + _BOTTOM + caption
        if page is not None:
            lines = top + count * between + _BOTTOM + caption
            stretch = (page - lines) / (needed - lines)
            tall, height, needed = tall * stretch, height * stretch, page
        tops = [top + tall + between + index * (height + between) for index in range(count)]
        fit, cells = (_LEFT, top, plot, tall), tuple((_LEFT, y, plot, height) for y in tops)
        page = needed
    if min(*fit[2:], *cells[0][2:]) < _LEAST_PLOT:
        values = {"width": width * 2.54, "height": page * 2.54}
        raise Refused(
            "a page of {width:.3g} × {height:.3g} cm has no room for the fit and the matrices; a larger one has, or "
            "choose some of the heads",
            **values,
        )
    return _Layout(page, fit, cells)


def _draw_fit(axes: Any, trace: RegressionTrace, settings: FigureSettings) -> None:
    theme = settings.palette
    axes.set_facecolor("none")
    axes.plot(trace.x_train, trace.y_train, "o", ms=2, mew=0, color=theme.k, label=settings.tr("training points"))
    if settings.query is not None:
        axes.axvline(trace.x_test[settings.query], color=theme.q, lw=0.8)
    if np.isfinite(trace.y_truth).any():
        x, y = truth_line(trace.spec.data, trace.x_test)
        axes.plot(x, y, "--", color=theme.muted, lw=0.8, label=settings.tr("truth"))
        _mark_alone(axes, x, y, theme.muted)
    own = settings.tr(_name_of(trace.spec.own_overlay, trace.w_now))
    axes.plot(trace.x_test, trace.curve, color=theme.output, lw=1.4, label=own)
    _mark_alone(axes, trace.x_test, trace.curve, theme.output)
    for index, curve in enumerate(trace.curves):
        colour, dashes = theme.curves[index % len(theme.curves)], _DASHES[index % len(_DASHES)]
        name = settings.tr(_name_of(curve.overlay, curve.w))
        axes.plot(trace.x_test, curve.y_hat, color=colour, lw=1, dashes=dashes, label=name)
        _mark_alone(axes, trace.x_test, curve.y_hat, colour)
    if settings.extent is not None:
        _reach(axes, settings.extent)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    axes.tick_params(labelsize=SMALL_TYPE, length=2, width=0.5, pad=2)
    axes.set_xlabel(_name_with_unit(axes.xaxis, "x"), fontsize=TYPE, labelpad=1)
    axes.set_ylabel(_name_with_unit(axes.yaxis, "y"), fontsize=TYPE, labelpad=2)
    axes.legend(
        loc="lower left", bbox_to_anchor=(0, 1.0), ncols=2, fontsize=SMALL_TYPE, frameon=False, borderpad=0.1,
        handlelength=2.2, columnspacing=1.2, labelspacing=0.2, borderaxespad=0.2,
    )  # fmt: skip


def _mark_alone(axes: Any, x: NDArray[np.float64], y: NDArray[np.float64], colour: str) -> None:
    """Mark single predictions between two gaps: a line through one point is invisible."""
    there = np.pad(np.isfinite(y), 1)
    alone = there[1:-1] & ~there[:-2] & ~there[2:]
    if alone.any():
        axes.plot(x[alone], y[alone], "D", ms=2.4, mew=0, color=colour)


def _name_with_unit(axis: Any, name: str) -> str:
    """Return the name of an axis with its multiplier, which matplotlib would place on the legend."""
    formatter = axis.get_major_formatter()
    formatter.set_locs(axis.get_majorticklocs())
    unit = formatter.get_offset()
    axis.get_offset_text().set_visible(False)
    if not unit:
        return name
    return f"{name} {unit}" if unit[0] in "+-−" else f"{name} (× {unit})"


def _reach(axes: Any, extent: Extent) -> None:
    """Set the limits of axes, with a margin; an empty range becomes 1."""
    for setter, (low, high) in ((axes.set_xlim, extent.x), (axes.set_ylim, extent.y)):
        margin = _MARGIN * (high - low) or 0.5
        setter(low - margin, high + margin)


def _legend_height(trace: RegressionTrace) -> float:
    entries = 2 + bool(np.isfinite(trace.y_truth).any()) + len(trace.curves)
    return ceil(entries / 2) * SMALL_TYPE * LINE_HEIGHT * POINT * 1.15 + 0.06


def _name_of(overlay: Overlay, w: float | None) -> Text:
    """Return an estimator's name in the legend, with its width or w."""
    if overlay.estimator == "parametric":
        return Text("learned width") if w is None else Text("learned, w = {w:.3g}", {"w": w})
    if overlay.is_average:
        return Text("average")
    return Text("{kernel}, σ = {width}", {"kernel": overlay.kernel, "width": f"{overlay.width:g}"})


def _label_cells(axes: Any, trace: RegressionTrace, title: str, settings: FigureSettings) -> None:
    """Label rows with the queries' x and columns with the training points' x, a few of each."""
    for axis, x in ((axes.yaxis, trace.x_test), (axes.xaxis, trace.x_train)):
        indices = np.unique(np.linspace(0, len(x) - 1, min(len(x), 5)).round().astype(int))
        axis.set_ticks(indices.tolist(), [number(x[index]) for index in indices])
    # The labels of the lowest row and the first column would overlap at the corner if cells are small.
    wide, tall = axes.get_window_extent().size / axes.figure.dpi
    if tall / len(trace.x_test) < SMALL_TYPE * LINE_HEIGHT * POINT:
        axes.get_yticklabels()[-1].set_verticalalignment("bottom")
    if wide / len(trace.x_train) < width_of(number(trace.x_train[0])):
        axes.get_xticklabels()[0].set_horizontalalignment("left")
    axes.set_ylabel(settings.tr("queries (x)"), fontsize=TYPE, labelpad=2)
    axes.set_xlabel(settings.tr("keys: training points (x)"), fontsize=TYPE, labelpad=1)
    if title:
        axes.set_title(title, fontsize=TYPE, pad=2)
