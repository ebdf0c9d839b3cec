"""Numbers as colour levels, one byte per cell, and the colour maps of weights and of signed numbers.

Level 0 is a masked cell, 255 one that is not finite, 1..254 run from ``low`` to ``high``. In that order the largest of
several levels is the one that a reduced picture must show: a number before a mask, and a NaN before everything. A map
has one colour for each level, the same wherever it is drawn.
"""

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from attnviz.definitions.contrasts import CONTRASTS, Contrast
from attnviz.experiment.arrays import ScalarT, read_only
from attnviz.folders import resource
from attnviz.palette import Theme

Array = NDArray[np.floating]

MASKED = 0
LOWEST, HIGHEST = 1, 254
NOT_FINITE = 255

_PIECE = 1 << 18  # the number of values coloured at a time


@dataclass(frozen=True, slots=True)
class Scale:
    """The meaning of the colours: the values at the two ends, and whether 0 is in the middle."""

    low: float
    high: float
    diverging: bool = False
    per_head: bool = False
    """Whether parts of a picture, such as heads or rows, end at their own largest value; ``high`` is the maximum of
    all."""
    logarithmic: bool = False


WEIGHT_SCALE = Scale(0.0, 1.0)


def quantise(
    values: Array, mask: NDArray[np.bool_] | None, low: float | Array, high: float | Array
) -> NDArray[np.uint8]:
    """Return the colour levels of ``values``; ``low`` and ``high`` broadcast, so heads may differ.

    Values outside low..high take the colour of the nearer end.
    """
    if values.size <= _PIECE:
        return read_only(_quantised(values, mask, low, high))
    levels = np.empty(values.shape, np.uint8)
    low, high = (np.broadcast_to(end, values.shape) if np.ndim(end) else end for end in (low, high))
    _quantise_into(levels, values, None if mask is None else np.broadcast_to(mask, values.shape), low, high)
    return read_only(levels)


def stretched(
    values: Array, mask: NDArray[np.bool_] | None, scale: Scale, contrast: str, beside: Sequence[Array] = ()
) -> NDArray[np.uint8]:
    """Return the colour levels of weights (..., Q, K) whose scale without contrast is ``scale``; "" is no contrast.

    Weights ``beside`` these, of a picture compared with this one, share the ends of the scale.
    """
    record = CONTRASTS[contrast] if contrast else None
    if record is None:
        return quantise(values, mask, scale.low, scale.high)
    if record.leaves_out_first:
        mask = without_left_out(np.ones(values.shape, np.bool_) if mask is None else mask, contrast)
    if not record.decades:
        highs = [_highest(part, record) for part in (values, *beside)]
        alike = all(high.shape == highs[0].shape for high in highs)
        end = np.maximum.reduce(highs) if alike else np.asarray(max(float(high.max()) for high in highs))
        return quantise(values, mask, 0.0, end)
    least = 10.0**-record.decades
    powers = np.log10(np.maximum(values, np.asarray(least, values.dtype)))
    return quantise(powers, mask, float(-record.decades), math.log10(scale.high))


def stretched_scale(values: Array, scale: Scale, contrast: str) -> Scale:
    """Return the colour scale of `stretched`; `Scale.high` is the highest of all ends."""
    if not contrast:
        return scale
    record = CONTRASTS[contrast]
    if record.decades:
        return Scale(10.0**-record.decades, scale.high, logarithmic=True)
    return Scale(0.0, float(_highest(values, record).max(initial=0.0)), per_head=True)


def without_left_out(mask: NDArray[np.bool_], contrast: str) -> NDArray[np.bool_]:
    """Return a mask (..., Q, K) that also forbids the cells left out by a contrast: they are hatched alike."""
    if not contrast or not CONTRASTS[contrast].leaves_out_first:
        return mask
    mask = mask.copy()
    mask[..., :1] = False
    return mask


