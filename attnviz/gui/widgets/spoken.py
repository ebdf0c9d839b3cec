"""What a screen reader is told that no widget with the keyboard says by itself."""

from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent
from PySide6.QtWidgets import QApplication, QWidget


def announce(text: str, within: QWidget) -> None:
    """Let a screen reader, if one is there, say a sentence, while the keyboard is in a widget or its parts."""
    focused = QApplication.focusWidget()
    if text and QAccessible.isActive() and focused is not None and (focused is within or within.isAncestorOf(focused)):
        QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(focused, text))
