"""The two line formats of a row: CSV and JSON. All numbers are read back bit for bit."""

import contextlib
import csv
import io
import json
import math
from collections.abc import Sequence
from typing import Any

from attnviz.experiment.sweeps.crossing import RUN, SWEEP
from attnviz.export.tables.cells import cell_text, text_of_cell
from attnviz.export.tables.columns import Row


class CsvLines:
    """CSV in UTF-8 with a header. Infinity is ``inf``; missing values and NaN are empty; a spec is JSON."""

    def head(self, columns: Sequence[str]) -> bytes:
        """Return the first line of a file with these columns: their names."""
        return _csv_line([cell_text(name) for name in columns])

    def columns(self, head: bytes) -> tuple[str, ...] | None:
        """Return the columns named by a header; None if those of every sweep are not among them."""
        names = _csv_cells(head)
        return tuple(names) if {RUN, SWEEP} <= set(names) else None

    def line(self, row: Row, columns: Sequence[str]) -> bytes:
        """Return the line of a row."""
        return _csv_line([_csv_text(row.get(name)) for name in columns])

    def row(self, line: bytes, columns: Sequence[str]) -> dict[str, Any] | None:
        """Return the texts of a line by their columns; None if it is not a complete row."""
        cells = _csv_cells(line)
        if len(cells) != len(columns):
            return None
        row = dict(zip(columns, cells, strict=True))
        return row if row[RUN].isdecimal() else None

    def may_begin(self, line: bytes) -> bool:
        """Return whether an incomplete line may be the beginning of a row: it begins with a number."""
        return line.partition(b",")[0].isdigit()

    def plain(self, row: dict[str, Any]) -> tuple[int, str]:
        """Return the number of the run of a row, and the digest of its sweep."""
        return int(row[RUN]), row[SWEEP]


def _csv_line(cells: Sequence[str]) -> bytes:
    file = io.StringIO()
    csv.writer(file, lineterminator="\n").writerow(cells)
    return file.getvalue().encode("utf-8", "backslashreplace")


def _csv_cells(line: bytes) -> list[str]:
    csv.field_size_limit(1 << 30)
    try:
        return list(map(text_of_cell, next(csv.reader([line.decode("utf-8")], strict=True), [])))
    except (UnicodeDecodeError, csv.Error):
        return []


def _csv_text(value: Any) -> str:
    if type(value) is float:  # nearly all of a row
        return "" if math.isnan(value) else repr(value)
    match value:
        case None:
            return ""
        case bool():
            return "true" if value else "false"
        case float():
            return "" if math.isnan(value) else repr(value)
        case int():
            return str(value)
        case str():
            return cell_text(" ".join(value.splitlines()) if "\n" in value or "\r" in value else value)
        case _:
            return cell_text(json.dumps(value, ensure_ascii=False, separators=(",", ":")))


class JsonLines:
    """JSON, one object per line. NaN is null; infinity is 1e999, which JSON readers parse as such."""

    def head(self, columns: Sequence[str]) -> bytes:
        """Return nothing: each line has its own names."""
        del columns
        return b""

    def columns(self, head: bytes) -> tuple[str, ...] | None:
        """Return no columns."""
        del head
        return ()

    def line(self, row: Row, columns: Sequence[str]) -> bytes:
        """Return the line of a row."""
        del columns
        known = {name: None if isinstance(value, float) and math.isnan(value) else value for name, value in row.items()}
        with contextlib.suppress(ValueError):  # infinity, which JSON lacks
            text = json.dumps(known, ensure_ascii=False, allow_nan=False)
            return f"{text}\n".encode("utf-8", "backslashreplace")
        parts = [f"{json.dumps(name)}: {_json_text(value)}" for name, value in row.items()]
        return f"{{{', '.join(parts)}}}\n".encode("utf-8", "backslashreplace")

    def row(self, line: bytes, columns: Sequence[str]) -> dict[str, Any] | None:
        """Return the values of a line; None if it is not a complete row."""
        del columns
        try:
            row = json.loads(line)
        except (ValueError, RecursionError):
            return None
        return row if isinstance(row, dict) and isinstance(row.get(RUN), int) and SWEEP in row else None

    def may_begin(self, line: bytes) -> bool:
        """Return whether an incomplete line may be the beginning of a row: it begins with the run."""
        begin = f'{{"{RUN}": '.encode()
        return begin.startswith(line[: len(begin)])

    def plain(self, row: dict[str, Any]) -> tuple[int, str]:
        """Return the number of the run of a row, and the digest of its sweep."""
        return row[RUN], str(row[SWEEP])


def _json_text(value: Any) -> str:
    if isinstance(value, float) and not math.isfinite(value):
        return "null" if math.isnan(value) else "1e999" if value > 0 else "-1e999"
    return json.dumps(value, ensure_ascii=False)


Lines = CsvLines | JsonLines
"""A format of rows. A line ends with its only newline."""
