"""The numbers of a trace as a long table: one row for each cell of the weights, as statistics programs want it.

Numbers are written with all their digits, so that they are read back bit for bit.
"""

import csv
import io
from pathlib import Path
from typing import BinaryIO

from attnviz.experiment.files.plain_files import write_atomically
from attnviz.experiment.labs import Trace
from attnviz.export.figures.settings import wrong_choice
from attnviz.export.labs import EXPORTS


def write_long_table(
    trace: Trace, path: Path, *, heads: tuple[int, ...] | None = None, item: int | None = None
) -> None:
    """Write the cells of a trace as CSV in UTF-8, batch item after item, head after head, row after row.

    Places are counted as the window shows them: heads from 1, everything else from 0. ``masked`` is 1 where the mask
    forbids the cell, and a score is the one before the mask. ``heads`` and ``item`` choose some of them; None is all.

    Raises:
        ValueError: the trace has no such head or batch item, or no head is chosen; names the nearest.
        OSError: the place cannot be written; an older file there is whole.
    """
    wrong = wrong_choice(heads, item, trace.num_heads, trace.items)
    if wrong:
        raise ValueError(wrong)
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
