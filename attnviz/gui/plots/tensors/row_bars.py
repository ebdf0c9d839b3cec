"""One row: its weights as bars over its keys, and the values that it pools, each beside its weight."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QRectF, QSize, Qt, Signal, Slot
from PySide6.QtGui import QColor, QFontMetrics, QMouseEvent, QPainter
from PySide6.QtWidgets import QSizePolicy, QToolButton, QWidget
from typing_extensions import override

from attnviz.definitions.counting import short_name
from attnviz.definitions.text import English
from attnviz.experiment.colours import DIVERGING, quantise, symmetric_scale
from attnviz.experiment.layers.cell import AttentionRow
from attnviz.gui.plots.matrix.canvas import Canvas
from attnviz.gui.plots.matrix.tile import ColourTable, colour_table, draw_tiles
from attnviz.gui.theme import Look
from attnviz.gui.widgets.words import number_text, translate, weight_text

_ROW = 22
_MOST = 10
_LISTED_IN_PLACE = 16
_COLUMNS_HEIGHT = 120
_LEAST_BAR = 24
_LEAST_OF_THREE = 0.0005
"""The least number with three decimals that are not all 0."""
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter


@dataclass(frozen=True, eq=False)
class Row:
    """The weights of one query: labels, values, colour levels and mask of its keys, and an optional extra column."""

    labels: Sequence[str]
    weights: NDArray[np.floating]
    levels: NDArray[np.uint8]
    mask: NDArray[np.bool_]
    """True for the keys that are drawn."""
    lit: int | None = None
    extra: Sequence[str] = ()
    scores: NDArray[np.floating] | None = None
    """A second column of numbers."""
    score_name: English = "score"
    """Its heading."""
    after: NDArray[np.floating] | None = None
    """The weights after dropout, in place of the scores."""
    dropped: NDArray[np.bool_] | None = None
    """Which of them dropout took."""
    zeros: int = 0
    """The number of further keys with a weight of 0 and no line."""
    by_weight: bool = True
    """Whether the largest weights come first, or the keys are in order."""
    of_one: bool = False
    """Whether a bar of full length is 1 rather than the largest weight."""
    of: str = ""
    """The query's name, written above if the row has no caption of its own."""


