"""Mouse input in the fit: press a point, drag it, release it, click and double click, in pixels."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from hands import Hands
from PySide6.QtCore import QPoint, QPointF
from pytestqt.qtbot import QtBot

from attnviz.gui.window.main_window import MainWindow


class FitHands:
    """Sends mouse events to the fit of one window."""

    def __init__(self, window: MainWindow, qtbot: QtBot) -> None:
        self.window = window
        self.qtbot = qtbot
        self.stage: Any = window.rooms["regression"].stage
        self.fit = self.stage.fit
        self._hands = Hands(qtbot)

    @property
    def trace(self) -> Any:
        """The trace on screen."""
        return self.window.controller.shown

    @property
    def view(self) -> Any:
        """The visible ranges of x and y, (2, 2)."""
        return np.array(self.fit.getViewBox().viewRange())

    @property
    def chosen_key(self) -> int | None:
        """The chosen training point."""
        return self.window.rooms["regression"].selection.current.key

    @property
    def ring(self) -> tuple[list[float], list[float]]:
        """The x and y of the rings around chosen points."""
        x, y = self.fit.points.chosen.data
        return list(x), list(y)

    def at(self, point: int) -> QPoint:
        """Return the pixel of a training point."""
        return self.pixel(self.trace.x_train[point], self.trace.y_train[point])

    def pixel(self, x: float, y: float) -> QPoint:
        """Return the pixel of a point of the plot."""
        return QPointF(self.fit.place_of(x, y)).toPoint()

    def numbers(self, pixel: QPoint) -> tuple[float, float]:
        """Return the plot's coordinates at a pixel, by linear interpolation."""
        box = self.fit.getViewBox()
        place, size = box.sceneBoundingRect().topLeft(), box.rect().size()
        (left, right), (low, high) = self.view
        x = left + (right - left) * (pixel.x() - place.x()) / size.width()
        return x, high - (high - low) * (pixel.y() - place.y()) / size.height()

    @property
    def pixel_size(self) -> Any:
        """The width and height of a pixel in the plot's coordinates."""
        return np.array(self.fit.getViewBox().viewPixelSize())

    def lonely_point(self) -> int:
        """Return the training point farthest from all others on screen."""
        places = np.array([self.at(point).toTuple() for point in range(len(self.trace.x_train))])
        far = np.linalg.norm(places[:, None] - places, axis=-1) + np.diag(np.full(len(places), np.inf))
        return int(far.min(axis=1).argmax())

    def empty_place(self) -> QPoint:
        """Return the pixel of the plot farthest from all training points."""
        area = self.fit.getViewBox().sceneBoundingRect().adjusted(20, 20, -20, -20)
        points = np.array([self.at(point).toTuple() for point in range(len(self.trace.x_train))])
        xs, ys = np.meshgrid(np.arange(area.left(), area.right(), 7), np.arange(area.top(), area.bottom(), 7))
        places = np.stack((xs.ravel(), ys.ravel()), axis=1)
        far = np.linalg.norm(places[:, None] - points, axis=-1).min(axis=1)
        return QPoint(*places[far.argmax()].astype(int).tolist())

    def inwards(self, pixel: QPoint) -> tuple[int, int]:
        """Return the direction of the centre of the plot: 1 or -1, to the right and down."""
        middle = self.fit.getViewBox().sceneBoundingRect().center()
        return (1 if pixel.x() < middle.x() else -1), (1 if pixel.y() < middle.y() else -1)

    def press(self, pixel: QPoint) -> None:
        """Press the left button."""
        self.qtbot.mousePress(self.fit.viewport(), Hands.left, pos=pixel)

    def move(self, pixels: Sequence[QPoint]) -> None:
        """Move the mouse with its left button down."""
        for pixel in pixels:
            self._hands.drag(self.fit.viewport(), pixel)

    def release(self, pixel: QPoint) -> None:
        """Release the left button."""
        self.qtbot.mouseRelease(self.fit.viewport(), Hands.left, pos=pixel)

    def drag(self, start: QPoint, *by: tuple[int, int]) -> QPoint:
        """Drag from a pixel by some offsets in turn; return the pixel where the mouse is released."""
        self.press(start)
        pixels = [start]
        for dx, dy in by:
            last = pixels[-1]
            pixels += [last + QPoint(dx * part // 4, dy * part // 4) for part in (1, 2, 3, 4)]
        self.move(pixels[1:])
        self.release(pixels[-1])
        return pixels[-1]

    def double_click(self, pixel: QPoint) -> None:
        """Double click, with Qt's sequence of events."""
        viewport = self.fit.viewport()
        self.qtbot.mouseClick(viewport, Hands.left, pos=pixel)
        self.qtbot.mouseDClick(viewport, Hands.left, pos=pixel)
        self.release(pixel)
