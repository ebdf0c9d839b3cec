"""Work that does not end: the window answers, says what goes on, and closes; the process ends; nothing is lost."""

import os
import re
import sys
import threading
import time
from pathlib import Path

import pytest
from disks import at_last
from fake_engine import FakeEngine
from forked import run_forked
from hands import Hands
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot
from session_hands import answers, begin_at, saves_to
from small_specs import SMALL, attention
from windows import At, Opener, Settle

from attnviz.export.document import read_document
from attnviz.gui.run.background import Background, finish_all
from attnviz.gui.session import autosave as autosave_module
from attnviz.gui.session.autosave import Autosave, orphans
from attnviz.gui.session.questions import Answer


def test_that_a_run_in_the_middle_of_one_operation_leaves_every_knob_free_and_says_that_it_is_stopping(
    engine: FakeEngine, open_window: Opener, settle: Settle, hands: Hands
) -> None:
    window, qtbot = open_window(), hands.qtbot
    engine.hold_run_of(lambda: window.controller.propose(attention(seed=1)), qtbot, deaf=True)
    qtbot.waitUntil(window.status.stop.isVisible)
    for heads in ("1", "4", "2"):
        hands.type(window.room.form.editor("num_heads"), heads)
        assert window.status.state.text() == "computing"
    qtbot.mouseClick(window.status.stop, Qt.MouseButton.LeftButton)
    assert window.status.state.text() == "stopping"
    assert window.status.stop.isVisible()
    window.toggle_theme()
    window.session_state.enter_lab("regression")
    window.session_state.enter_lab("attention")
    window.controller.propose(attention(seed=5))
    assert window.status.state.text() == "computing"
    assert window.controller.shown is not None
    assert window.controller.shown.spec == SMALL, "the last good picture stays"
    engine.let_go()
    settle(window)
    assert window.controller.shown.spec == attention(seed=5)
    assert window.status.state.text() == ""


def test_that_a_run_that_is_stopped_in_one_operation_comes_to_rest_after_it(
    engine: FakeEngine, open_window: Opener, settle: Settle, qtbot: QtBot
) -> None:
    window = open_window()
    engine.hold_run_of(lambda: window.controller.propose(attention(seed=1)), qtbot, deaf=True)
    window.controller.stop()
    assert window.status.state.text() == "stopping"
    engine.let_go()
    qtbot.waitUntil(lambda: window.status.state.text() != "stopping")
    assert not window.controller.computing
    window.controller.propose(attention(seed=2))
    settle(window)


def test_that_a_session_is_kept_for_a_crash_while_a_share_does_not_answer(
    at: At, held: threading.Event, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, qtbot: QtBot
) -> None:
    monkeypatch.setattr(autosave_module, "AFTER_MS", 20)
    window = begin_at(at(SMALL))
    autosave = Autosave(tmp_path, window.keeper, window.session_state)
    saves_to(window, monkeypatch, tmp_path / "share" / "mine.attnviz")
    window.controller.propose(attention(seed=7))
    window.keeper.save()
    qtbot.waitUntil(autosave.path.exists)
    assert read_document(autosave.path).spec == attention(seed=7)
    window.controller.propose(attention(seed=8))
    window.keeper.asks = False
    autosave.close()
    window.keeper.asks = True
    assert [read_document(orphan.path).spec for orphan in orphans(tmp_path)] == [attention(seed=8)]
    with qtbot.waitSignal(window.keeper.said, check_params_cb=at_last):
        held.set()
    autosave.setParent(None)
    autosave.deleteLater()
    begin_at(window)


