"""The session that every exported figure carries in its file's metadata, and how it is read back.

PNG and APNG hold it as a text chunk, GIF as a comment, SVG as an element of its metadata, PDF as an entry of its
document information. It is JSON in ASCII everywhere (see `experiment.session`).
"""

import io
import logging
import re
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any, BinaryIO, cast

from attnviz.experiment.session import Session, session_to_json

KEY = "attnviz-session"
_PDF_KEY = "/AttnvizSession"
_GIF_MARK = KEY.encode() + b":"
_PNG_SIGN = b"\x89PNG\r\n\x1a\n"
_PNG_MARK = KEY.encode() + b"\0"
_SVG_SPACE = "urn:attnviz:session"
LARGEST = 256 << 20
"""How many bytes a figure may have that is searched for a session."""
MOST_PIXELS = 1 << 29
"""How many a picture may have that is read: twice what is written, for others wrote more."""
_SILENCE = logging.NullHandler()
_LONGEST = 16 << 20
"""How many bytes a session may take in a figure."""
_BEFORE_THE_SESSION = 1 << 20
"""How many bytes of an SVG may stand before it."""
_REPAIRED_BELOW = 1 << 20
"""How many bytes of a PDF are gone through whole where its table of contents is broken."""
_MOST_READ = 8 << 20
"""How many bytes of a PDF are read, each read counting as one more: pypdf takes a text byte by byte."""


def png_text(session: Session) -> Any:
    """Return the text chunk of a PNG or APNG, a ``PngInfo`` of Pillow's."""
    from PIL.PngImagePlugin import PngInfo

    chunks = PngInfo()
    chunks.add_text(KEY, session_to_json(session))
    chunks.add_text("Software", "attnviz")
    return chunks


def gif_comment(session: Session) -> bytes:
    """Return the comment of a GIF."""
    return _GIF_MARK + session_to_json(session).encode()


def into_svg(svg: str, session: Session) -> str:
    """Return an SVG document with the session as the first of its metadata.

    Raises:
        ValueError: there is no ``<svg>`` element.
    """
    opening = re.search(r"<svg\b[^>]*>", svg)
    if opening is None:
        raise ValueError("this is no SVG document")
    text = session_to_json(session).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    element = f'\n<metadata><session xmlns="{_SVG_SPACE}">{text}</session></metadata>'
    return svg[: opening.end()] + element + svg[opening.end() :]


def into_pdf(pdf: bytes, session: Session) -> bytes:
    """Return a PDF document with the session in its document information."""
    from pypdf import PdfWriter

    writer = PdfWriter(clone_from=io.BytesIO(pdf))
    writer.add_metadata({_PDF_KEY: session_to_json(session), "/Creator": "attnviz"})
    whole = io.BytesIO()
    writer.write(whole)
    return whole.getvalue()


def is_figure(first_bytes: bytes) -> bool:
    """Return whether a file that begins so is of a kind that can carry a session."""
    return _reader_of(first_bytes) is not None


def carried_text(path: Path) -> str | None:
    """Return the JSON text that a figure carries; None where it carries none, or is damaged before that place.

    Raises:
        OSError: the file cannot be read.
    """
    with path.open("rb") as file:
        read = _reader_of(file.read(1024))
        file.seek(0)
        if read is None:
            return None
        try:
            return read(file)
        except OSError as error:
            if error.errno is not None:
                raise
            return None  # a library's word for a file that it cannot make out
        except Exception:  # the libraries have many words for the same, and each release has others
            return None


def _reader_of(first: bytes) -> Callable[[BinaryIO], str | None] | None:
    if first.startswith(_PNG_SIGN):
        return _in_png
    if first.startswith(b"GIF8"):
        return _in_gif
    if first.startswith(b"%PDF-"):
        return _in_pdf
    text = first.removeprefix(b"\xef\xbb\xbf").lstrip()
    if text.startswith(b"<") and (b"<svg" in text or text.startswith(b"<?xml")):  # a sentence may hold "<svg" as well
        return _in_svg
    return None


