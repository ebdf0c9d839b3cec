"""What holds for every test: Qt draws offscreen, and a test that uses Qt leaves nothing of it behind."""

import os
from collections.abc import Iterator
from typing import Any

import pytest

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")


@pytest.fixture(autouse=True)
def _nothing_of_qt_is_left(request: pytest.FixtureRequest) -> Iterator[None]:
    """Fail a test that leaves a running QThread, an active QTimer or a top-level widget; name it."""
    if "qapp" not in request.fixturenames:
        yield
        return
    before = _widgets_threads_and_timers()
    yield
    from PySide6.QtCore import QCoreApplication, QEvent

    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    left = [_name(thing) for thing in _widgets_threads_and_timers() if not _among(thing, before)]
    assert not left, f"the test leaves behind: {', '.join(sorted(left))}"


def _widgets_threads_and_timers() -> list[Any]:
    """Return the top-level widgets, running threads and active timers that Python knows."""
    from PySide6.QtCore import QCoreApplication, QThread, QTimer
    from PySide6.QtWidgets import QApplication, QMenu
    from shiboken6 import Shiboken

    app = QCoreApplication.instance()
    if app is None:
        return []
    known = Shiboken.getAllValidWrappers()
    threads = [it for it in known if isinstance(it, QThread) and it is not app.thread() and it.isRunning()]
    timers = [it for it in known if isinstance(it, QTimer) and it.isActive()]
    # Popups are top-level too, and go with the widget that they belong to. So do pyqtgraph's menus, one a plot, though
    # they have no parent: Python holds them until it lets go of the plot.
    widgets = [it for it in QApplication.topLevelWidgets() if it.parent() is None]
    widgets = [it for it in widgets if it.isVisible() or not isinstance(it, QMenu)]
    return [*widgets, *threads, *timers]


def _among(thing: Any, before: list[Any]) -> bool:
    """Return whether a thing, or what it is a part of, was there already (a fixture of a whole module holds it)."""
    while thing is not None:
        if any(thing is old for old in before):
            return True
        thing = thing.parent()
    return False


def _name(thing: Any) -> str:
    names = []
    while thing is not None:
        names.append(f"{type(thing).__name__} {thing.objectName()!r}" if thing.objectName() else type(thing).__name__)
        thing = thing.parent()
    return " of ".join(names)
