"""From colour levels to colours: tables of 256 entries, level 0 masked, 255 not finite (see `experiment.picture`)."""

from functools import cache

import numpy as np
from numpy.typing import NDArray

from attnviz.experiment.colours.maps import DIVERGING, colours_of_levels, takes_dark_text
from attnviz.palette import Theme


class ColourTable:
    """The 256 colours of one colour map under one theme."""

    def __init__(self, map_name: str, theme: Theme) -> None:
        self.diverging = map_name == DIVERGING
        """Whether the middle colour means 0."""
        self.rgb = colours_of_levels(map_name, theme)
        channels = self.rgb.astype(np.uint32)
        opaque = channels[:, 0] << 16 | channels[:, 1] << 8 | channels[:, 2] | 0xFF000000
        self.pixels: NDArray[np.uint32] = opaque.astype(np.uint32)
        self.is_light = takes_dark_text(self.rgb)


@cache
def colour_table(map_name: str, theme: Theme) -> ColourTable:
    """Return the table of a colour map, made once."""
    return ColourTable(map_name, theme)
