"""The numbers of a trace as files: every array, a long table, or points as two columns.

Numbers are written with all their digits, so that they are read back bit for bit.
"""

import csv
import io
import math
import pkgutil
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from attnviz.definitions.formats import FORMATS
from attnviz.definitions.text import Text
from attnviz.experiment.arrays import Vector
from attnviz.experiment.files.arrays_file import SPEC, WARNING
from attnviz.experiment.files.plain_files import write_atomically
from attnviz.experiment.labs import Trace
from attnviz.export.figures.settings import FigureSettings, check_choice
from attnviz.export.labs import EXPORTS, table_of_page
from attnviz.export.tables.cells import cell_text
from attnviz.export.tables.heads import write_csv

MANY = 1_000_000
"""Writing a table of this many rows takes seconds, so its size is announced beforehand."""
_AT_ONCE = 1000

Heads = tuple[int, ...] | None
Progress = Callable[[int, int], object]
"""Called with the number of written rows and of all rows."""


def _say_nothing(done: int, count: int) -> None:
    del done, count


def write_npz(
    trace: Trace,
    path: Path,
    *,
    heads: Heads = None,
    item: int | None = None,
    layers: tuple[int, ...] | None = None,
    settings: FigureSettings | None = None,
    progress: Progress = _say_nothing,
) -> None:
    """Write every array of the trace under its fixed name, ``spec`` as a JSON string, and ``warning`` if there is one.

    The file holds all heads and items, whichever are chosen. ``layers`` selects layers of a model, counted from 0; None
    is all of them. If ``settings`` name a page with a table, its columns are arrays, too, named "page_column".

    Raises:
        ValueError: the trace has no such layer, or its arrays are not stored by layer.
        OSError: the file cannot be written; an older file is kept.
    """
    del heads, item, progress
    chosen = trace.arrays() if layers is None else trace.arrays_of(layers)
    warned = {WARNING: np.array(str(trace.warning))} if trace.warning else {}
    page, columns = "" if settings is None else settings.page, _page_columns(trace, settings)
    drawn = {f"{page}_{name}": np.array(column) for name, column in columns.items()}
    arrays = chosen | warned | drawn | {SPEC: np.array(trace.spec.model_dump_json())}
    write_atomically(path, lambda file: np.savez(file, **dict[str, Any](arrays)))


def write_long_table(
    trace: Trace,
    path: Path,
    *,
    heads: Heads = None,
    item: int | None = None,
    layers: tuple[int, ...] | None = None,
    settings: FigureSettings | None = None,
    progress: Progress = _say_nothing,
) -> None:
    """Write the cells of a trace as CSV in UTF-8, batch item after item, head after head, row after row.

    Positions are counted as in `attnviz.definitions.counting` for CSV. ``masked`` is 1 where the mask
    forbids the cell, and a score is the one before the mask. ``heads`` and ``item`` choose some of them; None is all.
    For a model it writes the layer of the trace, whichever ``layers`` are chosen. A warning of the trace, if any,
    is a last column, ``warning``. If ``settings`` name a page with a table, that table is written instead.

    Raises:
        ValueError: the trace has no such head or batch item, or no head is chosen; names the nearest.
        OSError: the file cannot be written; an older file is kept.
    """
    del layers
    count = _row_count(trace, heads, item)
    if columns := _page_columns(trace, settings):
        columns |= {WARNING: [str(trace.warning)] * len(next(iter(columns.values())))} if trace.warning else {}
        write_csv([dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)], path)
        return

    def write(file: BinaryIO) -> None:
        text = io.TextIOWrapper(file, encoding="utf-8", newline="")
        table = csv.writer(text, lineterminator="\n")
        warned = (str(trace.warning),) * bool(trace.warning)
        table.writerow((*EXPORTS[trace.spec.lab].columns, *[WARNING] * len(warned)))
        rows, done = ((*row, *warned) for row in _rows(trace, heads, item)), 0
        while some := list(islice(rows, _AT_ONCE)):
            table.writerows([cell_text(cell) if isinstance(cell, str) else cell for cell in row] for row in some)
            done += len(some)
            progress(done, count)
        text.detach()  # flushed; the caller's file stays open

    write_atomically(path, write)


def _page_columns(trace: Trace, settings: FigureSettings | None) -> dict[str, list[Any]]:
    """Return the columns of the table of the page that settings name; empty if it has none."""
    table = None if settings is None else table_of_page(trace, settings.page)
    rows = [] if table is None else list(pkgutil.resolve_name(table.rows)(trace, settings))
    return {name: [row[name] for row in rows] for name in (rows[0] if rows else ())}


def _rows(trace: Trace, heads: Heads, item: int | None) -> Iterator[tuple[Any, ...]]:
    for batch_item in range(trace.items) if item is None else (item,):
        for head in range(trace.num_heads) if heads is None else heads:
            yield from EXPORTS[trace.spec.lab].rows(trace, batch_item, head)


def _row_count(trace: Trace, heads: Heads, item: int | None) -> int:
    check_choice(heads, item, trace.num_heads, trace.items)
    chosen: int = (trace.items if item is None else 1) * (trace.num_heads if heads is None else len(heads))
    cells: int = max(1, trace.spec.layers_run) * math.prod(trace.weights.shape[-2:])
    return chosen * cells


def size_of_table(
    trace: Trace, path: Path, *, heads: Heads = None, item: int | None = None, settings: FigureSettings | None = None
) -> Text:
    """Return the expected length and size of a table; empty for fewer rows than `MANY`, or a file of arrays."""
    count = _row_count(trace, heads, item)
    if settings is not None and table_of_page(trace, settings.page) is not None:
        return Text()  # a page's table is as short as its picture
    if path.suffix.lower() != FORMATS["csv"].suffix or count < MANY:
        return Text()
    sample, rows = io.StringIO(), list(islice(_rows(trace, heads, item), _AT_ONCE))
    csv.writer(sample, lineterminator="\n").writerows(rows)
    size = len(sample.getvalue().encode()) / len(rows) * count / 1e6
    return Text("{rows} rows, about {size} MB", {"rows": f"{count:,}", "size": f"{size:.0f}"})


def points_text(x: Vector, y: Vector) -> str:
    """Return x (K,) and y (K,) as lines of CSV below the header ``x,y``, with all digits."""
    rows = zip(x.tolist(), y.tolist(), strict=True)
    return "x,y\n" + "".join(f"{each_x!r},{each_y!r}\n" for each_x, each_y in rows)


def write_points(x: Vector, y: Vector, path: Path) -> None:
    """Write x (K,) and y (K,) as a CSV file in UTF-8, whose numbers are read back bit for bit.

    Raises:
        OSError: the file cannot be written; an older file is kept.
    """
    text = points_text(x, y)
    write_atomically(path, lambda file: file.write(text.encode()))
