"""What holds for every test: Qt draws offscreen, and a test that uses Qt leaves nothing of it behind."""

import atexit
import os
import shutil
import tempfile
from collections.abc import Iterator
from typing import Any

import pytest

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
# What tests leave in the log is nothing that their user would want to find there.
os.environ["XDG_STATE_HOME"] = tempfile.mkdtemp(prefix="attnviz-tests-")
atexit.register(shutil.rmtree, os.environ["XDG_STATE_HOME"], ignore_errors=True)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--long", action="store_true", help="run what is cut short otherwise for an hour: any order of acts, soak"
    )


@pytest.fixture
def long(request: pytest.FixtureRequest) -> bool:
    """Whether tests that are cut short otherwise run in full."""
    return bool(request.config.getoption("--long"))


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
