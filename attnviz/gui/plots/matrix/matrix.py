"""The content of a heatmap: numbers, their colours and labels; and the visible part of its cells."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Literal, overload

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRectF
from typing_extensions import override

from attnviz.definitions.counting import short_name
from attnviz.gui.plots.layout import Margins, cells_size
from attnviz.gui.theme import Look
from attnviz.gui.widgets.words import cell_text, number_text, translate

_SAMPLE = 64
_LONGEST = 8


class NumberLabels(Sequence[str]):
    """The numbers (n,) of an axis, each formatted as text."""

    def __init__(self, numbers: NDArray[np.float64], form: str, prefix: str = "") -> None:
        self._numbers, self._form, self._prefix = numbers, form, prefix

    @override
    def __len__(self) -> int:
        return len(self._numbers)

    @overload
    def __getitem__(self, place: int) -> str: ...
    @overload
    def __getitem__(self, place: slice) -> tuple[str, ...]: ...
    @override
    def __getitem__(self, place: int | slice) -> str | tuple[str, ...]:
        if isinstance(place, slice):
            return tuple(self[each] for each in range(*place.indices(len(self))))
        return f"{self._prefix}{self._numbers[place]:{self._form}}"

    def some(self) -> tuple[str, ...]:
        """Return a sample of the labels, to measure their width."""
        return self[:: max(1, len(self) // _SAMPLE)]


@dataclass(frozen=True, eq=False)
class Matrix:
    """The content of a heatmap: (Q, K) colour levels with the values behind them, and the labels around them."""

    levels: NDArray[np.uint8]
    values: NDArray[np.floating]
    mask: NDArray[np.bool_] | None
    row_labels: Sequence[str]
    column_labels: Sequence[str]
    row_sums: NDArray[np.float64] | None
    title: str
    row_title: str
    column_title: str
    note: str = ""
    """A second line under the title, in place of the names of rows and columns."""
    decimals: int = 2
    square: bool = True
    """Whether cells are square; else they fill the room."""
    row_role: str = "q"
    column_role: str = "k"
    """The theme's colours of the two axes, and of the marks on a row and a column."""
    title_role: str = "text"
    empty_rows: NDArray[np.bool_] | None = None
    """Rows without a valid key, which are labelled as such."""
    slices: int = 1
    """The number of heads that share the columns, each a slice of them."""
    dropped: NDArray[np.bool_] | None = None
    """Cells set to 0 by dropout, with a cross in place of their value; None without dropout."""
    outlined: tuple[tuple[int, int], ...] = ()
    """Cells, row and column, with a thin frame, to point them out."""
    signed: bool = False
    """Whether the values are differences, which are written with their sign."""
    told: Callable[[int, int], str] | None = None
    """Returns a description of the cell in a row and a column, with its numbers; None: only its number."""
    names_beside: tuple[str, ...] = ()
    """Labels of the matrices beside it; each reserves room for those of all, so that their cells are aligned."""
    measured: dict[Look, Margins] = field(default_factory=dict, init=False, repr=False)
    """Measured margins for the labels, by look."""

    @cached_property
    def longest_rows(self) -> tuple[str, ...]:
        """The row labels with the most letters, see `longest`."""
        return longest((*longest(self.row_labels), *self.names_beside))

    @cached_property
    def longest_columns(self) -> tuple[str, ...]:
        """The column labels with the most letters, see `longest`."""
        return longest((*longest(self.column_labels), *self.names_beside))

    def text_of(self, value: float) -> str:
        """Return a value as the text of a cell.

        A sign replaces the zero before the point, or the last decimal, so that the cell need not be wider.
        """
        if not self.signed or not math.isfinite(value):
            return cell_text(value, self.decimals)
        text = number_text(value, f".{self.decimals}f")
        figures = text.removeprefix("-")
        if not figures.strip("0."):
            return figures.removeprefix("0")
        sign = "-" if value < 0 else "+"
        return sign + (figures[1:] if figures.startswith("0.") else number_text(abs(value), f".{self.decimals - 1}f"))

    def said(self, row: int, column: int | None) -> str:
        """Return a description of a cell or a row: its name, and its sum if it has one."""
        name = self.row_labels[row]
        if column is None:
            if self.row_sums is None:
                return translate("row {0}").format(name)
            return translate("row {0}: sum {1}").format(name, number_text(float(self.row_sums[row]), ".4g"))
        if self.told is not None:
            return self.told(row, column)
        number = number_text(float(self.values[row, column]), ".4g")
        return translate("row {0}, column {1}: {2}").format(name, self.column_labels[column], number)

    @property
    def upright(self) -> bool:
        """Whether column labels are upright: numbers and short words are, others are slanted."""
        numbers = isinstance(self.column_labels, NumberLabels) or not self.square
        return numbers or all(len(label) <= 4 for label in self.longest_columns)


