"""The page of positions: a score over distance, the plane of a pair of features, and a shift of the whole sentence."""

import math
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, Qt, Slot
from PySide6.QtGui import QPainter, QPen
from PySide6.QtWidgets import QWidget
from typing_extensions import override

from attnviz.definitions.counting import SCREEN
from attnviz.definitions.text import Text, number_said
from attnviz.experiment.attention.positions import (
    Plane,
    PositionFacts,
    cell_said,
    chosen_cell,
    position_facts,
    shift_said,
)
from attnviz.experiment.attention.view import MOST_SHIFTED, AttentionViewSettings
from attnviz.gui.labs.current_view import CurrentView
from attnviz.gui.layers.heads_view import HeadsView, Picture, colours_of_cells
from attnviz.gui.plots.matrix.canvas import Canvas
from attnviz.gui.plots.page import ColourLine, Page
from attnviz.gui.theme import Look
from attnviz.gui.widgets.labels import caption, show_text
from attnviz.gui.widgets.selection import SelectionModel
from attnviz.gui.widgets.step_row import StepRow
from attnviz.gui.widgets.words import translate

if TYPE_CHECKING:
    from attnviz.gui.labs.attention.distance_plot import DistancePlot

_GAP = 8
"""The gap between parts, at scale 1."""
_ABOVE, _HEADS = 0.55, 0.62
"""The share of the height for the heads and the plane above the curve, and of the width for the heads."""


class PlaneCanvas(Canvas):
    """Two features of the query and the key as arrows in a circle: dashed before they are turned, solid after."""

    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(look, parent)
        self.plane: Plane | None = None
        self.setAccessibleName(self.tr("The plane of a pair of features"))

    def show_plane(self, plane: Plane | None) -> None:
        """Draw a plane; None draws nothing."""
        self.plane = plane
        if plane is not None:
            self.setAccessibleDescription(translate(plane_title(plane)))
        self.setVisible(plane is not None)
        self.redraw()

    @override
    def draw(self, painter: QPainter) -> None:
        if self.plane is None:
            return
        look, plane = self.look, self.plane
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(look.font("small"))
        line = painter.fontMetrics().height()
        middle = QPointF(self.width() / 2, (self.height() + line) / 2)
        radius = max(min(self.width(), self.height() - 2 * line) / 2 - look.px(14), 8.0)
        painter.setPen(look.color("text"))
        painter.drawText(self.rect(), Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignHCenter, self._title())
        painter.setPen(QPen(look.color("edge"), 1))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawEllipse(middle, radius, radius)
        painter.drawLine(middle - QPointF(radius, 0), middle + QPointF(radius, 0))
        painter.drawLine(middle - QPointF(0, radius), middle + QPointF(0, radius))
        longest = max(float(np.linalg.norm(each)) for each in (*plane.query, *plane.key)) or 1.0
        for name, (before, after) in (("q", plane.query), ("k", plane.key)):
            colour = look.color(name)
            painter.setPen(QPen(colour, look.px(1), Qt.PenStyle.DashLine))
            painter.drawLine(middle, _end(middle, before, radius / longest))
            painter.setPen(QPen(colour, look.px(2.5)))
            tip = _end(middle, after, radius / longest)
            painter.drawLine(middle, tip)
            painter.setBrush(colour)
            painter.drawEllipse(tip, look.px(3), look.px(3))
            painter.setPen(look.text_color(name))
            size = math.hypot(*(tip - middle).toTuple()) or 1.0
            place = tip + (tip - middle) * (look.px(11) / size)
            metrics = painter.fontMetrics()
            painter.drawText(place + QPointF(-metrics.horizontalAdvance(name) / 2, metrics.ascent() / 2 - 1), name)

    def _title(self) -> str:
        assert self.plane is not None
        return translate(plane_title(self.plane))


def _end(middle: QPointF, vector: NDArray[np.float64], scale: float) -> QPointF:
    """Return the tip of a vector drawn from the middle; y points up."""
    return middle + QPointF(float(vector[0]) * scale, -float(vector[1]) * scale)


def plane_title(plane: Plane) -> Text:
    """Return the title of a plane: its features and their part of the dot product."""
    values: dict[str, Any] = {"first": SCREEN.number(plane.features[0]), "second": SCREEN.number(plane.features[1])}
    values |= {"product": number_said(plane.product)}
    if plane.of_inputs:
        return Text("positions, features {first} and {second}: product {product}", values)
    return Text("features {first} and {second}: q · k = {product}", values)


