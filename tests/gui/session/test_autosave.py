"""What a crash costs: a few seconds. The session is kept in passing, found by the next start, and nobody else's."""

import os
import shutil
import signal
import stat
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from forked import spoken_to
from hands import Hands
from PySide6.QtCore import QLockFile, QObject
from pytestqt.qtbot import QtBot
from session_hands import PINNED, answers, begin_at, change, file_of, saves_to, sentence
from small_specs import SMALL, attention

from attnviz.experiment.files.session import Session
from attnviz.experiment.files.specs_in_files import preset
from attnviz.experiment.labs import make_spec
from attnviz.export.document import read_document
from attnviz.folders import state_folder
from attnviz.gui.session import autosave as module
from attnviz.gui.session.autosave import Autosave, RecoveredSessions, orphans
from attnviz.gui.session.crash_notice import RestoreBar
from attnviz.gui.session.questions import Answer
from attnviz.gui.window.main_window import MainWindow

LOST = Session(spec=attention(seed=77), pinned=PINNED, notes="not saved yet")


@pytest.fixture
def begun(used_window: MainWindow, monkeypatch: pytest.MonkeyPatch) -> Iterator[MainWindow]:
    """The module's window at the start of a session; a change is written almost at once."""
    monkeypatch.setattr(module, "AFTER_MS", 20)
    yield begin_at(used_window)
    used_window.keeper.asks = True
    begin_at(used_window)


@pytest.fixture
def kept(begun: MainWindow, tmp_path: Path) -> Iterator[Autosave]:
    """The module's window with an autosave of its own."""
    autosave = Autosave(tmp_path, begun.keeper, begun.session_state)
    autosave.failed.connect(begun.notice.say)
    yield autosave
    autosave.close()
    _forget(autosave)


@pytest.fixture
def bar(begun: MainWindow) -> Iterator[RestoreBar]:
    """A bar above the stage."""
    bar = RestoreBar()
    begun.panels.put_above_stage(bar)
    yield bar
    bar.setParent(None)
    bar.deleteLater()


@pytest.fixture
def offer(begun: MainWindow, kept: Autosave, bar: RestoreBar, tmp_path: Path) -> Iterator[Callable[[], None]]:
    """Offer what lies in the folder, as a start does."""
    offers: list[RecoveredSessions] = []

    def start() -> None:
        offers.append(RecoveredSessions(tmp_path, begun.keeper, kept, bar))

    yield start
    for left in offers:
        left.close()
        _forget(left)


def _forget(part: QObject) -> None:
    part.setParent(None)
    part.deleteLater()


def test_that_nothing_is_written_before_a_change_and_the_session_soon_after_it(
    begun: MainWindow, kept: Autosave, tmp_path: Path, qtbot: QtBot
) -> None:
    begun.room.stage.strip.go(-1)
    qtbot.wait(60)
    assert list(tmp_path.iterdir()) == []
    change(begun)
    begun.panels.notes.editor.setPlainText("half a thought")
    qtbot.waitUntil(kept.path.exists)
    found = read_document(kept.path)
    assert found == begun.session_state.session()
    assert (found.spec, found.notes) == (attention(seed=7), "half a thought")


