"""GIF and APNG files written frame by frame: each is encoded by Pillow and goes to the file before the next is drawn.

A frame holds the part of the picture that differs from the previous one, the only frame kept in memory.

A GIF has exact colours for cells, and the nearest colours for everything else. Frames share one palette as long as it
has room for the colours of all cells and colour bars so far. Other frames have their own palette; if a frame has more
than about 240 colours, similar ones are merged.
"""

import io
import zlib
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any, BinaryIO, Protocol

import numpy as np
from numpy.typing import NDArray

from attnviz.experiment.colours import DARK_TEXT, DIVERGING, LIGHT_TEXT, MapName, colours_of_levels, rgb
from attnviz.experiment.session import Session
from attnviz.export.embedded_session import gif_comment, png_text
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
    roles = (theme.q_text, theme.k_text, theme.v_text, theme.output_text, theme.output, theme.accent, theme.k, theme.v)
    return packed(np.array([rgb(each) for each in (*names, *roles, DARK_TEXT, LIGHT_TEXT)], np.uint8))


def _ramps(theme: Theme) -> Packed:
    """Return the blends at the edges of letters and lines, on the page and on masked cells."""
    pairs = [(theme.panel, theme.text, 7), (theme.panel, theme.muted, 6), (theme.panel, theme.output, 4)]
    pairs += [(theme.masked, theme.hatch, 3), (theme.panel, theme.line, 2)]
    pairs += [(theme.panel, colour, 2) for colour in (theme.q_text, theme.k_text, theme.v_text, *theme.curves[:4])]
    steps = []
    for start, end, count in pairs:
        share = np.arange(1, count + 1)[:, None] / count
        steps.append(np.array(rgb(start)) * (1 - share) + np.array(rgb(end)) * share)
    return packed(np.concatenate(steps).round().astype(np.uint8))


def _channels(colours: Packed) -> NDArray[np.int32]:
    """Return (n, 3) red, green and blue."""
    return np.stack([colours >> 16, colours >> 8 & 255, colours & 255], axis=-1).astype(np.int32)


Pixels = NDArray[np.uint8]
"""(height, width, 3)."""
Part = tuple[slice, slice]
"""Rows and columns of the pixels."""


class Writer(Protocol):
    """Writes frames into a file."""

    def add(self, pixels: Pixels, seconds: float, cells: list[Part], bars: list[Part]) -> None:
        """Append a frame, all of one size; ``cells`` and ``bars`` are its parts with cells and colour bars."""

    def close(self) -> None:
        """Write the end of the file."""


class GifWriter:
    """Writes a GIF file; its colours are those of `FramePalettes`."""

    def __init__(self, file: BinaryIO, palettes: FramePalettes, session: Session, *, loop: bool) -> None:
        self._file, self._palettes, self._session, self._loop = file, palettes, session, loop
        self._last: Packed | None = None

    def add(self, pixels: Pixels, seconds: float, cells: list[Part], bars: list[Part]) -> None:
        """Append a frame; its duration is rounded to hundredths of a second."""
        from PIL import Image
        from PIL.GifImagePlugin import getdata

        colours = packed(pixels)
        palette = self._palettes.of_frame([colours[part] for part in cells], [colours[part] for part in bars])
        if self._last is None:
            self._begin(colours.shape)
        rows, columns = changed_part(self._last, colours)
        image = Image.fromarray(palette.indices(colours[rows, columns]))
        image.putpalette(palette.table())
        options = {"duration": 10 * max(2, round(seconds * 100)), "disposal": 1, "interlace": 0}
        own = palette is not self._palettes.shared
        block = getdata(image, (columns.start, rows.start), include_color_table=own, **options)
        self._file.write(b"".join(block))
        self._last = colours

    def close(self) -> None:
        """Write the end of the file, and the colour table at its beginning, which is complete now."""
        self._file.write(b";")
        self._file.seek(13)
        self._file.write(self._palettes.shared.table())
        self._file.seek(0, io.SEEK_END)

    def _begin(self, shape: tuple[int, ...]) -> None:
        height, width = shape
        self._file.write(b"GIF89a" + _two(width) + _two(height) + b"\xf7\0\0" + bytes(768))
        if self._loop:
            self._file.write(b"!\xff\x0bNETSCAPE2.0\x03\x01\0\0\0")
        comment = gif_comment(self._session)
        self._file.write(b"!\xfe")
        for start in range(0, len(comment), 255):
            block = comment[start : start + 255]
            self._file.write(bytes([len(block)]) + block)
        self._file.write(b"\0")


