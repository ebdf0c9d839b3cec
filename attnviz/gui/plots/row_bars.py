"""One row of weights as bars: the keys that get most, by name."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter
from PySide6.QtWidgets import QSizePolicy, QWidget

from attnviz.gui.plots.canvas import Canvas
from attnviz.gui.plots.colour_table import ColourTable
from attnviz.gui.theme import Look

_ROW = 22
_MOST = 10


@dataclass(frozen=True, eq=False)
class Row:
    """The weights of one query: labels, values, colour levels and mask of its keys, and an optional extra column."""

    labels: tuple[str, ...]
    weights: NDArray[np.floating]
    levels: NDArray[np.uint8]
    mask: NDArray[np.bool_]
    lit: int | None = None
    extra: tuple[str, ...] = ()


class RowBars(Canvas):
    """The largest weights of a row, longest bar first; bars have the colours of the heatmap."""

    background = "panel"

    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(look, parent)
        self._row: Row | None = None
        self._order: NDArray[np.intp] = np.zeros(0, np.intp)
        self._allowed = 0
        self._table: ColourTable | None = None
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(self.tr("Weights of the chosen row"))

    def show_row(self, row: Row, table: ColourTable) -> None:
        """Draw the row's largest weights; masked keys are left out, a lit key is always among them."""
        allowed = np.flatnonzero(row.mask)
        order = allowed[np.argsort(-np.nan_to_num(row.weights[allowed]), kind="stable")]
        self._row, self._table, self._allowed = row, table, len(allowed)
        self._order = order[:_MOST]
        if row.lit is not None and row.mask[row.lit] and row.lit not in self._order:
            self._order[-1] = row.lit
        self.setAccessibleDescription(", ".join(f"{row.labels[key]} {row.weights[key]:.3f}" for key in self._order))
        self.redraw()

    def sizeHint(self) -> QSize:
        """As tall as its rows."""
        return QSize(self.look.px(240), self.look.px(_ROW) * max(1, len(self._order) + (self._allowed > _MOST)))

    def draw(self, painter: QPainter) -> None:
        """Draw label, bar, weight and the extra column of each key."""
        row, table = self._row, self._table
        if row is None or table is None:
            return
        painter.setFont(self.look.font())
        metrics = painter.fontMetrics()
        height = self.look.px(_ROW)
        labels = min(
            max((metrics.horizontalAdvance(row.labels[k]) for k in self._order), default=0) + 2, self.look.px(84)
        )
        number = metrics.horizontalAdvance("0.0e-00") + self.look.px(6)
        extra = max((metrics.horizontalAdvance(text) for text in row.extra), default=0)
        extra += self.look.px(10) if extra else 0
        room = self.width() - labels - number - extra - self.look.px(8)
        if not len(self._order):
            painter.setPen(QColor(self.look.theme.muted))
            painter.drawText(QRectF(0, 0, self.width(), height), Qt.AlignmentFlag.AlignVCenter, self.tr("no valid key"))
        most = float(np.nan_to_num(row.weights).max(initial=0.0)) or 1.0
        for place, key in enumerate(self._order):
            y = place * height
            lit = key == row.lit
            painter.setPen(QColor(self.look.theme.k if lit else self.look.theme.text))
            text = metrics.elidedText(row.labels[key], Qt.TextElideMode.ElideRight, labels)
            painter.drawText(QRectF(0, y, labels, height), _RIGHT, text)
            length = max(2.0, room * float(np.nan_to_num(row.weights[key])) / most)
            bar = QRectF(labels + self.look.px(8), y + height / 2 - self.look.px(5), length, self.look.px(10))
            painter.fillRect(bar, QColor(*map(int, table.rgb[row.levels[key]])))
            painter.setPen(QColor(self.look.theme.line))
            painter.drawRect(bar)
            painter.setPen(QColor(self.look.theme.text))
            painter.drawText(QRectF(0, y, self.width() - extra, height), _RIGHT, _weight(row.weights[key], most))
            if extra:
                painter.setPen(QColor(self.look.theme.muted))
                painter.drawText(QRectF(0, y, self.width(), height), _RIGHT, row.extra[key])
        if self._allowed > _MOST:
            painter.setPen(QColor(self.look.theme.muted))
            more = self.tr("and {0} smaller").format(self._allowed - _MOST)
            painter.drawText(QRectF(0, _MOST * height, self.width(), height), Qt.AlignmentFlag.AlignVCenter, more)


def _weight(weight: float, most: float) -> str:
    return f"{weight:.3f}" if most >= 0.01 else f"{weight:.1e}"


_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
