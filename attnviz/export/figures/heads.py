"""The heads of a sweep as a figure for a paper: a point for each, with error bars, in two measures."""

import math
from pathlib import Path
from typing import Any

import numpy as np

from attnviz.definitions.formats import format_for
from attnviz.definitions.tasks import EVERY_ROLE
from attnviz.definitions.text import Text
from attnviz.experiment.colours import colours_of_map
from attnviz.experiment.files.plain_files import write_atomically
from attnviz.experiment.files.session import Session
from attnviz.experiment.scalars import axis_title
from attnviz.experiment.sweeps.heads import Group, HeadsPicture
from attnviz.export.figures.figure import figure_bytes
from attnviz.export.figures.parts import CAPTION_ROW, add_axes, draw_caption, new_page
from attnviz.export.figures.settings import FigureSettings
from attnviz.export.figures.type_style import SMALL_TYPE, TYPE, figure_style

_LEFT, _RIGHT, _TOP, _BOTTOM, _ROW = 0.5, 0.12, 0.1, 0.36, 0.14
_TALL = 0.75
"""The height of the axes per width."""
_COLUMNS = 3
_LIGHTEST = 205
"""The level of the last layer in a colour map: beyond it, points are pale."""
_MARKERS = "osD^vP*X"
"""One for each role, so that no colour is needed to tell them apart."""


def draw_heads(picture: HeadsPicture, settings: FigureSettings) -> Any:
    """Return a matplotlib figure of all heads: their means over the runs, with standard deviations as error bars."""
    theme, tr = settings.palette, settings.tr
    groups = picture.groups
    legend = _ROW * math.ceil(len(groups) / _COLUMNS) + 0.05
    wide = settings.width - _LEFT - _RIGHT
    around = _TOP + legend + _BOTTOM + CAPTION_ROW
    height = around + _TALL * wide if settings.height is None else settings.height
    figure = new_page(settings.width, height, settings)
    axes = add_axes(figure, (_LEFT, _TOP + legend, wide, max(0.3, height - around)))
    axes.set_facecolor("none")
    x, y = picture.points
    for group in groups:
        colour, marker = _looks(group, settings)
        at = [index for index, head in enumerate(x.heads) if head in group.heads]
        errors = {"xerr": np.nan_to_num(x.spread[at]), "yerr": np.nan_to_num(y.spread[at])}
        style = {"fmt": marker, "ms": 3.5, "mew": 0.3, "mec": theme.panel, "color": colour, "label": tr(group.title)}
        axes.errorbar(x.mean[at], y.mean[at], **errors, **style, elinewidth=0.4, ecolor=(*_rgb(colour), 0.35))
    axes.set_xlabel(tr(axis_title(picture.x)), fontsize=TYPE, labelpad=1)
    axes.set_ylabel(tr(axis_title(picture.y)), fontsize=TYPE, labelpad=2)
    axes.tick_params(labelsize=SMALL_TYPE, length=2, width=0.5, pad=2)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    place = {"loc": "lower left", "bbox_to_anchor": (0, 1), "borderaxespad": 0.2, "ncol": _COLUMNS, "frameon": False}
    axes.legend(**place, fontsize=SMALL_TYPE, handletextpad=0.2, columnspacing=1.0)
    note = tr(Text("mean and standard deviation over {count} runs", {"count": picture.heads.runs}, "1 run"))
    draw_caption(figure, " · ".join(filter(None, (settings.caption, note))), theme)
    return figure


def write_heads(picture: HeadsPicture, path: Path, settings: FigureSettings, session: Session) -> None:
    """Write a figure of heads in the format of the path's suffix.

    Raises:
        ValueError: the suffix is no figure format, or there would be too many pixels.
        OSError: the path cannot be written; an older file stays unchanged.
    """
    form = format_for(path, "figure")
    with figure_style(settings.palette):
        figure = draw_heads(picture, settings)
    content = figure_bytes(figure, form.name, session, dpi=settings.dpi, transparent=settings.transparent)
    write_atomically(path, lambda file: file.write(content))


def _looks(group: Group, settings: FigureSettings) -> tuple[str, str]:
    """Return the colour and the marker of a group of heads."""
    if group.level is not None:
        colour = colours_of_map(settings.colour_map)[round(_LIGHTEST * group.level)]
        return "#{:02x}{:02x}{:02x}".format(*map(int, colour)), "o"
    if group.role is None:
        return settings.palette.muted, "."
    index = list(EVERY_ROLE).index(group.role.name)
    return settings.palette.mark(index), _MARKERS[index % len(_MARKERS)]


def _rgb(colour: str) -> tuple[float, ...]:
    return tuple(int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
