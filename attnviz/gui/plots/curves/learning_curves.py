"""Large curves over the steps of a training: a draggable playhead, labelled marks, and axes with own numbers."""

import math
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt, Signal, Slot
from PySide6.QtGui import QColor, QFontMetrics, QFontMetricsF, QKeyEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget
from typing_extensions import override

from attnviz.gui.plots.curves.marks import Upright
from attnviz.gui.plots.curves.step_curves import StepCurves, apart
from attnviz.gui.theme import Look
from attnviz.gui.widgets.gestures import Gesture

_LABEL_ROWS = 2
_PALE = 150
"""The opacity of the veil over the steps after the current one, out of 255."""
_HANDLE, _DOT = 6, 4
"""Radii of the playhead's handle and of its dots, at scale 1."""
_GAP = 10
_JOINED = 0.5
"""The greatest distance between the ends of curves with a common name, in line heights."""
_NUMBERED, _UNNUMBERED = 22, 7
"""The height below the axes with the numbers of steps and without them, at scale 1."""
_STEPS: dict[int, int] = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter


_COSTS, _UNSAID = (0.0, 1.0, 2.0, 4.0), 20.0
"""The cost of writing a mark's label in one of three lengths or only its step, and of leaving it out."""
_AT_LEFT, _OTHER_ROW = 0.5, 0.25
"""The cost of writing a label at the left of its line, or in a row that is not the mark's own."""


class StepMark(NamedTuple):
    """A training step with a label."""

    x: int
    title: str
    """Such as "step 60:"; without its colon if it stands alone."""
    long: str
    short: str
    """The label if the long form does not fit."""
    shortest: str = ""
    """The label if neither fits."""


class Scale(NamedTuple):
    """The numbers of one curve beside the axis from 0 to 1."""

    colour: str
    """As "#rrggbb"."""
    numbers: tuple[str, str, str]
    """At 0, 0.5 and 1."""


class _Choice(NamedTuple):
    """A way to write the label of a mark."""

    cost: float
    mark: StepMark
    words: str
    rect: QRectF
    kept: QRectF
    """The rectangle reserved for it."""


def _most_said(choices: Sequence[Sequence[_Choice]]) -> tuple[tuple[StepMark, str, QRectF], ...]:
    """Return a choice for each mark, or none, without overlaps and at the least total cost."""
    least = math.inf
    best: tuple[tuple[StepMark, str, QRectF], ...] = ()

    def add(number: int, cost: float, placed: tuple[_Choice, ...]) -> None:
        nonlocal least, best
        if cost >= least:
            return
        if number == len(choices):
            least, best = cost, tuple((each.mark, each.words, each.rect) for each in placed)
            return
        for choice in choices[number]:
            if not any(choice.kept.intersects(each.kept) for each in placed):
                add(number + 1, cost + choice.cost, (*placed, choice))
        add(number + 1, cost + _UNSAID, placed)

    add(0, 0.0, ())
    return best


