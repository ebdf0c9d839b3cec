"""Links to lessons beside the form: those about the current preset, and the first lesson at the first start."""

from collections.abc import Sequence

from PySide6.QtCore import QRect, QSize, Qt, Signal, Slot
from PySide6.QtGui import QPainter, QPaintEvent, QPalette
from PySide6.QtWidgets import QAbstractButton, QSizePolicy, QWidget
from typing_extensions import override

from attnviz.experiment.lessons.lesson import Topic
from attnviz.gui.widgets.buttons import tiny_button
from attnviz.gui.widgets.layouts import column_of, row_of

MOST = 2
"""The most lessons that a preset links."""
_PADDING = 4
_WRAPPED = int(Qt.TextFlag.TextWordWrap)


class LessonLink(QAbstractButton):
    """Opens a lesson. Its text wraps, unlike that of Qt's buttons."""

    chosen = Signal(str)
    """The name of the lesson."""

    def __init__(self) -> None:
        super().__init__()
        self.name = ""
        """The name of its lesson; "" is none."""
        self.setObjectName("lessonLink")
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self.clicked.connect(self._choose)
        self.hide()

    @override
    def sizeHint(self) -> QSize:
        metrics = self.fontMetrics()
        return QSize(metrics.horizontalAdvance(self.text()) + 2 * _PADDING + 1, metrics.height() + 2 * _PADDING)

    @override
    def minimumSizeHint(self) -> QSize:
        return QSize(1, self.sizeHint().height())

    @override
    def heightForWidth(self, width: int) -> int:
        room = QRect(0, 0, max(1, width - 2 * _PADDING), 1 << 16)
        return self.fontMetrics().boundingRect(room, _WRAPPED, self.text()).height() + 2 * _PADDING

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter, colour = QPainter(self), self.palette().color(QPalette.ColorRole.ButtonText)
        font = self.font()
        font.setUnderline(self.underMouse())
        painter.setFont(font)
        painter.setPen(colour)
        painter.drawText(self.rect().adjusted(_PADDING, _PADDING, -_PADDING, -_PADDING), _WRAPPED, self.text())
        if self.hasFocus():
            painter.drawRect(self.rect().adjusted(0, 0, -1, -1))

    def show_topic(self, topic: Topic | None, text: str) -> None:
        """Link a lesson, or (None) nothing."""
        self.name = "" if topic is None else topic.name
        self.setText("" if topic is None else text.format(topic.number, topic.title))
        self.updateGeometry()
        self.setVisible(topic is not None)

    @Slot()
    def _choose(self) -> None:
        self.chosen.emit(self.name)


class PresetLinks(QWidget):
    """A line for each lesson about the current preset."""

    def __init__(self) -> None:
        super().__init__()
        self.links = tuple(LessonLink() for _ in range(MOST))
        column_of(self, *self.links, gap=0).setContentsMargins(12, 0, 12, 4)

    def show_topics(self, topics: Sequence[Topic]) -> None:
        """Link the lessons of a preset."""
        for place, link in enumerate(self.links):
            link.show_topic(topics[place] if place < len(topics) else None, self.tr("Lesson {0}: {1}"))


class FirstLesson(QWidget):
    """Offers the first lesson to users who have never opened one."""

    closed = Signal()
    """It was dismissed for good."""

    def __init__(self) -> None:
        super().__init__()
        self.link = LessonLink()
        refuses = self.tr("Do not offer it again")
        self.close_button = tiny_button("✕", self.closed, refuses, refuses)
        row_of(self, self.link, self.close_button, gap=4, wide=(self.link,)).setContentsMargins(12, 2, 14, 6)
        self.hide()

    def offer(self, topic: Topic | None) -> None:
        """Offer a lesson, or (None) nothing."""
        self.link.show_topic(topic, self.tr("New here? Lesson {0}: {1}"))
        self.setVisible(topic is not None)
