"""Vertical text: it runs upwards; Chinese is written from top to bottom, each character upright."""

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QFontMetrics, QPainter

from attnviz.definitions.text import has_chinese


def column_height(text: str, metrics: QFontMetrics) -> int:
    """Return the height of a vertical text, in pixels."""
    return metrics.lineSpacing() * len(text) if has_chinese(text) else metrics.horizontalAdvance(text)


def draw_in_column(painter: QPainter, rect: QRect, text: str, *, at_top: bool = False) -> None:
    """Draw a vertical text in the middle of a column, or ``at_top``, with the painter's font and pen."""
    if has_chinese(text):
        line, height = painter.fontMetrics().lineSpacing(), column_height(text, painter.fontMetrics())
        top = rect.top() if at_top else rect.bottom() + 1 - height
        for index, sign in enumerate(text):
            cell = QRect(rect.left(), top + index * line, rect.width(), line)
            painter.drawText(cell, Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextDontClip, sign)
        return
    painter.save()
    painter.translate(rect.left(), rect.bottom() + 1)
    painter.rotate(-90)
    end = Qt.AlignmentFlag.AlignRight if at_top else Qt.AlignmentFlag.AlignLeft
    painter.drawText(QRect(0, 0, rect.height(), rect.width()), end | Qt.AlignmentFlag.AlignVCenter, text)
    painter.restore()
