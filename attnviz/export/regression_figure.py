"""The regression lab's figure for a paper: the fit with its points above, the weights below."""

from math import ceil
from typing import Any

import numpy as np

from attnviz.experiment.estimators import Overlay
from attnviz.experiment.picture import WEIGHT_SCALE, Scale, quantise
from attnviz.experiment.regression_trace import RegressionTrace
from attnviz.export.figure_parts import (
    LINE_HEIGHT,
    POINT,
    SMALL_TYPE,
    TYPE,
    Cells,
    colours_for,
    draw_cells,
    draw_colour_bar,
    number,
)
from attnviz.export.figure_settings import FigureSettings

_DASHES = ((5, 1.5), (1, 1), (5, 1.5, 1, 1.5), (8, 2), (3, 1, 1, 1, 1, 1), (2, 2), (8, 1, 1, 1), (4, 4))
_LEFT, _RIGHT, _BOTTOM, _TOP = 0.42, 0.56, 0.34, 0.06
_FIT, _WEIGHTS, _BETWEEN = 0.62, 0.5, 0.36  # shares of the plot's width, and inches


def draw_regression(trace: RegressionTrace, settings: FigureSettings) -> Any:
    """Return a matplotlib figure: points, truth, fit and overlays; below it the weights of the fit, or of the heads."""
    from matplotlib.figure import Figure

    heads = settings.heads_of(trace.num_heads) if settings.heads is not None else None
    matrices = [trace.weights] if heads is None else [trace.head_weights[head] for head in heads]
    titles = [""] if heads is None else [f"head {head + 1}" for head in heads]
    theme, width = settings.theme, settings.width
    plot = width - _LEFT - _RIGHT
    fit, each = plot * _FIT, plot * _WEIGHTS
    legend = _legend_height(trace)
    height = _TOP + legend + fit + len(matrices) * (each + _BETWEEN) + _BOTTOM
    figure = Figure(figsize=(width, height), facecolor="none" if settings.transparent else theme.panel)

    def box(top: float, tall: float, left: float = _LEFT, wide: float = plot) -> tuple[float, float, float, float]:
        return left / width, 1 - (top + tall) / height, wide / width, tall / height

    _draw_fit(figure.add_axes(box(_TOP + legend, fit)), trace, settings)
    scale = Scale(0.0, float(np.nanmax(trace.weights, initial=0.0)) or 1.0) if settings.contrast else WEIGHT_SCALE
    colours = colours_for(scale, settings.colour_map, theme)
    for index, (weights, title) in enumerate(zip(matrices, titles, strict=True)):
        top = _TOP + legend + fit + _BETWEEN + index * (each + _BETWEEN)
        axes = figure.add_axes(box(top, each))
        levels = quantise(weights, None, scale.low, scale.high)
        draw_cells(axes, Cells(levels, weights, colours), theme)
        _label_weights(axes, trace, title)
        if index == 0:
            bar = figure.add_axes(box(top, each, left=width - _RIGHT + 0.08, wide=0.09))
            draw_colour_bar(bar, scale, colours, "weight", theme)
    return figure


def _draw_fit(axes: Any, trace: RegressionTrace, settings: FigureSettings) -> None:
    theme = settings.theme
    axes.set_facecolor("none")
    axes.plot(trace.x_train, trace.y_train, "o", ms=2, mew=0, color=theme.muted, alpha=0.7, label="training points")
    if np.isfinite(trace.y_truth).any():
        axes.plot(trace.x_test, trace.y_truth, "--", color=theme.muted, lw=0.8, label="truth")
    own = _name_of(trace.spec.own_overlay, trace.w_now)
    axes.plot(trace.x_test, trace.curve, color=theme.output, lw=1.4, label=own)
    for index, curve in enumerate(trace.curves):
        colour, dashes = theme.curves[index % len(theme.curves)], _DASHES[index % len(_DASHES)]
        name = _name_of(curve.overlay, curve.w)
        axes.plot(trace.x_test, curve.y_hat, color=colour, lw=1, dashes=dashes, label=name)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    axes.tick_params(labelsize=SMALL_TYPE, length=2, width=0.5, pad=2)
    axes.set_xlabel("x", fontsize=TYPE, labelpad=1)
    axes.set_ylabel("y", fontsize=TYPE, labelpad=2)
    axes.legend(
        loc="lower left", bbox_to_anchor=(0, 1.0), ncols=2, fontsize=SMALL_TYPE, frameon=False, borderpad=0.1,
        handlelength=2.2, columnspacing=1.2, labelspacing=0.2, borderaxespad=0.2,
    )  # fmt: skip


def _legend_height(trace: RegressionTrace) -> float:
    entries = 2 + bool(np.isfinite(trace.y_truth).any()) + len(trace.curves)
    return ceil(entries / 2) * SMALL_TYPE * LINE_HEIGHT * POINT * 1.15 + 0.06


def _name_of(overlay: Overlay, w: float | None) -> str:
    """Return what a legend calls an estimator, with the number that tells it from its like."""
    match overlay.estimator:
        case "average":
            return "average"
        case "parametric":
            return "learned width" if w is None else f"learned, w = {w:.3g}"
        case _ if overlay.kernel == "constant":
            return "average"
    return f"{overlay.kernel}, σ = {overlay.width:g}"


def _label_weights(axes: Any, trace: RegressionTrace, title: str) -> None:
    """Name rows by the queries' x and columns by the training points' x, a few of each."""
    for axis, x in ((axes.yaxis, trace.x_test), (axes.xaxis, trace.x_train)):
        places = np.unique(np.linspace(0, len(x) - 1, min(len(x), 5)).round().astype(int))
        axis.set_ticks(places.tolist(), [number(x[place]) for place in places])
    axes.set_ylabel("queries (x)", fontsize=TYPE, labelpad=2)
    axes.set_xlabel("keys: training points (x)", fontsize=TYPE, labelpad=1)
    if title:
        axes.set_title(title, fontsize=TYPE, pad=2)
