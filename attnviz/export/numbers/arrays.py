"""The numbers of a trace as a file."""

from pathlib import Path
from typing import Any

import numpy as np

from attnviz.experiment.files.plain_files import write_atomically
from attnviz.experiment.labs import Trace


def write_npz(trace: Trace, path: Path, *, heads: tuple[int, ...] | None = None, item: int | None = None) -> None:
    """Write every array of the trace under its fixed name, and ``spec`` as a JSON string.

    The file holds all heads and items, whichever are chosen.

    Raises:
        OSError: the place cannot be written; an older file there is whole.
    """
    del heads, item
    arrays = trace.arrays() | {"spec": np.array(trace.spec.model_dump_json())}
    write_atomically(path, lambda file: np.savez(file, **dict[str, Any](arrays)))