def test_that_a_saved_session_leaves_no_file_behind(
    begun: MainWindow, kept: Autosave, tmp_path: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    change(begun)
    qtbot.waitUntil(kept.path.exists)
    saves_to(begun, monkeypatch, tmp_path / "elsewhere" / "mine.attnviz")
    (tmp_path / "elsewhere").mkdir()
    begun.keeper.save()
    qtbot.waitUntil(lambda: not kept.path.exists())


@pytest.mark.parametrize("asks", [True, False], ids=["let go", "closed from the terminal"])
def test_that_a_clean_close_leaves_nothing_and_one_that_nobody_asked_about_the_session(
    asks: bool, begun: MainWindow, tmp_path: Path, qtbot: QtBot
) -> None:
    autosave = Autosave(tmp_path, begun.keeper, begun.session_state)
    change(begun)
    if asks:
        qtbot.waitUntil(autosave.path.exists)
    else:
        autosave.write()
        change(begun, seed=8)
    begun.keeper.asks = asks
    autosave.close()
    _forget(autosave)
    found = orphans(tmp_path)
    assert [read_document(orphan.path).spec for orphan in found] == ([] if asks else [attention(seed=8)])
    assert len(list(tmp_path.iterdir())) == 2 * len(found)


def test_that_a_window_does_not_offer_what_another_one_is_writing(
    begun: MainWindow, kept: Autosave, offer: Callable[[], None], bar: RestoreBar, tmp_path: Path, qtbot: QtBot
) -> None:
    change(begun)
    qtbot.waitUntil(kept.path.exists)
    offer()
    qtbot.wait(60)
    assert orphans(tmp_path) == []
    assert not bar.isVisible()


def test_that_what_was_left_behind_is_offered_and_restored_as_unsaved(
    begun: MainWindow, kept: Autosave, offer: Callable[[], None], bar: RestoreBar, tmp_path: Path, qtbot: QtBot,
    hands: Hands,
) -> None:  # fmt: skip
    left = file_of(LOST, tmp_path / "left.attnviz")
    offer()
    qtbot.waitUntil(bar.isVisible)
    assert "Unsaved work was kept" in bar.sentence.text()
    assert bar.sentence.text().endswith(", Attention: Own settings")
    assert not bar.list.isVisible()
    assert orphans(tmp_path) == [], "another window that starts now offers it too"
    hands.press(bar, "Restore")
    assert not bar.isVisible()
    assert begun.session_state.work == (LOST.spec, LOST.all_pins, LOST.notes)
    assert begun.isWindowModified()
    assert begun.keeper.path is None
    assert not left.exists()
    assert read_document(kept.path) == LOST, "a crash at this moment would lose it"
    assert begun.actions_["undo"].text() == "Undo Restore"


def test_that_a_restored_session_keeps_its_name_and_is_saved_where_it_came_from(
    begun: MainWindow, kept: Autosave, offer: Callable[[], None], bar: RestoreBar, tmp_path: Path, qtbot: QtBot,
    hands: Hands, monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    home = tmp_path / "elsewhere"
    home.mkdir()
    begun.keeper.begin(Session(spec=SMALL), file_of(Session(spec=SMALL), home / "lecture.2.attnviz"))
    change(begun)
    qtbot.waitUntil(kept.path.exists)
    shutil.copy(kept.path, tmp_path / "left.attnviz")
    begin_at(begun)
    assert begun.keeper.name == "Untitled"
    offer()
    qtbot.waitUntil(bar.isVisible)
    assert bar.sentence.text().endswith(", lecture.2.attnviz (Attention: Own settings)")
    hands.press(bar, "Restore")
    assert begun.windowTitle() == "lecture.2[*] - attnviz"
    assert begun.isWindowModified()
    assert begun.keeper.path is None, "the file may have changed since, and must not be replaced unasked"
    proposed = saves_to(begun, monkeypatch, None)
    begun.keeper.save()
    assert proposed == [home / "lecture.2.attnviz"]


@pytest.fixture
def several(offer: Callable[[], None], bar: RestoreBar, tmp_path: Path, qtbot: QtBot) -> None:
    """Three sessions of an earlier minute each, offered."""
    chosen = preset("causal-sentence").spec
    specs = attention(seed=1), chosen, make_spec({**dict(chosen), "seed": 987})
    for minutes, spec in enumerate(specs):
        path = file_of(Session(spec=spec), tmp_path / f"{9 - minutes}.attnviz")
        os.utime(path, (1e9 + 60 * minutes, 1e9 + 60 * minutes))
    offer()
    qtbot.waitUntil(bar.list.isVisible)


@pytest.mark.usefixtures("several")
def test_that_several_are_offered_in_one_list_by_their_titles_the_newest_first(
    begun: MainWindow, bar: RestoreBar, tmp_path: Path, hands: Hands
) -> None:
    listed = [bar.list.itemText(place).partition("  ") for place in range(3)]
    titles = ["Attention: Causal sentence, changed", "Attention: Causal sentence", "Attention: Own settings"]
    assert [title for _, _, title in listed] == titles
    times = [time for time, _, _ in listed]
    assert times == sorted(times, reverse=True)
    assert bar.sentence.text() == "Unsaved work of 3 windows was kept"
    bar.list.setCurrentIndex(1)
    hands.press(bar, "Discard")
    assert sorted(path.name for path in tmp_path.glob("*.attnviz")) == ["7.attnviz", "9.attnviz"]
    bar.list.setCurrentIndex(1)
    hands.press(bar, "Restore")
    assert begun.controller.spec == attention(seed=1)
    assert not bar.list.isVisible()
    assert bar.sentence.text().endswith(titles[0])
    begun.keeper.asks = False
    hands.press(bar, "Restore")
    assert begun.controller.spec == make_spec({**dict(preset("causal-sentence").spec), "seed": 987})
    assert not bar.isVisible()


@pytest.mark.usefixtures("several")
@pytest.mark.parametrize("may", [False, True])
def test_that_all_are_discarded_at_once_if_the_user_means_it(
    may: bool, begun: MainWindow, bar: RestoreBar, tmp_path: Path, hands: Hands, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(begun.keeper.questions, "may_discard", lambda count: may and count == 3)
    hands.press(bar, "Discard all")
    assert bar.isVisible() is not may
    assert len(list(tmp_path.glob("*.attnviz"))) == (0 if may else 3)
    assert begun.controller.spec == SMALL


def test_that_what_is_not_answered_is_offered_again(
    offer: Callable[[], None], bar: RestoreBar, begun: MainWindow, kept: Autosave, tmp_path: Path, qtbot: QtBot
) -> None:
    path = file_of(LOST, tmp_path / "left.attnviz")
    left = RecoveredSessions(tmp_path, begun.keeper, kept, bar)
    qtbot.waitUntil(bar.isVisible)
    left.close()
    _forget(left)
    assert [orphan.path for orphan in orphans(tmp_path)] == [path]


def test_that_changes_made_meanwhile_are_asked_about_before_the_restored_session_takes_their_place(
    begun: MainWindow, offer: Callable[[], None], bar: RestoreBar, tmp_path: Path, qtbot: QtBot, hands: Hands,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    left = file_of(LOST, tmp_path / "left.attnviz")
    offer()
    qtbot.waitUntil(bar.isVisible)
    asked = answers(begun, monkeypatch, Answer.CANCEL)
    change(begun)
    hands.press(bar, "Restore")
    assert asked
    assert begun.controller.spec == attention(seed=7)
    assert left.exists()
    assert bar.isVisible()


@pytest.mark.parametrize("content", [b"", b"\xff" * 40, b'{"format": 1, "spec": {', b'{"format": 9, "spec": {}}'])
def test_that_a_broken_file_is_said_and_set_aside(
    content: bytes, begun: MainWindow, offer: Callable[[], None], bar: RestoreBar, tmp_path: Path, qtbot: QtBot
) -> None:
    whole = file_of(LOST, tmp_path / "older.attnviz")
    os.utime(whole, (1e9, 1e9))
    (tmp_path / "left.attnviz").write_bytes(content)
    said = sentence(begun, qtbot, offer)
    assert "cannot be restored" in said
    assert str(tmp_path / "left.broken") in said
    assert (tmp_path / "left.broken").read_bytes() == content
    qtbot.waitUntil(bar.isVisible)  # the next one is offered
    assert begun.controller.spec == SMALL


def test_that_a_folder_that_cannot_be_written_is_said_once(begun: MainWindow, tmp_path: Path, qtbot: QtBot) -> None:
    (tmp_path / "file").write_text("in the way")
    autosave = Autosave(tmp_path / "file" / "folder", begun.keeper, begun.session_state)
    said: list[str] = []
    autosave.failed.connect(said.append)
    change(begun)
    qtbot.waitUntil(lambda: bool(said))
    autosave.write()
    autosave.close()
    _forget(autosave)
    assert len(said) == 1
    assert str(tmp_path / "file") in said[0]


UNKNOWN = {"another machine's": "4711\nattnviz\nfar\n0123456789abcdef0123456789abcdef\nb00t\n", "empty": ""}
DAYS = 4 * 24 * 3600


@pytest.mark.parametrize("kind", UNKNOWN)
@pytest.mark.parametrize("age", [60, DAYS], ids=["fresh", "days old"])
def test_that_a_session_whose_lock_does_not_tell_is_offered_after_some_days(
    kind: str, age: int, tmp_path: Path
) -> None:
    path = file_of(LOST, tmp_path / "left.attnviz")
    (tmp_path / "left.attnviz.lock").write_text(UNKNOWN[kind])
    os.utime(path, (time.time() - age,) * 2)
    assert [orphan.path for orphan in orphans(tmp_path)] == ([path] if age == DAYS else [])


def test_that_a_session_of_a_living_window_is_never_offered_however_old(tmp_path: Path) -> None:
    path = file_of(LOST, tmp_path / "left.attnviz")
    os.utime(path, (1e9, 1e9))
    lock = QLockFile(f"{path}.lock")
    assert lock.tryLock(0)
    os.truncate(f"{path}.lock", 0)  # so that its owner cannot be told, and yet is there
    assert orphans(tmp_path) == []
    lock.unlock()


def test_that_the_lock_of_a_window_that_is_gone_goes_and_that_of_a_living_one_stays(
    offer: Callable[[], None], tmp_path: Path
) -> None:
    code = "import os, sys; from PySide6.QtCore import QLockFile as L; a = L(sys.argv[1]); a.tryLock(0); os._exit(0)"
    left, living = (tmp_path / f"{name}.attnviz.lock" for name in ("left", "living"))
    subprocess.run([sys.executable, "-c", code, str(left)], check=True, timeout=60)
    assert left.exists()
    lock = QLockFile(str(living))
    lock.setStaleLockTime(0)
    assert lock.tryLock(0)
    offer()
    assert [path.exists() for path in (left, living)] == [False, True]
    lock.unlock()


def test_that_parts_of_saves_that_were_killed_go_at_the_next_start(offer: Callable[[], None], tmp_path: Path) -> None:
    left = tmp_path / ".attnviz-0123456789ab.part"
    left.write_bytes(b"{")
    os.utime(left, (time.time() - 120,) * 2)
    offer()
    assert not left.exists()


@pytest.mark.skipif(os.name != "posix", reason="permissions of POSIX")
@pytest.mark.parametrize("earlier", [False, True], ids=["new", "of an earlier version"])
def test_that_unsaved_work_is_readable_by_its_user_alone(
    earlier: bool, begun: MainWindow, tmp_path: Path, qtbot: QtBot
) -> None:
    folder = tmp_path / "state"
    if earlier:
        folder.mkdir(mode=0o755)
    autosave = Autosave(folder, begun.keeper, begun.session_state)
    change(begun)
    qtbot.waitUntil(lambda: autosave.path.exists() and not autosave._background.busy)
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert stat.S_IMODE(autosave.path.stat().st_mode) == 0o600
    autosave.close()
    _forget(autosave)


def test_that_the_folder_is_the_users_own(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    if not sys.platform.startswith("linux"):
        pytest.skip("the folders of Linux")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    assert state_folder() == tmp_path / "attnviz"
    monkeypatch.setenv("XDG_STATE_HOME", "not/absolute")
    assert state_folder() == Path.home() / ".local" / "state" / "attnviz"


# The application as the command line starts it, with somebody at the seed.
WORKING = """
import sys
from pathlib import Path
from PySide6.QtCore import QSocketNotifier, QTimer
from PySide6.QtWidgets import QApplication
from attnviz.experiment.labs import make_spec
from attnviz.experiment.files.session import Session
from attnviz.experiment.files.specs_in_files import preset
from attnviz.gui import app; from attnviz.gui.session import autosave
from attnviz.folders import state_folder
from small_specs import SMALL, attention

autosave.AFTER_MS = 20

class Window(app.MainWindow):
    def start(self):
        self.controller.propose(attention(seed=77), "seed")
        self.panels.notes.editor.setPlainText("not saved yet")
        self._watch = QTimer(self)
        self._watch.timeout.connect(self.look_for_it)
        self._watch.start(20)

    def look_for_it(self):
        found = list(state_folder().glob("*.attnviz"))
        if found:
            print(found[0], flush=True)
            self._watch.stop()
            QSocketNotifier(sys.stdin.fileno(), QSocketNotifier.Type.Read, self).activated.connect(self.type)

    def type(self):
        autosave_timer = self.findChild(autosave.Autosave)._timer
        autosave_timer.setInterval(60_000)
        autosave_timer.stop()
        text = sys.stdin.readline().strip()
        if text == "dark":
            self.actions_["theme"].trigger()
        elif text == "close":
            QTimer.singleShot(0, self.close)
            QTimer.singleShot(300, lambda: print(type(QApplication.activeModalWidget()).__name__, flush=True))
        elif text:
            self.panels.notes.editor.setPlainText(text)
            print("typed", flush=True)
        else:
            self.sender().setEnabled(False)

app.MainWindow = Window
sys.exit(app.start(app.Options(Session(spec=SMALL))))
"""


def _env(folder: Path) -> dict[str, str]:
    """Return an environment whose user keeps nothing outside a folder."""
    env = os.environ | {"QT_QPA_PLATFORM": "offscreen"}
    return env | {"XDG_STATE_HOME": str(folder / "state"), "XDG_CONFIG_HOME": str(folder / "config")}


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the terminal, and the folders, of Linux")
@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM", "SIGHUP"])
def test_that_a_signal_to_end_asks_nothing_and_leaves_the_session_as_it_is_now(name: str, tmp_path: Path) -> None:
    with spoken_to(WORKING, cwd=tmp_path, env=_env(tmp_path)) as working:
        path = Path(working.stdout.readline().strip())
        working.stdin.write("and this a moment ago\n")  # no autosave is due for a minute
        working.stdin.flush()
        assert working.stdout.readline() == "typed\n"
        working.send_signal(getattr(signal, name))
        assert working.wait(20) == 0
    assert [orphan.path for orphan in orphans(path.parent)] == [path]
    assert read_document(path).notes == "and this a moment ago"
    assert f"code 0, closed by {name}" in (path.parent / "reports" / "attnviz.log").read_text()


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the signals of Linux")
def test_that_a_signal_to_end_also_ends_a_window_that_asks_whether_to_save(tmp_path: Path) -> None:
    with spoken_to(WORKING, cwd=tmp_path, env=_env(tmp_path)) as working:
        path = Path(working.stdout.readline().strip())
        working.stdin.write("close\n")
        working.stdin.flush()
        assert working.stdout.readline() == "QMessageBox\n"
        working.send_signal(signal.SIGTERM)
        assert working.wait(20) == 0
    assert read_document(path).notes == "not saved yet"


STARTING = """
import os, signal, sys
from PySide6.QtCore import QObject
from attnviz.experiment.labs import make_spec
from attnviz.experiment.files.session import Session
from attnviz.experiment.files.specs_in_files import preset
from attnviz.gui import app
from small_specs import SMALL

class Window(app.MainWindow):
    def __init__(self, *arguments):
        super().__init__(*arguments)
        watch = QObject(self)
        watch.objectNameChanged.connect(lambda: os.kill(os.getpid(), signal.SIGINT))
        watch.setObjectName("an exception of a slot is printed, and then lost")

app.MainWindow = Window
sys.exit(app.start(app.Options(Session(spec=SMALL))))
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the terminal of Linux")
def test_that_ctrl_c_while_the_window_is_built_ends_the_process(tmp_path: Path) -> None:
    with spoken_to(STARTING, cwd=tmp_path, env=_env(tmp_path)) as starting:
        assert starting.wait(20) == -signal.SIGINT


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="a kill, and the folders, of Linux")
def test_that_the_session_of_a_killed_process_is_found_and_that_of_a_living_one_is_not(
    begun: MainWindow, offer: Callable[[], None], bar: RestoreBar, tmp_path: Path, qtbot: QtBot, hands: Hands
) -> None:
    with spoken_to(WORKING, cwd=tmp_path, env=_env(tmp_path)) as working:
        path = Path(working.stdout.readline().strip())
        assert read_document(path).notes == "not saved yet"
        assert orphans(path.parent) == []
        working.send_signal(signal.SIGKILL)
        assert working.wait(20) == -signal.SIGKILL
    left = list(path.parent.glob(f"{path.name}*"))
    assert len(left) == 2
    for file in left:
        shutil.move(file, tmp_path)
    offer()
    qtbot.waitUntil(bar.isVisible)
    hands.press(bar, "Restore")
    assert begun.session_state.work == (attention(seed=77), (), "not saved yet")


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="a kill, and the folders, of Linux")
def test_that_the_theme_of_a_killed_process_is_kept(tmp_path: Path) -> None:
    with spoken_to(WORKING, cwd=tmp_path, env=_env(tmp_path)) as working:
        working.stdout.readline()
        settings = tmp_path / "config" / "attnviz" / "attnviz.conf"
        assert not settings.exists() or "theme" not in settings.read_text(), "none was chosen"
        working.stdin.write("dark\n")
        working.stdin.flush()
        end = time.monotonic() + 20
        while "theme=dark" not in (settings.read_text() if settings.exists() else "") and time.monotonic() < end:
            time.sleep(0.05)
        working.send_signal(signal.SIGKILL)
        assert working.wait(20) == -signal.SIGKILL
    assert "theme=dark" in settings.read_text()


def test_that_what_cannot_even_be_asked_about_is_said_and_keeps_nobody_waiting(
    begun: MainWindow, offer: Callable[[], None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, qtbot: QtBot
) -> None:
    file_of(LOST, tmp_path / "autosave-1.attnviz")

    def refuse(_: Path, *, is_own: bool) -> None:
        assert is_own
        raise MemoryError

    monkeypatch.setattr("attnviz.gui.session.autosave.read_document", refuse)
    assert "cannot be read: there is not enough memory" in sentence(begun, qtbot, offer)
    assert len(list(tmp_path.glob("*.attnviz"))) == 1
