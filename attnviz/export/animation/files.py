"""GIF and APNG files written frame by frame: each is encoded by Pillow and goes to the file before the next is drawn.

A frame holds the part of the picture that differs from the previous one, the only frame kept in memory.
"""

import io
import zlib
from collections.abc import Iterator
from fractions import Fraction
from typing import Any, BinaryIO, Protocol

import numpy as np
from numpy.typing import NDArray

from attnviz.experiment.session import Session
from attnviz.export.animation.palette import FramePalettes, Packed, packed
from attnviz.export.embedded_session import gif_comment, png_text

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
        colours = packed(pixels)
        palette = self._palettes.of_frame([colours[part] for part in cells], [colours[part] for part in bars])
        if self._last is None:
            self._begin(colours.shape)
        rows, columns = changed_part(self._last, colours)
        own = palette is not self._palettes.shared
        part = palette.indices(colours[rows, columns])
        hundredths = max(2, round(seconds * 100))
        self._file.write(b"!\xf9\x04\x04" + hundredths.to_bytes(2, "little") + b"\0\0")
        self._file.write(b"," + b"".join(_two(each) for each in (columns.start, rows.start, *part.shape[::-1])))
        self._file.write((b"\x87" + palette.table() if own else b"\0") + _lzw(part, palette.table()))
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


def _lzw(indices: NDArray[np.uint8], table: bytes) -> bytes:
    """Return the image data of a GIF, as Pillow packs it."""
    from PIL import Image

    image = Image.fromarray(indices)
    image.putpalette(table)
    whole = io.BytesIO()
    image.save(whole, format="GIF", interlace=0, optimize=False)
    content = whole.getvalue()
    at = 13 + 3 * (2 << (content[10] & 7)) * (content[10] >> 7)
    while content[at] == ord("!"):
        at += 2
        while content[at]:
            at += content[at] + 1
        at += 1
    flags = content[at + 9]
    at += 10 + 3 * (2 << (flags & 7)) * (flags >> 7)
    return content[at:-1]  # without the file's end marker


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
