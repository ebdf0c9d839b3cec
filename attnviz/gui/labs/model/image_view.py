"""An image as patches, each coloured by the attention of the chosen token; special tokens are chips above it."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QLineF, QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QImage, QKeyEvent, QPainter, QPen
from PySide6.QtWidgets import QWidget
from typing_extensions import override

from attnviz.experiment.colours import MASKED
from attnviz.experiment.model.image import SeenImage
from attnviz.gui.plots.matrix.canvas import ARROWS
from attnviz.gui.plots.matrix.tile import draw_frames, hatch_brush
from attnviz.gui.plots.tensors.token_text import ShadedTokens, ShownToken
from attnviz.gui.theme import Look
from attnviz.gui.widgets.gestures import Gesture
from attnviz.gui.widgets.selection import SelectionModel
from attnviz.gui.widgets.words import with_patches

SHARE = 110
"""How much of a patch's inside is its colour, in 256ths; the rest is the image in grey."""
_EDGE, _LEAST = 0.05, 5
"""The width of a patch's edge, which has the colour alone, relative to its side; a side of fewer pixels is all edge."""
_SIDE, _GAP = 6, 6
"""The padding of a chip, and the gap beside it, at scale 1."""


def picture_of(pixels: NDArray[np.uint8]) -> QImage:
    """Return (H, W, 3) pixels as a picture with memory of its own."""
    held = np.ascontiguousarray(pixels)
    height, width = held.shape[:2]
    return QImage(held.data, width, height, 3 * width, QImage.Format.Format_RGB888).copy()


def veil_of(image: NDArray[np.uint8], rows: NDArray[np.intp], columns: NDArray[np.intp]) -> QImage:
    """Return an image (H, W, 3) in grey to be drawn over the colours of patches: clear at their edges.

    ``rows`` and ``columns`` are the first pixels of the patches, and the end of the last one.
    """
    inside = _inside(rows)[:, None] & _inside(columns)
    shown = np.where(inside, 256 - SHARE, 0)
    grey = (image.astype(np.uint32) @ np.array([77, 150, 29], np.uint32) >> 8) * shown >> 8
    pixels = np.ascontiguousarray(shown << 24 | grey << 16 | grey << 8 | grey, np.uint32)
    height, width = pixels.shape
    return QImage(pixels.data, width, height, 4 * width, QImage.Format.Format_ARGB32_Premultiplied).copy()


def _inside(edges: NDArray[np.intp]) -> NDArray[np.bool_]:
    """Return whether each pixel along one side is inside the edge of its patch."""
    sides = np.diff(edges)
    of = np.repeat(np.arange(len(sides)), sides)
    at = np.arange(edges[-1]) - edges[of]
    wide = np.maximum(1, np.round(_EDGE * sides).astype(int))
    wide[sides < _LEAST] = edges[-1]
    return np.asarray((at >= wide[of]) & (at < sides[of] - wide[of]))


