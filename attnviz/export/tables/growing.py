"""A growing table: a file of lines to which the rows of a sweep are appended as they are computed.

The file is a valid table at any time, except for an incomplete last line after a crash or a full disk, which is dropped
when the sweep resumes. Only one process writes it at a time.
"""

import contextlib
import itertools
import os
import shutil
from array import array
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any, BinaryIO

from attnviz.definitions.text import English, Refused, Text
from attnviz.experiment.files.plain_files import naming_path, write_atomically
from attnviz.experiment.sweeps.crossing import RUN, SWEEP, Crossing
from attnviz.export.tables.columns import Row, ordered
from attnviz.export.tables.lines import CsvLines, JsonLines, Lines
from attnviz.log import lock


class TableError(Refused):
    """A file cannot become, or is not, the table of a sweep; the text says why."""


class TableGoneError(Refused):
    """The file of a table was removed or replaced while it grew; the text says where its rows are now."""


class GrowingTable:
    """The table of a sweep in a file; `close` it at the end."""

    def __init__(self, path: Path, sweep: Crossing, lines: Lines, *, force: bool = False) -> None:
        """Open the file, and read which of the sweep's runs it has.

        Args:
            path: the file.
            sweep: the sweep whose rows it has.
            lines: the format of its rows.
            force: whether to replace any existing file.

        Raises:
            TableError: the file is something else, of another sweep, or in use by another process.
            OSError: it cannot be read or written.
        """
        self._path, self._sweep, self._lines = path, sweep, lines
        self.done = bytearray(len(sweep))
        """1 for each run that has a row."""
        self._offsets = array("q", [-1]) * len(sweep)
        self._columns: tuple[str, ...] = ()
        self._size = 0  # of the file, as last written
        self._file: BinaryIO = self._opened(force=force)
        try:
            self._read()
        except BaseException:
            self.close()
            raise

    @property
    def rows(self) -> int:
        """The number of its rows."""
        return sum(self.done)

    def add(self, rows: Sequence[Row]) -> None:
        """Append rows.

        Raises:
            OSError: they cannot be written; the table is unchanged.
            TableGoneError: as `check_in_place`; the new rows are rescued too.
        """
        new = [{**row, SWEEP: self._sweep.digest} for row in rows if not self.done[row[RUN]]]
        self._widen([name for row in new for name in row])
        end = self._file.seek(0, os.SEEK_END)
        if end != self._size:
            self.check_in_place()
        texts = [self._lines.line(row, self._columns) for row in new]
        with naming_path(self._path):
            self._append(b"".join(texts), end)
        for row, text in zip(new, texts, strict=True):
            self.done[row[RUN]], self._offsets[row[RUN]] = 1, end
            end += len(text)
        self.check_in_place()

    def check_in_place(self) -> None:
        """Check that the path still leads to the open file.

        Raises:
            TableGoneError: the file was removed or replaced, and its rows are in a new file beside the path; or another
                program has written to it.
        """
        path = str(self._path)
        if self._is_in_place():
            if os.fstat(self._file.fileno()).st_size == self._size:
                return
            raise TableGoneError("{path} was changed by another program while the sweep wrote it", path=path)
        if not self.rows:
            raise TableGoneError("{path} was removed or replaced while the sweep wrote it", path=path)
        try:
            rescued = self._rescued()
        except OSError as error:
            sentence = "{path} was removed or replaced while the sweep wrote it, and its rows are lost: {why}"
            raise TableGoneError(sentence, path=path, why=error.strerror or str(error)) from error
        sentence = (
            "{path} was removed or replaced while the sweep wrote it; its {rows} rows are in {rescued}; rename that to "
            "resume"
        )
        raise TableGoneError(sentence, path=path, rows=self.rows, rescued=str(rescued))

    def _is_in_place(self) -> bool:
        try:
            return os.path.samestat(os.fstat(self._file.fileno()), os.stat(self._path))
        except OSError:
            return False

    def _rescued(self) -> Path:
        """Copy the open file into a new one beside its path, and return the new path."""
        for number in itertools.count(1):
            name = f"{self._path.stem}.rescued{'' if number == 1 else f'-{number}'}{self._path.suffix}"
            path = self._path.with_name(name)
            with contextlib.suppress(FileExistsError), path.open("xb") as rescued:
                with os.fdopen(os.dup(self._file.fileno()), "rb") as rows:
                    rows.seek(0)
                    shutil.copyfileobj(rows, rescued)
                return path
        raise AssertionError("there is always another number")

    def finish(self) -> None:
        """Sort rows and columns; the result does not depend on the order of arrival.

        Raises:
            OSError: the sorted table cannot be written; the unsorted one is kept.
            TableGoneError: as `check_in_place`.
        """
        self.check_in_place()
        known = pairwise(offset for offset in self._offsets if offset >= 0)
        columns = ordered((*self._sweep.columns, *self._columns)) if self._columns else ()
        if columns != self._columns or any(later < earlier for earlier, later in known):
            self._rewrite(columns)
            self.check_in_place()

    def in_order(self) -> Iterator[dict[str, Any]]:
        """Yield its rows in the order of their runs, with the values as stored in the file."""
        with os.fdopen(os.dup(self._file.fileno()), "rb") as file:
            for offset in self._offsets:
                if offset >= 0:
                    file.seek(offset)
                    row = self._lines.row(file.readline(), self._columns)
                    assert row is not None, "it was read or written before"
                    yield row

    def close(self) -> None:
        """Close the file; delete it if it has no row."""
        if not self._file.closed and not self._file.seek(0, os.SEEK_END) and self._is_in_place():
            with contextlib.suppress(OSError):
                self._path.unlink()
        self._file.close()

    def _opened(self, *, force: bool) -> BinaryIO:
        path = self._path
        with naming_path(path):
            while True:
                file = os.fdopen(os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_BINARY", 0), 0o666), "r+b", 0)
                if not lock(file.fileno()):
                    file.close()
                    raise TableError("{path} is being written by another sweep", path=str(path))
                if os.path.samestat(os.fstat(file.fileno()), os.stat(path)):
                    break
                file.close()  # another process has just sorted its rows
        if force:
            file.truncate(0)
        return file

    def _read(self) -> None:
        """Read which runs there are, and truncate an incomplete last line."""
        file = self._file
        file.seek(0)
        with os.fdopen(os.dup(file.fileno()), "rb") as buffered:
            offset = self._read_head(buffered)
            for number, line in enumerate(buffered, 1):
                if not line.endswith(b"\n") and self._lines.may_begin(line):
                    break  # incomplete
                row = self._lines.row(line, self._columns) if line.endswith(b"\n") else None
                if row is None:
                    raise self._foreign("row {number} is not a row of a sweep", number=number)
                run, digest = self._lines.plain(row)
                if digest != self._sweep.digest:
                    raise self._foreign("it holds another sweep: its spec, --over or version differs")
                if not 0 <= run < len(self.done) or self.done[run]:
                    raise self._foreign("row {number} has a run number that this sweep does not have", number=number)
                self.done[run], self._offsets[run] = 1, offset
                offset += len(line)
        file.truncate(offset)
        self._size = offset

    def _read_head(self, file: BinaryIO) -> int:
        """Read the columns and return where the rows begin: 0 in an empty file, whose header is not yet written."""
        if not self._lines.head((RUN, SWEEP)):
            return 0
        head = file.readline()
        columns = self._lines.columns(head)
        if not head.endswith(b"\n") and f"{RUN},".encode().startswith(head[: len(RUN) + 1]):
            return 0  # empty, or incomplete before the first row
        if columns is None:
            raise self._foreign("it is not the table of a sweep")
        self._columns = columns
        return len(head)

    def _foreign(self, why: English, **values: object) -> TableError:
        reason = Text(why, values)
        return TableError("{path} exists, and {why}; --force starts over", path=str(self._path), why=reason)

    def _widen(self, names: Sequence[str]) -> None:
        """Add the columns of new rows to a table with a header."""
        head = self._lines.head(names)
        if not head or set(names) <= set(self._columns):
            return
        columns = ordered((*self._sweep.columns, *self._columns, *names))
        if self.rows:
            self._rewrite(columns)
        else:
            self._columns = columns
            self._file.truncate(0)
            with naming_path(self._path):
                self._append(self._lines.head(columns), 0)

    def _append(self, text: bytes, end: int) -> None:
        """Write at the end of the file, completely or not at all."""
        try:
            self._file.seek(end)
            left = memoryview(text)
            while left:
                left = left[self._file.write(left) :]
            self._size = end + len(text)
        except BaseException:
            self._file.truncate(end)
            raise

    def _rewrite(self, columns: Sequence[str]) -> None:
        """Rewrite the file with its rows in order under these columns, and replace the old one."""
        self.check_in_place()
        offsets = array("q", [-1]) * len(self.done)

        def write(file: BinaryIO) -> None:
            offset = file.write(self._lines.head(columns))
            for row in self.in_order():
                run, _ = self._lines.plain(row)
                offsets[run] = offset
                offset += file.write(self._lines.line(row, columns))

        write_atomically(self._path, write)
        self._file.close()
        self._file = self._opened(force=False)
        self._size = os.fstat(self._file.fileno()).st_size
        self._columns, self._offsets = tuple(columns), offsets


def csv_table(path: Path, sweep: Crossing, *, force: bool = False) -> GrowingTable:
    """Open a CSV table; see `GrowingTable`."""
    return GrowingTable(path, sweep, CsvLines(), force=force)


def json_table(path: Path, sweep: Crossing, *, force: bool = False) -> GrowingTable:
    """Open a table with one JSON object per line; see `GrowingTable`."""
    return GrowingTable(path, sweep, JsonLines(), force=force)