def longest(labels: Sequence[str]) -> tuple[str, ...]:
    """Return the few labels with the most letters, as drawn, one of which is assumed to be the widest.

    Measuring thousands of labels would cost a frame. Equal labels give an equal sample in every process.
    """
    return _longest(tuple(labels.some() if isinstance(labels, NumberLabels) else labels))


@lru_cache(maxsize=64)
def _longest(labels: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(sorted(set(map(short_name, labels)), key=lambda label: (len(label), label))[-_LONGEST:])


_FEWEST = 4


Marks = Literal["cell", "row", "column"]
"""The frame of a selected cell: around it, its row and its column, or only one of these."""


@dataclass(frozen=True, slots=True)
class Cell:
    """A row and a column."""

    row: int
    column: int | None


class CellView:
    """Maps the cells of a (rows, columns) matrix to a widget's coordinates and back; zooming limits what is visible."""

    def __init__(self) -> None:
        self.shape = (1, 1)
        self.visible = QRectF(0, 0, 1, 1)
        """In cells."""
        self.area = QRectF()
        """Where the visible cells are drawn, in points of the widget."""

    def show_all(self, shape: tuple[int, int]) -> None:
        """Make every cell of a matrix visible."""
        self.shape = shape
        self.visible = QRectF(0, 0, shape[1], shape[0])

    def place(self, room: QRectF, *, square: bool, least: float) -> None:
        """Place the cells in a rectangle: square ones as large as possible, see `cells_size`; others fill it."""
        width, height = max(1.0, room.width()), max(1.0, room.height())
        if square:
            width, height = cells_size(self.shape, width, height, least)
        x = room.x() + max(0.0, (room.width() - width) / 2)
        y = room.y() + max(0.0, (room.height() - height) / 3)
        self.area = QRectF(round(x), round(y), width, height)

    def cell_at(self, place: QPointF) -> Cell | None:
        """Return the cell under a point."""
        area, visible = self.area, self.visible
        if not area.contains(place):
            return None
        row = int(visible.y() + (place.y() - area.y()) / area.height() * visible.height())
        column = int(visible.x() + (place.x() - area.x()) / area.width() * visible.width())
        return Cell(min(row, self.shape[0] - 1), min(column, self.shape[1] - 1))

    def rect_of(self, row: int, column: int | None) -> QRectF:
        """Return the rectangle of a cell or a whole row; it may be outside the area while zoomed."""
        area, visible = self.area, self.visible
        width, height = area.width() / visible.width(), area.height() / visible.height()
        y = area.y() + (row - visible.y()) * height
        if column is None:
            return QRectF(area.x(), y, area.width(), height)
        return QRectF(area.x() + (column - visible.x()) * width, y, width, height)

    def whole_rect(self) -> QRectF:
        """Return the rectangle of the whole matrix, including its hidden part."""
        first = self.rect_of(0, 0)
        return QRectF(first.x(), first.y(), first.width() * self.shape[1], first.height() * self.shape[0])

    def rows(self) -> range:
        """Return the rows that are completely or partly visible."""
        return range(int(self.visible.top()), min(self.shape[0], math.ceil(self.visible.bottom())))

    def columns(self) -> range:
        """Return the columns that are completely or partly visible."""
        return range(int(self.visible.left()), min(self.shape[1], math.ceil(self.visible.right())))

    def zoom(self, place: QPointF, factor: float) -> None:
        """Show ``factor`` times as many cells; the one under the point stays in place."""
        area, old = self.area, self.visible
        rows, columns = self.shape
        width = min(max(old.width() * factor, min(_FEWEST, columns)), columns)
        height = min(max(old.height() * factor, min(_FEWEST, rows)), rows)
        left = old.x() + (place.x() - area.x()) / area.width() * (old.width() - width)
        top = old.y() + (place.y() - area.y()) / area.height() * (old.height() - height)
        self._look_at(left, top, width, height)

    def move(self, by: QPointF) -> None:
        """Move the visible part by a drag in pixels of the widget."""
        old = self.visible
        left = old.x() - by.x() / self.area.width() * old.width()
        top = old.y() - by.y() / self.area.height() * old.height()
        self._look_at(left, top, old.width(), old.height())

    def reveal(self, row: int, column: int) -> bool:
        """Scroll just enough to make a cell completely visible; return whether that was necessary."""
        old = self.visible
        left = min(max(old.x(), column + 1 - old.width()), column)
        top = min(max(old.y(), row + 1 - old.height()), row)
        if (left, top) == (old.x(), old.y()):
            return False
        self._look_at(left, top, old.width(), old.height())
        return True

    def _look_at(self, left: float, top: float, width: float, height: float) -> None:
        left = min(max(0.0, left), self.shape[1] - width)
        top = min(max(0.0, top), self.shape[0] - height)
        self.visible = QRectF(left, top, width, height)