class ImageView(ShadedTokens):
    """Pointing at a patch or chip makes it the query, a click selects it; its keys have the colours of the matrix."""

    GESTURES = (
        Gesture("Point", "Show what a patch attends to", "Image"),
        Gesture("Click, arrow keys, Home, End", "Hold a patch's row in every view", "Image"),
    )

    def __init__(self, look: Look, name: str, selection: SelectionModel, parent: QWidget | None = None) -> None:
        super().__init__(look, name, selection, parent)
        self._image: SeenImage | None = None
        self._chips = 0
        self._scaled: tuple[object, QImage, QImage] | None = None  # the image in this size, and its veil
        self.frame = QRectF()
        """The rectangle of the whole patches."""

    def show_image(self, image: SeenImage, tokens: Sequence[ShownToken]) -> None:
        """Show an image and its tokens; without its special ones there are patches alone."""
        chips = len(tokens) - len(image.patches)
        if image is not self._image or tuple(tokens) != self._tokens:
            self._image, self._tokens, self._chips = image, tuple(tokens), chips
            self._levels = np.zeros(len(tokens), np.uint8)
            self._table = None
            self.setAccessibleDescription(f"{image.name}: {image.rows} × {image.columns}")
            self._lay_out()

    @override
    def _lay_out(self) -> None:
        image = self._image
        self.places = ()
        if image is not None:
            places = self._placed_chips()
            top = places[-1].bottom() + self.look.px(_GAP) if places else 0
            high, wide = image.rows * image.patch[0], image.columns * image.patch[1]
            room = QSizeF(max(1, self.width() - 2), max(1, self.height() - top - 2))
            scale = min(room.width() / wide, room.height() / high)
            self.frame = QRectF(1, top + 1, max(1, int(wide * scale)), max(1, int(high * scale)))
            rows, columns = self._edges(1.0)
            for row in range(image.rows):
                y, tall = self.frame.top() + rows[row], rows[row + 1] - rows[row]
                for column in range(image.columns):
                    left, across = self.frame.left() + columns[column], columns[column + 1] - columns[column]
                    places.append(QRectF(left, y, across, tall))
            self.places = tuple(places)
        self.redraw()

    def _placed_chips(self) -> list[QRectF]:
        """Return the rectangles of the special tokens, in as many lines as they need."""
        gap, metrics = self.look.px(_GAP), QFontMetricsF(self.look.token_font("body"))
        places: list[QRectF] = []
        x, y, line = 0.0, 0.0, round(1.5 * metrics.height())
        for token in self._tokens[: self._chips]:
            wide = metrics.horizontalAdvance(token.name) + 2 * self.look.px(_SIDE)
            if x and x + wide > self.width():
                x, y = 0.0, y + line + gap
            places.append(QRectF(x, y, wide, line))
            x += wide + gap
        return places

    def _edges(self, ratio: float) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """Return the first pixels of rows and columns of patches in the frame, at a number of pixels per point."""
        assert self._image is not None
        sizes = (self.frame.height(), self._image.rows), (self.frame.width(), self._image.columns)
        rows, columns = (
            np.round(np.linspace(0, round(size * ratio), count + 1)).astype(np.intp) for size, count in sizes
        )
        return rows, columns

    @override
    def cell_at(self, place: QPointF) -> int | None:
        return next((token for token, rect in enumerate(self.places) if rect.contains(place)), None)

    @override
    def tip(self, place: QPointF) -> str:
        token = self.cell_at(place)
        return "" if token is None else with_patches(self._tokens[token].name)

    @override
    def draw(self, painter: QPainter) -> None:
        if self._image is None or not self.places:
            return
        ratio, table = painter.device().devicePixelRatio(), self._table
        image, veil = self._drawn(self._image, ratio)
        if table is None:
            painter.drawImage(self.frame, image)
        else:
            levels = self._levels[self._chips :].reshape(self._image.rows, self._image.columns)
            painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, False)
            painter.drawImage(self.frame, picture_of(table.rgb[levels]))
            painter.drawImage(self.frame, veil)
        painter.setFont(self.look.token_font("body"))
        hidden = QPen(self.look.color("danger"), 2)
        for at, (token, place, level) in enumerate(zip(self._tokens, self.places, self._levels.tolist(), strict=True)):
            masked = table is not None and level == MASKED
            if at < self._chips:
                painter.fillRect(place, self.look.color("panel") if table is None else QColor(table.names[level]))
            if masked:
                painter.fillRect(place, hatch_brush(self.look, ratio))
            if at < self._chips:
                painter.setPen(self.look.text_color("muted") if table is None or masked else QColor(table.ink(level)))
                painter.drawText(place, Qt.AlignmentFlag.AlignCenter, token.name)
            if token.hidden:
                painter.setPen(hidden)
                painter.drawLine(QLineF(place.topLeft(), place.bottomRight()))

    def _drawn(self, image: SeenImage, ratio: float) -> tuple[QImage, QImage]:
        """Return the image in the size of the frame, and its veil."""
        rows, columns = self._edges(ratio)
        key = image.fingerprint, int(rows[-1]), int(columns[-1])
        if self._scaled is None or self._scaled[0] != key:
            whole = picture_of(image.pixels[: image.rows * image.patch[0], : image.columns * image.patch[1]])
            ignore, smooth = Qt.AspectRatioMode.IgnoreAspectRatio, Qt.TransformationMode.SmoothTransformation
            scaled = whole.scaled(int(columns[-1]), int(rows[-1]), ignore, smooth)
            self._scaled = key, scaled, veil_of(_pixels_of(scaled), rows, columns)
        return self._scaled[1:]

    @override
    def draw_marks(self, painter: QPainter) -> None:
        marks = zip(self._marks, ("q", "k"), strict=True)
        known = [(place, role) for place, role in marks if place is not None and place < len(self.places)]
        draw_frames(painter, [(self.places[place], role, 2.0) for place, role in known], self.look)

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        place = self._reached(event.key())
        if place is None:
            super().keyPressEvent(event)
            return
        self.hovered.emit(None)
        self.clicked.emit(place)

    def _reached(self, key: int) -> int | None:
        """Return the token that a key leads to: a neighbour, the first or the last; None for another key."""
        if self._image is None or not self._tokens:
            return None
        now, last, columns = self._marks[0] or 0, len(self._tokens) - 1, self._image.columns
        if key in (Qt.Key.Key_Home, Qt.Key.Key_End):
            return 0 if key == Qt.Key.Key_Home else last
        if key not in ARROWS:
            return None
        down, right = ARROWS[key]
        if now < self._chips:  # from a chip down to the image
            return self._chips if down > 0 else max(0, min(now + right, self._chips - 1))
        row, column = divmod(now - self._chips, columns)
        if row + down < 0:
            return max(0, self._chips - 1) if self._chips else now
        row, column = min(row + down, self._image.rows - 1), max(0, min(column + right, columns - 1))
        return self._chips + row * columns + column


def _pixels_of(image: QImage) -> NDArray[np.uint8]:
    """Return the (H, W, 3) pixels of a picture."""
    plain = image.convertToFormat(QImage.Format.Format_RGB888)
    rows = np.frombuffer(plain.constBits(), np.uint8).reshape(plain.height(), plain.bytesPerLine())
    return rows[:, : 3 * plain.width()].reshape(plain.height(), plain.width(), 3).copy()
