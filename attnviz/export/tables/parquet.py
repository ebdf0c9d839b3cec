"""The table of a sweep in Parquet: its rows are collected as JSON lines beside it, and become columns at the end."""

import importlib.util
import itertools
import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from attnviz.experiment.files.plain_files import write_atomically
from attnviz.experiment.sweeps.crossing import Crossing
from attnviz.export.tables.columns import Row, ordered
from attnviz.export.tables.growing import GrowingTable, TableError, TableGoneError, json_table

_AT_ONCE = 5000
"""The number of rows per row group, which are in memory at once."""
_KEY = b"attnviz sweep"
"""The metadata key that identifies the sweep."""


class ParquetTable:
    """The table of a sweep in a Parquet file; see `GrowingTable`."""

    def __init__(self, path: Path, sweep: Crossing, *, force: bool = False) -> None:
        """Open the file of JSON lines beside it, or recognise a finished table.

        Raises:
            TableError: as `GrowingTable`; or pyarrow is not installed.
            OSError: a file cannot be read or written.
        """
        if importlib.util.find_spec("pyarrow") is None:
            sentence = "{path}: Parquet needs pyarrow: pip install 'attnviz[cluster]'; nearest: {nearest}"
            raise TableError(sentence, path=str(path), nearest=str(path.with_suffix(".csv")))
        self._path, self._sweep = path, sweep
        self._beside = path.with_name(f"{path.name}.jsonl")
        self._is_there = path.exists() and not force
        if self._is_there and _sweep_of(path) != sweep.digest:
            sentence = "{path} exists, but is not the table of this sweep (spec, --over, version); --force starts over"
            raise TableError(sentence, path=str(path))
        self._rows: GrowingTable | None = None if self._is_there else json_table(self._beside, sweep, force=force)

    @property
    def done(self) -> bytearray:
        """1 for each run that has a row."""
        return bytearray(b"\1" * len(self._sweep)) if self._rows is None else self._rows.done

    @property
    def rows(self) -> int:
        """The number of its rows."""
        return sum(self.done)

    def add(self, rows: Sequence[Row]) -> None:
        """Add rows; see `GrowingTable.add`."""
        if self._rows is not None:
            self._rows.add(rows)

    def finish(self) -> None:
        """Write the rows as columns, and remove the file of lines.

        Raises:
            OSError: the file cannot be written; the file of lines is kept.
        """
        if self._rows is not None:
            self._rows.check_in_place()
            _write(self._path, self._rows, self._sweep)
            self._rows.close()
            self._rows = None
        self._beside.unlink(missing_ok=True)

    def in_order(self) -> Iterator[dict[str, Any]]:
        """Yield its rows in the order of their runs; see `GrowingTable.in_order`."""
        if self._rows is not None:
            yield from self._rows.in_order()
            return
        import pyarrow.parquet

        with pyarrow.parquet.ParquetFile(self._path) as file:
            for batch in file.iter_batches(_AT_ONCE // 10):
                yield from batch.to_pylist()

    def check_in_place(self) -> None:
        """Check that the table's file is still in place; see `GrowingTable.check_in_place`."""
        if self._rows is not None:
            self._rows.check_in_place()
        elif not self._path.is_file():
            raise TableGoneError("{path} was removed or replaced", path=str(self._path))

    def close(self) -> None:
        """Close the file of lines."""
        if self._rows is not None:
            self._rows.close()


def _sweep_of(path: Path) -> str:
    """Return the digest of the sweep in a table file; "" for any other file."""
    import pyarrow
    import pyarrow.parquet

    try:
        metadata = pyarrow.parquet.read_schema(path).metadata or {}
    except (pyarrow.ArrowException, OSError):
        return ""
    return str(metadata.get(_KEY, b"").decode("utf-8", "replace"))


def _write(path: Path, table: GrowingTable, sweep: Crossing) -> None:
    import pyarrow
    import pyarrow.parquet

    types: dict[str, set[type]] = {name: set() for name in sweep.columns}
    for row in table.in_order():
        for name, value in row.items():
            types.setdefault(name, set()).add(type(value))
    names = ordered(types)
    fields = [pyarrow.field(name, _arrow_type(types[name])) for name in names]
    schema = pyarrow.schema(fields, metadata={_KEY: sweep.digest.encode()})

    def write(file: Any) -> None:
        with pyarrow.parquet.ParquetWriter(file, schema) as writer:
            for rows in _grouped(table.in_order()):
                writer.write_table(pyarrow.Table.from_pylist([_cells(row, schema) for row in rows], schema))

    write_atomically(path, write)


def _arrow_type(kinds: set[type]) -> Any:
    import pyarrow

    kinds = kinds - {type(None)}
    if kinds and kinds <= {int, float}:
        return pyarrow.int64() if kinds == {int} else pyarrow.float64()
    return pyarrow.bool_() if kinds == {bool} else pyarrow.string() if kinds else pyarrow.float64()


def _cells(row: Mapping[str, Any], schema: Any) -> dict[str, Any]:
    """Return the values of a row; a value in a text column that is not a text is stored as JSON."""
    import pyarrow

    texts = {field.name for field in schema if field.type == pyarrow.string()}
    return {
        name: json.dumps(value, ensure_ascii=False, separators=(",", ":"))
        if name in texts and value is not None and not isinstance(value, str)
        else value
        for name, value in row.items()
    }


def _grouped(rows: Iterator[dict[str, Any]]) -> Iterator[list[dict[str, Any]]]:
    while group := list(itertools.islice(rows, _AT_ONCE)):
        yield group
