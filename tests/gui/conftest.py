"""Windows to test: opened on a small spec, settled, and gone without a trace afterwards."""

import gc
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from attention_hands import as_it_opens
from fake_engine import FakeEngine
from hands import Hands
from PySide6.QtCore import QCoreApplication, QEvent, QEventLoop, QPoint
from PySide6.QtGui import QCursor
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot
from session_hands import begin_at
from shiboken6 import Shiboken
from small_specs import SMALL
from windows import At, Opener, Settle

from attnviz.experiment.labs import LABS, Spec
from attnviz.experiment.texts.languages import ENGLISH
from attnviz.gui.app import make_application
from attnviz.gui.dialogs.screenshot import release_clipboard
from attnviz.gui.labs.attention.positions_page import PositionsPage
from attnviz.gui.language import install_language
from attnviz.gui.plots.matrix.heatmap import Heatmap
from attnviz.gui.run.background import Background
from attnviz.gui.session.questions import Answer, SessionQuestions
from attnviz.gui.window.main_window import MainWindow


@pytest.fixture(scope="session")
def qapp(qapp: QApplication) -> Iterator[QApplication]:
    """The application as `attnviz.gui.app` makes it. As there, garbage is collected in the window's thread alone."""
    app = make_application()
    import attnviz.engine.run  # noqa: F401 - torch is loaded once, in no test's time

    gc.collect()
    gc.freeze()
    gc.disable()
    yield app
    release_clipboard()
    gc.enable()
    gc.unfreeze()


@pytest.fixture(scope="session", autouse=True)
def _changes_may_be_lost() -> Iterator[None]:
    """Windows are closed with changed specs; the question about them is answered unless a test does it itself."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(SessionQuestions, "unsaved", lambda *_: Answer.DISCARD)
        yield


@pytest.fixture
def settle(qtbot: QtBot) -> Settle:
    """Wait until a window shows the picture of its current spec and nothing runs."""
    loop = QEventLoop()

    def wait(window: MainWindow, seconds: float = 30) -> None:
        controller, end = window.controller, time.monotonic() + seconds
        while controller.computing or not controller.up_to_date:
            loop.processEvents(QEventLoop.ProcessEventsFlag.WaitForMoreEvents)  # qtbot.waitUntil looks every 10 ms
            assert time.monotonic() < end, "the window does not settle"
        # What a trace shows or hides is laid out by an event of its own, which may come after it.
        QCoreApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest)
        qtbot.wait(1)

    return wait


@pytest.fixture
def chinese(qapp: QApplication) -> Iterator[None]:
    """Chinese, and English again afterwards."""
    install_language(qapp, "zh_CN")
    yield
    install_language(qapp, ENGLISH)


@pytest.fixture
def hands(qtbot: QtBot) -> Hands:
    """What a person's hands do to a form."""
    return Hands(qtbot)


class SharedWindow:
    """The one window that tests share which open none of their own; made when it is asked for."""

    def __init__(self) -> None:
        self._window: MainWindow | None = None

    @property
    def window(self) -> MainWindow:
        """The window, with both rooms."""
        if self._window is None:
            self._window = _opened(SMALL)
            for lab in LABS:
                assert self._window.rooms[lab]  # pyqtgraph's plots have widgets that would seem left behind by a test
            assert self._window.rooms["attention"].stage.pages.page_of(PositionsPage).curve
            self._window.start()
            self._window.runner.begin()  # else its thread would seem left behind by the first test
        return self._window

    def close(self) -> None:
        """Close the window, if there is one; another is made when it is asked for."""
        if self._window is not None:
            shut(self._window)
            self._window = None


@pytest.fixture(scope="session")
def shared(qapp: QApplication) -> Iterator[SharedWindow]:
    """What holds the window that tests share."""
    held = SharedWindow()
    yield held
    held.close()


@pytest.fixture(scope="module")
def _of_module(shared: SharedWindow) -> Iterator[None]:
    yield
    shared.close()


