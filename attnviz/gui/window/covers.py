"""Covers of the window in Present: a blank screen, a frozen picture, and a spotlight."""

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, QRectF, Qt, QTimer, Slot
from PySide6.QtGui import QColor, QCursor, QKeyEvent, QMouseEvent, QPainter, QPainterPath, QPaintEvent, QPixmap
from PySide6.QtWidgets import QWidget
from typing_extensions import override

from attnviz.gui.theme import Styled
from attnviz.gui.widgets.gestures import Gesture

_MODIFIERS = (Qt.Key.Key_Shift, Qt.Key.Key_Control, Qt.Key.Key_Alt, Qt.Key.Key_Meta, Qt.Key.Key_AltGr)


class Cover(Styled):
    """Covers ``covered``, or else its parent, with all children; hidden until `cover`."""

    def __init__(self, over: QWidget, covered: QWidget | None = None) -> None:
        super().__init__(over)
        self._covered = covered or over
        self.hide()

    @property
    def on(self) -> bool:
        """Whether it is covering."""
        return not self.isHidden()

    @Slot()
    def toggle(self) -> None:
        """Cover the widget, or show it again."""
        if self.on:
            self.uncover()
        else:
            self.cover()

    def cover(self) -> None:
        """Cover the widget and all that is on it."""
        self._lie_over(self._covered)
        self._covered.installEventFilter(self)
        self.show()
        self.raise_()

    def uncover(self) -> None:
        """Show what is below again."""
        self._covered.removeEventFilter(self)
        self.hide()

    @override
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        # None of its own attributes is read here: events still arrive while a window is destroyed.
        if event.type() in (QEvent.Type.Resize, QEvent.Type.Move) and isinstance(watched, QWidget):
            self._lie_over(watched)
        return False

    def _lie_over(self, covered: QWidget) -> None:
        over = self.parentWidget()
        if over is not None:
            self.setGeometry(QRect(covered.mapTo(over, QPoint()), covered.size()))


class Blank(Cover):
    """A black screen with the focus; any key or click removes it."""

    GESTURES = (Gesture("Any key, Click", "Show the window again", "Black screen"),)

    def __init__(self, over: QWidget) -> None:
        super().__init__(over)
        self._before: QWidget | None = None
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName(self.tr("Black screen"))

    @override
    def cover(self) -> None:
        self._before = self.window().focusWidget()
        super().cover()
        self.setFocus()

    @override
    def uncover(self) -> None:
        """Show the window again, and restore the focus."""
        super().uncover()
        if self._before is not None:
            self._before.setFocus()
        self._before = None

    @override
    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ShortcutOverride:
            event.accept()  # the key does nothing else
            return True
        return super().event(event)

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() not in _MODIFIERS and not event.isAutoRepeat():
            self.uncover()

    @override
    def mousePressEvent(self, event: QMouseEvent) -> None:
        self.uncover()

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        QPainter(self).fillRect(self.rect(), Qt.GlobalColor.black)


class Frozen(Cover):
    """A frozen picture of the widget, and a note about it."""

    def __init__(self, over: QWidget, covered: QWidget) -> None:
        super().__init__(over, covered)
        self._picture = QPixmap()
        self._place = QRect()
        self.text = ""
        """What it says."""

    def freeze(self, text: str, place: QRect) -> None:
        """Freeze the widget; the note covers buttons that have no effect in a picture."""
        self._place = place
        self._picture = self._covered.grab()
        self.text = text
        self.setAccessibleName(text)
        self.cover()

    @override
    def uncover(self) -> None:
        super().uncover()
        self._picture = QPixmap()

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        look, painter = self._look, QPainter(self)
        painter.drawPixmap(self.rect(), self._picture)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(look.font("body", bold=True))
        text = painter.fontMetrics().boundingRect(self.text).size()
        painter.fillRect(self._place, look.color("window"))
        left, middle = max(self._place.left(), look.px(12)), max(self._place.center().y(), look.px(20))
        height = text.height() + look.px(8)
        band = QRectF(left, middle - height / 2, text.width() + look.px(24), height)
        painter.setPen(look.color("accent"))
        painter.setBrush(look.color("accent_soft"))
        painter.drawRoundedRect(band, look.px(6), look.px(6))
        painter.setPen(look.color("text"))
        painter.drawText(band, Qt.AlignmentFlag.AlignCenter, self.text)


_FRAME_MS = 16


class Spotlight(Cover):
    """Dims everything but a spot around the pointer, while that is over it; transparent to the mouse."""

    def __init__(self, over: QWidget) -> None:
        super().__init__(over)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._at = QPoint()
        self._timer = QTimer(self, interval=_FRAME_MS)
        self._timer.timeout.connect(self._follow)

    @property
    def spot(self) -> QRect:
        """The square around the spot."""
        radius = self._look.px(48)
        return QRect(self._at.x() - radius, self._at.y() - radius, 2 * radius, 2 * radius)

    @override
    def cover(self) -> None:
        super().cover()
        self._timer.start()
        self._follow()

    @override
    def uncover(self) -> None:
        super().uncover()
        self._timer.stop()

    @Slot()
    def _follow(self) -> None:
        at = self.mapFromGlobal(QCursor.pos())
        if at != self._at:
            self._at = at
            self.update()

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        if not self.rect().contains(self._at):
            return  # the pointer is on another screen, such as that of the lecturer's desk
        dimmed, spot = QPainterPath(), QPainterPath()
        dimmed.addRect(QRectF(self.rect()))
        spot.addEllipse(QRectF(self.spot))
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.fillPath(dimmed.subtracted(spot), QColor(0, 0, 0, 160))
