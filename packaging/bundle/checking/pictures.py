"""Compares two pictures, or two files of arrays: `python pictures.py FIRST SECOND`, in the checkout's environment.

Prints one line: "same", or where they differ. The status bar is left out, since it has the times of the run and of the
drawing; all else is compared pixel by pixel.
"""

import sys
from pathlib import Path

import numpy as np
from PIL import Image

STATUS_BAR = 30
"""The height in pixels of the status bar, at the lower edge."""
COMPARED = f"every pixel but the status bar's, which has times (the last {STATUS_BAR} rows)"


def difference(first: "np.ndarray", second: "np.ndarray") -> str:
    """Return where two (height, width, colours) pictures differ above the status bar; "" if nowhere."""
    if first.shape != second.shape:
        return f"one is {first.shape[1]}x{first.shape[0]}, the other {second.shape[1]}x{second.shape[0]}"
    rows, columns = np.nonzero((first != second).any(axis=2)[: len(first) - STATUS_BAR])
    if not len(rows):
        return ""
    ends = f"x {columns.min()} to {columns.max()}, y {rows.min()} to {rows.max()}"
    return f"{len(rows)} pixels differ, {ends}"


def difference_of_arrays(first: Path, second: Path) -> str:
    """Return which arrays of two .npz files differ in a bit; "" if none. The version that wrote them is left out."""
    with np.load(first, allow_pickle=False) as ours, np.load(second, allow_pickle=False) as theirs:  # noqa: TID251 - the app's own files
        if sorted(ours) != sorted(theirs):
            return f"arrays of one alone: {', '.join(sorted(set(ours) ^ set(theirs)))}"
        numbers = [name for name in ours if ours[name].dtype.kind in "fiub"]
        other = [name for name in numbers if not np.array_equal(ours[name], theirs[name], equal_nan=True)]
        return f"other numbers in {', '.join(other)}" if other else "" if numbers else "no numbers"


def main(first: Path, second: Path) -> str:
    if first.suffix == ".npz":
        return difference_of_arrays(first, second) or "same"
    with Image.open(first) as ours, Image.open(second) as theirs:
        return difference(*(np.asarray(image.convert("RGB")) for image in (ours, theirs))) or "same"


if __name__ == "__main__":
    print(main(*map(Path, sys.argv[1:3])))
