"""The grid of fits by kernel and width: its layout and its drawing."""

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QFontMetrics, QKeyEvent, QMouseEvent, QPainter, QPen, QPolygonF
from typing_extensions import override

from attnviz.experiment.colours import MASKED
from attnviz.experiment.regression.data import truth_line
from attnviz.experiment.regression.studies import KernelGridTrace
from attnviz.gui.labs.regression.plots.fit_layout import FitLayout, FitRules, fit_layout
from attnviz.gui.plots.layout import Margins, Rect
from attnviz.gui.plots.matrix.canvas import ARROWS, Canvas
from attnviz.gui.plots.matrix.tile import ColourTable, draw_hatching, draw_tiles, mask_path
from attnviz.gui.theme import Look
from attnviz.gui.widgets.gestures import Gesture
from attnviz.gui.widgets.words import translate

_TITLE, _SIDE, _GAP, _WITHIN = 18, 44, 8, 3
_FIT, _LEAST = (64, 44), 8
"""The least width and height of a fit, and the least side of a matrix."""
_AIR = 0.06
_FEW_DOTS = 1_500


class KernelGridLayout:
    """Columns of kernels, rows of widths; in each cell a fit and a matrix, all on the same axes."""

    def __init__(self) -> None:
        self._columns, self._rows = 1, 1
        self._inside, self._step_x, self._step_y = QRectF(), 1.0, 1.0
        self._gap, self._within = 1.0, 1.0
        self._title, self._side = 1.0, 1.0
        self._extent = (0.0, 1.0, 0.0, 1.0)
        self._parts = FitLayout(Rect(0, 0, 1, 1), Rect(0, 0, 1, 1))

    def fit(self, trace: KernelGridTrace, room: QRectF, look: Look) -> None:
        """Divide the room for a grid."""
        self._columns, self._rows = trace.left_out_error.shape
        self._title, self._side = look.px(_TITLE), look.px(_SIDE)
        self._gap, self._within = look.px(_GAP), look.px(_WITHIN)
        self._inside = room.adjusted(self._side, self._title, 0, 0)
        self._step_x = (self._inside.width() + self._gap) / self._columns
        self._step_y = (self._inside.height() + self._gap) / self._rows
        inner = self._inner((0, 0))
        rules = FitRules(
            shape=(len(trace.x_test), len(trace.x_train)),
            margins=Margins(0, 0, 0, 0),
            fit=(look.px(_FIT[0]), look.px(_FIT[1])),
            gap=self._within,
            least=look.px(_LEAST),
        )
        self._parts = fit_layout(Rect(0, 0, inner.width(), inner.height()), rules)
        truth = trace.y_truth[np.isfinite(trace.y_truth)]
        xs, ys = np.concatenate((trace.x_train, trace.x_test)), np.concatenate((trace.y_train, truth))
        air_x, air_y = (float(np.ptp(values)) * _AIR or 1.0 for values in (xs, ys))
        # The error is written above the points.
        self._extent = xs.min() - air_x, xs.max() + air_x, ys.min() - air_y, ys.max() + 4 * air_y

    def title(self, column: int) -> QRectF:
        """Return the rectangle of a kernel's name."""
        cell = self.cell((column, 0))
        return QRectF(cell.left(), 0, cell.width(), self._title)

    def side(self, row: int) -> QRectF:
        """Return the rectangle of a width's label."""
        cell = self.cell((0, row))
        return QRectF(0, cell.top(), self._side, cell.height())

    def cell(self, place: tuple[int, int]) -> QRectF:
        """Return the rectangle of a kernel and width."""
        left = self._inside.left() + place[0] * self._step_x
        top = self._inside.top() + place[1] * self._step_y
        return QRectF(left, top, self._step_x - self._gap, self._step_y - self._gap)

    def fit_area(self, place: tuple[int, int]) -> QRectF:
        """Return the rectangle of its fit."""
        return QRectF(*self._parts.fit).translated(self._inner(place).topLeft())

    def matrix(self, place: tuple[int, int]) -> QRectF:
        """Return the rectangle of its weights."""
        return QRectF(*self._parts.matrix).translated(self._inner(place).topLeft())

    def cell_at(self, place: QPointF) -> tuple[int, int] | None:
        """Return the kernel and width under a point of the widget."""
        for column in range(self._columns):
            for row in range(self._rows):
                if self.cell((column, row)).contains(place):
                    return column, row
        return None

    def query_at(self, place: QPointF, trace: KernelGridTrace) -> int | None:
        """Return the query under a point of the widget, in a fit or in a matrix."""
        cell = self.cell_at(place)
        if cell is None:
            return None
        area, matrix = self.fit_area(cell), self.matrix(cell)
        if matrix.contains(place):
            row = int((place.y() - matrix.top()) / matrix.height() * len(trace.x_test))
            return min(max(row, 0), len(trace.x_test) - 1)
        left, right = self._extent[:2]
        x = left + (place.x() - area.left()) / (area.width() or 1.0) * (right - left)
        return int(np.abs(trace.x_test - x).argmin())

    def x(self, area: QRectF, value: float) -> float:
        """Return the place of an x of the plot in a fit's area."""
        left, right = self._extent[:2]
        return area.left() + (value - left) / (right - left) * area.width()

    def points(self, area: QRectF, xs: NDArray[np.float64], ys: NDArray[np.float64]) -> QPolygonF:
        """Return the places of points of the plot in a fit's area; very many are thinned evenly."""
        some = slice(None, None, -(-len(xs) // _FEW_DOTS) if len(xs) > _FEW_DOTS else 1)
        left, right, low, high = self._extent
        across = area.left() + (xs[some] - left) / (right - left) * area.width()
        down = area.bottom() - (ys[some] - low) / (high - low) * area.height()
        return QPolygonF([QPointF(x, y) for x, y in zip(across.tolist(), down.tolist(), strict=True)])

    def _inner(self, place: tuple[int, int]) -> QRectF:
        return self.cell(place).adjusted(self._within, self._within, -self._within, -self._within)


Place = tuple[int, int]
"""The indices of a kernel and a width in the grid."""


class KernelGridView(Canvas):
    """Kernels are columns, widths are rows. Moving over a fit shows its query in all of them; a click takes it."""

    GESTURES = (
        Gesture("Up, Down, Left, Right", "Choose a kernel and a width", "Kernels"),
        Gesture("Click, Return, Space", "Take this kernel and width", "Kernels"),
    )

    taken = Signal(object)
    """The indices of the kernel and width that was clicked."""

    def __init__(self, look: Look) -> None:
        super().__init__(look)
        self.setAccessibleName(self.tr("Kernels by widths: fits and weights"))
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.trace: KernelGridTrace | None = None
        """What is drawn."""
        self._truth = np.empty(0), np.empty(0)
        self._levels: NDArray[np.uint8] | None = None
        self._table: ColourTable | None = None
        self._titles: tuple[str, ...] = ()
        self._own: Place | None = None
        self._best: Place | None = None
        self._held: Place | None = None
        self._query: int | None = None
        self.places = KernelGridLayout()

    def show_grid(
        self, trace: KernelGridTrace, levels: NDArray[np.uint8], table: ColourTable, titles: tuple[str, ...]
    ) -> None:
        """Draw a grid with the colour levels (k, n, rows, columns) of its weights, under the kernels' titles."""
        self.trace, self._levels, self._table, self._titles = trace, levels, table, titles
        self._truth = truth_line(trace.spec.of.data, trace.x_test)
        known = np.isfinite(trace.left_out_error)
        least = np.where(known, trace.left_out_error, np.inf).argmin() if known.any() else None
        shape = trace.left_out_error.shape
        self.setAccessibleDescription(translate("{0} kernels × {1} widths").format(*shape))
        self._best = None if least is None else (int(least) // shape[1], int(least) % shape[1])
        self.redraw()

    def mark_own(self, place: Place | None) -> None:
        """Mark the fit's own kernel and width."""
        if place != self._own:
            self._own = place
            self.update()

    def select(self, query: int | None) -> None:
        """Mark a query in every cell."""
        if query != self._query:
            self._query = query
            self.update()

    @override
    def draw(self, painter: QPainter) -> None:
        trace = self.trace
        if trace is None or self._levels is None or self._table is None:
            return
        self.places.fit(trace, QRectF(self.rect()), self.look)
        painter.setFont(self.look.font("small", bold=True))
        painter.setPen(self.look.color("text"))
        for column, title in enumerate(self._titles):
            above = self.places.title(column)
            text = painter.fontMetrics().elidedText(title, Qt.TextElideMode.ElideRight, int(above.width()))
            painter.drawText(above, Qt.AlignmentFlag.AlignCenter, text)
        for row, width in enumerate(trace.spec.widths):
            flags = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft
            painter.drawText(self.places.side(row), flags, f"σ {width:g}")
        cells = [(kernel, width) for kernel in range(len(self._titles)) for width in range(len(trace.spec.widths))]
        tiles = [self.places.matrix(place) for place in cells]
        draw_tiles(painter, tiles, self._levels.reshape(-1, *self._levels.shape[2:]), self._table)
        left_out = mask_path(self._levels[0, 0] != MASKED)
        for tile in tiles:
            draw_hatching(painter, tile, left_out, self._levels.shape[2:], self.look)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for place in cells:
            self._draw_fit(painter, trace, place)

    @override
    def draw_marks(self, painter: QPainter) -> None:
        trace = self.trace
        if trace is None:
            return
        for place, role, width in ((self._own, "text", 1.5), (self._held if self.hasFocus() else None, "accent", 2.0)):
            if place is not None:
                painter.setPen(QPen(self.look.color(role), width * self.look.scale))
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.drawRoundedRect(self.places.cell(place).adjusted(1, 1, -1, -1), 4, 4)
        if self._query is None or self._query >= len(trace.x_test):
            return
        painter.setPen(QPen(self.look.color("q"), self.look.scale))
        below = QFontMetrics(self.look.font("small")).height()  # the error in the corner
        for kernel in range(len(trace.spec.kernels)):
            for width in range(len(trace.spec.widths)):
                fit, matrix = self.places.fit_area((kernel, width)), self.places.matrix((kernel, width))
                x = self.places.x(fit, float(trace.x_test[self._query]))
                painter.drawLine(QPointF(x, fit.top() + below), QPointF(x, fit.bottom()))
                y = matrix.top() + (self._query + 0.5) / len(trace.x_test) * matrix.height()
                painter.drawLine(QPointF(matrix.left(), y), QPointF(matrix.right(), y))

    @override
    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self.hovered.emit(None if self.trace is None else self.places.query_at(event.position(), self.trace))
        over = self.places.cell_at(event.position()) is not None
        self.setCursor(Qt.CursorShape.PointingHandCursor if over else Qt.CursorShape.ArrowCursor)

    @override
    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        place = self.places.cell_at(event.position())
        if place is not None and event.button() == Qt.MouseButton.LeftButton:
            self._held = place
            self.taken.emit(place)

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        step = ARROWS.get(event.key())
        if self.trace is not None and step is not None:
            kernels, widths = self.trace.left_out_error.shape
            kernel, width = self._held or self._own or (0, 0)
            self._held = min(max(kernel + step[1], 0), kernels - 1), min(max(width + step[0], 0), widths - 1)
            self.update()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space) and self.trace is not None:
            self.taken.emit(self._held or self._own or (0, 0))
        else:
            super().keyPressEvent(event)

    def _draw_fit(self, painter: QPainter, trace: KernelGridTrace, place: Place) -> None:
        area, look = self.places.fit_area(place), self.look
        painter.save()
        painter.setClipRect(area)
        painter.fillRect(area, look.color("panel"))
        dots = self.places.points(area, trace.x_train, trace.y_train)
        colour = look.color("k")
        colour.setAlpha(220)
        painter.setPen(QPen(colour, 2.5 * look.scale, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
        painter.drawPoints(dots)
        dash = QPen(look.color("muted"), look.scale, Qt.PenStyle.DashLine)
        self._draw_line(painter, area, *self._truth, dash)
        pen = QPen(look.color("accent"), 1.6 * look.scale)
        self._draw_line(painter, area, trace.x_test, trace.y_hat[place], pen)
        painter.restore()
        self._draw_error(painter, trace, place, area)

    def _draw_line(
        self, painter: QPainter, area: QRectF, x: NDArray[np.float64], y: NDArray[np.float64], pen: QPen
    ) -> None:
        """Draw a curve in the pieces that its gaps leave; a piece of one point is a dot."""
        painter.setPen(pen)
        known = np.flatnonzero(np.isfinite(y))
        for piece in np.split(known, np.flatnonzero(np.diff(known) > 1) + 1) if known.size else ():
            line = self.places.points(area, x[piece], y[piece])
            if len(piece) == 1:
                painter.setPen(QPen(pen.color(), 3 * self.look.scale, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
                painter.drawPoints(line)
                painter.setPen(pen)
            else:
                painter.drawPolyline(line)

    def _draw_error(self, painter: QPainter, trace: KernelGridTrace, place: Place, area: QRectF) -> None:
        """Write the leave-one-out error into the fit's corner; the least of all stands out."""
        error, least = float(trace.left_out_error[place]), place == self._best
        if not np.isfinite(error):
            return
        painter.setFont(self.look.font("small", bold=least))
        painter.setPen(self.look.color("accent" if least else "muted"))
        flags = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignTop
        text = f"★ {error:.3f}" if least else f"{error:.3f}"
        painter.drawText(area.adjusted(0, 1, -4, 0), flags, text)
