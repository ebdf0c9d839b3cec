"""Short tables whose rows are known at once: of a sweep's heads, with a row for each, and of a page."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from attnviz.experiment.files.plain_files import write_atomically
from attnviz.export.tables.lines import CsvLines, JsonLines, Lines


def write_csv(rows: Iterable[Mapping[str, Any]], path: Path) -> None:
    """Write rows as CSV; raises OSError if the file cannot be written, and keeps the old one."""
    _write(rows, path, CsvLines())


def write_json(rows: Iterable[Mapping[str, Any]], path: Path) -> None:
    """Write rows as JSON lines; as `write_csv`."""
    _write(rows, path, JsonLines())


def _write(rows: Iterable[Mapping[str, Any]], path: Path, lines: Lines) -> None:
    held = list(rows)
    columns = tuple(held[0]) if held else ()
    content = lines.head(columns) + b"".join(lines.line(row, columns) for row in held)
    write_atomically(path, lambda file: file.write(content))