class RowBars(Canvas):
    """Bars have the colours of the heatmap. Many keys in order are drawn as columns, side by side."""

    background = "panel"
    chosen = Signal(int)
    """The user clicked the line of a key, if lines can be chosen."""

    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(look, parent)
        self._row: Row | None = None
        self._chooses = False
        self._keys: NDArray[np.intp] = np.zeros(0, np.intp)
        self._allowed = 0
        self.steady = False
        """Whether it is as high for a row of few keys as for one of all, so that what is below stays in its place."""
        self.most = _MOST
        """How many keys have a line of their own at most."""
        self.rest = ""
        """What is said below the list of the keys that it leaves out."""
        self._table: ColourTable | None = None
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(self.tr("Weights of the chosen row"))

    def show_row(self, row: Row, table: ColourTable) -> None:
        """Draw a row; masked keys are left out, a highlighted key is always among those with a name."""
        allowed = np.flatnonzero(row.mask)
        order = allowed[np.argsort(-np.nan_to_num(row.weights[allowed]), kind="stable")]
        self._row, self._table, self._allowed = row, table, len(allowed)
        self._keys = order[: self.most].copy()
        if row.lit is not None and row.mask[row.lit] and row.lit not in self._keys:
            self._keys[-1] = row.lit
        self.setAccessibleDescription(
            ", ".join(f"{row.labels[key]} {weight_text(row.weights[key], 3)}" for key in self._keys)
        )
        if not row.by_weight and len(row.weights) <= _LISTED_IN_PLACE:
            self._keys = allowed
        further = row.mask.copy()
        further[self._keys] = False
        left_out = row.weights[further]
        self.rest = rest_said(row.weights[self._keys], np.append(left_out, np.zeros(row.zeros, left_out.dtype)))
        self.redraw()

    def offer_choice(self, offered: bool) -> None:
        """Let the user choose a key by a click on its line, or not."""
        self._chooses = offered
        self.setCursor(Qt.CursorShape.PointingHandCursor if offered else Qt.CursorShape.ArrowCursor)

    @override
    def mousePressEvent(self, event: QMouseEvent) -> None:
        line = int(event.position().y() // self.look.px(_ROW))
        if self._chooses and event.button() == Qt.MouseButton.LeftButton and 0 <= line < len(self.keys):
            self.chosen.emit(self.keys[line])
        else:
            super().mousePressEvent(event)

    @property
    def keys(self) -> tuple[int, ...]:
        """The keys with a line of their own, from top to bottom; empty if they are columns."""
        return () if self._in_columns else tuple(map(int, self._keys))

    def height_for(self, keys: int) -> int:
        """Return the height of the list of ``keys`` keys, with a line above, and one below for the rest."""
        return self.look.px(_ROW) * (1 + min(keys, self.most) + (keys > self.most))

    @property
    def _in_columns(self) -> bool:
        return self._row is not None and not self._row.by_weight and len(self._row.weights) > _LISTED_IN_PLACE

    @override
    def sizeHint(self) -> QSize:
        if self._in_columns:
            return QSize(self.look.px(240), self.look.px(_COLUMNS_HEIGHT))
        heading = self._row is not None and bool(_heading(self._row))
        lines = max(1, len(self._keys)) + bool(self.rest)
        if self.steady and self._row is not None:
            count = len(self._row.weights)
            in_place = not self._row.by_weight and count <= _LISTED_IN_PLACE
            lines = max(lines, count if in_place else min(count, self.most) + (count > self.most))
        lines += heading or bool(self._row and self._row.of)
        return QSize(self.look.px(240), self.look.px(_ROW) * lines)

    @override
    def draw(self, painter: QPainter) -> None:
        row, table = self._row, self._table
        if row is None or table is None:
            return
        painter.setFont(self.look.font())
        if not self._allowed:
            painter.setPen(QColor(self.look.theme.muted))
            line = QRectF(0, 0, self.width(), self.look.px(_ROW))
            painter.drawText(line, _LEFT, self.tr("no valid key"))
        elif self._in_columns:
            self._draw_columns(painter, row, table)
        else:
            self._draw_lines(painter, row, table)

    def _draw_lines(self, painter: QPainter, row: Row, table: ColourTable) -> None:
        """Draw label, bar, weight and the further columns of each key."""
        metrics, height = painter.fontMetrics(), self.look.px(_ROW)
        heading = _heading(row)
        columns = _Columns(row, self._keys, metrics, self.look, self.width(), heading)
        top = 0
        if heading:
            painter.setPen(QColor(self.look.theme.muted))
            painter.setFont(self.look.font("small"))
            painter.drawText(QRectF(0, 0, columns.weight_right, height), _RIGHT, self.tr("weight"))
            cut = painter.fontMetrics().elidedText(heading, Qt.TextElideMode.ElideRight, columns.heading)
            painter.drawText(QRectF(0, 0, self.width(), height), _RIGHT, cut)
            painter.setFont(self.look.font())
            top = height
        elif row.of:
            painter.setPen(QColor(self.look.theme.muted))
            painter.drawText(QRectF(0, 0, self.width(), height), _LEFT, self.tr("“{0}” looks at").format(row.of))
            top = height
        most = 1.0 if row.of_one else float(np.nan_to_num(row.weights).max(initial=0.0)) or 1.0
        lengths = np.maximum(2.0, columns.bars * np.nan_to_num(row.weights[self._keys]).astype(np.float64) / most)
        for place, key in enumerate(self._keys):
            y = top + place * height
            painter.setPen(self.look.text_color("k" if key == row.lit else "text"))
            text = metrics.elidedText(short_name(row.labels[key]), Qt.TextElideMode.ElideRight, columns.labels)
            painter.drawText(QRectF(0, y, columns.labels, height), _RIGHT, text)
            left, above = columns.labels + self.look.px(8), y + height / 2 - self.look.px(5)
            bar = QRectF(left, above, float(lengths[place]), self.look.px(10))
            painter.fillRect(bar, QColor(*map(int, table.rgb[row.levels[key]])))
            painter.setPen(QColor(self.look.theme.edge))
            painter.drawRect(bar)
            if not self.look.numbers:
                continue
            painter.setPen(QColor(self.look.theme.text))
            painter.drawText(QRectF(0, y, columns.weight_right, height), _RIGHT, _weight(row.weights[key], most))
            painter.setPen(QColor(self.look.theme.muted))
            painter.drawText(QRectF(0, y, self.width(), height), _RIGHT, columns.further[place])
        if self.rest:
            painter.setPen(QColor(self.look.theme.muted))
            painter.drawText(QRectF(0, top + len(self._keys) * height, self.width(), height), _LEFT, self.rest)

    def _draw_columns(self, painter: QPainter, row: Row, table: ColourTable) -> None:
        """Draw a column for every key; if they are finer than pixels each pixel shows the maximum of several."""
        count, text = len(row.weights), self.look.px(18)
        weights = np.nan_to_num(row.weights.astype(np.float64))
        most = float(weights.max(initial=0.0)) or 1.0
        ground = self.height() - text
        across = min(count, self.width())
        edges = np.linspace(0, count, across + 1).astype(int)
        width = self.width() / across
        for place in range(across):
            key = edges[place] + int(weights[edges[place] : edges[place + 1]].argmax())
            height = (ground - text) * weights[key] / most
            column = QRectF(place * width, ground - height, max(1.0, width - (width > 4)), height)
            painter.fillRect(column, QColor(*map(int, table.rgb[row.levels[key]])))
        painter.setPen(QColor(self.look.theme.edge))
        painter.drawLine(0, ground, self.width(), ground)
        best = int(weights.argmax()) if row.lit is None else row.lit
        painter.setPen(self.look.text_color("k" if row.lit is not None else "text"))
        said = f"{row.labels[best]} {_weight(row.weights[best], most)}"
        room = painter.fontMetrics().horizontalAdvance(said)
        x = min(max(0.0, (best + 0.5) * self.width() / count - room / 2), self.width() - room)
        painter.drawText(QRectF(x, 0, room + 2, text), _LEFT, said)
        painter.setFont(self.look.font("small"))
        painter.setPen(QColor(self.look.theme.muted))
        line = QRectF(0, ground, self.width(), text)
        painter.drawText(line, _LEFT, row.labels[0])
        painter.drawText(line, _RIGHT, row.labels[-1])


class _Columns:
    """The positions of a list's columns: labels, bars, weights, and an optional second number."""

    def __init__(
        self, row: Row, keys: NDArray[np.intp], metrics: QFontMetrics, look: Look, width: int, heading: str
    ) -> None:
        measure = metrics.horizontalAdvance
        self.further = [_further(row, key) for key in keys]
        last = max(map(measure, self.further), default=0)
        self.labels = min(max((measure(short_name(row.labels[key])) for key in keys), default=0) + 2, look.px(84))
        beside = self.labels + measure("0.0e-00") + look.px(14)
        last = max(last, min(measure(heading), width - beside - look.px(10 + _LEAST_BAR)))
        self.heading = last
        """How wide the heading of the last one may be."""
        self.weight_right = width - (last + look.px(10) if last else 0)
        self.bars = self.weight_right - beside


def _heading(row: Row) -> str:
    """Return the heading of the second column of numbers; empty without one."""
    if row.after is not None:
        return translate("after dropout")
    return "" if row.scores is None else translate(row.score_name)


def _further(row: Row, key: int) -> str:
    if row.after is not None:
        if row.dropped is not None and row.dropped[key]:
            return translate("dropped")
        return weight_text(row.after[key], 3)
    if row.scores is not None:
        return number_text(row.scores[key], ".2f")
    return row.extra[key] if row.extra else ""


def rest_said(listed: NDArray[np.floating], left_out: NDArray[np.floating]) -> str:
    """Return a text about the weights that a list leaves out; empty if it has all."""
    count = len(left_out)
    if not count:
        return ""
    if not left_out.any():
        return translate("and {0} more, all 0").format(count)
    # A weight that is not a number is neither larger nor smaller.
    if listed.size and bool((left_out <= listed.min()).all()):
        return translate("and {0} more, none larger").format(count)
    return translate("and {0} more").format(count)


def told_from(weight: float, other: float) -> str:
    """Return a weight with the digits that distinguish it from 0 and from another one, at most five."""
    if 0 < weight < _LEAST_OF_THREE:
        return number_text(weight, ".1e")
    digits = next((n for n in (3, 4) if weight == other or f"{weight:.{n}f}" != f"{other:.{n}f}"), 5)
    return f"{weight:.{digits}f}"


def _weight(weight: float, most: float) -> str:
    """Return a weight of a row as text."""
    return number_text(weight, ".1e") if weight and most < 0.01 else weight_text(weight, 3)


class BarOrder(QToolButton):
    """A small button for the order of bars: by weight, or (pressed) by position in the sequence."""

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("tiny")
        self.setCheckable(True)
        self.setToolTip(self.tr("Order of the bars: by weight or by position in the sequence"))
        self.toggled.connect(self._change)
        self._name()

    @property
    def by_weight(self) -> bool:
        """Whether the largest weights come first."""
        return not self.isChecked()

    @Slot()
    def _change(self) -> None:
        self._name()
        self.changed.emit()

    def _name(self) -> None:
        text = self.tr("sorted by weight") if self.by_weight else self.tr("sorted by position")
        self.setText(text)
        self.setAccessibleName(self.tr("Bars, {0}").format(text))


_STRIP_ROW = 18
_MOST_STRIPS = 5


class PooledValues(Canvas):
    """The keys with the most weight, after dropout; values and output share one scale, centred on 0."""

    background = "panel"

    def __init__(self, look: Look) -> None:
        super().__init__(look)
        self._row: AttentionRow | None = None
        self.keys: tuple[int, ...] = ()
        """The keys whose values are drawn, from top to bottom."""
        self._named = ""  # the text before the output
        self.rest = ""
        """What is said of the keys that are not drawn."""
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(self.tr("Values that the chosen row pools, and its output"))

    def show_row(self, row: AttentionRow) -> None:
        """Draw the values of a row's largest weights, and its output."""
        self._row = row
        self._named = self.tr("replaced by") if row.is_replaced else self.tr("output =")
        order = row.pooled
        self.keys = tuple(map(int, order[:_MOST_STRIPS]))
        self.rest = rest_said(row.dropped_weights[order[:_MOST_STRIPS]], row.dropped_weights[order[_MOST_STRIPS:]])
        said = ", ".join(number_text(value, ".3g") for value in row.output[:8])
        more = ", ..." if len(row.output) > 8 else ""
        self.setAccessibleDescription(self.tr("output {0}").format(said + more))
        self.setToolTip(self.accessibleDescription())
        self.redraw()

    @override
    def sizeHint(self) -> QSize:
        """Return the same height for few keys as for all, so that the widgets below do not move."""
        count = 0 if self._row is None else len(self._row.mask)
        lines = max(len(self.keys) + bool(self.rest), min(count, _MOST_STRIPS) + (count > _MOST_STRIPS)) + 1
        return QSize(self.look.px(240), self.look.px(_STRIP_ROW) * lines + self.look.px(6))

    def strip_of(self, place: int) -> QRectF:
        """Return the rectangle of a strip: the keys in order, then the output as the last one."""
        height = self.look.px(_STRIP_ROW)
        lines = len(self.keys) + bool(self.rest)
        y = lines * height + self.look.px(6) if place == len(self.keys) else place * height
        left = self.look.px(118)
        return QRectF(left, y + 2, max(8, self.width() - left), height - 4)

    @override
    def draw(self, painter: QPainter) -> None:
        row = self._row
        if row is None:
            return
        painter.setFont(self.look.font("small"))
        metrics, height, theme = painter.fontMetrics(), self.look.px(_STRIP_ROW), self.look.theme
        table = colour_table(DIVERGING, theme)
        keys = self.keys
        shown = np.concatenate((row.values[np.array(keys, np.intp)], row.output[None]))
        scale = symmetric_scale(shown)
        levels = quantise(shown, None, scale.low, scale.high)
        strips = [self.strip_of(place) for place in range(len(shown))]
        draw_tiles(painter, strips, levels[:, None], table)
        for strip, key in zip(strips, keys, strict=False):
            painter.setPen(QColor(theme.text))
            text = f"{weight_text(row.dropped_weights[key], 3)} ×"
            painter.drawText(QRectF(0, strip.y(), strip.x() - self.look.px(6), strip.height()), _RIGHT, text)
            painter.setPen(QColor(theme.v_text))
            name = metrics.elidedText(short_name(row.key_tokens[key]), Qt.TextElideMode.ElideRight, self.look.px(64))
            painter.drawText(
                QRectF(0, strip.y(), self.look.px(64), strip.height()), Qt.AlignmentFlag.AlignVCenter, name
            )
        if self.rest:
            painter.setPen(QColor(theme.muted))
            line = QRectF(0, len(keys) * height, self.width(), height)
            painter.drawText(line, Qt.AlignmentFlag.AlignVCenter, self.rest)
        strip = strips[-1]
        painter.setPen(QColor(theme.line))
        painter.drawLine(0, int(strip.y()) - 4, self.width(), int(strip.y()) - 4)
        painter.setPen(QColor(theme.output_text))
        painter.drawText(QRectF(0, strip.y(), strip.x() - self.look.px(6), strip.height()), _RIGHT, self._named)
