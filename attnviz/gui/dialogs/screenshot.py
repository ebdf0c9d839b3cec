"""Pictures of the screen, with selection and hover marks; and the picture on the clipboard."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

import numpy as np
from PySide6.QtCore import (
    QBuffer,
    QByteArray,
    QCoreApplication,
    QEvent,
    QIODevice,
    QMarginsF,
    QMimeData,
    QPoint,
    QSizeF,
    Qt,
)
from PySide6.QtGui import QGuiApplication, QImage, QPageLayout, QPageSize, QPainter, QPdfWriter
from PySide6.QtWidgets import QAbstractButton, QAbstractScrollArea, QGraphicsView, QPlainTextEdit, QWidget

from attnviz.export.embedded_session import Pixels
from attnviz.gui.labs.room import AnyRoom
from attnviz.gui.theme import Look, restyle
from attnviz.gui.widgets.buttons import Segments
from attnviz.gui.window.notice import Notice

_TRIES = 8
_HIGHEST = 4
"""The most by which a picture may be higher than on screen."""


def picture_of(widget: QWidget, scale: int, *, transparent: bool = False) -> QImage:
    """Return the widget as drawn, with ``scale`` pixels per point; text and cells are drawn at that sharpness.

    ``transparent`` leaves out the window's background; its widgets must have been restyled by `see_through`.
    """
    image = QImage(widget.size() * scale, QImage.Format.Format_RGBA8888)
    image.setDevicePixelRatio(scale)
    if transparent:
        image.fill(Qt.GlobalColor.transparent)
        QWidget.render(widget, image, QPoint(0, 0), renderFlags=QWidget.RenderFlag.DrawChildren)
    else:
        image.fill(widget.palette().color(widget.backgroundRole()))
        QWidget.render(widget, image, QPoint(0, 0))  # a plot's own method draws only its scene
    return image


def pixels_of(image: QImage) -> Pixels:
    """Return a copy of an image's pixels."""
    straight = image.convertToFormat(QImage.Format.Format_RGBA8888)
    rows = np.frombuffer(straight.constBits(), np.uint8).reshape(straight.height(), straight.bytesPerLine())
    return rows[:, : 4 * straight.width()].reshape(straight.height(), straight.width(), 4).copy()


def pdf_of(widget: QWidget, title: str) -> bytes:
    """Return the widget as one page of its size: text stays text, and cells are lossless images."""
    content = QByteArray()
    buffer = QBuffer(content)
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    writer = QPdfWriter(buffer)
    resolution = widget.logicalDpiX()
    writer.setResolution(resolution)
    points = QSizeF(widget.size()) * (72 / resolution)
    page = QPageSize(points, QPageSize.Unit.Point, title, QPageSize.SizeMatchPolicy.ExactMatch)
    writer.setPageLayout(QPageLayout(page, QPageLayout.Orientation.Portrait, QMarginsF()))
    writer.setTitle(title)
    painter = QPainter(writer)
    painter.fillRect(widget.rect(), widget.palette().color(widget.backgroundRole()))
    QWidget.render(widget, painter, QPoint(0, 0))
    painter.end()
    buffer.close()
    return bytes(content.data())


@contextmanager
def without_notices(window: QWidget, page: QWidget | None = None) -> Iterator[None]:
    """Hide messages and the buttons of a page while a picture is taken."""
    widgets: list[QWidget] = [*window.findChildren(Notice)]
    if page is not None:
        widgets += (*page.findChildren(QAbstractButton), *page.findChildren(Segments))
    shown = [widget for widget in widgets if not widget.isHidden()]
    for widget in shown:
        widget.hide()
    try:
        yield
    finally:
        for widget in shown:
            widget.show()


@contextmanager
def unscrolled(part: QWidget) -> Iterator[None]:
    """Give a part temporarily the height to show all of its vertically scrolling content, without scroll bars.

    A higher part has larger pictures too, so the missing height is computed iteratively.
    """
    areas = [area for area in part.findChildren(QAbstractScrollArea) if area.isVisible()]
    areas = [area for area in areas if area.verticalScrollBar().maximum() and not isinstance(area, QPlainTextEdit)]
    policies = [area.verticalScrollBarPolicy() for area in areas]
    bars = [area.verticalScrollBar() for area in areas]
    positions, size = [bar.value() for bar in bars], part.size()
    for _ in range(_TRIES):
        missing = sum(bar.maximum() for bar in bars)
        if not missing or part.height() == _HIGHEST * size.height():
            break
        part.resize(part.width(), min(part.height() + missing, _HIGHEST * size.height()))
        QCoreApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest)
    for area in areas:
        area.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    try:
        yield
    finally:
        for area, policy in zip(areas, policies, strict=True):
            area.setVerticalScrollBarPolicy(policy)
        part.resize(size)
        QCoreApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest)
        for bar, position in zip(bars, positions, strict=True):
            bar.setValue(position)


@contextmanager
def see_through(room: AnyRoom, look: Look) -> Iterator[None]:
    """Draw a room's stage without its background temporarily; text and cells keep their colours."""
    theme = look.theme
    clear = replace(theme, window=_clear(theme.window), panel=_clear(theme.panel), field=_clear(theme.field))
    stage: QWidget = room.stage
    views = stage.findChildren(QGraphicsView)
    try:
        stage.setStyleSheet("#stage { background: transparent; }")
        for view in views:
            view.viewport().setAutoFillBackground(False)
            view.setCacheMode(QGraphicsView.CacheModeFlag.CacheNone)
        restyle(stage, replace(look, theme=clear))
        yield
    finally:
        stage.setStyleSheet("")
        for view in views:
            view.viewport().setAutoFillBackground(True)
            view.setCacheMode(QGraphicsView.CacheModeFlag.CacheBackground)
        restyle(stage, look)


def _clear(colour: str) -> str:
    """Return "#rrggbb" in Qt's notation with an opacity of 0, so that its lightness can still be queried."""
    return f"#00{colour.removeprefix('#')}"


PNG_TYPE = "image/png"
_MARK = "application/x-attnviz-picture"
"""Marks attnviz's own picture, to distinguish it from other programs' data."""


def offer_picture(pixels: Pixels, png: bytes, kind: str = PNG_TYPE, content: bytes = b"") -> None:
    """Copy a picture to the clipboard: as pixels, as the PNG with its session, and as another kind."""
    height, width = pixels.shape[:2]
    image = QImage(pixels.data, width, height, 4 * width, QImage.Format.Format_RGBA8888)
    data = QMimeData()
    data.setImageData(image.copy())
    data.setData(PNG_TYPE, png)
    data.setData(_MARK, b"")
    if content:
        data.setData(kind, content)
    QGuiApplication.clipboard().setMimeData(data)


def release_clipboard() -> None:
    """Replace our data on the clipboard by a plain image, before the application ends.

    Qt destroys clipboard data after Python's end, and aborts if that data was made in Python.
    """
    clipboard = QGuiApplication.clipboard()
    data = clipboard.mimeData()
    if data is not None and data.hasFormat(_MARK):
        clipboard.setImage(clipboard.image())
