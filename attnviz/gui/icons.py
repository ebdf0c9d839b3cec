"""Icons from resources/icons, drawn in the theme's colour (their SVG says currentColor)."""

from functools import lru_cache

from PySide6.QtCore import QByteArray, QRectF, QSize, Qt
from PySide6.QtGui import QIcon, QPainter, QPixmap
from PySide6.QtSvg import QSvgRenderer

from attnviz.resources import resource


@lru_cache(maxsize=64)
def icon(name: str, colour: str, size: int = 16) -> QIcon:
    """Return an icon in one colour, sharp on screens of up to three pixels a point."""
    text = (resource("icons") / f"{name}.svg").read_text(encoding="utf-8")
    renderer = QSvgRenderer(QByteArray(text.replace("currentColor", colour).encode()))
    made = QIcon()
    # Qt's own way of dimming leaves a light icon on a dark button as bright as one that can be pressed.
    for mode, opacity in ((QIcon.Mode.Normal, 1.0), (QIcon.Mode.Disabled, 0.35)):
        for factor in (1, 2, 3):
            pixmap = QPixmap(QSize(size, size) * factor)
            pixmap.fill(Qt.GlobalColor.transparent)
            painter = QPainter(pixmap)
            painter.setOpacity(opacity)
            renderer.render(painter, QRectF(pixmap.rect()))
            painter.end()
            pixmap.setDevicePixelRatio(factor)
            made.addPixmap(pixmap, mode)
    return made