class LearningCurves(StepCurves):
    """Curves with the current step as a playhead; later steps are paler.

    Marks are dashed lines with labels above the axes; a mark whose label does not fit has no line. Names at the ends of
    curves that would overlap and mean the same are joined.
    """

    half_number = 16
    GESTURES = (
        Gesture("Click, Drag", "Look at this step", "Learning"),
        Gesture("Left, Right, Home, End", "Look at the step before or after, the first or the last", "Learning"),
    )

    marks_said = Signal(object)
    """The marks with a label, if labels are drawn here."""

    def __init__(
        self,
        look: Look,
        name: str,
        most: int,
        longest: str = "",
        parent: QWidget | None = None,
        *,
        unit: bool = True,
        left: int = 26,
        labels: bool = False,
        numbered: bool = True,
        joined: Callable[[Sequence[int]], str] | None = None,
    ) -> None:
        """Create the plot; ``left`` is the width of the left axis at scale 1.

        ``labels``: whether labels of marks are drawn here. ``numbered``: whether steps have numbers; in a column of
        plots only the last one does. ``joined`` returns the name of several curves whose colours and words after the
        first are equal.
        """
        self._left, self._labels, self._numbered, self._joined = left, labels, numbered, joined
        self._taken = 0
        self._labelled: tuple[object, tuple[tuple[StepMark, str, QRectF], ...]] = None, ()
        self._marks: tuple[StepMark, ...] = ()
        self._lines: list[Upright] = []
        self._scales: tuple[Scale, ...] = ()
        super().__init__(look, name, most, longest, parent, unit=unit)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.getViewBox().sigResized.connect(self._place_lines)

    @property
    def taken(self) -> int:
        """The width used by another text at the left of the first row of labels."""
        return self._taken

    @taken.setter
    def taken(self, width: int) -> None:
        if width != self._taken:
            self._taken = width
            self._place_lines()
            self.viewport().update()

    @override
    def restyle(self, look: Look) -> None:
        super().restyle(look)
        if self._unit:
            self.getAxis("left").setWidth(look.px(self._left))
        if not self._numbered:
            self.getAxis("bottom").setStyle(showValues=False)
            self.getAxis("bottom").setHeight(look.px(_UNNUMBERED))
        self.here.set_pen(self.pen("accent", 2))
        for line in self._lines:
            line.set_pen(self._dashed)
        self._place_legend()

    @property
    def _dashed(self) -> QPen:
        return self.pen("muted", 1, style=Qt.PenStyle.DashLine)

    def show_marks(self, marks: Sequence[StepMark], scales: Sequence[Scale] = ()) -> None:
        """Draw marks, in the order of their steps, and numbers beside the axis instead of 0 to 1."""
        if (tuple(marks), tuple(scales)) == (self._marks, self._scales):
            return
        self._marks, self._scales = tuple(marks), tuple(scales)
        while len(self._lines) < len(self._marks):
            self._lines.append(Upright(self.layer))
            self._lines[-1].set_pen(self._dashed)
        self._place_lines()
        self.getAxis("left").setStyle(showValues=not self._scales)
        self.viewport().update()

    @Slot()
    def _place_lines(self) -> None:
        """Draw the lines of the labelled marks."""
        marks = tuple(mark for mark, _, _ in self.labels()) if self._labels else self._marks
        for place, line in enumerate(self._lines):
            line.put(marks[place].x if place < len(marks) else None)
        if self._labels:
            self.marks_said.emit(marks)

    @property
    def around(self) -> tuple[int, int]:
        """The width and the height of the margins around the axes."""
        below = self.look.px(_NUMBERED if self._numbered else _UNNUMBERED)
        return self.look.px(self._left) + self._gutter, below + (_LABEL_ROWS * self._line if self._labels else 0)

    @property
    def _line(self) -> int:
        return QFontMetrics(self.look.font("small")).height() + 1

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Seek the step beside the current one, or the first or last one."""
        key, here = event.key(), 0 if self.here.x is None else round(self.here.x)
        if key in _STEPS:
            self.looked.emit(max(0, here + _STEPS[key]))
        elif key in (Qt.Key.Key_Home, Qt.Key.Key_End):
            self.looked.emit(0 if key == Qt.Key.Key_Home else self._length)
        else:
            super().keyPressEvent(event)

    @override
    def _place_legend(self) -> None:
        """Reserve room for labels above the axes, whether there are any yet or not."""
        super()._place_legend()
        top = _LABEL_ROWS * self._line if self._labels else 0
        self.getPlotItem().setContentsMargins(0, top, getattr(self, "_gutter", 0), 0)

    def labels(self) -> tuple[tuple[StepMark, str, QRectF], ...]:
        """Return the labels of marks and their rectangles in the widget, of as many marks as fit.

        Labels are beside their line, at its right if that leaves the others enough room.
        """
        if not self._labels:
            return ()
        box = self.getViewBox().sceneBoundingRect().getRect()
        places = tuple(self.place_of(mark.x, 0.0).x() for mark in self._marks)
        key = self._marks, places, self._taken, self.width(), box, self.look
        if key != self._labelled[0]:
            self._labelled = key, _most_said([self._choices(*each) for each in enumerate(self._marks)])
        return self._labelled[1]

    def _choices(self, number: int, mark: StepMark) -> list[_Choice]:
        """Return the ways to write the label of a mark, the best first."""
        bold = QFontMetricsF(self.look.font("small", bold=True)).horizontalAdvance
        plain = QFontMetricsF(self.look.font("small")).horizontalAdvance
        gap, line, near = self.look.px(_GAP), self._line, self.look.px(4)
        top = self.getViewBox().sceneBoundingRect().top() - _LABEL_ROWS * line
        x = self.place_of(mark.x, 0.0).x()
        found = []
        for cost, words in zip(_COSTS, (mark.long, mark.short, mark.shortest, ""), strict=True):
            width = bold(mark.title) + (plain(f" {words}") if words else 0) + 2
            for row in range(_LABEL_ROWS):
                least = self._taken + gap if row == 0 and self._taken else 0
                other = _OTHER_ROW * (row != min(number, _LABEL_ROWS - 1))
                for left, away in ((x + near, 0.0), (x - near - width, _AT_LEFT)):
                    if least <= left and left + width <= self.width():
                        rect = QRectF(left, top + row * line, width, line)
                        found.append(_Choice(cost + other + away, mark, words, rect, rect.adjusted(-gap, 1, 0, -1)))
        return sorted(found, key=lambda each: each.cost)

    @override
    def named(self) -> tuple[tuple[int, str, QRectF], ...]:
        if self._joined is None:
            return super().named()
        places = [place for place, curve in enumerate(self.shown) if curve.name and len(curve.x)]
        axes = self.getViewBox().sceneBoundingRect()
        height = QFontMetrics(self.look.font("small")).height() - 1
        zero, one = self.place_of(0.0, 0.0).y(), self.place_of(0.0, 1.0).y()
        ys = {place: zero + (one - zero) * self._end_of(place) for place in places}
        groups: list[list[int]] = []
        last: dict[tuple[str, str], list[int]] = {}
        for place in sorted(places, key=ys.__getitem__):
            # Heads without a role are all grey, but their curves are scores in several roles.
            alike = self.shown[place].colour, self.shown[place].name.partition(" ")[2]
            group = last.get(alike)
            if group is None or place in self._lit or ys[place] - ys[group[0]] > _JOINED * height:
                groups.append([place])
                if place not in self._lit:
                    last[alike] = groups[-1]
            else:
                group.append(place)
        over = self.look.px(4)
        top = max(0.0, axes.top() - over)
        room = max(0, int((axes.bottom() + over - top) // height))
        weights = {place: rank for rank, place in enumerate(self._most_telling_first(places))}
        groups = sorted(groups, key=lambda group: min(weights[place] for place in group))[:room]
        middles = {id(group): float(np.mean([ys[place] for place in group])) for group in groups}
        groups.sort(key=lambda group: middles[id(group)])
        lines = apart([middles[id(group)] for group in groups], height, top, axes.bottom() + over)
        last_step = max((float(self.shown[place].x[-1]) for place in places), default=0.0)
        end = self.place_of(max(last_step, self.here.x or 0.0), 0.0).x()
        left = min(end, axes.right()) + self.look.px(6)
        found = []
        for group, middle in zip(groups, lines, strict=True):
            name = self.shown[group[0]].name if len(group) == 1 else self._joined(sorted(group))
            found.append((group[0], name, QRectF(left, middle - height / 2, self.width() - left, height)))
        return tuple(found)

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self.plotItem is None:  # pyqtgraph has closed it
            return
        axes = self.getViewBox().sceneBoundingRect()
        painter = QPainter(self.viewport())
        painter.setRenderHint(QPainter.RenderHint.TextAntialiasing)
        self._draw_scales(painter, axes)
        self._draw_labels(painter, axes)
        if self.here.x is not None:
            self._draw_playhead(painter, axes, self.place_of(self.here.x, 0.0).x())

    def _draw_scales(self, painter: QPainter, axes: QRectF) -> None:
        font, height = self.look.font("small"), self._line
        painter.setFont(font)
        right = int(axes.left()) - self.look.px(6)
        for scale in reversed(self._scales):
            painter.setPen(QColor(scale.colour))
            for share, number in zip((0.0, 0.5, 1.0), scale.numbers, strict=True):
                y = self.place_of(0.0, share).y()
                painter.drawText(QRectF(0, y - height / 2, right, height), _RIGHT, number)
            right -= max(map(QFontMetrics(font).horizontalAdvance, scale.numbers)) + self.look.px(7)

    def _draw_labels(self, painter: QPainter, axes: QRectF) -> None:
        found = self.labels()
        painter.setPen(self._dashed)
        for mark, _, rect in found:
            x = self.place_of(mark.x, 0.0).x()
            painter.drawLine(QPointF(x, rect.top() + 2), QPointF(x, axes.top()))
        for mark, words, rect in found:
            painter.fillRect(rect, self.look.color(self.background_role))
            painter.setPen(self.look.color("text"))
            painter.setFont(self.look.font("small", bold=True))
            painter.drawText(rect, _LEFT, mark.title if words else mark.title.rstrip(":："))
            painter.setFont(self.look.font("small"))
            rest = rect.adjusted(
                QFontMetricsF(self.look.font("small", bold=True)).horizontalAdvance(mark.title), 0, 4, 0
            )
            painter.drawText(rest, _LEFT, f" {words}" if words else "")

    @override
    def _draw_names(self, painter: QPainter) -> None:
        """Draw a veil over the steps after the current one, below the names, visible while a training runs."""
        if self.here.x is not None:
            self._draw_veil(painter, self.getViewBox().sceneBoundingRect(), self.place_of(self.here.x, 0.0).x())
        super()._draw_names(painter)

    def _draw_veil(self, painter: QPainter, axes: QRectF, x: float) -> None:
        end = self.place_of(self._length, 0.0).x()  # names begin there
        later = QRectF(axes)
        later.setLeft(x + self.look.px(2))
        later.setRight(max(later.left(), end + self.look.px(2)))
        veil = self.look.color(self.background_role)
        veil.setAlpha(_PALE)
        painter.fillRect(later, veil)

    def _draw_playhead(self, painter: QPainter, axes: QRectF, x: float) -> None:
        """Draw the step's values as dots on the line."""
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        of_all = self._joined is None
        for place, curve in enumerate(self.shown):
            if not len(curve.x) or not (of_all or place in self._lit):
                continue
            y = float(np.interp(self.here.x or 0, curve.x, curve.y))
            if math.isfinite(y):
                painter.setBrush(QColor(curve.colour))
                painter.drawEllipse(self.place_of(self.here.x or 0, y), *(2 * (self.look.px(_DOT),)))
        if self._numbered:
            painter.setPen(QPen(self.look.color("accent"), 2))
            painter.setBrush(self.look.color(self.background_role))
            painter.drawEllipse(QPointF(x, axes.bottom()), *(2 * (self.look.px(_HANDLE),)))
