"""The curve of the page of positions: a score over distance."""

import numpy as np
from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QWidget
from typing_extensions import override

from attnviz.experiment.attention.positions import PositionFacts, cell_said
from attnviz.gui.plots.curves.curve_plot import CurvePlot
from attnviz.gui.plots.curves.marks import CurveMark, Dots, Upright
from attnviz.gui.plots.curves.plot_layer import extent
from attnviz.gui.theme import Look
from attnviz.gui.widgets.words import translate


class DistancePlot(CurvePlot):
    """The score of a query and a key as if they were at any distance, and the run's scores of the query's row."""

    key_chosen = Signal(int)
    """The distance, key − query, that the user clicked."""

    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(look, "", "", "", parent)
        self.titles = {"bottom": self.tr("distance (key − query)"), "left": self.tr("score")}
        self.setAccessibleName(self.tr("The score of the chosen query and key over their distance"))
        self.here, self.curve = Upright(self.layer), CurveMark(self.layer)
        self.row, self.cell = Dots(self.layer), Dots(self.layer)
        self.getViewBox().setMouseEnabled(x=False, y=False)
        self.restyle(look)

    @override
    def restyle(self, look: Look) -> None:
        super().restyle(look)
        self.here.set_pen(self.pen("edge", 1, style=Qt.PenStyle.DashLine))
        self.curve.set_pen(self.pen("accent", 1.8))
        self.row.set_look(self.colour("k"), look.px(5))
        self.cell.set_look(self.colour("q"), look.px(9), self.colour("window"), look.px(1))

    def show_facts(self, facts: PositionFacts) -> None:
        """Draw the curve of the cell, and dots for the keys of its row."""
        distance = float(facts.cell[2] - facts.cell[1])
        self.curve.set_data(facts.distances, facts.scores)
        self.row.set_data(*facts.row)
        self.cell.set_data(np.array([distance]), np.array([facts.score]))
        self.here.put(distance)
        theme = self.look.theme
        line, dots = (
            f'<span style="color:{colour}">{sign}</span>' for colour, sign in ((theme.accent, "━"), (theme.k, "●"))
        )
        curve, row = self.tr("this query and key at any distance"), self.tr("the run's scores of this query")
        self.show_legend(f"{line} {curve} &nbsp; {dots} {row}")
        self.show_range(extent(facts.distances, facts.row[0]), extent(facts.scores, facts.row[1]))
        self.setAccessibleDescription(translate(cell_said(facts)))

    @override
    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton and self.covers(event.position()):
            self.key_chosen.emit(round(self.in_plot(event.position()).x()))
        super().mousePressEvent(event)
