"""Arrays in .npz and .npy files: dtype and shape are known before any number is read. Nothing is unpickled.

A few bytes of a file may announce, or unpack to, more than any machine holds. So the directory of an archive is
measured before it is read, and the dtype and shape of an array are known before its numbers are read.
"""

import math
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, cast
from zipfile import ZIP_DEFLATED, ZIP_STORED, ZipFile, ZipInfo

import numpy as np
from numpy.typing import NDArray

from attnviz.definitions.text import Refused, quoted
from attnviz.experiment.files.plain_files import open_plain, size_of

SPEC = "spec"
"""The array of an exported file that holds the spec of its run as JSON."""
MOST_SPEC = 8 << 20
"""The limit of its length in characters."""
WARNING = "warning"
"""The array (in CSV, the column) with the warning about numbers that are not what their name says, if any."""
LONGEST_LIST = 1 << 20
"""The limit of an archive's directory in bytes: some ten thousand arrays."""
_LONGEST_END = 22 + (1 << 16)
"""The greatest length of a ZIP archive's end record in bytes, with its comment."""
_LONGEST_HEADER = 10_000
"""The limit of an array's header in bytes, the same as numpy's."""
_MOST_DIMENSIONS = 32
"""The limit of dimensions, that of older releases of numpy."""


class CorruptFileError(Refused):
    """A file, or an array in it, is corrupt; the message lacks the name of the file."""


@dataclass(frozen=True, slots=True)
class ArrayHeader:
    """The header of an array: its dtype and shape."""

    shape: tuple[int, ...]
    dtype: np.dtype[Any]

    @property
    def size(self) -> int:
        """The number of elements."""
        return math.prod(self.shape)

    @property
    def nbytes(self) -> int:
        """The bytes of its numbers."""
        return self.size * self.dtype.itemsize


class ArraysOfFile:
    """An open file of arrays. The one of an .npy file is returned for every name."""

    def __init__(self, file: BinaryIO, *, is_archive: bool) -> None:
        self._file = file
        self._archive = _archive_in(file) if is_archive else None
        self._members: dict[str, ZipInfo] = {}
        self._twice: set[str] = set()
        for member in self._archive.infolist() if self._archive else ():
            name = member.filename.removesuffix(".npy")
            if name in self._members:
                self._twice.add(name)
            self._members[name] = member

    @property
    def names(self) -> list[str]:
        """The names of the arrays in an archive, in order."""
        return list(self._members)

    @property
    def is_archive(self) -> bool:
        """Whether its arrays have names."""
        return self._archive is not None

    def header(self, name: str) -> ArrayHeader:
        """Return the header of an array, which must be consistent with the file's size.

        Raises:
            CorruptFileError: it is not, or the array would have to be unpickled.
        """
        with self._opened(name) as (file, length):
            announced, begin = _header_of(file, name)
        if begin + announced.nbytes > length:
            values = {"name": name, "size": announced.nbytes, "rest": max(length - begin, 0)}
            raise CorruptFileError("{name} announces {size} bytes, but {rest} follow", **values)
        return announced

    def read(self, name: str) -> NDArray[Any]:
        """Return an array; raises as numpy and zipfile if it is corrupt."""
        with self._opened(name) as (file, _):
            array: NDArray[Any] = np.lib.format.read_array(file, allow_pickle=False)
        return array

    def beginning(self, name: str, most: int) -> NDArray[Any]:
        """Return the first ``most`` numbers of an array, flat and in the order of the file; raises as `read`."""
        with self._opened(name) as (file, _):
            announced, _ = _header_of(file, name)
            return np.frombuffer(file.read(min(announced.size, most) * announced.dtype.itemsize), announced.dtype)

    @contextmanager
    def _opened(self, name: str) -> Iterator[tuple[BinaryIO, int]]:
        """Yield a stream of an array's bytes, and their number."""
        if self._archive is None:
            self._file.seek(0)
            yield self._file, size_of(self._file)
            return
        member = self._members[name]
        if name in self._twice:
            raise CorruptFileError("{name} occurs twice", name=name)
        if member.compress_type not in (ZIP_STORED, ZIP_DEFLATED):
            # A single read of the others may unpack to any size.
            raise CorruptFileError(
                ("{name} is compressed in a way that numpy never uses; nearest: np.savez_compressed"), name=name
            )
        with self._archive.open(member) as file:
            yield cast("BinaryIO", file), member.file_size


