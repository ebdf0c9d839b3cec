"""From colour levels to colours: tables of 256 entries, level 0 masked, 255 not finite (see `experiment.picture`)."""

from functools import cache

import numpy as np
import pyqtgraph as pg
from numpy.typing import NDArray
from PySide6.QtGui import QColor

from attnviz.experiment.picture import HIGHEST, LOWEST, MASKED, NOT_FINITE
from attnviz.gui.theme import Theme

SEQUENTIAL = {"viridis": "viridis", "cividis": "cividis", "CET-CBL1": "CET-CBL1", "Reds": "Reds"}
DIVERGING = "CET-D1A"

# ColorBrewer's Reds, the map of the textbook's heatmaps.
_REDS = ["fff5f0", "fee0d2", "fcbba1", "fc9272", "fb6a4a", "ef3b2c", "cb181d", "a50f15", "67000d"]


class ColourTable:
    """The 256 colours of one colour map under one theme."""

    def __init__(self, map_name: str, theme: Theme) -> None:
        self.rgb: NDArray[np.uint8] = np.zeros((256, 3), np.uint8)
        self.rgb[LOWEST : HIGHEST + 1] = _colours(map_name)
        for level, name in ((MASKED, theme.masked), (NOT_FINITE, theme.not_finite)):
            colour = QColor(name)
            self.rgb[level] = colour.red(), colour.green(), colour.blue()
        channels = self.rgb.astype(np.uint32)
        opaque = channels[:, 0] << 16 | channels[:, 1] << 8 | channels[:, 2] | 0xFF000000
        self.pixels: NDArray[np.uint32] = opaque.astype(np.uint32)
        # Rec. 709 luma: text on a cell is dark where the cell is light.
        self.is_light: NDArray[np.bool_] = self.rgb @ np.array([0.2126, 0.7152, 0.0722]) > 140


@cache
def colour_table(map_name: str, theme: Theme) -> ColourTable:
    """Return the table of a colour map, made once."""
    return ColourTable(map_name, theme)


def _colours(map_name: str) -> NDArray[np.uint8]:
    count = HIGHEST - LOWEST + 1
    if map_name == "Reds":
        stops = np.array([[int(stop[i : i + 2], 16) for i in (0, 2, 4)] for stop in _REDS], dtype=np.uint8)
        return np.asarray(pg.ColorMap(None, stops).getLookupTable(nPts=count, alpha=False))
    return np.asarray(pg.colormap.get(map_name).getLookupTable(nPts=count, alpha=False))
