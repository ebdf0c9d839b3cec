"""After a crash: the bar says where the report lies, a window shows it, and defects reach the user and the log."""

import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from hands import Hands
from PySide6.QtGui import QGuiApplication
from pytestqt.qtbot import QtBot
from session_hands import begin_at

from attnviz.crash_report import Watch
from attnviz.gui.process import Hooks
from attnviz.gui.run.mailbox import Ready
from attnviz.gui.session.crash_notice import CrashNotice, ReportDialog, RestoreBar
from attnviz.gui.window.main_window import MainWindow
from attnviz.log import log_file, reports_folder

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the folders of Linux")
STRUCK = "attnviz 0.1.0, Python 3\nFatal Python error: Segmentation fault\n"


@pytest.fixture(autouse=True)
def _own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    reports_folder().mkdir(parents=True)


@pytest.fixture
def bar(used_window: MainWindow) -> Iterator[RestoreBar]:
    """A bar above the stage of the module's window."""
    bar = RestoreBar()
    begin_at(used_window).panels.put_above_stage(bar)
    yield bar
    bar.setParent(None)
    bar.deleteLater()


@pytest.fixture
def started(used_window: MainWindow, bar: RestoreBar) -> Iterator[CrashNotice]:
    """What a start does, after a crash."""
    (reports_folder() / "12-34.running").write_text(STRUCK)
    last = CrashNotice(used_window, Watch(), bar)
    yield last
    last.setParent(None)
    last.deleteLater()


@pytest.fixture
def hooks(used_window: MainWindow) -> Iterator[Hooks]:
    """The hooks of the module's window, which Python is not told of: the test itself would no longer hear of errors."""
    hooks = Hooks(used_window, Watch())
    yield hooks
    hooks.setParent(None)
    hooks.deleteLater()


@pytest.mark.usefixtures("started")
def test_that_the_bar_tells_of_a_report_which_is_shown_copied_and_dismissed(
    used_window: MainWindow, bar: RestoreBar, hands: Hands, qtbot: QtBot
) -> None:
    qtbot.waitUntil(bar.isVisible)
    (report,) = reports_folder().glob("crash-*.txt")
    assert bar.sentence.text().startswith("attnviz ended unexpectedly, ")
    assert bar.report.toolTip() == str(report)
    assert [bar.restore.isVisible(), bar.discard.isVisible()] == [False, False]
    hands.press(bar, "Report ...")
    qtbot.waitUntil(lambda: used_window.findChild(ReportDialog) is not None)
    dialog = used_window.findChild(ReportDialog)
    assert dialog.text.toPlainText() == STRUCK
    assert dialog.place.text() == str(report)
    hands.press(dialog, "Copy")
    assert QGuiApplication.clipboard().text() == STRUCK
    hands.press(dialog, "Close")
    hands.press(bar, "Dismiss")
    assert not bar.isVisible()


@pytest.mark.usefixtures("started")
def test_that_the_offer_of_a_session_has_the_report_beside_it_and_both_are_answered_at_once(
    bar: RestoreBar, qtbot: QtBot
) -> None:
    bar.offer([("mine", 1e9)])
    qtbot.waitUntil(bar.report.isVisible)
    assert bar.sentence.text().endswith(", mine")
    assert bar.restore.isVisible()
    assert not bar.dismiss.isVisible()
    bar.offer([])
    assert not bar.isVisible()


def test_that_the_log_says_what_a_start_found(
    used_window: MainWindow, bar: RestoreBar, started: CrashNotice, qtbot: QtBot
) -> None:
    started.note_engine(Ready((("cpu", "CPU"),)))
    qtbot.waitUntil(lambda: log_file().exists() and "cpu (CPU)" in log_file().read_text(encoding="utf-8"))
    text = log_file().read_text(encoding="utf-8")
    assert "started: attnviz " in text
    assert "PySide6 6." in text
    qtbot.waitUntil(bar.isVisible)


def test_that_a_defect_in_another_thread_is_said_in_the_window_by_its_own(
    used_window: MainWindow, hooks: Hooks, qtbot: QtBot, capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    said_in = []
    tell = used_window.notice.tell

    def noted(text: str) -> None:
        said_in.append(threading.current_thread())
        tell(text)

    monkeypatch.setattr(used_window.notice, "tell", noted)

    def fail() -> None:
        try:
            raise KeyError("boom")
        except KeyError as error:
            hooks.handle(type(error), error, error.__traceback__)

    other = threading.Thread(target=fail)
    other.start()
    other.join()
    assert said_in == []
    qtbot.waitUntil(lambda: "KeyError: 'boom'" in used_window.notice.text())
    assert said_in == [threading.main_thread()]
    assert "in fail" in log_file().read_text(encoding="utf-8")
    assert "Traceback" in capsys.readouterr().err


def test_that_a_defect_at_every_frame_does_not_fill_the_log(
    hooks: Hooks, used_window: MainWindow, capsys: pytest.CaptureFixture[str], qtbot: QtBot
) -> None:
    for number in range(50):
        try:
            raise ValueError(f"frame {number}")
        except ValueError as error:
            hooks.handle(type(error), error, error.__traceback__)
    assert log_file().read_text(encoding="utf-8").count("Traceback") == 3
    assert capsys.readouterr().err.count("Traceback") == 3
    qtbot.waitUntil(lambda: used_window.notice.text() == "Something went wrong: ValueError: frame 49")


def test_that_the_sentence_about_a_defect_outlasts_the_frames_of_a_training(
    hooks: Hooks, used_window: MainWindow, capsys: pytest.CaptureFixture[str], qtbot: QtBot
) -> None:
    hooks.handle(ValueError, ValueError("boom"), None)
    qtbot.waitUntil(used_window.notice.isVisible)
    used_window.notice.make_way()  # as every picture asks it to
    assert used_window.notice.isVisible()
    used_window.notice.hide()
    assert "boom" in capsys.readouterr().err


def test_that_reports_that_cannot_be_read_are_a_line_of_the_log(
    used_window: MainWindow, bar: RestoreBar, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse() -> None:
        raise PermissionError(13, "Permission denied", "reports")

    monkeypatch.setattr("attnviz.gui.session.crash_notice.collect", refuse)
    last = CrashNotice(used_window, Watch(), bar)
    qtbot.waitUntil(lambda: log_file().exists() and "Permission denied" in log_file().read_text(encoding="utf-8"))
    assert not bar.isVisible()
    last.setParent(None)
    last.deleteLater()
