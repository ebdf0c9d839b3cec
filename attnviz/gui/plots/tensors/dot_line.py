"""The computation of one number of a matrix product: "dog · column 3: 0.27 · 0.32 + ... = -1.16"."""

from typing import NamedTuple

import numpy as np
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QPen
from PySide6.QtWidgets import QWidget
from typing_extensions import override

from attnviz.definitions.counting import SCREEN
from attnviz.experiment.layers.panels import Dot
from attnviz.gui.plots.matrix.canvas import Canvas
from attnviz.gui.plots.matrix.tile import ColourTable
from attnviz.gui.theme import Look
from attnviz.gui.widgets.words import number_text

_CENTRE = Qt.AlignmentFlag.AlignCenter
_PAPER, _AIR, _ROUND = 7, 3, 4
"""The padding around a number in its chip, the gap beside a sign, and the corner radius of chips, at scale 1."""
_LEAST_TERMS, _WORDS_OF = 2, 8
"""The least number of terms drawn, and the greatest read to a screen reader."""
_DECIMALS = range(2, 6)
"""The decimals of a term; the sum has the least number of them."""
_ADDED = 64
"""The most terms for which more decimals are tried."""


class _Piece(NamedTuple):
    """A number on its colour, or a sign."""

    text: str
    level: int | None = None
    table: ColourTable | None = None
    role: str = "muted"


class DotLine(Canvas):
    """As many of the largest terms as fit, in order; then the sum of all terms."""

    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(look, parent)
        self._dot: Dot | None = None
        self._name, self._column, self._role = "", 0, "text"
        self._tables: tuple[ColourTable, ColourTable] | None = None
        self._replaced: float | None = None
        self._decimals = _DECIMALS[0]
        self._largest: list[int] = []  # the indices of the terms, the largest first
        self.hide()

    def show_dot(self, dot: Dot, name: str, column: int, role: str, tables: tuple[ColourTable, ColourTable]) -> None:
        """Show the computation of the number in a column for the row with this name.

        ``role`` is the colour of the name; ``tables`` are the colours of the row, and of the column and the result.
        """
        self._dot, self._name, self._column, self._role, self._tables = dot, name, column, role, tables
        self._replaced = dot.replaced
        self._decimals = _decimals_of(dot, dot.result if dot.replaced is None else dot.replaced)
        self._largest = np.argsort(-np.abs(dot.row * dot.column), kind="stable").tolist()
        terms = [] if len(dot.row) > _WORDS_OF else [piece.text for piece in self.pieces(len(dot.row))[:-1]]
        self.setAccessibleName(" ".join([*self._title, *terms, _said(dot.result)]))
        self.redraw()

    @property
    def _title(self) -> tuple[str, str]:
        return self._name, self.tr("· column {0}").format(SCREEN.number(self._column))

    def pieces(self, count: int) -> list[_Piece]:
        """Return the pieces for ``count`` terms: the largest, with an ellipsis for those between them."""
        dot, tables = self._dot, self._tables
        if dot is None or tables is None:
            return []
        (rows, columns), (of_row, of_column), before = dot.levels, tables, -1
        decimals = self._decimals if count >= len(dot.row) else _DECIMALS[0]
        found: list[_Piece] = []
        for place in sorted(self._largest[:count]):
            found += [_Piece("+")] if found else []
            found += [_Piece("…"), _Piece("+")] if place > before + 1 else []
            found.append(_Piece(_said(dot.row[place], decimals), int(rows[place]), of_row))
            found.append(_Piece("·"))
            found.append(_Piece(_said(dot.column[place], decimals), int(columns[place]), of_column))
            before = place
        if before + 1 < len(dot.row):
            found += [_Piece("+"), _Piece("…")]
        if dot.bias is not None:
            found += [_Piece("+"), _Piece(_said(dot.bias, decimals), role="text")]
        if self._replaced is not None:
            found += [_Piece("="), _Piece(_said(self._replaced), role="text")]
        return [*found, _Piece("=" if self._replaced is None else "→"), _Piece(_said(dot.result), dot.level, of_column)]

    @override
    def draw(self, painter: QPainter) -> None:
        dot = self._dot
        if dot is None:
            return
        for size in ("body", "small"):
            font = self.look.font(size)
            pieces = self._fitting(QFontMetrics(font), len(dot.row))
            if len(pieces) >= len(self.pieces(len(dot.row))):
                break
        self._draw_pieces(painter, font, pieces)

    def _fitting(self, metrics: QFontMetrics, most: int) -> list[_Piece]:
        """Return the pieces of as many terms as fit; none if these are too few."""
        room = self.width() - self._title_width(metrics)
        shortest = 2 * (metrics.horizontalAdvance("0.00") + self.look.px(_PAPER))
        for count in range(min(most, max(_LEAST_TERMS, room // shortest)), min(_LEAST_TERMS, most) - 1, -1):
            pieces = self.pieces(count)
            if sum(self._width(piece, metrics) for piece in pieces) <= room:
                return pieces
        return []

    def _title_width(self, metrics: QFontMetrics) -> int:
        return sum(map(metrics.horizontalAdvance, self._title)) + self.look.px(6 + 16)

    def _width(self, piece: _Piece, metrics: QFontMetrics) -> float:
        around = _AIR if piece.level is None else _PAPER
        return metrics.horizontalAdvance(piece.text) + self.look.px(around)

    def _draw_pieces(self, painter: QPainter, font: QFont, pieces: list[_Piece]) -> None:
        metrics, look = QFontMetrics(font), self.look
        high, name, column = metrics.height() + look.px(8), *self._title
        left, top = look.px(2), (self.height() - high) / 2
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(font)
        for text, role in ((name, self._role), (column, "muted")):
            painter.setPen(look.text_color(role))
            room = QRectF(left, top, metrics.horizontalAdvance(text), high)
            painter.drawText(room, _CENTRE | Qt.TextFlag.TextDontClip, text)
            left += round(room.width()) + look.px(6)
        x = float(left + look.px(8))
        for place, piece in enumerate(pieces):
            box = QRectF(x, top, self._width(piece, metrics), high)
            painter.setPen(look.text_color(piece.role))
            if piece.level is not None and piece.table is not None:
                last = place == len(pieces) - 1
                painter.setPen(QPen(look.color(self._role), 2) if last else Qt.PenStyle.NoPen)
                painter.setBrush(QColor(*map(int, piece.table.rgb[piece.level])))
                painter.drawRoundedRect(box.adjusted(1, 1, -1, -1), look.px(_ROUND), look.px(_ROUND))
                painter.setPen(QColor(piece.table.ink(piece.level)))
            painter.drawText(box, _CENTRE | Qt.TextFlag.TextDontClip, piece.text)
            x += box.width()


def _said(number: float, decimals: int = _DECIMALS[0]) -> str:
    return number_text(float(number), f".{decimals}f")


def _decimals_of(dot: Dot, made: float) -> int:
    """Return the fewest decimals with which the printed terms add up to the printed sum; the least if none do."""
    if len(dot.row) > _ADDED:
        return _DECIMALS[0]
    for decimals in _DECIMALS:
        row, column = (np.round(of.astype(np.float64), decimals) for of in (dot.row, dot.column))
        if _said(float(row @ column) + round(dot.bias or 0.0, decimals)) == _said(made):
            return decimals
    return _DECIMALS[0]
