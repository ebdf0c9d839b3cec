"""The regression lab's further pages as figures: its training over the steps, and every kernel at every width."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from attnviz.definitions.functions.kernels import KERNELS
from attnviz.definitions.text import Text
from attnviz.experiment.colours import WEIGHT_SCALE, stretched, stretched_scale
from attnviz.experiment.regression.data import truth_line
from attnviz.experiment.regression.studies import KernelGridTrace
from attnviz.experiment.regression.trace import RegressionTrace
from attnviz.export.figures.parts import Box, Cells, add_axes, add_text, draw_cells, new_page
from attnviz.export.figures.settings import FigureSettings
from attnviz.export.figures.type_style import SMALL_TYPE, TYPE

_LEFT, _RIGHT, _TOP, _BOTTOM = 0.5, 0.12, 0.24, 0.34
_BETWEEN, _TALL, _WITHIN = 0.36, 1.15, 0.06


def draw_learning(trace: RegressionTrace, settings: FigureSettings) -> Any:
    """Return a matplotlib figure of a training: the loss and w over its steps, one above the other."""
    paths = [
        (settings.tr("loss (sum of squares)"), np.arange(1, trace.step + 1), trace.loss[: trace.step, None]),
        ("w", np.arange(trace.step + 1), trace.w_path[: trace.step + 1]),
    ]
    height = _TOP + 2 * _TALL + _BETWEEN + _BOTTOM if settings.height is None else settings.height
    tall = (height - _TOP - _BETWEEN - _BOTTOM) / 2
    figure = new_page(settings.width, height, settings)
    for row, (name, steps, values) in enumerate(paths):
        box = (_LEFT, _TOP + row * (tall + _BETWEEN), settings.width - _LEFT - _RIGHT, tall)
        _draw_path(add_axes(figure, box), name, steps, values, trace, settings)
    figure.axes[-1].set_xlabel(settings.tr("step"), fontsize=TYPE, labelpad=1)
    return figure


def _draw_path(
    axes: Any,
    name: str,
    steps: NDArray[Any],
    values: NDArray[np.float64],
    trace: RegressionTrace,
    settings: FigureSettings,
) -> None:
    theme = settings.palette
    axes.set_facecolor("none")
    axes.plot(steps, values, color=theme.accent, lw=1.2)
    if len(steps):
        axes.plot([steps[-1]] * values.shape[1], values[-1], "o", ms=3, mew=0, color=theme.accent)
        name = f"{name}: " + ", ".join(f"{value:.4g}" for value in values[-1])
    axes.set_xlim(0, trace.spec.steps)
    axes.set_title(name, fontsize=TYPE, pad=3, loc="left", color=theme.text)
    axes.tick_params(labelsize=SMALL_TYPE, length=2, width=0.5, pad=2)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)


def draw_kernels(result: KernelGridTrace, settings: FigureSettings) -> Any:
    """Return a matplotlib figure: a column for each kernel, a row for each width, a fit above its weights in each."""
    theme, (kernels, widths) = settings.palette, result.left_out_error.shape
    left, gap = 0.42, 0.08
    wide = (settings.width - left - gap * kernels) / kernels
    height = _TOP + widths * (1.75 * wide + gap) if settings.height is None else settings.height
    tall = (height - _TOP) / widths - gap
    figure = new_page(settings.width, height, settings)
    truth = truth_line(result.spec.of.data, result.x_test) if np.isfinite(result.y_truth).any() else None
    for column, kernel in enumerate(result.spec.kernels):
        title = settings.tr(Text(KERNELS[kernel].title))
        across = left + column * (wide + gap)
        add_text(figure, across + wide / 2, _TOP / 2, title, fontsize=TYPE, ha="center", va="center", color=theme.text)
        for row, width in enumerate(result.spec.widths):
            down = _TOP + row * (tall + gap)
            if not column:
                style = {"fontsize": TYPE, "ha": "center", "va": "center", "color": theme.text}
                add_text(figure, left / 2, down + tall / 2, f"σ = {width:g}", **style)
            half = (tall - _WITHIN) / 2
            _draw_small_fit(add_axes(figure, (across, down, wide, half)), result, (column, row), truth, settings)
            _draw_small_cells(figure, (across, down + half + _WITHIN, wide, half), result, (column, row), settings)
    return figure


def _draw_small_fit(
    axes: Any,
    result: KernelGridTrace,
    index: tuple[int, int],
    truth: tuple[NDArray[Any], NDArray[Any]] | None,
    settings: FigureSettings,
) -> None:
    theme = settings.palette
    axes.set_facecolor("none")
    axes.plot(result.x_train, result.y_train, "o", ms=1.2, mew=0, color=theme.k)
    if truth is not None:
        axes.plot(*truth, "--", color=theme.muted, lw=0.6)
    axes.plot(result.x_test, result.y_hat[index], color=theme.output, lw=1.1)
    axes.set_xticks([])
    axes.set_yticks([])
    for side in axes.spines.values():
        side.set_color(theme.line)


def _draw_small_cells(
    figure: Any, box: Box, result: KernelGridTrace, index: tuple[int, int], settings: FigureSettings
) -> None:
    weights = result.weights[index]
    scale = stretched_scale(weights, WEIGHT_SCALE, settings.contrast_drawn)
    axes = add_axes(figure, box)
    levels = stretched(weights, None, WEIGHT_SCALE, settings.contrast_drawn)
    draw_cells(axes, Cells(levels, None, scale), settings)
    axes.set_xticks([])
    axes.set_yticks([])
