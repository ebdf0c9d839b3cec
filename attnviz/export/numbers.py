"""The numbers of a trace as files: every array, a long table, or points as two columns.

Numbers are written with all their digits, so that they are read back bit for bit.
"""

import csv
import io
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from attnviz.experiment.arrays import Vector
from attnviz.experiment.files import write_atomically
from attnviz.experiment.labs import Trace
from attnviz.export.figures.settings import check_choice
from attnviz.export.labs import EXPORTS


def write_npz(trace: Trace, path: Path, *, heads: tuple[int, ...] | None = None, item: int | None = None) -> None:
    """Write every array of the trace under its fixed name, and ``spec`` as a JSON string.

    The file holds all heads and items, whichever are chosen.

    Raises:
        OSError: the place cannot be written; an older file there is whole.
    """
    del heads, item
    arrays = trace.arrays() | {"spec": np.array(trace.spec.model_dump_json())}
    write_atomically(path, lambda file: np.savez(file, **dict[str, Any](arrays)))


def write_long_table(
    trace: Trace, path: Path, *, heads: tuple[int, ...] | None = None, item: int | None = None
) -> None:
    """Write the cells of a trace as CSV in UTF-8, batch item after item, head after head, row after row.

    Places are counted as `attnviz.definitions.counting` says of CSV. ``masked`` is 1 where the mask
    forbids the cell, and a score is the one before the mask. ``heads`` and ``item`` choose some of them; None is all.

    Raises:
        ValueError: the trace has no such head or batch item, or no head is chosen; names the nearest.
        OSError: the place cannot be written; an older file there is whole.
    """
    check_choice(heads, item, trace.num_heads, trace.items)
    lab = EXPORTS[trace.spec.lab]

    def write(file: BinaryIO) -> None:
        text = io.TextIOWrapper(file, encoding="utf-8", newline="")
        table = csv.writer(text, lineterminator="\n")
        table.writerow(lab.columns)
        for each in range(trace.items) if item is None else (item,):
            for head in range(trace.num_heads) if heads is None else heads:
                table.writerows(lab.rows(trace, each, head))
        text.detach()  # flushed, and the file stays open for who opened it

    write_atomically(path, write)


def points_text(x: Vector, y: Vector) -> str:
    """Return x (K,) and y (K,) as lines of CSV below the header ``x,y``; every number has all its digits."""
    rows = zip(x.tolist(), y.tolist(), strict=True)
    return "x,y\n" + "".join(f"{each_x!r},{each_y!r}\n" for each_x, each_y in rows)


def write_points(x: Vector, y: Vector, path: Path) -> None:
    """Write x (K,) and y (K,) as a CSV file in UTF-8, whose numbers are read back bit for bit.

    Raises:
        OSError: the place cannot be written; an older file there is whole.
    """
    text = points_text(x, y)
    write_atomically(path, lambda file: file.write(text.encode()))