@pytest.fixture
def shared_window(shared: SharedWindow, _of_module: None) -> MainWindow:
    """One window for a whole module; tests reach it through `at`, which brings it into a known state."""
    return shared.window


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Let the tests of a module that share a window come first, so that it is gone when the others open their own."""
    modules: dict[Path, list[pytest.Item]] = {}
    for item in items:
        modules.setdefault(item.path, []).append(item)
    for of_module in modules.values():
        of_module.sort(key=lambda item: "shared_window" not in getattr(item, "fixturenames", ()))
    items[:] = [item for of_module in modules.values() for item in of_module]


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item, nextitem: pytest.Item | None) -> Iterator[None]:
    """Let go of the windows that were closed. Only now does pytest hold nothing that the fixtures of a test made."""
    done = yield
    if nextitem is None or nextitem.path != item.path:
        gc.collect()  # the window of a module is older than the last collection
        gc.freeze()  # what is left was loaded meanwhile, and is not looked at again
    elif "open_window" in getattr(item, "fixturenames", ()):
        gc.collect(1)  # such windows are younger than the last collection; of all that is loaded none is looked at
    return done


@pytest.fixture
def open_window(request: pytest.FixtureRequest, shared: SharedWindow, settle: Settle) -> Iterator[Opener]:
    """Return a function that opens a window of 1280x800 and, unless told otherwise, waits for its first picture."""
    windows: list[MainWindow] = []
    if "shared_window" not in request.fixturenames:
        shared.close()

    def open_it(
        spec: Spec = SMALL, *, start: bool = True, wait: bool = True, size: tuple[int, int] = (1280, 800)
    ) -> MainWindow:
        window = _opened(spec, *size)
        windows.append(window)
        if start:
            window.start()
            if wait:
                settle(window)
        return window

    yield open_it
    for window in windows:
        if Shiboken.isValid(window):  # a test may have shut it itself
            shut(window)
    windows.clear()


@pytest.fixture
def window(open_window: Opener) -> MainWindow:
    """A window on the small spec, settled."""
    return open_window()


@pytest.fixture
def at(shared_window: MainWindow, settle: Settle) -> At:
    """Return a function that shows a spec in the module's window, nothing chosen, and waits for the picture."""

    def show(spec: Spec) -> MainWindow:
        shared_window.activateWindow()  # another one was on top of it, perhaps
        shared_window.controller.set_pace(None)
        controller = shared_window.controller
        shown = controller.shown
        # It may have been paused, stopped or looked back on, unless it is a transformer whose last step is on screen.
        ended = spec.lab == "train" and shown is not None and shown.spec == spec and shown.final
        afresh = (spec.trains or spec == controller.spec) and not (ended and controller.spec == spec)
        controller.propose(spec)
        shared_window.room.form.set_spec(spec)  # what an earlier test typed wrongly is gone
        if afresh:
            controller.run_again()
        settle(shared_window)
        shared_window.room.selection.release()
        for heatmap in shared_window.findChildren(Heatmap):  # an earlier test may have zoomed it
            heatmap.view.show_all(heatmap.view.shape)
            heatmap.redraw()
        return shared_window

    return show


@pytest.fixture
def used_window(at: At) -> MainWindow:
    """The module's window on the small spec, with nothing to undo: for tests that open no window of their own."""
    window = at(SMALL)
    window.controller.undo_stack.clear()
    return window


@pytest.fixture
def begun(used_window: MainWindow, settle: Settle) -> Iterator[MainWindow]:
    """The module's window at the start of a session, and again afterwards."""
    yield begin_at(used_window)
    settle(used_window)
    begin_at(used_window)
    used_window.keeper.recent.clear()


@pytest.fixture
def held(qtbot: QtBot) -> Iterator[threading.Event]:
    """The thread of the files is at something until this is set, such as a share that has stopped answering."""
    event, blocker = threading.Event(), Background(pool="files")
    blocker.start(lambda: event.wait(20))
    yield event
    event.set()
    qtbot.waitUntil(lambda: not blocker.busy)


@pytest.fixture
def steps(trained: Any) -> Iterator[list[int]]:
    """The steps that the window of a module's trained one has shown since."""
    seen: list[int] = []
    connection = trained.controller.trace_accepted.connect(lambda trace: seen.append(trace.step))
    yield seen
    trained.controller.trace_accepted.disconnect(connection)


@pytest.fixture
def on(at: At) -> At:
    """Return a function that shows a spec with the weights, the last row chosen, and nothing to undo."""

    def show(spec: Spec) -> MainWindow:
        window = as_it_opens(at(spec))
        window.controller.undo_stack.clear()
        return window

    return show


@pytest.fixture
def engine(monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeEngine]:
    """A stand-in for the engine in every window that is opened afterwards; it lets all runs go in the end."""
    fake = FakeEngine()
    monkeypatch.setattr("attnviz.engine.run.start", fake)
    yield fake
    fake.let_go()


def shut(window: MainWindow) -> None:
    """Close a window and wait for what it started."""
    window.close()
    assert window.runner.close(), "the worker is still running"
    QCoreApplication.processEvents()  # PySide never lets go of a call that is pending when its object is destroyed
    window.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


def _opened(spec: Spec, width: int = 1280, height: int = 800) -> MainWindow:
    QCursor.setPos(QPoint(-1, -1))  # where the last test left it, it may be over what waits until it leaves
    window = MainWindow(spec)
    window.resize(width, height)
    window.show()
    return window