def _two(number: int) -> bytes:
    return number.to_bytes(2, "little")


class ApngWriter:
    """Writes an animated PNG in true colours."""

    def __init__(self, file: BinaryIO, session: Session, *, loop: bool) -> None:
        self._file, self._session, self._loop = file, session, loop
        self._last: Pixels | None = None
        self._frames = self._sequence = 0
        self._counter = 0  # offset of the number of frames in the file

    def add(self, pixels: Pixels, seconds: float, cells: list[Part], bars: list[Part]) -> None:
        """Append a frame; its duration is a fraction of two 16-bit integers."""
        del cells, bars  # every colour is kept
        whole = self._last is None
        last = None if self._last is None else packed(self._last)
        rows, columns = changed_part(last, packed(pixels))
        part = np.ascontiguousarray(pixels[rows, columns])
        time = Fraction(seconds).limit_denominator(1000)
        place = part.shape[1], part.shape[0], columns.start, rows.start
        control = b"".join(each.to_bytes(4, "big") for each in place)
        control += time.numerator.to_bytes(2, "big") + time.denominator.to_bytes(2, "big") + b"\0\0"
        for kind, data in _chunks(part, self._session if whole else None):
            match kind:
                case b"IHDR":
                    self._head(data)
                case b"IDAT":
                    if control:
                        self._chunk(b"fcTL", self._next() + control)
                        control = b""
                    self._chunk(*((kind, data) if whole else (b"fdAT", self._next() + data)))
                case b"IEND":
                    pass
                case _ if whole:
                    self._chunk(kind, data)
        self._frames += 1
        self._last = pixels

    def close(self) -> None:
        """Write the end of the file, and the number of frames at its beginning."""
        self._chunk(b"IEND", b"")
        self._file.seek(self._counter)
        self._chunk(b"acTL", self._control())
        self._file.seek(0, io.SEEK_END)

    def _head(self, data: bytes) -> None:
        if self._last is None:
            self._file.write(b"\x89PNG\r\n\x1a\n")
            self._chunk(b"IHDR", data)
            self._counter = self._file.tell()
            self._chunk(b"acTL", self._control())

    def _control(self) -> bytes:
        return self._frames.to_bytes(4, "big") + (0 if self._loop else 1).to_bytes(4, "big")

    def _next(self) -> bytes:
        self._sequence += 1
        return (self._sequence - 1).to_bytes(4, "big")

    def _chunk(self, kind: bytes, data: bytes) -> None:
        self._file.write(len(data).to_bytes(4, "big") + kind + data + zlib.crc32(kind + data).to_bytes(4, "big"))


def _chunks(pixels: Pixels, session: Session | None) -> Iterator[tuple[bytes, bytes]]:
    """Yield the chunks of a PNG, as Pillow packs it, with the session if there is one."""
    from PIL import Image

    whole = io.BytesIO()
    options: dict[str, Any] = {} if session is None else {"pnginfo": png_text(session)}
    Image.fromarray(pixels).save(whole, format="PNG", **options)
    content, at = whole.getvalue(), 8
    while at < len(content):
        length = int.from_bytes(content[at : at + 4], "big")
        yield content[at + 4 : at + 8], content[at + 8 : at + 8 + length]
        at += length + 12


def changed_part(last: Packed | None, now: Packed) -> Part:
    """Return the smallest box that contains all differences; a single pixel if there are none."""
    if last is None:
        return slice(0, now.shape[0]), slice(0, now.shape[1])
    differs = last != now
    rows, columns = (np.flatnonzero(differs.any(axis=axis)) for axis in (1, 0))
    if not len(rows):
        return slice(0, 1), slice(0, 1)
    return slice(int(rows[0]), int(rows[-1]) + 1), slice(int(columns[0]), int(columns[-1]) + 1)
