"""The colour maps of weights and of signed numbers: one colour for each level of `picture`, the same wherever drawn."""

import json
from functools import cache
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from attnviz.experiment.arrays import read_only
from attnviz.experiment.colours.levels import HIGHEST, LOWEST, MASKED, NOT_FINITE
from attnviz.palette import Theme
from attnviz.resources import resource

MapName = Literal["viridis", "cividis", "CET-CBL1", "Reds"]
SEQUENTIAL: tuple[MapName, ...] = get_args(MapName)
"""Maps on offer for weights, the first unless another is chosen; Reds is the textbook's."""
DIVERGING = "CET-D1A"
"""The map of numbers of either sign; 0 is its middle."""
DARK_TEXT, LIGHT_TEXT = "#15181e", "#ffffff"
"""What numbers in a cell are written in."""


@cache
def colours_of_map(name: str) -> NDArray[np.uint8]:
    """Return the (254, 3) colours of the levels `LOWEST` to `HIGHEST`.

    Raises:
        KeyError: there is no such map.
    """
    digits = _maps()[name]
    return read_only(np.frombuffer(bytes.fromhex(digits), np.uint8).reshape(HIGHEST - LOWEST + 1, 3))


@cache
def colours_of_levels(name: str, theme: Theme) -> NDArray[np.uint8]:
    """Return the (256, 3) colours of every level of `picture`: of a map, and a theme's for what is no number."""
    colours = np.zeros((256, 3), np.uint8)
    colours[LOWEST : HIGHEST + 1] = colours_of_map(name)
    colours[MASKED], colours[NOT_FINITE] = rgb(theme.masked), rgb(theme.not_finite)
    return read_only(colours)


def rgb(colour: str) -> tuple[int, int, int]:
    """Return the red, green and blue of "#rrggbb"."""
    red, green, blue = bytes.fromhex(colour.removeprefix("#"))
    return red, green, blue


def takes_dark_text(colours: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """Return whether dark text has the greater contrast on colours (..., 3) (WCAG: the ratio of luminances)."""
    luminance = _luminance(colours) + 0.05
    return np.asarray(luminance / (_luminance(np.array(rgb(DARK_TEXT))) + 0.05) > 1.05 / luminance)


def _luminance(colours: NDArray[np.integer]) -> NDArray[np.float64]:
    """Return the relative luminance of sRGB colours (..., 3)."""
    share = colours / 255
    linear = np.where(share <= 0.04045, share / 12.92, ((share + 0.055) / 1.055) ** 2.4)
    return np.asarray(linear @ np.array([0.2126, 0.7152, 0.0722]))


@cache
def _maps() -> dict[str, str]:
    maps: dict[str, str] = json.loads(resource("data/colour_maps.json").read_text(encoding="utf-8"))["maps"]
    return maps