def _in_png(file: BinaryIO) -> str | None:
    # By hand: Pillow refuses an image of as many pixels as a poster has, and none of them is needed here.
    file.seek(len(_PNG_SIGN))
    while len(head := file.read(8)) == 8:
        length, kind = int.from_bytes(head[:4], "big"), head[4:]
        if kind == b"IHDR":
            sides = file.read(8)
            if int.from_bytes(sides[:4], "big") * int.from_bytes(sides[4:], "big") > MOST_PIXELS:
                return None
            file.seek(length + 4 - 8, io.SEEK_CUR)
            continue
        if kind in (b"IDAT", b"IEND"):
            return None  # what it carries stands before the pixels
        if kind != b"tEXt" or length > _LONGEST:
            file.seek(length + 4, io.SEEK_CUR)
            continue
        data, check = file.read(length), file.read(4)
        if data.startswith(_PNG_MARK):
            whole = zlib.crc32(kind + data).to_bytes(4, "big") == check
            return data.removeprefix(_PNG_MARK).decode() if whole else None
    return None


def _in_gif(file: BinaryIO) -> str | None:
    head = file.read(13)
    file.seek(3 * (2 << (head[10] & 7)) * (head[10] >> 7), io.SEEK_CUR)
    while file.read(1) == b"!":  # an extension; what it carries stands before the first picture
        is_comment = file.read(1) == b"\xfe"
        blocks: list[bytes] = []
        while size := file.read(1)[0]:
            blocks.append(file.read(size))
            if len(blocks) > _LONGEST // 255:
                return None
        comment = b"".join(blocks)
        if is_comment and comment.startswith(_GIF_MARK):
            return comment.removeprefix(_GIF_MARK).decode()
    return None


def _in_pdf(file: BinaryIO) -> str | None:
    from pypdf import PdfReader
    from pypdf.errors import PyPdfError

    # What it makes of a damaged file would go to the standard error, where each failure has one line of ours.
    logging.getLogger("pypdf").addHandler(_SILENCE)
    try:
        metadata = PdfReader(cast("BinaryIO", _Sparing(file))).metadata
        found = None if metadata is None else metadata.get(_PDF_KEY)
    except PyPdfError:
        return None
    return None if found is None else str(found)


class _Sparing:
    """A file that ends the reading of what is not soon found in it.

    pypdf goes through all of a file whose table of contents is broken, and through every entry of the largest table:
    that would take a minute for 100 MiB.
    """

    def __init__(self, file: BinaryIO) -> None:
        self._file, self._left = file, _MOST_READ
        self.seek, self.tell = file.seek, file.tell

    def read(self, size: int = -1, /) -> bytes:
        content = self._file.read(_REPAIRED_BELOW + 1 if size < 0 else size)
        self._left -= 1 + len(content)
        if self._left < 0 or (size < 0 and len(content) > _REPAIRED_BELOW):
            raise OSError("too much of it would have to be read")  # as a library's word: without a number
        return content

    def readline(self) -> bytes:
        line = self._file.readline(_REPAIRED_BELOW)
        self._left -= 1 + len(line)
        return line


def _in_svg(file: BinaryIO) -> str | None:
    from xml.etree.ElementTree import XMLPullParser

    parser: Any = XMLPullParser(("start", "end"))
    place = f"{{{_SVG_SPACE}}}session"
    begun, fed = False, 0
    # No more is read than what a session takes: neither a million elements nor an endless one is waited for.
    while fed < (_LONGEST if begun else _BEFORE_THE_SESSION) and (piece := file.read(1 << 16)):
        fed += len(piece)
        parser.feed(piece)
        for event, element in parser.read_events():
            if element.tag == place:
                begun = True
                if event == "end":
                    return str(element.text)
            elif element.tag.endswith(("}g", "}path", "}image")):
                return None  # the drawing has begun; what it carries stands before that
    return None
