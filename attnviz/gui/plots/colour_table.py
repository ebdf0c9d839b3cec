"""From colour levels to colours: tables of 256 entries, level 0 masked, 255 not finite (see `experiment.picture`)."""

from functools import cache
from typing import Any

import numpy as np
import pyqtgraph as pg
from numpy.typing import NDArray
from PySide6.QtGui import QColor

from attnviz.experiment.picture import HIGHEST, LOWEST, MASKED, NOT_FINITE
from attnviz.gui.theme import Theme

SEQUENTIAL = {"viridis": "viridis", "cividis": "cividis", "CET-CBL1": "CET-CBL1", "Reds": "Reds"}
DIVERGING = "CET-D1A"
DARK_TEXT, LIGHT_TEXT = "#15181e", "#ffffff"

# ColorBrewer's Reds, the map of the textbook's heatmaps.
_REDS = ["fff5f0", "fee0d2", "fcbba1", "fc9272", "fb6a4a", "ef3b2c", "cb181d", "a50f15", "67000d"]


class ColourTable:
    """The 256 colours of one colour map under one theme."""

    def __init__(self, map_name: str, theme: Theme) -> None:
        self.diverging = map_name == DIVERGING
        """Whether the middle colour stands for 0."""
        self.rgb: NDArray[np.uint8] = np.zeros((256, 3), np.uint8)
        self.rgb[LOWEST : HIGHEST + 1] = _colours(map_name)
        for level, name in ((MASKED, theme.masked), (NOT_FINITE, theme.not_finite)):
            self.rgb[level] = _rgb(name)
        channels = self.rgb.astype(np.uint32)
        opaque = channels[:, 0] << 16 | channels[:, 1] << 8 | channels[:, 2] | 0xFF000000
        self.pixels: NDArray[np.uint32] = opaque.astype(np.uint32)
        # Text on a cell is dark where that has the greater contrast (WCAG: the ratio of luminances, 0.05 added).
        luminance = _luminance(self.rgb) + 0.05
        dark = _luminance(np.array([_rgb(DARK_TEXT)])) + 0.05
        self.is_light: NDArray[np.bool_] = luminance / dark > 1.05 / luminance


@cache
def colour_table(map_name: str, theme: Theme) -> ColourTable:
    """Return the table of a colour map, made once."""
    return ColourTable(map_name, theme)


def _rgb(name: str) -> tuple[int, int, int]:
    colour = QColor(name)
    return colour.red(), colour.green(), colour.blue()


def _luminance(rgb: NDArray[Any]) -> NDArray[np.float64]:
    """Return the relative luminance of sRGB colours (..., 3)."""
    share = rgb / 255
    linear = np.where(share <= 0.04045, share / 12.92, ((share + 0.055) / 1.055) ** 2.4)
    return np.asarray(linear @ np.array([0.2126, 0.7152, 0.0722]))


def _colours(map_name: str) -> NDArray[np.uint8]:
    count = HIGHEST - LOWEST + 1
    if map_name == "Reds":
        stops = np.array([[int(stop[i : i + 2], 16) for i in (0, 2, 4)] for stop in _REDS], dtype=np.uint8)
        return np.asarray(pg.ColorMap(None, stops).getLookupTable(nPts=count, alpha=False))
    return np.asarray(pg.colormap.get(map_name).getLookupTable(nPts=count, alpha=False))