def contrast_to_offer(values: Array, levels: NDArray[np.uint8]) -> str:
    """Return the first contrast that shows more of weights (..., Q, K) whose ``levels`` at 0 to 1 are mostly dark.

    "" if they are not. For many weights only some rows are examined.
    """
    step = max(1, -(-values.size // _JUDGED))
    values, levels = values[..., ::step, :], levels[..., ::step, :]
    if not _mostly_dark(levels):
        return ""
    mask = levels != MASKED
    names = [name for name, record in CONTRASTS.items() if not record.leaves_out_first]
    brighter = (name for name in names if not _mostly_dark(stretched(values, mask, WEIGHT_SCALE, name)))
    return next(brighter, names[-1])


_JUDGED = 1 << 15
_BRIGHT, _FEW_BRIGHT = LOWEST + (HIGHEST - LOWEST) // 4, 0.05
"""The level from which a cell counts as bright, and the share of such cells below which a picture is mostly dark."""


def _mostly_dark(levels: NDArray[np.uint8]) -> bool:
    coloured = (levels != MASKED) & (levels != NOT_FINITE)
    # Counts of booleans are 20 times as fast as their sums.
    return bool(np.count_nonzero(coloured & (levels >= _BRIGHT)) < _FEW_BRIGHT * np.count_nonzero(coloured))


def _highest(values: Array, record: Contrast) -> Array:
    """Return the largest weight of each part of (..., Q, K) weights that a contrast scales separately."""
    values = values[..., 1:] if record.leaves_out_first else values
    highest: Array = values.max(axis=record.axes, keepdims=True, initial=0.0)
    if not np.isfinite(highest).all():
        highest = np.nan_to_num(values).max(axis=record.axes, keepdims=True, initial=0.0)
    return highest


def _quantise_into(
    levels: NDArray[np.uint8], values: Array, mask: NDArray[np.bool_] | None, low: float | Array, high: float | Array
) -> None:
    """Fill in levels piece by piece, so that intermediate values stay in the processor's cache."""
    if values.size <= _PIECE or values.ndim == 1:
        levels[...] = _quantised(values, mask, low, high)
        return
    at_once = _PIECE // values[0].size
    for start in range(0, len(values), max(1, at_once)):
        part: Any = slice(start, start + at_once) if at_once else start
        ends = (end[part] if np.ndim(end) else end for end in (low, high))  # type: ignore[index]
        _quantise_into(levels[part], values[part], None if mask is None else mask[part], *ends)


def _quantised(
    values: Array, mask: NDArray[np.bool_] | None, low: float | Array, high: float | Array
) -> NDArray[np.uint8]:
    if not _fits_float32(low) or not _fits_float32(high):
        values = values.astype(np.float64)
    span = np.where(np.asarray(high) > np.asarray(low), np.asarray(high) - np.asarray(low), 1.0)
    with np.errstate(invalid="ignore"):
        scaled = (values - np.asarray(low, values.dtype)) * np.asarray((HIGHEST - LOWEST) / span, values.dtype)
        scaled += LOWEST + 0.5
        np.clip(scaled, LOWEST, HIGHEST, out=scaled)
        levels: NDArray[np.uint8] = scaled.astype(np.uint8)
    if mask is not None:
        levels *= mask.view(np.uint8)  # sets MASKED, 0, where the mask forbids, ten times as fast as selecting cells
    finite = np.isfinite(values)
    if not finite.all():
        np.copyto(levels, NOT_FINITE, where=~finite)
    return levels


def _fits_float32(end: float | Array) -> bool:
    """Return whether differences and factors of such an end fit into float32."""
    size = np.abs(np.asarray(end, np.float64))
    return bool(((size < 1e30) & ((size > 1e-30) | (size == 0))).all())


def symmetric_scale(values: Array) -> Scale:
    """Return the diverging scale centred on 0 that just includes every finite value."""
    finite = values[np.isfinite(values)]
    reach = float(np.abs(finite).max()) if finite.size else 1.0
    return Scale(-(reach or 1.0), reach or 1.0, diverging=True)


def reduce_to(levels: NDArray[np.uint8], rows: int, columns: int, *, diverging: bool = False) -> NDArray[np.uint8]:
    """Return (..., Q, K) levels reduced to at most (..., rows, columns), each the maximum of a block of cells.

    If 0 is in the middle of the scale (``diverging``) it is the largest magnitude, of either sign. Blocks have one
    size, except the last of a row or column, which may be smaller.
    """
    if diverging and (levels.shape[-2] > rows > 0 or levels.shape[-1] > columns > 0):
        highest = reduce_to(levels, rows, columns)
        # The minimum is the maximum when levels are inverted; masked cells must not win there.
        upside_down = np.where((levels == MASKED) | (levels == NOT_FINITE), levels, HIGHEST + LOWEST - levels)
        lowest = reduce_to(upside_down.astype(np.uint8), rows, columns)
        is_lowest = (highest != NOT_FINITE) & (lowest > highest)
        return np.where(is_lowest, HIGHEST + LOWEST - lowest, highest).astype(np.uint8)
    return block_maxima(levels, _per_block(levels.shape[-2], rows), _per_block(levels.shape[-1], columns))


def _per_block(count: int, limit: int) -> int:
    return -(-count // limit) if count > limit > 0 else 1


def block_maxima(cells: NDArray[ScalarT], rows: int, columns: int) -> NDArray[ScalarT]:
    """Return the maximum of every block of (rows, columns) cells, over the last two axes."""
    for axis, size in ((-2, rows), (-1, columns)):
        if size > 1:
            cells = _maxima_along(cells, axis, size)
    return cells


def _maxima_along(levels: NDArray[ScalarT], axis: int, size: int) -> NDArray[ScalarT]:
    """Return the maximum of every ``size`` levels along an axis; strided maxima are 20 times as fast as reduceat."""
    moved = np.moveaxis(levels, axis, 0)
    maxima = moved[::size].copy()
    for offset in range(1, size):
        part = moved[offset::size]
        np.maximum(maxima[: len(part)], part, out=maxima[: len(part)])
    return np.ascontiguousarray(np.moveaxis(maxima, 0, axis))


MapName = Literal["viridis", "cividis", "CET-CBL1", "Reds"]
SEQUENTIAL: tuple[MapName, ...] = get_args(MapName)
"""The maps for weights, the default first; Reds is that of Zhang et al."""
DIVERGING = "CET-D1A"
"""The map of numbers of either sign, with 0 in the middle."""
DARK_TEXT, LIGHT_TEXT = "#050608", "#ffffff"
"""The text colours in cells; on any colour one of them has a contrast of 4.5 to 1 or more."""


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
    """Return the (256, 3) colours of every level: of a map, and of a theme for cells without a number."""
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
