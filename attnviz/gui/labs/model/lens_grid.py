"""The picture of the logit lens: a row for each layer, a column for each token, in a cell the top token."""

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetrics, QKeyEvent, QPainter, QPen, QResizeEvent, QWheelEvent
from PySide6.QtWidgets import QScrollBar, QWidget
from typing_extensions import override

from attnviz.definitions.counting import SCREEN
from attnviz.definitions.text import Text, percent_said
from attnviz.experiment.colours import quantise
from attnviz.experiment.model.lens import LensTrace
from attnviz.gui.plots.matrix.canvas import ARROWS, Pointed
from attnviz.gui.plots.matrix.matrix import Cell, Matrix
from attnviz.gui.plots.matrix.tile import ColourTable
from attnviz.gui.theme import Look
from attnviz.gui.widgets.gestures import Gesture
from attnviz.gui.widgets.words import translate

MOST_ROW = 40
"""The greatest height of a row, at scale 1."""
_LEAST_CELL, _MOST_CELL, _PAD, _GAP, _BAR = 54, 150, 3, 4, 12
"""The limits of the width of a cell, the padding of its text, the gap above the last row, and the height of the scroll
bar, at scale 1."""
_MIDDLE = Qt.AlignmentFlag.AlignCenter
_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter


def shown_name(name: str) -> str:
    """Return the name of a token, or a sign for a blank."""
    return name if name.strip() else "␣"


