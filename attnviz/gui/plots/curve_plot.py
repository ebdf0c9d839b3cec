"""A pyqtgraph plot in the house's dress: no frame, quiet grid, our fonts, no context menu of its own."""

import pyqtgraph as pg
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor, QFocusEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget
from typing_extensions import override

from attnviz.gui.theme import Look

pg.setConfigOptions(antialias=True)  # heeded by items as they are made, all of them after this


class CurvePlot(pg.PlotWidget):  # type: ignore[misc]
    """The base of every curve plot."""

    background_role = "window"
    """The theme's colour that the plot stands on."""

    def __init__(self, look: Look, name: str, x_title: str, y_title: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.look = look
        self.titles = {"bottom": x_title, "left": y_title}
        self.setAccessibleName(name)
        self.setMenuEnabled(False)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # but for those that have keys
        self.hideButtons()
        self.setFrameShape(self.Shape.NoFrame)
        self.setAntialiasing(True)
        item = self.getPlotItem()
        item.setContentsMargins(0, 0, 0, 0)
        # pyqtgraph would export through its own menu; pictures leave through ours.
        self.scene().contextMenu = []

    def arrange(self) -> None:
        """Work out the ranges of what has been handed over; left to the painting, they would have it begin again."""
        self.scene().prepareForPaint()

    def restyle(self, look: Look) -> None:
        """Take another theme or type scale; pyqtgraph ignores Qt's palette and style sheet."""
        self.look = look
        theme = look.theme
        self.setBackground(look.color(self.background_role))
        font = look.font("small")
        for side, title in self.titles.items():
            axis = self.getAxis(side)
            axis.setPen(pg.mkPen(theme.line))
            axis.setTextPen(pg.mkPen(theme.muted))
            axis.setTickFont(font)
            # Its grid and numbers are drawn once and not with every frame.
            axis.setCacheMode(axis.CacheMode.DeviceCoordinateCache)
            axis.setStyle(tickLength=0, tickTextOffset=look.px(6))
            axis.setGrid(40)
            # "x0.001" is no unit. Switched off alone, pyqtgraph would keep the prefix of the range of this moment.
            axis.setSIPrefixEnableRanges([])
            axis.enableAutoSIPrefix(False)
            axis.setLabel(title, **{"font-size": f"{look.px(11)}px", "color": theme.muted})
        self.getAxis("left").setWidth(look.px(46))
        self.getAxis("bottom").setHeight(look.px(36))

    def colour(self, role: str, alpha: int = 255) -> QColor:
        """Return a colour of the theme, see-through where asked."""
        colour = QColor(getattr(self.look.theme, role))
        colour.setAlpha(alpha)
        return colour

    def place_of(self, x: float, y: float) -> QPointF:
        """Return where a point of the plot is drawn, in the widget."""
        return QPointF(self.mapFromScene(self.getViewBox().mapViewToScene(QPointF(x, y))))

    def covers(self, place: QPointF) -> bool:
        """Return whether a place of the widget lies within the axes."""
        return bool(self.getViewBox().sceneBoundingRect().contains(place))

    def in_plot(self, place: QPointF) -> QPointF:
        """Return a place of the widget in the plot's numbers, within what is shown of them."""
        here = self.getViewBox().mapSceneToView(place)
        (left, right), (low, high) = self.getViewBox().viewRange()
        return QPointF(min(max(here.x(), left), right), min(max(here.y(), low), high))

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self.hasFocus():
            painter = QPainter(self.viewport())
            painter.setPen(self.colour("muted"))
            painter.drawRect(self.viewport().rect().adjusted(0, 0, -1, -1))

    @override
    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.viewport().update()

    @override
    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.viewport().update()
