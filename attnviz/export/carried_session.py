"""The session that every exported figure carries in its file's metadata, and how it is read back.

PNG and APNG hold it as a text chunk, GIF as a comment, SVG as an element of its metadata, PDF as an entry of its
document information. It is JSON in ASCII everywhere (see `experiment.session`).
"""

import io
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, BinaryIO

from attnviz.experiment.session import Session, session_to_json

KEY = "attnviz-session"
_PDF_KEY = "/AttnvizSession"
_GIF_MARK = KEY.encode() + b":"
_SVG_SPACE = "urn:attnviz:session"
LARGEST = 256 << 20
"""How many bytes a figure may have that is searched for a session."""


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
    text = session_to_json(session).replace("&", "&amp;").replace("<", "&lt;")
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
            return None  # Pillow's word for an image that it cannot make out
        except (ValueError, KeyError, TypeError, AttributeError, SyntaxError, EOFError, IndexError, RecursionError):
            return None  # the libraries' words for the same


def _reader_of(first: bytes) -> Callable[[BinaryIO], str | None] | None:
    if first.startswith((b"\x89PNG\r\n\x1a\n", b"GIF8")):
        return _in_image
    if first.startswith(b"%PDF-"):
        return _in_pdf
    if b"<svg" in first or first.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"<?xml"):
        return _in_svg
    return None


def _in_image(file: BinaryIO) -> str | None:
    from PIL import Image

    # Only the head of the file is read: no pixel is decoded, however many the file claims to have.
    with Image.open(file, formats=("PNG", "GIF")) as image:
        text = image.info.get(KEY)
        if isinstance(text, str):
            return text
        comment = image.info.get("comment", b"")
    return comment.removeprefix(_GIF_MARK).decode() if comment.startswith(_GIF_MARK) else None


def _in_pdf(file: BinaryIO) -> str | None:
    from pypdf import PdfReader
    from pypdf.errors import PyPdfError

    try:
        metadata = PdfReader(file).metadata
        found = None if metadata is None else metadata.get(_PDF_KEY)
    except PyPdfError:
        return None
    return None if found is None else str(found)


def _in_svg(file: BinaryIO) -> str | None:
    from xml.etree.ElementTree import ParseError, iterparse

    try:
        for _, element in iterparse(file, events=("end",)):
            if element.tag == f"{{{_SVG_SPACE}}}session":
                return str(element.text)
            if element.tag.endswith(("}g", "}path", "}image")):
                return None  # the drawing has begun; what it carries stands before that
    except ParseError:
        return None
    return None
