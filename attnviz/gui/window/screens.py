"""The screens of the audience and of the lecturer."""

from collections.abc import Sequence
from typing import TypeVar

from PySide6.QtGui import QGuiApplication, QScreen
from PySide6.QtWidgets import QWidget

ScreenT = TypeVar("ScreenT")


def screen_beside(screens: Sequence[ScreenT], taken: ScreenT) -> ScreenT | None:
    """Return the first screen that is not taken; None where there is no other."""
    return next((screen for screen in screens if screen is not taken), None)


def screen_of_hall(screens: Sequence[ScreenT], own: ScreenT, desk: ScreenT | None) -> ScreenT:
    """Return the screen to present a window from its ``own`` screen: not that of the desk, if there is another."""
    if own is not desk:
        return own
    return screen_beside(screens, own) or own


def screen_of(widget: QWidget) -> QScreen:
    """Return the screen that a widget is on.

    Not ``QWidget.screen()``, which makes the widget the owner of the screen's wrapper in Python: it goes with the
    widget, and the next window of the process may crash.
    """
    middle = widget.mapToGlobal(widget.rect().center())
    return QGuiApplication.screenAt(middle) or QGuiApplication.primaryScreen()


def other_screen(window: QWidget) -> QScreen | None:
    """Return a screen that the window is not on."""
    return screen_beside(QGuiApplication.screens(), screen_of(window))


def hall_screen(window: QWidget, desk: QWidget | None) -> QScreen:
    """Return the screen on which a window is presented."""
    return screen_of_hall(QGuiApplication.screens(), screen_of(window), None if desk is None else screen_of(desk))
