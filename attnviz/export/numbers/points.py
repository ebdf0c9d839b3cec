"""Points as two columns of text, which `points_of_text` and any spreadsheet read back."""

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from attnviz.experiment.files.plain_files import write_atomically

Vector = NDArray[np.float64]


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
