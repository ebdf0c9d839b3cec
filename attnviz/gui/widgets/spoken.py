"""Announcements to screen readers about widgets without the focus."""

from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent
from PySide6.QtWidgets import QApplication, QWidget


def announce(text: str, within: QWidget) -> None:
    """Announce a sentence to a screen reader, if there is one and the focus is in a widget or its children."""
    focused = QApplication.focusWidget()
    if text and QAccessible.isActive() and focused is not None and (focused is within or within.isAncestorOf(focused)):
        QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(focused, text))
