"""A pyqtgraph plot in the house's dress: no frame, quiet grid, our fonts, no context menu of its own."""

import pyqtgraph as pg
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QWidget

from attnviz.gui.theme import Look


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
        self.hideButtons()
        self.setFrameShape(self.Shape.NoFrame)
        self.setAntialiasing(True)
        item = self.getPlotItem()
        item.setContentsMargins(0, 0, 0, 0)
        # pyqtgraph would export through its own menu; pictures leave through ours.
        self.scene().contextMenu = []

    def restyle(self, look: Look) -> None:
        """Take another theme or type scale; pyqtgraph ignores Qt's palette and style sheet."""
        self.look = look
        theme = look.theme
        self.setBackground(getattr(theme, self.background_role))
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
            axis.enableAutoSIPrefix(False)  # "x0.001" is no unit
            axis.setLabel(title, **{"font-size": f"{look.px(11)}px", "color": theme.muted})
        self.getAxis("left").setWidth(look.px(46))
        self.getAxis("bottom").setHeight(look.px(36))

    def colour(self, role: str, alpha: int = 255) -> QColor:
        """Return a colour of the theme, see-through where asked."""
        colour = QColor(getattr(self.look.theme, role))
        colour.setAlpha(alpha)
        return colour
