"""Positions of a figure's cells in its pixels, for tests that compare them with the tensor."""

from functools import cache
from typing import Any

import numpy as np

from attnviz.engine.run import run
from attnviz.experiment.colours import MASKED, NOT_FINITE
from attnviz.experiment.files.specs_in_files import preset
from attnviz.experiment.labs import Spec, Trace
from attnviz.export.figures.parts import CELLS

Array = np.ndarray[Any, Any]


def last_trace(spec: Spec) -> Trace:
    *_, trace = run(spec)
    return trace  # type: ignore[return-value]


@cache
def trace_of(name: str) -> Trace:
    """Return the last trace of a preset, run once."""
    return last_trace(preset(name).spec)


def cell_axes(figure: Any) -> list[Any]:
    """Return the axes of a figure that show cells, in the order in which they were drawn."""
    return [axes for axes in figure.axes if axes.get_label() == CELLS]


def found_and_expected(
    figure: Any, axes: Any, pixels: Array, levels: Array, colours: Array, *, at: tuple[float, float] = (0.0, 0.0)
) -> tuple[Array, Array]:
    """Return the (n, 3) pixels at the centres of all unmasked cells, and the (n, 3) expected colours.

    ``at`` is the offset from the centre, in cells; masked cells are hatched, and left out.
    """
    height, width = pixels.shape[:2]
    page_width, page_height = figure.bbox.width, figure.bbox.height
    rows, columns = np.nonzero((levels != MASKED) & (levels != NOT_FINITE))
    places = axes.transData.transform(np.stack([columns + at[0], rows + at[1]], axis=-1))
    x = np.floor(places[:, 0] / page_width * width).astype(int)
    y = np.floor((1 - places[:, 1] / page_height) * height).astype(int)
    return pixels[y, x, :3], colours[levels[rows, columns]]
