"""Hostile files: pickles, decompression bombs, false sizes, and other claims that a reader must not trust."""

import io
import json
import os
import pickle
import struct
import zipfile
import zlib
from pathlib import Path
from typing import Any

import numpy as np

from attnviz.experiment.files.session import Session, session_to_json
from attnviz.experiment.labs import make_spec
from attnviz.export.embedded_session import KEY, gif_comment, into_pdf, into_svg

SESSION = Session(
    spec=make_spec({"num_heads": 2, "num_hiddens": 8, "valid_lens": [3, 2], "painted": "0: 1", "device": "cpu"}),
    notes='two heads, "quoted" (and bracketed)\n注意',
)
PNG_SIGN = b"\x89PNG\r\n\x1a\n"
GIF_HEAD = b"GIF89a\x0a\0\x0a\0\0\0\0"


def pickled(trap: Path) -> bytes:
    """Return a pickle that creates a folder when it is loaded."""

    class Trap:
        def __reduce__(self) -> tuple[Any, ...]:
            return os.mkdir, (str(trap),)

    return pickle.dumps(Trap())


def pickled_npy(trap: Path) -> bytes:
    """Return an .npy file of objects that runs the trap when unpickled."""
    return npy_header("(1, 1)", "'|O'") + pickled(trap)


def npy_header(shape: str, descr: str = "'<f4'", version: int = 1, length: int | None = None) -> bytes:
    """Return the start of an .npy file that claims this shape and type, and a header of this length."""
    text = f"{{'descr': {descr}, 'fortran_order': False, 'shape': {shape}, }}".encode().ljust(117) + b"\n"
    size = len(text) if length is None else length
    return b"\x93NUMPY" + bytes([version, 0]) + size.to_bytes(2 if version == 1 else 4, "little") + text


def npy(array: Any) -> bytes:
    """Return an .npy file."""
    content = io.BytesIO()
    np.save(content, np.asarray(array), allow_pickle=False)
    return content.getvalue()


def zipped(members: dict[str, bytes], method: int = zipfile.ZIP_STORED) -> bytes:
    """Return an archive of these members."""
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", method) as archive:
        for name, member in members.items():
            archive.writestr(name, member)
    return content.getvalue()


def bomb(path: Path, members: dict[str, tuple[bytes, int]], method: int = zipfile.ZIP_DEFLATED) -> Path:
    """Write an archive of members, each given by its first bytes and a number of zeros; a thousandth as large."""
    block = bytes(1 << 20)
    with zipfile.ZipFile(path, "w", method, compresslevel=1) as archive:
        for name, (head, zeros) in members.items():
            with archive.open(name, "w", force_zip64=True) as member:
                member.write(head)
                for _ in range(zeros >> 20):
                    member.write(block)
    return path


def sparse(path: Path, size: int, head: bytes = b"", end: bytes = b"") -> Path:
    """Write a sparse file of this size: a beginning, a hole, an end."""
    with path.open("wb") as file:
        file.write(head)
        file.truncate(size - len(end))
        file.seek(size - len(end))
        file.write(end)
    return path


def end_of_archive(list_bytes: int) -> bytes:
    """Return the end of an archive that claims this size for its list of members."""
    return b"PK\5\6" + struct.pack("<4H2LH", 0, 0, 1, 1, list_bytes, 50, 0)


def end_of_long_archive(size: int, list_bytes: int) -> bytes:
    """Return the end of an archive of this size in the form for those beyond 4 GiB."""
    record = b"PK\6\6" + struct.pack("<QHHLLQQQQ", 44, 45, 45, 0, 0, 1, 1, list_bytes, 0)
    end = end_of_archive(0xFFFFFFFF)
    return record + b"PK\6\7" + struct.pack("<LQL", 0, size - len(record) - 20 - len(end), 1) + end


def chunk(kind: bytes, data: bytes) -> bytes:
    """Return a chunk of a PNG."""
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def png(text: str) -> bytes:
    """Return a small PNG with a text in place of its session."""
    head = chunk(b"IHDR", struct.pack(">IIBBBBB", 3, 2, 8, 2, 0, 0, 0))
    return PNG_SIGN + head + chunk(b"tEXt", f"{KEY}\0{text}".encode()) + chunk(b"IDAT", zlib.compress(bytes(20)))


def figures() -> dict[str, bytes]:
    """Return a small figure of each kind with `SESSION` embedded."""
    from PIL import Image
    from pypdf import PdfWriter

    gif, blank, pdf = io.BytesIO(), PdfWriter(), io.BytesIO()
    Image.new("P", (3, 2)).save(gif, "GIF", comment=gif_comment(SESSION))
    blank.add_blank_page(10, 10)
    blank.write(pdf)
    return {
        "png": png(session_to_json(SESSION)),
        "gif": gif.getvalue(),
        "svg": into_svg('<svg xmlns="http://www.w3.org/2000/svg"><g/></svg>', SESSION).encode(),
        "pdf": into_pdf(pdf.getvalue(), SESSION),
    }


def spec_of_file(folder: Path, source: Path | str, **fields: Any) -> str:
    """Write a spec that reads its arrays or points from a file; return the path of the spec."""
    kind = {"kind": "file", "path": str(source)}
    values = {"lab": "regression", "data": kind} if str(source).endswith(".csv") else {"inputs": kind}
    path = folder / "spec_of_file.json"
    path.write_text(json.dumps(values | fields))
    return str(path)