def spec_text_of(path: Path) -> str | None:
    """Return the JSON text of the spec in an .npz file exported by attnviz; None if it has none.

    Raises:
        OSError: it cannot be read.
        CorruptFileError: it is no archive, or its spec is corrupt.
    """
    if path.suffix.lower() != ".npz":
        return None
    with arrays_of(path) as file:
        if SPEC not in file.names:
            return None
        try:
            announced = file.header(SPEC)
            if announced.dtype.kind == "U" and announced.size == 1 and announced.dtype.itemsize <= 4 * MOST_SPEC:
                return str(file.read(SPEC).reshape(())[()])
        except (CorruptFileError, OSError):
            raise
        except Exception as error:  # a corrupt array may raise anything in numpy and zipfile
            raise CorruptFileError("{name} is damaged", name=SPEC) from error
        return None


@contextmanager
def arrays_of(path: Path) -> Iterator[ArraysOfFile]:
    """Open a file of arrays, an archive if its name ends in .npz.

    Raises:
        OSError: it cannot be read.
        CorruptFileError: it is not an archive, or its directory is too long.
    """
    with open_plain(path) as file:
        yield ArraysOfFile(file, is_archive=path.suffix.lower() == ".npz")


def _archive_in(file: BinaryIO) -> ZipFile:
    size = size_of(file)
    file.seek(max(size - _LONGEST_END, 0))
    end = file.read(_LONGEST_END)
    at = end.rfind(b"PK\5\6")
    length = int.from_bytes(end[at + 12 : at + 16], "little")
    # The directory of a longer archive is described by another record (ZIP64), which plain arrays do not need.
    if at < 0 or length > LONGEST_LIST or end[max(at - 20, 0) : at].startswith(b"PK\6\7"):
        raise CorruptFileError("its list of arrays is missing, or longer than {most} MiB", most=LONGEST_LIST >> 20)
    return ZipFile(file)


def _header_of(file: BinaryIO, name: str) -> tuple[ArrayHeader, int]:
    """Return the header of the array that begins here, and the position of its numbers, which are read next."""
    version = np.lib.format.read_magic(file)
    if version not in ((1, 0), (2, 0)):
        raise CorruptFileError("{name} is a structured array; plain numbers are needed", name=name)
    start, width = len(np.lib.format.magic(*version)), 2 if version == (1, 0) else 4
    announced = file.read(width)
    length = int.from_bytes(announced, "little")
    if len(announced) < width or length > _LONGEST_HEADER:
        raise CorruptFileError("the header of {name} is longer than {most} bytes", name=name, most=_LONGEST_HEADER)
    file.seek(start)
    read = np.lib.format.read_array_header_1_0 if width == 2 else np.lib.format.read_array_header_2_0
    shape, _, dtype = read(file)
    if len(shape) > _MOST_DIMENSIONS or any(isinstance(side, bool) or not 0 <= side < 1 << 63 for side in shape):
        raise CorruptFileError("{name} has shape {shape}, which no array can have", name=name, shape=quoted(shape))
    if dtype.hasobject:
        nearest = "np.array(tokens, dtype=str)" if name.endswith("_tokens") else f"{name}.astype('float32')"
        raise CorruptFileError(
            "{name} holds pickled objects, which are never read; nearest: {nearest}", name=name, nearest=nearest
        )
    return ArrayHeader(shape, dtype), start + width + length
