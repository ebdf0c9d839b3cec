"""What holds for every test: how many random examples, Qt offscreen, and nothing of Qt that is left behind."""

import atexit
import multiprocessing
import os
import random
import shutil
import tempfile
from collections.abc import Iterator
from itertools import compress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
# As many processes as cores run tests: threads of their own would only wait for each other.
os.environ.setdefault("OMP_NUM_THREADS", "1")
# What tests leave in the log is nothing that their user would want to find there.
os.environ["XDG_STATE_HOME"] = tempfile.mkdtemp(prefix="attnviz-tests-")
atexit.register(shutil.rmtree, os.environ["XDG_STATE_HOME"], ignore_errors=True)


# What a process has loaded that is forked for a test; Qt and torch take two seconds to load.
if "forkserver" in multiprocessing.get_all_start_methods():
    multiprocessing.get_context("forkserver").set_forkserver_preload(["attnviz.engine.run", "attnviz.gui.app"])

# How many examples hypothesis tries of each claim: while one works, before a change is taken, and for an hour.
EXAMPLES = {"dev": 15, "ci": 20, "long": 300}
for name, count in EXAMPLES.items():
    settings.register_profile(
        name,
        max_examples=count,
        derandomize=False,
        database=None,  # a failure is found again by its seed, on any machine
        deadline=None,
        suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
    )


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--long", action="store_true", help="run what is cut short otherwise for an hour: any order of acts, soak"
    )


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config: pytest.Config) -> None:
    """Choose the same examples in each run, so that it fails by what was changed alone; with --long, other ones."""
    settings.load_profile("long" if config.option.long else "ci" if os.environ.get("CI") else "dev")
    if config.option.hypothesis_seed is None:
        config.option.hypothesis_seed = str(random.SystemRandom().getrandbits(32) if config.option.long else 0)


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    """Say how to try the same examples once more."""
    if terminalreporter.stats.get("failed") or terminalreporter.stats.get("error"):
        terminalreporter.write_line(f"random examples: --hypothesis-seed={config.option.hypothesis_seed}")


@pytest.fixture
def long(request: pytest.FixtureRequest) -> bool:
    """Whether tests that are cut short otherwise run in full."""
    return bool(request.config.getoption("--long"))


@pytest.fixture
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder far from the checkout, in which the test runs."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


class _Seen:
    """What Qt had at the end of the last test."""

    addresses: set[int] | None = None
    """None if a fixture of several tests was set up since."""


@pytest.hookimpl(wrapper=True)
def pytest_fixture_setup(fixturedef: Any) -> Iterator[None]:
    """Note that a fixture of several tests may make widgets, which outlive the test that they are first made for."""
    if fixturedef.scope != "function":
        _Seen.addresses = None
    return (yield)


@pytest.fixture(autouse=True)
def _nothing_of_qt_is_left(request: pytest.FixtureRequest) -> Iterator[None]:
    """Fail a test that leaves a running QThread, an active QTimer or a top-level widget; name it."""
    if "qapp" not in request.fixturenames:
        yield
        return
    if "shared_window" in request.fixturenames:
        window = request.getfixturevalue("shared_window")  # it outlives the test, and may be made for it
        if _Seen.addresses is not None and _address(window) not in _Seen.addresses:
            _Seen.addresses = None  # a test that opened a window of its own has closed the one before
    before = _Seen.addresses
    if before is None:
        before = set(map(_address, _widgets_threads_and_timers()))
    yield
    from PySide6.QtCore import QCoreApplication, QEvent

    _let_go_of_the_mouse()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    found = _widgets_threads_and_timers()
    _Seen.addresses = set(map(_address, found))
    left = [_name(thing) for thing in found if not _among(thing, before)]
    assert not left, f"the test leaves behind: {', '.join(sorted(left))}"


def _let_go_of_the_mouse() -> None:
    """Release a button that a test has pressed last: a form makes no room for messages while one is pressed."""
    from PySide6.QtCore import QPoint, Qt
    from PySide6.QtGui import QGuiApplication, QWindow
    from PySide6.QtTest import QTest

    if QGuiApplication.instance() is not None and QGuiApplication.mouseButtons() != Qt.MouseButton.NoButton:
        window = QWindow()
        window.resize(2, 2)
        QTest.mouseRelease(window, Qt.MouseButton.LeftButton, pos=QPoint(1, 1))
        assert QGuiApplication.mouseButtons() == Qt.MouseButton.NoButton


def _address(thing: Any) -> int:
    """Return the address of a Qt object, which no reference of Python keeps alive."""
    from shiboken6 import Shiboken

    address: int = Shiboken.getCppPointer(thing)[0]
    return address


def _widgets_threads_and_timers() -> list[Any]:
    """Return the top-level widgets, running threads and active timers that Python knows."""
    from PySide6.QtCore import QCoreApplication, QThread, QTimer
    from PySide6.QtWidgets import QApplication, QMenu
    from shiboken6 import Shiboken

    app = QCoreApplication.instance()
    if app is None:
        return []
    known = Shiboken.getAllValidWrappers()
    kinds = {kind for kind in set(map(type, known)) if issubclass(kind, QThread | QTimer)}
    found = list(compress(known, map(kinds.__contains__, map(type, known))))  # known are ten thousand
    threads = [it for it in found if isinstance(it, QThread) and it is not app.thread() and it.isRunning()]
    timers = [it for it in found if isinstance(it, QTimer) and it.isActive()]
    # Popups are top-level too, and go with the widget that they belong to. So do pyqtgraph's menus, one a plot, though
    # they have no parent: Python holds them until it lets go of the plot.
    widgets = [it for it in QApplication.topLevelWidgets() if it.parent() is None]
    widgets = [it for it in widgets if it.isVisible() or not isinstance(it, QMenu)]
    return [*widgets, *threads, *timers]


def _among(thing: Any, before: set[int]) -> bool:
    """Return whether a thing, or what it is a part of, was there already (a fixture of a whole module holds it)."""
    while thing is not None:
        if _address(thing) in before:
            return True
        thing = thing.parent()
    return False


def _name(thing: Any) -> str:
    names = []
    while thing is not None:
        names.append(f"{type(thing).__name__} {thing.objectName()!r}" if thing.objectName() else type(thing).__name__)
        thing = thing.parent()
    return " of ".join(names)
