"""Motion between two pictures: cells slide, in their own colours, to the cells that are computed from them.

A frame shows intermediate positions, and one colour fading over another; it never shows a number that no tensor has.
"""

import time
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QCoreApplication, QEvent, QObject, QRectF, Qt, QTimer, Slot
from PySide6.QtGui import QHideEvent, QImage, QPainter, QPaintEvent, QPen, QPixmap, QResizeEvent
from PySide6.QtWidgets import QWidget
from typing_extensions import override

from attnviz.gui.plots.matrix.tile import ColourTable
from attnviz.gui.theme import Look

DURATION_MS = 400.0
_FRAME_MS = 16
_LEAVES = 0.3
"""The share of the time in which the previous picture fades."""
_INPUTS = (
    QEvent.Type.KeyPress,
    QEvent.Type.ShortcutOverride,  # what comes of a key that is a shortcut
    QEvent.Type.MouseButtonPress,
    QEvent.Type.MouseButtonDblClick,
    QEvent.Type.Wheel,
    QEvent.Type.TouchBegin,
)


class Stop(NamedTuple):
    """The position and appearance of a block of cells at a time."""

    time: float
    """From 0 to 1, the end."""
    place: QRectF
    cells: QImage
    """One pixel for each cell."""
    opacity: float = 1.0


class Block(NamedTuple):
    """Cells that move together. They are at the first stop before its time, and at the last after it."""

    stops: Sequence[Stop]
    role: str = ""
    """The theme's colour of the frame around them; "": none."""


class Veil(NamedTuple):
    """A part of the new picture that is covered, with the window's colour, until its content has arrived."""

    place: QRectF
    times: tuple[float, ...] = (0.0,)
    opacities: tuple[float, ...] = (1.0,)


class Movement(NamedTuple):
    """The animation over a picture."""

    blocks: Sequence[Block]
    veils: Sequence[Veil] = ()


def image_of(levels: NDArray[np.uint8], table: ColourTable) -> QImage:
    """Return (rows, columns) colour levels as an image with one pixel for each."""
    pixels = np.ascontiguousarray(table.pixels[levels])
    rows, columns = pixels.shape
    return QImage(pixels.data, columns, rows, columns * 4, QImage.Format.Format_RGB32).copy()


def between(start: QRectF, end: QRectF, share: float) -> QRectF:
    """Return the rectangle at a share of the way from one to another; it starts and stops gently."""
    eased = share * share * (3 - 2 * share)
    first, last = np.array(start.getRect()), np.array(end.getRect())
    return QRectF(*map(float, first + eased * (last - first)))


class Motion(QWidget):
    """Draws a movement over its parent, transparent to the mouse, and is hidden at the end: the still picture is below.

    Any user input ends it at once.
    """

    def __init__(self, look: Look, parent: QWidget) -> None:
        super().__init__(parent)
        self._over = parent
        self.look = look
        self.clock: Callable[[], float] = _milliseconds
        """Returns the time in milliseconds; tests set it."""
        self._make: Callable[[], Movement | None] | None = None
        self._movement: Movement | None = None
        self._before = QPixmap()
        self._began = 0.0
        self._timer = QTimer(self, interval=_FRAME_MS)
        self._timer.timeout.connect(self.step)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.hide()

    def begin(self, before: QPixmap, make: Callable[[], Movement | None]) -> None:
        """Move from a picture to that of the parent.

        ``make`` is called with the first frame, when that has been laid out; it returns None if nothing can move.
        """
        self.end()
        self._before, self._make, self._began = before, make, self.clock()
        self.setGeometry(self._over.rect())
        self.raise_()
        self.show()
        self._timer.start()
        application = QCoreApplication.instance()
        assert application is not None
        application.installEventFilter(self)

    @Slot()
    def end(self) -> None:
        """Show the still picture."""
        if self._make is None:
            return
        self._timer.stop()
        self._make, self._movement, self._before = None, None, QPixmap()
        application = QCoreApplication.instance()
        if application is not None:
            application.removeEventFilter(self)
        self.hide()

    @property
    def share(self) -> float:
        """The elapsed share of the time, from 0 to 1."""
        return min(1.0, max(0.0, (self.clock() - self._began) / DURATION_MS))

    @property
    def movement(self) -> Movement | None:
        """The movement, once its first frame was drawn."""
        return self._movement

    @Slot()
    def step(self) -> None:
        """Draw the next frame, or end."""
        if self.share < 1:
            self.update()
        else:
            self.end()

    @override
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in _INPUTS:
            self.end()
        return False

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self._movement is not None:
            self.end()

    @override
    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self.end()

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        if self._make is None or self.share >= 1:
            return
        if self._movement is None:
            self._movement = self._make()
            self._began = self.clock()  # laying out the new picture has taken some time
        if self._movement is None:
            QTimer.singleShot(0, self.end)
            return
        share, painter = self.share, QPainter(self)
        for veil in self._movement.veils:
            painter.setOpacity(float(np.interp(share, veil.times, veil.opacities)))
            painter.fillRect(veil.place, self.look.color("window"))
        if share < _LEAVES:
            painter.setOpacity(1 - share / _LEAVES)
            painter.drawPixmap(0, 0, self._before)
        for block in self._movement.blocks:
            self._draw(painter, block, share)
        painter.end()

    def _draw(self, painter: QPainter, block: Block, share: float) -> None:
        before = after = block.stops[-1]
        for first, second in pairwise(block.stops):
            if share < second.time:
                before, after = first, second
                break
        way = max(0.0, share - before.time) / (after.time - before.time) if after is not before else 1.0
        place = between(before.place, after.place, way)
        opacity = before.opacity + way * (after.opacity - before.opacity)
        painter.setOpacity(opacity)
        painter.drawImage(place, before.cells)
        if block.role:
            painter.setPen(QPen(self.look.color(block.role), 1.5))
            painter.drawRect(place)
        if after.cells is not before.cells:
            painter.setOpacity(opacity * way)
            painter.drawImage(place, after.cells)


def _milliseconds() -> float:
    return time.perf_counter() * 1e3
