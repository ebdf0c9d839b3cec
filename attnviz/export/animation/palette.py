"""The palettes of a GIF: exact colours for cells, and the nearest colours for everything else.

Frames share one palette as long as it has room for the colours of all cells and colour bars so far. Other frames have
their own palette; if a frame has more than about 240 colours, similar ones are merged.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from attnviz.experiment.colours.maps import DARK_TEXT, DIVERGING, LIGHT_TEXT, MapName, colours_of_levels, rgb
from attnviz.palette import Theme

SIZE = 256
_BAR_SHADES, _LEAST_BAR_SHADES = 64, 32
_SEEN = 1 << 24

Packed = NDArray[np.uint32]
"""Colours as one number each: 65536 red + 256 green + blue."""


def packed(pixels: NDArray[np.uint8]) -> Packed:
    """Return colours (..., 3) as one number each."""
    red, green, blue = (pixels[..., channel].astype(np.uint32) for channel in range(3))
    return np.asarray(red << 16 | green << 8 | blue, np.uint32)


class Palette:
    """Up to 256 colours, and the nearest of them to any other colour."""

    def __init__(self, colours: Packed) -> None:
        self._slots: list[int] = []
        self._nearest = np.full(_SEEN, -1, np.int16)
        self.take(colours)

    def room_for(self, colours: Packed) -> bool:
        """Return whether there is room for these colours too."""
        return len(self._slots) + len(self._missing(colours)) <= SIZE

    def take(self, colours: Packed) -> None:
        """Add each of the colours, as far as there is room."""
        for colour in self._missing(colours)[: SIZE - len(self._slots)]:
            self._nearest[colour] = len(self._slots)
            self._slots.append(int(colour))

    def indices(self, pixels: Packed) -> NDArray[np.uint8]:
        """Return the index of each pixel's colour, or of the nearest."""
        found = self._nearest[pixels]
        unknown = found < 0
        if unknown.any():
            colours = np.unique(pixels[unknown])
            slots = _channels(np.array(self._slots, np.uint32))
            for start in range(0, len(colours), 4096):
                some = colours[start : start + 4096]
                distance = ((_channels(some)[:, None] - slots) ** 2).sum(axis=-1)
                self._nearest[some] = distance.argmin(axis=-1)
            found = self._nearest[pixels]
        return found.astype(np.uint8)

    def table(self) -> bytes:
        """Return the 768 bytes of a GIF's colour table."""
        slots = np.zeros(SIZE, np.uint32)
        slots[: len(self._slots)] = self._slots
        return _channels(slots).astype(np.uint8).tobytes()

    def _missing(self, colours: Packed) -> list[int]:
        known = set(self._slots)
        return [colour for colour in dict.fromkeys(colours.tolist()) if colour not in known]


class FramePalettes:
    """The palettes of a film of one theme and colour map."""

    def __init__(self, theme: Theme, colour_map: MapName) -> None:
        self._plain, ramps = _plain_colours(theme), _ramps(theme)
        self._shades = np.concatenate([self._plain, ramps])
        levels = [colours_of_levels(name, theme) for name in (colour_map, DIVERGING)]
        self._levels = np.unique(packed(np.concatenate(levels)))
        self.shared = Palette(self._shades)

    def of_frame(self, cells: Sequence[Packed], bars: Sequence[Packed]) -> Palette:
        """Return the palette of a frame with these parts of cells and colour bars.

        It is `shared` if that has every colour of the cells, and enough shades for the bars.
        """
        exact = self._levels_in(cells)
        bar = self._levels_in(bars)
        wanted = np.concatenate([exact, _thinned(bar, _BAR_SHADES)])
        if self.shared.room_for(wanted):
            self.shared.take(wanted)
            return self.shared
        for least in (min(len(bar), _LEAST_BAR_SHADES), 0):
            for shades in (self._shades, self._plain):
                room = SIZE - len(np.union1d(shades, exact))
                if room >= least:
                    return Palette(np.concatenate([shades, exact, _thinned(bar, room)]))
        return Palette(np.concatenate([self._plain, _thinned(exact, SIZE - len(self._plain))]))

    def _levels_in(self, parts: Sequence[Packed]) -> Packed:
        """Return the colours of levels that occur in parts of a frame; blends of two of them are not included."""
        seen = np.zeros(_SEEN, bool)
        for part in parts:
            seen[part] = True
        return self._levels[seen[self._levels]]


def _thinned(colours: Packed, most: int) -> Packed:
    """Return at most ``most`` of the colours, evenly spaced from the first to the last."""
    if len(colours) <= most:
        return colours
    return np.asarray(colours[np.linspace(0, len(colours) - 1, most).astype(int)])


def _plain_colours(theme: Theme) -> Packed:
    names = (theme.panel, theme.text, theme.muted, theme.masked, theme.hatch, theme.not_finite)
    roles = (theme.q, theme.k, theme.v, theme.output)
    return packed(np.array([rgb(each) for each in (*names, *roles, DARK_TEXT, LIGHT_TEXT)], np.uint8))


def _ramps(theme: Theme) -> Packed:
    """Return the blends at the edges of letters and lines, on the page and on masked cells."""
    pairs = [(theme.panel, theme.text, 7), (theme.panel, theme.muted, 6), (theme.panel, theme.output, 4)]
    pairs += [(theme.masked, theme.hatch, 3), (theme.panel, theme.line, 2)]
    pairs += [(theme.panel, colour, 2) for colour in (theme.q, theme.k, theme.v, *theme.curves[:4])]
    steps = []
    for start, end, count in pairs:
        share = np.arange(1, count + 1)[:, None] / count
        steps.append(np.array(rgb(start)) * (1 - share) + np.array(rgb(end)) * share)
    return packed(np.concatenate(steps).round().astype(np.uint8))


def _channels(colours: Packed) -> NDArray[np.int32]:
    """Return (n, 3) red, green and blue."""
    return np.stack([colours >> 16, colours >> 8 & 255, colours & 255], axis=-1).astype(np.int32)
