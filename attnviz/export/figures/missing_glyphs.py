"""The line at the bottom of a figure that says how many of its signs this machine has no glyph for."""

from collections.abc import Callable
from typing import Any

from attnviz.experiment.labs import Trace
from attnviz.export.figures.settings import CM, FigureSettings
from attnviz.export.figures.type_style import SMALL_TYPE, width_of, without_glyph

_ROW, _MARGIN = 0.14, 0.1
"""Inches: what the line takes of a page, and how far from its left edge it begins."""


def with_note(draw: Callable[[FigureSettings], Any], trace: Trace, settings: FigureSettings) -> Any:
    """Return the figure that is drawn with the settings; with a line at its bottom where signs in it have no glyph."""
    figure = draw(settings)
    lost = without_glyph([settings.caption, *trace.tokens])
    count = len(lost & _shown(figure)) if lost else 0
    if not count:
        return figure
    if settings.height_cm is not None:
        try:
            figure = draw(settings.model_copy(update={"height_cm": settings.height_cm - _ROW / CM}))
        except ValueError:  # a page without a line to spare is as large as it was asked for all the same
            return figure
    _grow(figure)
    width, height = figure.get_size_inches()
    text = "1 sign has" if count == 1 else f"{count} signs have"
    text += " no glyph on this machine"
    size = SMALL_TYPE * min(1.0, (width - 2 * _MARGIN) / width_of(text))
    place = _MARGIN / width, 0.55 * _ROW / height
    figure.text(*place, text, fontsize=size, ha="left", va="center", color=settings.palette.muted)
    return figure


def _shown(figure: Any) -> set[str]:
    """Return every sign that is written in a figure."""
    from matplotlib.text import Text

    texts = figure.findobj(Text)
    for axes in figure.axes:
        texts += [*axes.get_xticklabels(), *axes.get_yticklabels()]  # which are not there before they are asked for
    return set().union(*(text.get_text() for text in texts))


def _grow(figure: Any) -> None:
    """Make a page higher by the line, at its bottom; everything on it keeps its size and its place from the top."""
    width, height = figure.get_size_inches()
    for axes in figure.axes:
        left, low, wide, tall = axes.get_position().bounds
        axes.set_position((left, (low * height + _ROW) / (height + _ROW), wide, tall * height / (height + _ROW)))
    for text in figure.texts:
        text.set_y((text.get_position()[1] * height + _ROW) / (height + _ROW))
    figure.set_size_inches(width, height + _ROW)
