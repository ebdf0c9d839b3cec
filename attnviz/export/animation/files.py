"""GIF and APNG files written frame by frame: Pillow encodes each and it is written before the next is drawn.

A frame holds the part of the picture that differs from the previous one, the only frame kept in memory.

A frame of a GIF has 256 colours: those of its cells are exact, and similar ones of everything else are merged.
"""

import io
import zlib
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from attnviz.experiment.colours import DARK_TEXT, DIVERGING, LIGHT_TEXT, MapName, colours_of_levels, rgb
from attnviz.experiment.files.session import Session
from attnviz.export.embedded_session import gif_comment, png_text
from attnviz.palette import Theme

SIZE = 256
"""The number of colours in a GIF's frame."""

Packed = NDArray[np.uint32]
"""Colours as one number each: 65536 red + 256 green + blue."""


def packed(pixels: NDArray[np.uint8]) -> Packed:
    """Return colours (..., 3) as one number each."""
    red, green, blue = (pixels[..., channel].astype(np.uint32) for channel in range(3))
    return np.asarray(red << 16 | green << 8 | blue, np.uint32)


def palette_of(colours: Packed, cells: Sequence[Packed], theme: Theme, colour_map: MapName) -> Packed:
    """Return the palette of a GIF's frame: the colours of plain areas and cells, then the others, similar ones merged.

    If there are more levels than entries, some are replaced by their neighbours.
    """
    from PIL import Image

    levels = packed(np.concatenate([colours_of_levels(name, theme) for name in (colour_map, DIVERGING)]))
    plain = _plain_colours(theme)
    exact = np.intersect1d(np.concatenate([part.ravel() for part in (plain[:0], *cells)]), levels)
    if len(exact) > SIZE - len(plain):
        exact = exact[np.linspace(0, len(exact) - 1, SIZE - len(plain)).astype(int)]
    kept = np.union1d(plain, exact)
    others, room = np.setdiff1d(colours, kept), SIZE - len(kept)
    if len(others) > room > 0:
        merged = Image.fromarray(_channels(others)[None]).quantize(room, Image.Quantize.MAXCOVERAGE).getpalette()
        others = packed(np.array(merged, np.uint8).reshape(-1, 3))
    return np.concatenate([kept, others[:room]])


def nearest_in(palette: Packed, colours: Packed) -> NDArray[np.uint8]:
    """Return for each colour the index of the nearest in a palette."""
    unique, inverse = np.unique(colours, return_inverse=True)
    slots = _channels(palette).astype(np.int32)
    parts = np.array_split(unique, len(unique) // 4096 + 1)
    nearest = [((_channels(part)[:, None] - slots) ** 2).sum(axis=-1).argmin(axis=-1) for part in parts]
    return np.concatenate(nearest).astype(np.uint8)[inverse].reshape(colours.shape)


def _plain_colours(theme: Theme) -> Packed:
    names = (theme.panel, theme.text, theme.muted, theme.masked, theme.hatch, theme.not_finite)
    roles = (theme.q_text, theme.k_text, theme.v_text, theme.output_text, theme.output, theme.accent, theme.k, theme.v)
    return np.unique(packed(np.array([rgb(each) for each in (*names, *roles, DARK_TEXT, LIGHT_TEXT)], np.uint8)))


def _channels(colours: Packed) -> NDArray[np.uint8]:
    """Return (n, 3) red, green and blue."""
    return np.stack([colours >> 16, colours >> 8 & 255, colours & 255], axis=-1).astype(np.uint8)


Pixels = NDArray[np.uint8]
"""(height, width, 3)."""
Part = tuple[slice, slice]
"""Rows and columns of the pixels."""


class GifWriter:
    """Writes a GIF file; each frame has its own palette."""

    def __init__(self, file: BinaryIO, theme: Theme, colour_map: MapName, session: Session, *, loop: bool) -> None:
        self._file, self._theme, self._colour_map = file, theme, colour_map
        self._info = {"comment": gif_comment(session), "loop": 0 if loop else None}
        self._last: Packed | None = None

    def add(self, pixels: Pixels, seconds: float, cells: list[Part]) -> None:
        """Append a frame, all of one size, for hundredths of a second; ``cells`` are its parts with cells."""
        from PIL import Image
        from PIL.GifImagePlugin import getdata, getheader

        colours = packed(pixels)
        if self._last is None:
            header, _ = getheader(Image.new("P", pixels.shape[1::-1]), info=self._info)
            self._file.write(b"".join(header))
        rows, columns = changed_part(self._last, colours)
        changed = colours[rows, columns]
        palette = palette_of(changed, [colours[part] for part in cells], self._theme, self._colour_map)
        image = Image.fromarray(nearest_in(palette, changed))
        image.putpalette(_channels(palette).tobytes().ljust(3 * SIZE, b"\0"))
        options = {"duration": 10 * max(2, round(seconds * 100)), "disposal": 1, "interlace": 0}
        block = getdata(image, (columns.start, rows.start), include_color_table=True, **options)
        self._file.write(b"".join(block))
        self._last = colours

    def close(self) -> None:
        """Write the end of the file."""
        self._file.write(b";")


class ApngWriter:
    """Writes an animated PNG in true colours."""

    def __init__(self, file: BinaryIO, session: Session, *, loop: bool) -> None:
        self._file, self._session, self._loop = file, session, loop
        self._last: Pixels | None = None
        self._frames = self._sequence = 0
        self._counter = 0  # the byte offset of the number of frames in the file

    def add(self, pixels: Pixels, seconds: float, cells: list[Part]) -> None:
        """Append a frame; its duration is a fraction of two 16-bit integers."""
        del cells  # every colour is kept
        whole = self._last is None
        last = None if self._last is None else packed(self._last)
        rows, columns = changed_part(last, packed(pixels))
        part = np.ascontiguousarray(pixels[rows, columns])
        time = Fraction(seconds).limit_denominator(1000)
        box = part.shape[1], part.shape[0], columns.start, rows.start
        control = b"".join(each.to_bytes(4, "big") for each in box)
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


Writer = GifWriter | ApngWriter
