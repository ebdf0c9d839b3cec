"""Whether a file of arrays holds somebody else's weights, told at a glance: by its names, or by its first numbers."""

import math
from pathlib import Path
from typing import BinaryIO
from zipfile import ZipFile

import numpy as np

from attnviz.experiment.files import size_of_plain_file
from attnviz.experiment.given_weights import ARRAYS, TOLERANCE

_INPUTS = {"queries", "keys", "values"}
_MOST_NUMBERS = 1 << 22
_LONGEST_LIST = 1 << 20
_LONGEST_END = 22 + (1 << 16)
"""How many bytes the end of a ZIP archive takes at most, with its comment."""


def holds_weights(path: Path) -> bool:
    """Return whether the arrays of an .npz or .npy file are to be shown as weights; False where that cannot be told.

    They are where an archive has ``weights`` but not all of queries, keys and values, and where an array alone has the
    dimensions of weights and no number (among the first few millions) beyond 0..1.
    """
    try:
        size_of_plain_file(path)
        with path.open("rb") as file:
            return _names_weights(file) if path.suffix.lower() == ".npz" else _looks_like_weights(file)
    except Exception:  # whatever a spoilt file leads numpy and zipfile to; the run will say what is wrong with it
        return False


def _names_weights(file: BinaryIO) -> bool:
    size = file.seek(0, 2)
    file.seek(max(size - _LONGEST_END, 0))
    end = file.read()
    at = end.rfind(b"PK\5\6")
    length = int.from_bytes(end[at + 12 : at + 16], "little")
    # Nobody's arrays have a list of names as long as that, or one whose length only another record tells.
    if at < 0 or length > _LONGEST_LIST or end[max(at - 20, 0) : at].startswith(b"PK\6\7"):
        return False
    with ZipFile(file) as archive:
        names = {name.removesuffix(".npy") for name in archive.namelist()}
    return ARRAYS[0] in names and not names >= _INPUTS


def _looks_like_weights(file: BinaryIO) -> bool:
    version = np.lib.format.read_magic(file)
    if version not in ((1, 0), (2, 0)):
        return False  # the later ones are for names, which an array of plain numbers has not
    read_header = np.lib.format.read_array_header_1_0 if version == (1, 0) else np.lib.format.read_array_header_2_0
    shape, _, dtype = read_header(file)
    if not 2 <= len(shape) <= 4 or min(shape) < 1 or dtype.kind != "f" or dtype.itemsize > 8:
        return False
    content = file.read(min(math.prod(shape), _MOST_NUMBERS) * dtype.itemsize)
    numbers = np.frombuffer(content, dtype)
    low, high = (float(extreme.reduce(numbers)) for extreme in (np.fmin, np.fmax))
    return low >= -TOLERANCE and high <= 1 + TOLERANCE