@pytest.mark.parametrize(("name", "size"), [("mine.npz", ""), ("mine.csv", r" \([\d,]+ rows, about [\d.]+ MB\)")])
def test_that_a_file_that_has_to_wait_is_said_and_written_in_the_end(
    name: str, size: str, at: At, tmp_path: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("attnviz.export.numbers.MANY", 1)
    window, event, figure = at(SMALL), threading.Event(), Background(pool="exports")
    figure.start(lambda: event.wait(20))
    window.exporter.save_numbers(tmp_path / name)
    qtbot.waitUntil(lambda: bool(re.fullmatch(rf"Saving {name}{size} \.\.\.", window.notice.text())))
    window.controller.propose(attention(seed=3))
    qtbot.waitUntil(lambda: window.controller.up_to_date)
    with qtbot.waitSignal(window.exporter.said) as told:
        event.set()
    assert told.args == [f"Saved {tmp_path / name}", False]
    qtbot.waitUntil(lambda: not figure.busy)


@pytest.mark.parametrize("answer", [Answer.DISCARD, Answer.CANCEL])
def test_that_closing_again_while_a_save_takes_for_ever_asks_what_is_to_become_of_it(
    answer: Answer, open_window: Opener, held: threading.Event, monkeypatch: pytest.MonkeyPatch, tmp_path: Path,
    qtbot: QtBot,
) -> None:  # fmt: skip
    window = open_window()
    window.keeper.asks = True
    asked = answers(window, monkeypatch, answer)
    saves_to(window, monkeypatch, tmp_path / "mine.attnviz")
    window.controller.propose(attention(seed=7))
    window.keeper.save()
    window.close()
    assert (asked, window.isVisible()) == ([], True), "it is waited for, and the window says so"
    qtbot.waitUntil(lambda: window.notice.text() == "Saving mine.attnviz ...")
    window.close()
    assert asked == ["Untitled"]
    assert window.isVisible() is (answer is Answer.CANCEL)
    with qtbot.waitSignal(window.keeper.said, check_params_cb=at_last):
        held.set()
    assert window.isVisible() is (answer is Answer.CANCEL), "a close that was called off is not made up for"


def test_that_the_end_of_the_program_waits_for_files_and_not_for_ever(held: threading.Event, qtbot: QtBot) -> None:
    figures, done = Background(pool="exports"), []
    figures.start(lambda: (time.sleep(0.1), done.append("figure")))
    start = time.monotonic()
    assert not finish_all(0.5)
    assert done == ["figure"]
    assert time.monotonic() - start < 5
    held.set()
    assert finish_all(20)
    qtbot.waitUntil(lambda: not figures.busy)


@pytest.mark.parametrize("error", [SystemExit(2), KeyboardInterrupt(), GeneratorExit()])
def test_that_a_job_that_ends_in_what_is_no_exception_is_told_like_any_other(
    error: BaseException, qtbot: QtBot
) -> None:
    def job() -> None:
        raise error

    background = Background()
    said: list[str] = []
    background.failed.connect(said.append)
    background.done.connect(said.append)
    with qtbot.captureExceptions() as caught:
        background.start(job)
        background.start(lambda: "the next")
        qtbot.waitUntil(lambda: not background.busy)
    assert said == [f"{type(error).__name__}: {error}", "the next"]
    assert [kind for kind, _, _ in caught] == [type(error)]


@pytest.mark.parametrize("error", [OSError(5, "Input/output error", "fonts.ttf"), MemoryError()])
def test_that_a_failure_that_nobody_listens_for_is_told_as_one_of_ours(error: Exception, qtbot: QtBot) -> None:
    def job() -> None:
        raise error

    background = Background()
    with qtbot.captureExceptions() as caught:
        background.start(job)
        qtbot.waitUntil(lambda: not background.busy)
    assert [kind for kind, _, _ in caught] == [type(error)]


# The application as the command line starts it; what is stuck is stuck for longer than anybody waits.
STUCK = """
import sys, threading, time
from pathlib import Path
from PySide6.QtCore import QTimer
from attnviz.engine import run as engine
from attnviz.experiment.files.session import Session
from attnviz.gui import app
from attnviz.gui.session import autosave
from attnviz.gui.run import background
from attnviz.gui.run import runner
from small_specs import SMALL, attention

what, folder = sys.argv[1], Path(sys.argv[2])
autosave.AFTER_MS, app.WRITING_S, runner.PATIENCE_MS = 20, 20.0 if what == "slow" else 0.5, 500
true_start, began = engine.start, threading.Event()

def start(asked, past=None, **options):
    run = true_start(asked, past, **options)
    advance = run.advance

    def stuck(should_stop):
        if what == "stuck" and asked.seed == 77:
            began.set()
            time.sleep(100)
        return advance(should_stop)

    run.advance = stuck
    return run

engine.start = start

class Window(app.MainWindow):
    def start(self):
        super().start()
        self._watch = QTimer(self)
        self._watch.timeout.connect(self.work)
        self._watch.start(20)
        self._at = 0

    def work(self):
        if self._at == 0 and self.controller.up_to_date and not self.controller.computing:
            self._at = 1
            if what == "stuck":
                for name in ("files", "background", "exports"):
                    background.Background(self, pool=name).start(lambda: time.sleep(100))
            if what == "slow":
                self.exporter.write_bytes(folder / "out.bin", lambda: (time.sleep(1.0), b"all of it")[1])
            self.controller.propose(attention(seed=77), "seed")
        elif self._at == 1 and (what != "stuck" or began.is_set()):
            self._at = 2
            for seed in range(100, 120):
                self.controller.propose(attention(seed=seed), "seed")
            self.controller.stop()
            self.panels.notes.editor.setPlainText("not saved yet")
        elif self._at == 2 and (what == "stuck" or self.notice.text().startswith("Unsaved")):
            self._watch.stop()
            print(time.time(), self.notice.text(), flush=True)
            self.keeper.asks = False
            self.close()

app.MainWindow = Window
sys.exit(app.start(app.Options(Session(spec=SMALL))))
"""


def closed(what: str, folder: Path, **places: str) -> tuple[str, str]:
    """Let the application work and be closed; return what it said to the user at last, and on stderr."""
    env = os.environ | {"QT_QPA_PLATFORM": "offscreen"} | places
    streams = folder / "streams"
    streams.mkdir()
    code, out, errors = run_forked((what, str(folder)), cwd=folder, env=env, folder=streams, code=STUCK)
    assert code == 0, (out, errors)
    asked_at, _, said = out.strip().partition(" ")
    assert time.time() - float(asked_at) < 20
    return said, errors


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the folders of Linux")
def test_that_the_process_of_a_closed_window_ends_whatever_is_stuck_and_leaves_the_session(tmp_path: Path) -> None:
    _, errors = closed("stuck", tmp_path, XDG_STATE_HOME=str(tmp_path / "state"), XDG_CONFIG_HOME=str(tmp_path))
    assert errors == "attnviz: closed while a file was still being written\n"
    (left,) = orphans(tmp_path / "state" / "attnviz")
    assert read_document(left.path).notes == "not saved yet"
    assert read_document(left.path).spec == attention(seed=119)


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="places where nothing can be written, of Linux")
def test_that_without_a_place_for_settings_and_sessions_there_is_work_that_is_waited_for_at_the_end(
    tmp_path: Path,
) -> None:
    nowhere = dict.fromkeys(("XDG_STATE_HOME", "XDG_CONFIG_HOME", "HOME"), "/proc/nowhere")
    said, errors = closed("slow", tmp_path, **nowhere)
    assert said.startswith("Unsaved work could not be backed up: /proc/nowhere")
    assert errors == ""
    assert (tmp_path / "out.bin").read_bytes() == b"all of it", "the process ended in the middle of a save"
