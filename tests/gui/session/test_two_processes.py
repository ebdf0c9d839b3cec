"""Two processes of one user at once: neither loses what was saved or chosen in the other."""

import os
import sys
import time
from pathlib import Path

import pytest
from forked import Spoken, spoken_to
from session_hands import file_of
from small_specs import SMALL

from attnviz.experiment.files.session import Session
from attnviz.export.document import read_document

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the folders of Linux")

# The application as the command line starts it. It does what it is told on its input, and answers each line.
WINDOW = """
import sys, time
from pathlib import Path
from PySide6.QtCore import QSocketNotifier, Qt, QTimer
from attnviz.export.document import read_document
from attnviz.gui import app

class Window(app.MainWindow):
    def start(self):
        notifier = QSocketNotifier(sys.stdin.fileno(), QSocketNotifier.Type.Read, self)
        notifier.activated.connect(self.obey)
        self.keeper.questions.may_replace_changed = lambda path: print("asked", flush=True)
        self.keeper._files.saved.connect(lambda _: print("saved", flush=True))
        print("open", flush=True)

    def obey(self):
        what, _, value = sys.stdin.readline().strip().partition(" ")
        if what == "save":
            at, _, notes = value.partition(" ")
            self.panels.notes.editor.setPlainText(notes)
            self.keeper._files.know(self.keeper.path)  # as if it had just been opened
            wait = round(1000 * (float(at) - time.time()))
            timer = QTimer(self, singleShot=True, timerType=Qt.TimerType.PreciseTimer)
            timer.timeout.connect(self.keeper.save)
            timer.start(max(0, wait))
        elif what == "theme":
            self.toggle_theme()
            print("chosen", flush=True)
        else:
            self.keeper.asks = False
            self.close()

app.MainWindow = Window
path = Path(sys.argv[1])
sys.exit(app.start(app.Options(read_document(path), source=path)))
"""


def tell(window: Spoken, line: str) -> None:
    window.stdin.write(line + "\n")
    window.stdin.flush()


def _env(folder: Path) -> dict[str, str]:
    """Return an environment whose user keeps nothing outside a folder."""
    own = {"XDG_STATE_HOME": str(folder / "state"), "XDG_CONFIG_HOME": str(folder / "config")}
    return os.environ | {"QT_QPA_PLATFORM": "offscreen"} | own


def test_that_two_windows_at_once_lose_nothing_of_each_other(tmp_path: Path) -> None:
    path = file_of(Session(spec=SMALL), tmp_path / "same.attnviz")
    own = _env(tmp_path)
    with (
        spoken_to(WINDOW, str(path), cwd=tmp_path, env=own) as first,
        spoken_to(WINDOW, str(path), cwd=tmp_path, env=own) as second,
    ):
        assert [window.stdout.readline() for window in (first, second)] == ["open\n"] * 2
        for turn in range(5):
            at = time.time() + 0.3
            tell(first, f"save {at} {turn} by the first")
            tell(second, f"save {at} {turn} by the second")
            answers = [window.stdout.readline().strip() for window in (first, second)]
            assert sorted(answers) == ["asked", "saved"], "the later one finds the file of the earlier one"
            assert read_document(path).notes == f"{turn} by the {'first' if answers[0] == 'saved' else 'second'}"

        tell(first, "theme")
        assert first.stdout.readline() == "chosen\n"
        for window in (first, second):  # the second one has chosen nothing
            tell(window, "close")
            assert window.wait(30) == 0
    kept = (tmp_path / "config" / "attnviz" / "attnviz.conf").read_text(encoding="utf-8")
    assert "theme=dark" in kept