class PositionsPage(Page[Picture]):
    """The heads, the plane of a pair of the chosen cell, and below them its score over distance."""

    sentence_room = 1180

    def __init__(self, look: Look, selection: SelectionModel, current: CurrentView[AttentionViewSettings]) -> None:
        super().__init__(look, selection, current)
        self._picture: Picture | None = None
        self.facts: PositionFacts | None = None
        self._placed_for: object = None  # what the sizes of the parts depend on
        self.hint = self.tr("Choose a query and a key in the matrix, or a key by its dot in the curve.")
        self.heads = HeadsView(look, selection)
        self.plane = PlaneCanvas(look)
        self._curve: DistancePlot | None = None
        about_pair = self.tr("Choose the pair of features that is drawn in the circle")
        self.pair = StepRow(title=self.tr("pair"), name=self.tr("Pair of features"), about=about_pair)
        about_shift = self.tr("Move every token to later positions, and compare the scores with those of the run")
        self.shift = StepRow(title=self.tr("shift"), name=self.tr("Shift of the whole sentence"), about=about_shift)
        self.said_of_shift = caption(wraps=True, plain=True)
        for part in (self.heads, self.plane, self.pair, self.shift, self.said_of_shift):
            part.setParent(self)
        self.heads.painted.connect(self.painted)
        self.plane.painted.connect(self.painted)
        self.pair.looked.connect(self._choose_pair)
        self.shift.looked.connect(self._choose_shift)

    @property
    def curve(self) -> "DistancePlot":
        """The curve, made when it is first drawn: the first window is shown before a plotting library is loaded."""
        if self._curve is None:
            from attnviz.gui.labs.attention.distance_plot import DistancePlot

            self._curve = DistancePlot(self._look, self)
            self._curve.key_chosen.connect(self._choose_key)
            self._curve.show()
        return self._curve

    @override
    def restyle(self, look: Look) -> None:
        super().restyle(look)

    @override
    def _place(self) -> None:
        """Put the heads and the plane above the curve, and the shift below it."""
        gap, wide = self._look.px(_GAP), self.width()
        said, row = self.said_of_shift.heightForWidth(wide), self.shift.sizeHint().height()
        pictures = max(self.height() - row - said - 3 * gap, 2)
        above = round(pictures * _ABOVE)
        left = round(wide * _HEADS) if self.plane.plane is not None else wide
        right = left + gap, wide - left - gap
        self.heads.setGeometry(0, 0, left, above)
        self.plane.setGeometry(right[0], 0, right[1], above - row)
        self.pair.setGeometry(right[0], above - row, right[1], row)
        if self._curve is not None:
            self._curve.setGeometry(0, above + gap, wide, pictures - above)
        self.shift.setGeometry(0, pictures + 2 * gap, wide, row)
        self.said_of_shift.setGeometry(0, pictures + row + 3 * gap, wide, said)

    @property
    @override
    def close_up(self) -> QWidget:
        return self.curve

    @override
    def show_data(self, data: Picture) -> None:
        self._picture = data
        self.heads.show_picture(data)

    @override
    def select(self) -> None:
        self.heads.select()
        if self._picture is None:
            return
        trace, chosen, view = self._picture.trace, self._selection.current, self._current.value
        item = min(view.item, trace.items - 1)
        cell = chosen_cell(trace, item, chosen.head, chosen.query, chosen.key)
        self.facts = facts = position_facts(trace, item, cell, view.pair, view.shift)
        self.curve.show_facts(facts)
        self.plane.show_plane(facts.plane)
        last = facts.pairs - 1
        self.pair.setVisible(last > 0)
        self.pair.show_step(min(view.pair, max(last, 0)), max(last, 0), max(last, 0), first=1)
        self.shift.show_step(view.shift, MOST_SHIFTED, MOST_SHIFTED)
        show_text(self.said_of_shift, translate(shift_said(facts)))
        placed_for = facts.plane is not None, self.said_of_shift.heightForWidth(self.width())
        if placed_for != self._placed_for:
            self._placed_for = placed_for
            self._place()

    @override
    def colour_line(self) -> ColourLine | None:
        return None if self._picture is None else colours_of_cells(self._picture)

    @property
    @override
    def words(self) -> str:
        return "" if self.facts is None else translate(cell_said(self.facts))

    @Slot(int)
    def _choose_key(self, distance: int) -> None:
        if self.facts is None or self._picture is None:
            return
        head, query, _ = self.facts.cell
        key = min(max(query + distance, 0), self._picture.trace.weights.shape[3] - 1)
        self._selection.lock(replace(self._selection.locked, head=head, query=query, key=key))

    @Slot(int)
    def _choose_pair(self, pair: int) -> None:
        self._current.propose(pair=pair)

    @Slot(int)
    def _choose_shift(self, shift: int) -> None:
        self._current.propose(shift=shift)
