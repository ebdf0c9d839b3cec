"""A pyqtgraph plot in attnviz's style: no frame, light grid, our fonts, no context menu."""

import pyqtgraph as pg
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor, QFocusEvent, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QWidget
from typing_extensions import override

from attnviz.gui.plots.curves.plot_layer import PlotLayer
from attnviz.gui.plots.matrix.canvas import BY_KEYBOARD
from attnviz.gui.theme import Look
from attnviz.gui.widgets.labels import caption

Range = tuple[float, float]
LEAST_AIR = 0.08
"""The margin above and below a range, as a share of the height."""
_SIDE = 0.02
"""The margin at both sides of a range, as a share of the width."""
_FINEST, _LEAST = 1e-12, 1e-290
_LEFT, _BOTTOM, _UNTITLED = 46, 36, 22
"""The width of the left axis, and the height of the bottom one with and without a title, at scale 1."""


class CurvePlot(pg.PlotWidget):  # type: ignore[misc]
    """The base of every curve plot."""

    background_role = "window"
    """The theme's colour behind the plot."""
    half_number = 9
    """The least margin at both sides of a range in pixels, at scale 1: half the width of a tick label at its end."""

    def __init__(
        self,
        look: Look,
        name: str,
        x_title: str,
        y_title: str,
        parent: QWidget | None = None,
        left_axis: pg.AxisItem | None = None,
    ) -> None:
        super().__init__(parent, axisItems={} if left_axis is None else {"left": left_axis})
        self.look = look
        self._ringed = False
        self.legend = caption(wraps=True)
        """The names of the curves as rich text, above the axes; hidden without any."""
        self.legend.setParent(self)
        self.legend.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.legend.hide()
        self.layer = PlotLayer(self)
        self.titles = {"bottom": x_title, "left": y_title}
        self.setAccessibleName(name)
        self.setMenuEnabled(False)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # plots with keys of their own turn it on
        self.hideButtons()
        self.setFrameShape(self.Shape.NoFrame)
        self.getViewBox().disableAutoRange()  # each subclass sets the range of its data
        item = self.getPlotItem()
        item.setContentsMargins(0, 0, 0, 0)
        # pyqtgraph would export through its own menu; attnviz exports pictures itself.
        self.scene().contextMenu = []

    def restyle(self, look: Look) -> None:
        """Apply a theme and type scale; pyqtgraph ignores Qt's palette and style sheet."""
        self.look = look
        theme = look.theme
        self.setBackground(look.color(self.background_role))
        font = look.font("small")
        for side, title in self.titles.items():
            axis = self.getAxis(side)
            axis.setPen(pg.mkPen(theme.edge))
            axis.setTextPen(pg.mkPen(theme.muted))
            axis.setTickFont(font)
            # Its grid and numbers are drawn once instead of every frame.
            axis.setCacheMode(axis.CacheMode.DeviceCoordinateCache)
            axis.setStyle(tickLength=0, tickTextOffset=look.px(6))
            axis.setGrid(40)
            # "x0.001" is no unit. If only disabled, pyqtgraph would keep the prefix of the current range.
            axis.setSIPrefixEnableRanges([])
            axis.enableAutoSIPrefix(False)
            axis.setLabel(title, **{"font-size": f"{look.px(11)}px", "color": theme.muted})
        self.getAxis("left").setWidth(look.px(_LEFT))
        self.getAxis("bottom").setHeight(look.px(_BOTTOM if self.titles["bottom"] else _UNTITLED))
        self._place_legend()

    def show_legend(self, text: str) -> None:
        """Show a legend above the axes, in rich text; "" leaves the room to the axes."""
        if text != self.legend.text():
            self.legend.setText(text)
            self._place_legend()

    def _place_legend(self) -> None:
        """Place the legend above the axes, in as many lines as it needs."""
        left = self.look.px(_LEFT)
        width = self.width() - left
        shown = bool(self.legend.text()) and width > 0
        self.legend.setVisible(shown)
        height = self.legend.heightForWidth(width) + self.look.px(4) if shown else 0
        self.legend.setGeometry(left, 0, max(width, 0), height)
        self.getPlotItem().setContentsMargins(0, height, 0, 0)

    @override
    def resizeEvent(self, event: QResizeEvent | None) -> None:
        super().resizeEvent(event)
        if hasattr(self, "legend") and self.plotItem is not None:  # pyqtgraph resizes during construction and closing
            self._place_legend()

    def colour(self, role: str, alpha: int = 255) -> QColor:
        """Return a colour of the theme, optionally translucent."""
        colour = QColor(getattr(self.look.theme, role))
        colour.setAlpha(alpha)
        return colour

    def show_range(self, x: Range | None, y: Range | None, air: float = LEAST_AIR) -> None:
        """Show a range of numbers, with a margin above and below as a share of it; None leaves the axis unchanged."""
        if x is not None or y is not None:
            side = max(_SIDE, self.look.px(self.half_number) / max(self.getViewBox().width(), 1.0))
            self.getViewBox().setRange(xRange=_with_air(x, side), yRange=_with_air(y, air), padding=0)
            self.getViewBox().prepareForPaint()  # `paint` would otherwise start another layout pass

    def pen(self, role: str, width: float, alpha: int = 255, style: Qt.PenStyle = Qt.PenStyle.SolidLine) -> QPen:
        """Return a pen in a colour of the theme, with a width in points at type scale 1."""
        return QPen(self.colour(role, alpha), width * self.look.scale, style)

    def place_of(self, x: float, y: float) -> QPointF:
        """Return the widget coordinates of a point of the plot."""
        return QPointF(self.mapFromScene(self.getViewBox().mapViewToScene(QPointF(x, y))))

    def covers(self, place: QPointF) -> bool:
        """Return whether a point of the widget is within the axes."""
        return bool(self.getViewBox().sceneBoundingRect().contains(place))

    def in_plot(self, place: QPointF) -> QPointF:
        """Return the plot coordinates of a widget position, within the shown range."""
        here = self.getViewBox().mapSceneToView(place)
        (left, right), (low, high) = self.getViewBox().viewRange()
        return QPointF(min(max(here.x(), left), right), min(max(here.y(), low), high))

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self.hasFocus() and self._ringed:
            painter = QPainter(self.viewport())
            painter.setPen(QPen(self.look.color("accent"), 2))
            painter.drawRect(self.viewport().rect().adjusted(1, 1, -1, -1))

    @override
    def focusInEvent(self, event: QFocusEvent) -> None:
        """Show a focus ring only if the focus came by the keyboard."""
        self._ringed = event.reason() in BY_KEYBOARD
        super().focusInEvent(event)
        self.viewport().update()

    @override
    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.viewport().update()


def _with_air(range_: Range | None, share: float) -> Range | None:
    if range_ is None:
        return None
    low, high = range_
    size = max(abs(low), abs(high)) or 1.0
    # No finer than numbers of their size can be distinguished, or an axis would repeat the same tick label.
    span = max(high - low, size * _FINEST, _LEAST)
    middle, half = low / 2 + high / 2, span * (0.5 + share)
    return middle - half, middle + half