class LensGrid(Pointed):
    """Pointing at a cell previews it, a click holds it. The last row is the prediction; a long text scrolls."""

    GESTURES = (
        Gesture("Click, Up, Down, Left, Right", "Choose a layer and a token", "Lens"),
        Gesture("Wheel", "Scroll a long text", "Lens"),
    )

    def __init__(self, look: Look, name: str, parent: QWidget | None = None) -> None:
        super().__init__(look, parent)
        self._found: LensTrace | None = None
        self._levels: NDArray[np.uint8] = np.zeros((0, 0), np.uint8)
        self._known: dict[int, int] = {}  # the positions that are there, each with its index in the numbers
        self._table: ColourTable | None = None
        self._chosen: Cell | None = None
        self.bar = QScrollBar(Qt.Orientation.Horizontal, self)
        self.bar.hide()
        self.bar.valueChanged.connect(self.redraw)
        self.setAccessibleName(name)

    def show_lens(self, found: LensTrace | None, table: ColourTable) -> None:
        """Draw the top token of each layer and position; those that are not there yet are empty."""
        if found is self._found and table is self._table:
            return
        self._found, self._table = found, table
        self._known = {} if found is None else {position: at for at, position in enumerate(found.positions)}
        if found is None:
            self._levels = np.zeros((0, 0), np.uint8)
        else:
            self._levels = np.zeros((len(found.ids), len(found.tokens)), np.uint8)
            self._levels[:, found.positions] = quantise(found.probabilities[..., 0], None, 0.0, 1.0)
        self._scroll()
        self.redraw()

    def select(self, cell: Cell | None) -> None:
        """Move the border to a cell."""
        if cell != self._chosen:
            self._chosen = cell
            self.update()

    def reveal(self, column: int) -> None:
        """Scroll until a token is visible."""
        if self._found is None or self.bar.maximum() <= 0:
            return
        left, wide = column * self._cell_width, self.width() - self._label_width
        if not self.bar.value() <= left <= self.bar.value() + wide - self._cell_width:
            self.bar.setValue(round(left + self._cell_width / 2 - wide / 2))

    # Geometry.

    @property
    def _label_width(self) -> int:
        if self._found is None:
            return 0
        bold = QFontMetrics(self.look.font("small", bold=True)).horizontalAdvance
        return max(bold(self.row_name(len(self._found.ids) - 1)), bold(translate("layer"))) + self.look.px(8)

    @property
    def _top(self) -> int:
        return QFontMetrics(self.look.token_font("small")).height() + self.look.px(6)

    @property
    def _cell_width(self) -> float:
        count = 1 if self._found is None else max(1, len(self._found.tokens))
        px = self.look.px
        return min(max((self.width() - self._label_width - 1) / count, px(_LEAST_CELL)), px(_MOST_CELL))

    @property
    def _row_height(self) -> float:
        rows = max(1, len(self._levels))
        below = self.look.px(_BAR) if self.bar.maximum() > 0 else self._top // 3  # half of the last row's name
        room = self.height() - self._top - self.look.px(_GAP) - below
        return min(max(room / rows, 2.0), self.look.px(MOST_ROW))

    def most_height(self, layers: int) -> int:
        """Return the greatest useful height for these layers."""
        return self._top + self.look.px(_GAP + _BAR) + layers * self.look.px(MOST_ROW)

    def rect_of(self, row: int, column: int) -> QRectF:
        """Return the rectangle of a cell, which may be scrolled away."""
        width, height, last = self._cell_width, self._row_height, row == len(self._levels) - 1
        x = self._label_width + column * width - self.bar.value()
        y = self._top + row * height + self.look.px(_GAP) * last
        return QRectF(x, y, width - 1, height - 1)

    @property
    def columns(self) -> range:
        """The tokens that are completely or partly visible."""
        if self._found is None:
            return range(0)
        width, first = self._cell_width, self.bar.value()
        last = int((first + self.width() - self._label_width) / width) + 1
        return range(int(first / width), min(len(self._found.tokens), last))

    def _scroll(self) -> None:
        """Give the scroll bar the range of the text."""
        needed = 0.0 if self._found is None else self._cell_width * len(self._found.tokens)
        room = self.width() - self._label_width
        self.bar.setPageStep(max(1, room))
        self.bar.setSingleStep(round(self._cell_width))
        self.bar.setRange(0, max(0, round(needed - room)))
        self.bar.setVisible(self.bar.maximum() > 0)
        high = self.look.px(_BAR)
        bottom = self._top + self.look.px(_GAP) + round(self._row_height * max(1, len(self._levels))) + 2
        self.bar.setGeometry(self._label_width, min(bottom, self.height() - high), max(1, room), high)

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        self._scroll()
        super().resizeEvent(event)

    @override
    def restyle(self, look: Look) -> None:
        super().restyle(look)
        self._scroll()

    # Drawing.

    def row_name(self, layer: int) -> str:
        """Return the number of a layer, and of the last one what it is."""
        number = SCREEN.number(layer)
        last = self._found is not None and layer == len(self._found.ids) - 1
        return translate(Text("{n}: prediction", {"n": number})) if last else str(number)

    def text_in(self, row: int, column: int) -> str:
        """Return the text of a cell; "" while it is not there."""
        found = self._found
        if found is None or column not in self._known:
            return ""
        return shown_name(found.name(int(found.ids[row, self._known[column], 0])))

    @override
    def draw(self, painter: QPainter) -> None:
        found, table = self._found, self._table
        if found is None or table is None:
            return
        self._draw_labels(painter)
        painter.setClipRect(QRectF(self._label_width, 0, self.width() - self._label_width, self.height()))
        font = self.look.token_font("small")
        metrics, padding = QFontMetrics(font), self.look.px(_PAD)
        legible = metrics.height() <= self._row_height + 1
        columns = self.columns
        painter.setFont(font)
        for column in columns:
            over = QRectF(self.rect_of(0, column).x(), 0, self._cell_width - 1, self._top - 1)
            painter.setPen(self.look.text_color("text"))
            name = shown_name(found.tokens[column])
            painter.drawText(over, _MIDDLE, metrics.elidedText(name, Qt.TextElideMode.ElideRight, int(over.width())))
            for row in range(len(self._levels)):
                rect, level = self.rect_of(row, column), int(self._levels[row, column])
                painter.fillRect(rect, QColor(table.names[level]) if level else self.look.color("faint"))
                if level and legible:
                    painter.setPen(QColor(table.ink(level)))
                    room = int(rect.width()) - 2 * padding
                    text = metrics.elidedText(self.text_in(row, column), Qt.TextElideMode.ElideRight, room)
                    painter.drawText(rect, _MIDDLE, text)
        painter.setClipping(False)

    def _draw_labels(self, painter: QPainter) -> None:
        """Draw the layers' numbers before the rows, the last one bold."""
        painter.setPen(self.look.text_color("muted"))
        painter.setFont(self.look.font("small"))
        wide, height = self._label_width, QFontMetrics(painter.font()).height()
        painter.drawText(QRectF(0, 0, wide, self._top - 1), _LEFT, translate("layer"))
        step, last = max(1, int(np.ceil((height - 2) / self._row_height))), len(self._levels) - 1

        def write(row: int) -> None:
            middle = self.rect_of(row, 0).center().y()
            painter.drawText(QRectF(0, middle - height / 2, wide, height), _LEFT, self.row_name(row))

        for row in range(step - 1, last - step + 1, step):
            write(row)
        painter.setPen(self.look.text_color("text"))
        painter.setFont(self.look.font("small", bold=True))
        write(last)

    @override
    def draw_marks(self, painter: QPainter) -> None:
        if self._found is None or not len(self._levels):
            return
        left = self._label_width
        painter.setClipRect(QRectF(left - 2, 0, self.width() - left + 2, self.height()))
        last = self.rect_of(len(self._levels) - 1, 0)
        y = last.y() - self.look.px(_GAP) / 2
        painter.setPen(QPen(self.look.color("accent"), self.look.px(1)))
        painter.drawLine(QPointF(left, y), QPointF(min(self.width(), self.rect_of(0, len(self._found.tokens)).x()), y))
        if self._chosen is None or self._chosen.column is None or self._chosen.row >= len(self._levels):
            return
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        for role, width in (("window", 4), ("accent", 2)):
            painter.setPen(QPen(self.look.color(role), self.look.px(width)))
            painter.drawRoundedRect(self.rect_of(self._chosen.row, self._chosen.column), 2, 2)

    # The mouse, the keys, and the table of numbers.

    @override
    def cell_at(self, place: QPointF) -> Cell | None:
        if self._found is None or place.x() < self._label_width:
            return None
        rows, columns = range(len(self._levels)), self.columns
        across = next((column for column in columns if self.rect_of(0, column).right() + 1 > place.x()), None)
        down = next((row for row in rows if self.rect_of(row, 0).bottom() + 1 > place.y()), None)
        known = across is not None and down is not None and place.y() >= self._top and across in self._known
        return Cell(down or 0, across) if known else None

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        step, found = ARROWS.get(event.key()), self._found
        if step is None or found is None:
            super().keyPressEvent(event)
            return
        held = self._chosen or Cell(len(self._levels) - 1, 0)
        row, column = held.row + step[0], (held.column or 0) + step[1]
        self.hovered.emit(None)
        if 0 <= row < len(self._levels) and column in self._known:
            self.clicked.emit(Cell(row, column))

    @override
    def wheelEvent(self, event: QWheelEvent) -> None:
        by = event.angleDelta()
        if self.bar.maximum() <= 0:
            super().wheelEvent(event)
            return
        self.bar.setValue(self.bar.value() - (by.x() or by.y()))
        event.accept()

    @property
    @override
    def matrix(self) -> Matrix | None:
        found = self._found
        if found is None or len(found.positions) < len(found.tokens):
            return None
        layers = tuple(map(self.row_name, range(len(found.ids))))
        title = translate("probability of the top token")
        return Matrix(
            self._levels,
            found.probabilities[..., 0],
            None,
            layers,
            found.tokens,
            None,
            title,
            translate("layer"),
            translate("token"),
            square=False,
            told=self.told,
        )

    @property
    @override
    def marked(self) -> Cell | None:
        return self._chosen

    @override
    def hold(self, cell: Cell) -> None:
        self.clicked.emit(cell)

    def told(self, row: int, column: int) -> str:
        """Return the description of a cell."""
        found = self._found
        if found is None or column not in self._known:
            return ""
        share = percent_said(float(found.probabilities[row, self._known[column], 0]))
        words = {"layer": SCREEN.number(row), "token": found.names[column]}
        words |= {"top": self.text_in(row, column), "share": share if self.look.numbers else ""}
        return translate(Text("layer {layer}, at “{token}”: “{top}” {share}", words)).strip()
