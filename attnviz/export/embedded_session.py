"""Writing and reading the session in the metadata of exported figures and of pictures of the window.

PNG and APNG hold it as a text chunk, GIF as a comment, SVG as an element of its metadata, PDF as an entry of its
document information. It is JSON in ASCII everywhere (see `experiment.files.session`).
"""

import base64
import io
import re
import zlib
from collections.abc import Callable
from itertools import islice
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from attnviz.definitions.text import Refused
from attnviz.experiment.files.session import Session, session_to_json

KEY = "attnviz-session"
_PDF_KEY = "/AttnvizSession"
_GIF_MARK = KEY.encode() + b":"
_PNG_SIGN = b"\x89PNG\r\n\x1a\n"
_PNG_MARK = KEY.encode() + b"\0"
_SVG_SPACE = "urn:attnviz:session"
LARGEST = 256 << 20
"""The largest figure, in bytes, that is searched for a session."""
MOST_PIXELS = 1 << 29
"""The largest image, in bytes, that is read: twice what attnviz writes, since other programs write more."""
_LONGEST = 16 << 20
"""The largest session, in bytes, in a figure."""
_MOST_PIECES = _LONGEST // 255
"""The most PNG chunks or GIF blocks that are read; a GIF block holds 255 bytes of a session."""
_BEFORE_THE_SESSION = 1 << 20
"""The most bytes of an SVG before the session."""
_MOST_MENTIONS = 10
"""The most occurrences of the session's key that are tried in a PDF."""
_DEEPEST = 1000
"""The deepest nesting of brackets in a PDF string; notes may contain brackets, JSON does not."""
_MOST_SIGNS = 1 << 20
"""The most brackets and escapes in a PDF string; each is processed in Python."""
_PDF_SIGNS = re.compile(rb"\\[\s\S]|[()]")
_PDF_ESCAPES = re.compile(rb"\\([0-7]{1,3}|\r\n|[\s\S])")
_PDF_LETTERS = {b"n": b"\n", b"r": b"\r", b"t": b"\t", b"b": b"\b", b"f": b"\f"} | dict.fromkeys(
    (b"\n", b"\r", b"\r\n"), b""
)
"""The characters of a string's backslash escapes, except those that mean themselves."""


def _text(session: Session) -> str:
    """Return a session as stored in a figure: without its trained model, which is much larger than a figure."""
    return session_to_json(session.with_trained(None))


def png_text(session: Session) -> Any:
    """Return the text chunk of a PNG or APNG as Pillow's ``PngInfo``."""
    from PIL.PngImagePlugin import PngInfo

    chunks = PngInfo()
    chunks.add_text(KEY, _text(session))
    chunks.add_text("Software", "attnviz")
    return chunks


def gif_comment(session: Session) -> bytes:
    """Return the comment of a GIF."""
    return _GIF_MARK + _text(session).encode()


def into_svg(svg: str, session: Session) -> str:
    """Return an SVG document with the session as its first metadata.

    Raises:
        ValueError: there is no ``<svg>`` element.
    """
    opening = re.search(r"<svg\b[^>]*>", svg)
    if opening is None:
        raise Refused("this is not an SVG document")
    text = _text(session).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    element = f'\n<metadata><session xmlns="{_SVG_SPACE}">{text}</session></metadata>'
    return svg[: opening.end()] + element + svg[opening.end() :]


def into_pdf(pdf: bytes, session: Session) -> bytes:
    """Return a PDF document with the session in its document information."""
    from pypdf import PdfWriter

    writer = PdfWriter(clone_from=io.BytesIO(pdf))
    writer.add_metadata({_PDF_KEY: _text(session), "/Creator": "attnviz"})
    whole = io.BytesIO()
    writer.write(whole)
    return whole.getvalue()


def is_figure(first_bytes: bytes) -> bool:
    """Return whether a file with these first bytes is of a format that can hold a session."""
    return _reader_of(first_bytes) is not None


def carried_text(file: BinaryIO) -> str | None:
    """Return the JSON text in an open figure; None if it has none, or is damaged before it.

    Raises:
        OSError: the file cannot be read.
    """
    file.seek(0)
    read = _reader_of(file.read(1024))
    file.seek(0)
    if read is None:
        return None
    try:
        return read(file)
    except OSError as error:
        if error.errno is not None:
            raise
        return None  # raised by libraries for an unreadable file
    except Exception:  # libraries raise many types, which differ between releases
        return None


def _reader_of(first: bytes) -> Callable[[BinaryIO], str | None] | None:
    if first.startswith(_PNG_SIGN):
        return _in_png
    if first.startswith(b"GIF8"):
        return _in_gif
    if first.startswith(b"%PDF-"):
        return _in_pdf
    text = first.removeprefix(b"\xef\xbb\xbf").lstrip()
    if text.startswith(b"<") and (b"<svg" in text or text.startswith(b"<?xml")):  # JSON text may contain "<svg" too
        return _in_svg
    return None


