"""The brush that paints masks."""

import numpy as np
from numpy.typing import NDArray

from attnviz.experiment.fields import painted
from attnviz.gui.plots.matrix.matrix import Cell


class MaskBrush:
    """Collects the cells of a stroke. Fast mouse moves skip cells, so the line between two positions is painted."""

    def __init__(self) -> None:
        self.strokes = 0
        """The number of strokes begun, which is the newest one's number."""
        self._cells: NDArray[np.bool_] = np.zeros((1, 1), bool)
        self._last: Cell | None = None

    def begin(self, mask: str, shape: tuple[int, int]) -> None:
        """Begin a stroke on a painted mask, for weights of ``shape`` (queries, keys)."""
        self.strokes += 1
        self._cells = painted.forbidden(mask, *shape)
        self._last = None

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape (queries, keys) of the weights that are painted."""
        return self._cells.shape

    def has_painted(self, cell: Cell) -> bool:
        """Return whether a cell is masked."""
        return bool(self._cells[cell.row, cell.column])

    def paint(self, cell: Cell, *, forbid: bool) -> str:
        """Move the brush to a cell and return the painted mask."""
        assert cell.column is not None
        last = self._last or cell
        assert last.column is not None
        steps = max(abs(cell.row - last.row), abs(cell.column - last.column)) + 1
        rows = np.rint(np.linspace(last.row, cell.row, steps)).astype(int)
        columns = np.rint(np.linspace(last.column, cell.column, steps)).astype(int)
        self._cells[rows, columns] = forbid
        self._last = cell
        return painted.write(self._cells)