def _in_png(file: BinaryIO) -> str | None:
    # Not with Pillow, which rejects very large images; no pixels are needed here.
    file.seek(len(_PNG_SIGN))
    for _ in range(_MOST_PIECES):
        head = file.read(8)
        if len(head) < 8:
            return None
        length, kind = int.from_bytes(head[:4], "big"), head[4:]
        if kind == b"IHDR":
            sides = file.read(8)
            if int.from_bytes(sides[:4], "big") * int.from_bytes(sides[4:], "big") > MOST_PIXELS:
                return None
            file.seek(length + 4 - 8, io.SEEK_CUR)
            continue
        if kind in (b"IDAT", b"IEND"):
            return None  # the session precedes the pixels
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
    left = _MOST_PIECES
    while left > 0 and file.read(1) == b"!":  # an extension; the session precedes the first picture
        is_comment = file.read(1) == b"\xfe"
        blocks: list[bytes] = []
        while size := file.read(1)[0]:
            blocks.append(file.read(size))
            if len(blocks) > left:
                return None
        left -= 1 + len(blocks)
        comment = b"".join(blocks)
        if is_comment and comment.startswith(_GIF_MARK):
            return comment.removeprefix(_GIF_MARK).decode()
    return None


def _in_pdf(file: BinaryIO) -> str | None:
    # Parsed by hand: a library that follows a document's tables unpacks everything they refer to, which takes minutes
    # and all memory for a hostile file. The session is not compressed, so its marker is searched for.
    at = 0
    for _ in range(_MOST_MENTIONS):
        at = _place_after(_PDF_KEY.encode(), file, at)
        if at < 0:
            break
        file.seek(at)
        content = file.read(_LONGEST).lstrip()
        if content.startswith(b"("):
            return _text_of_pdf(_literal(content))
        if content.startswith(b"<") and not content.startswith(b"<<"):
            return _text_of_pdf(bytes.fromhex(content[1 : content.index(b">")].decode("ascii")))
    return None


def _place_after(word: bytes, file: BinaryIO, start: int) -> int:
    """Return the position after the next occurrence of a word in a file, or -1."""
    file.seek(start)
    tail = b""
    while piece := file.read(1 << 20):
        at = (tail + piece).find(word)
        if at >= 0:
            return start - len(tail) + at + len(word)
        start += len(piece)
        tail = (tail + piece)[1 - len(word) :]
    return -1


def _literal(content: bytes) -> bytes:
    """Return the bytes of the literal string at the start of ``content`` (ISO 32000-1, 7.3.4.2).

    Raises:
        ValueError: it has no end, or too many nested brackets or escapes for a session.
    """
    depth = 0
    for match in islice(_PDF_SIGNS.finditer(content), _MOST_SIGNS):
        depth += {b"(": 1, b")": -1}.get(match[0], 0)
        if not depth:
            return _PDF_ESCAPES.sub(_unescaped, content[1 : match.start()])
        if depth > _DEEPEST:
            break
    raise Refused("an unterminated string")


def _unescaped(match: re.Match[bytes]) -> bytes:
    sign = match[1]
    if sign[:1].isdigit():
        return bytes([int(sign, 8) & 0xFF])
    return _PDF_LETTERS.get(sign, sign)


def _text_of_pdf(content: bytes) -> str:
    return content.decode("utf-16") if content.startswith(b"\xfe\xff") else content.decode("latin-1")


def _in_svg(file: BinaryIO) -> str | None:
    from xml.etree.ElementTree import XMLPullParser

    parser: Any = XMLPullParser(("start", "end"))
    tag = f"{{{_SVG_SPACE}}}session"
    begun, fed = False, 0
    # Reading stops at the maximum size of a session, even with a million elements or one that never ends.
    while fed < (_LONGEST if begun else _BEFORE_THE_SESSION) and (piece := file.read(1 << 16)):
        fed += len(piece)
        parser.feed(piece)
        for event, element in parser.read_events():
            if element.tag == tag:
                begun = True
                if event == "end":
                    return str(element.text)
            elif element.tag.endswith(("}g", "}path", "}image")):
                return None  # the drawing has begun, and the session precedes it
    return None


Pixels = NDArray[np.uint8]
"""(height, width, 4): red, green, blue, opacity."""

_POINTS_PER_INCH = 96


def screen_png(pixels: Pixels, scale: int, session: Session) -> bytes:
    """Return a PNG with the session; ``scale`` is the number of pixels per logical pixel."""
    from PIL import Image

    opaque = bool((pixels[..., 3] == 255).all())
    image = Image.fromarray(np.ascontiguousarray(pixels[..., :3] if opaque else pixels))
    dpi = _POINTS_PER_INCH * scale
    file = io.BytesIO()
    options: dict[str, Any] = {"pnginfo": png_text(session), "dpi": (dpi, dpi)}
    image.save(file, format="PNG", **options)
    return file.getvalue()


def pixels_in(png: bytes) -> Pixels:
    """Return the pixels of a PNG made by `screen_png`."""
    from PIL import Image

    with Image.open(io.BytesIO(png), formats=("PNG",)) as image:
        return np.asarray(image.convert("RGBA"))


def screen_svg(pixels: Pixels, scale: int, session: Session) -> bytes:
    """Return an SVG of the screen's size that embeds the pixels, since widgets have no vector form."""
    height, width = (size / scale for size in pixels.shape[:2])
    data = base64.b64encode(screen_png(pixels, scale, session)).decode()
    svg = (
        '<?xml version="1.0" encoding="utf-8"?>\n'
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:g}" height="{height:g}"'
        f' viewBox="0 0 {width:g} {height:g}">\n'
        f'<image width="{width:g}" height="{height:g}" href="data:image/png;base64,{data}"/>\n</svg>\n'
    )
    return into_svg(svg, session).encode()
