"""What keeps attnviz from starting, or a part of it: a sentence, and all that can live without it lives."""

import os
import sys
import tempfile
from pathlib import Path

import pytest
from calling import Said, attnviz
from forked import COMMAND_LINE, run_forked

from attnviz.doctor import libraries_remedy
from attnviz.log import log_file

FAULTS = {
    "no library": ('raise OSError("libtorch_cpu.so: cannot open shared object file")', "libtorch_cpu.so: cannot open"),
    "another numpy": (
        '__version__ = "2.9"\nclass T:\n    def numpy(self): raise RuntimeError("Numpy is not available")\n'
        "def zeros(n, device): return T()",
        "torch 2.9 cannot hand its tensors to numpy: Numpy is not available",
    ),
    "too old": ('__version__ = "2.1.0+cpu"', "torch 2.1.0+cpu is too old: python -m pip install 'torch>=2.6'"),
    "a page": (r'raise ImportError("\n\nIMPORTANT\n\nRead this" + "\nand this" * 40)', "IMPORTANT"),
    "exit": ("raise SystemExit(3)", "3"),
}


@pytest.fixture
def env(tmp_path: Path) -> dict[str, str]:
    """The environment of a user who keeps nothing outside a folder."""
    own = {"XDG_STATE_HOME": str(tmp_path / "state"), "XDG_CONFIG_HOME": str(tmp_path / "config")}
    return os.environ | own | {"QT_QPA_PLATFORM": "offscreen"}


NEED_TORCH = ("attnviz.engine", "attnviz.attention")


def with_package(folder: Path, name: str, code: str, *users: str) -> str:
    """Put a package in the place of one that is installed, for code after this and for what it imports."""
    (folder / name).mkdir(parents=True)
    (folder / name / "__init__.py").write_text(code, encoding="utf-8")
    return f"import forked, sys; forked.forget{(name, *users)}; sys.path.insert(0, {str(folder)!r})\n"


def call(env: dict[str, str], cwd: Path, *arguments: str, code: str = "") -> Said:
    """Call the command line, or Python code, in a process of its own."""
    with tempfile.TemporaryDirectory() as folder:
        return Said(*run_forked(arguments, cwd=cwd, env=env, folder=Path(folder), code=code))


@pytest.mark.parametrize(("code", "words"), FAULTS.values(), ids=FAULTS)
def test_that_a_torch_that_will_not_do_is_told_in_one_line(
    code: str, words: str, env: dict[str, str], tmp_path: Path
) -> None:
    broken = with_package(tmp_path / "fake", "torch", code, *NEED_TORCH) + COMMAND_LINE
    said = call(env, tmp_path, "run", "preset:multi-head-random", code=broken)
    assert said.is_one_line(1, f"a run needs PyTorch: {words}", "; 'attnviz doctor' says what to install")
    told = call(env, tmp_path, "doctor", code=broken)
    assert (told.code, told.err) == (1, "")
    assert told.out.splitlines()[-1].startswith(f"torch is installed but cannot be loaded: {words}")


# A window without torch, and somebody at it.
WORKING = """
import sys
from pathlib import Path
from PySide6.QtCore import QTimer
from attnviz.experiment.files.specs_in_files import preset
from attnviz.experiment.files.session import Session
from attnviz.export.document import read_document
from attnviz.gui import app

class Window(app.MainWindow):
    def start(self):
        super().start()
        self.controller.engine_ready.connect(self.turn_a_knob)

    def turn_a_knob(self, ready):
        before = self.controller.spec
        self.room.form.proposed.emit(before.model_copy(update={"seed": 77}), "seed", "")
        assert self.controller.spec.seed == 77
        self.actions_["undo"].trigger()
        assert self.controller.spec == before
        self.actions_["redo"].trigger()
        self.keeper.questions.where_to_save = lambda _: Path("mine.attnviz")
        self.keeper.said.connect(self.end)
        self.keeper.save()

    def end(self, sentence, problem):
        assert read_document(Path("mine.attnviz")).spec.seed == 77
        assert not self.isWindowModified()
        print(self.panels.waiting.text())
        print(self.notice.isVisible() or sentence)
        self.close()

app.MainWindow = Window
sys.exit(app.start(app.Options(Session(spec=preset("multi-head-random").spec))))
"""


@pytest.mark.parametrize("fault", ["no library", "exit"])
def test_that_the_window_opens_without_torch_and_its_knobs_undo_and_save_are_alive(
    fault: str, env: dict[str, str], tmp_path: Path
) -> None:
    broken = with_package(tmp_path / "fake", "torch", FAULTS[fault][0], *NEED_TORCH)
    said = call(env, tmp_path, code=broken + WORKING)
    assert said.code == 0, said.err
    assert said.out.splitlines() == ["PyTorch could not be loaded: nothing can be drawn", "True"]
    assert "Traceback" not in said.err


# A window that opens as it does without a word on the command line, or with a file, and says what it shows.
OPENING = """
import sys
from pathlib import Path
from PySide6.QtCore import QTimer
from attnviz.experiment.files.specs_in_files import opening_session
from attnviz.gui import app

class Window(app.MainWindow):
    def start(self):
        super().start()
        self.controller.engine_ready.connect(lambda _: QTimer.singleShot(0, self.say_what_is_shown))

    def say_what_is_shown(self):
        print(self.panels.stages.currentWidget() is self.room.stage, self.status.state.text())
        self.close()

app.MainWindow = Window
source = Path(SOURCE) if SOURCE else None
sys.exit(app.start(app.Options(opening_session("attention"), source=source)))
"""


@pytest.mark.parametrize(("source", "shown"), [("", "True stored picture"), ("mine.attnviz", "False ")])
def test_that_a_fresh_start_shows_the_stored_picture_also_without_torch_and_a_file_does_not(
    source: str, shown: str, env: dict[str, str], tmp_path: Path
) -> None:
    broken = with_package(tmp_path / "fake", "torch", FAULTS["no library"][0], *NEED_TORCH)
    said = call(env, tmp_path, code=f"{broken}SOURCE = {source!r}\n{OPENING}")
    assert (said.code, said.out) == (0, shown + "\n"), said.err


@pytest.mark.parametrize(
    ("name", "code", "words"),
    [
        ("PySide6", 'raise ImportError("libEGL.so.1: cannot open shared object file")', "libEGL.so.1: cannot open"),
        ("PySide6", '__version__ = "6.8.3"', "PySide6-Essentials 6.8.3 is too old"),
        pytest.param(
            "PySide6", '__version__ = "6.12.0"', "PySide6-Essentials 6.12.0 ends the process on Python 3.11 after a",
            marks=pytest.mark.skipif(sys.version_info >= (3, 12), reason="harmless there"),
        ),
        ("PySide6", 'raise Exception("PySide6 requires another Python")', "PySide6 requires another Python"),
    ],
)  # fmt: skip
def test_that_a_window_that_cannot_be_loaded_is_told_in_one_line(
    name: str, code: str, words: str, env: dict[str, str], tmp_path: Path
) -> None:
    broken = with_package(tmp_path / "fake", name, code, "attnviz.gui") + COMMAND_LINE
    said = call(env, tmp_path, "gui", code=broken)
    assert said.is_one_line(1, "attnviz: the window ", words)


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="screens of Linux")
def test_that_the_missing_libraries_are_named_with_the_command_that_installs_them(
    env: dict[str, str], tmp_path: Path
) -> None:
    code = "import attnviz.doctor as d; d._loads = lambda name: 'icccm' not in name"
    code += "; from attnviz.__main__ import main; main(['gui'])"
    said = call(env | {"QT_QPA_PLATFORM": "xcb", "DISPLAY": ":987"}, tmp_path, code=code)
    remedy = "sudo apt-get install libxcb-icccm4 (Debian names)"
    assert said.is_one_line(1, f"the window cannot be opened: system libraries are missing: {remedy}")


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="screens of Linux")
@pytest.mark.parametrize("screen", [{"QT_QPA_PLATFORM": "nonsense"}, {"QT_QPA_PLATFORM": "xcb", "DISPLAY": ":987"}])
def test_that_a_screen_that_qt_cannot_use_is_told_in_one_line_and_aborts_nothing(
    screen: dict[str, str], env: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    said = call(env | screen, tmp_path)
    for name, value in screen.items():
        monkeypatch.setenv(name, value)
    remedy = libraries_remedy()  # other libraries than the one that Qt names may be missing here
    wanted = (f"system libraries are missing: {remedy}",) if remedy else (screen["QT_QPA_PLATFORM"], "'attnviz doctor'")
    assert said.is_one_line(1, "the window cannot be opened: ", *wanted)
    assert list((tmp_path / "state").rglob("*.running")) == []


def test_that_a_defect_of_a_command_is_one_line_and_its_traceback_is_in_the_log(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))

    def broken() -> None:
        raise KeyError("boom\nand more")

    monkeypatch.setattr("attnviz.experiment.files.specs_in_files.presets", broken)
    said = attnviz("presets")
    assert said.is_one_line(1, "something went wrong in attnviz itself: KeyError: ", f"in {log_file()}")
    assert "in broken" in log_file().read_text(encoding="utf-8")
    (tmp_path / "attnviz" / "reports").rename(tmp_path / "elsewhere")
    (tmp_path / "attnviz" / "reports").write_text("in the way")
    assert attnviz("presets").is_one_line(1, "the traceback could not be written to ")


# One window after the other, each over another settings file.
SETTINGS = r"""
import gc, os, sys
from pathlib import Path
from PySide6.QtCore import QByteArray, QSettings, QTimer
from attnviz.experiment.files.specs_in_files import preset
from attnviz.experiment.files.session import Session
from attnviz.gui import app

file = Path(os.environ["XDG_CONFIG_HOME"]) / "attnviz" / "attnviz.conf"
file.parent.mkdir(parents=True)

class Window(app.MainWindow):
    def start(self):
        self.keeper.recent.existing()
        if self.deleted:
            file.unlink()
        QTimer.singleShot(0, self.close)

app.MainWindow = Window
CONTENTS = {
    "garbage": os.urandom(3000),
    "types": b"[General]\ngeometry=@Variant(\\0\\0\\0\\x7f\\0\\0\\0\\tQColor)\nrecent=@Variant(\\0\\0\\xff\\xff)\n",
    "odd": b"[General]\ngeometry=@ByteArray(\\x1\\xd9\\xd0\\xcb\\0\\x3\\xff)\ntheme=1, 2\nrecent=@Size(3 4)\n",
    "huge": b"[General]\nrecent=" + b"x" * 1_000_000 + b"\n",
    "a folder": None,
}
for name, content in CONTENTS.items():
    if content is None:
        file.unlink()
        file.mkdir()
    else:
        file.write_bytes(content)
    Window.deleted = name == "odd"
    code = app.start(app.Options(Session(spec=preset("multi-head-random").spec)))
    kept = QSettings("attnviz", "attnviz").value("geometry")
    print(name, code, isinstance(kept, QByteArray) and len(kept) > 20 and file.is_file())
    gc.collect()  # else the next one would style this window anew
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the settings file of Linux")
def test_that_a_window_opens_over_any_settings_file_and_writes_its_own(env: dict[str, str], tmp_path: Path) -> None:
    said = call(env, tmp_path, code=SETTINGS)
    assert said.code == 0, said.err
    lines = said.out.splitlines()
    assert len(lines) == 5
    assert [line for line in lines if not line.endswith(" 0 True")] == []
    assert [line for line in said.err.splitlines() if "propagateSizeHints" not in line] == []
    assert (tmp_path / "config" / "attnviz" / "attnviz.broken").exists()


# A machine without a Chinese font, not even attnviz's own, whose user wants Chinese: by an option, then in the menu.
NO_FONT = r"""
import sys
from PySide6.QtCore import QByteArray, QSettings, QTimer
from attnviz.experiment.files.specs_in_files import preset
from attnviz.experiment.files.session import Session
from attnviz.gui import app
from attnviz.gui import theme
from attnviz.gui.language import language_now

theme.chinese_font = lambda: ()

class Window(app.MainWindow):
    def start(self):
        QTimer.singleShot(0, self.say_what_is_spoken)

    def say_what_is_spoken(self):
        print(language_now(), self.notice.text())
        self.notice.hide()
        next(each for each in self.menu.languages.actions() if each.data() == "zh_CN").trigger()
        print(language_now(), self.notice.isVisible(), self.isVisible())
        self.close()

app.MainWindow = Window
sys.exit(app.start(app.Options(Session(spec=preset("multi-head-random").spec), language="zh_CN")))
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="fontconfig")
def test_that_a_language_without_a_font_is_named_and_the_window_speaks_english(
    env: dict[str, str], tmp_path: Path
) -> None:
    fonts = tmp_path / "fonts.conf"
    fonts.write_text(f"<fontconfig><dir>{tmp_path}</dir><cachedir>{tmp_path}</cachedir></fontconfig>")
    said = call(env | {"FONTCONFIG_FILE": str(fonts)}, tmp_path, code=NO_FONT)
    sentence = "Chinese cannot be displayed: no font has its characters. Install one, such as Noto Sans CJK."
    assert said.code == 0, said.err
    assert said.out.splitlines() == [f"en {sentence}", "en True True"]
    assert said.err.count(f"attnviz: {sentence}") == 2


# A job is still at work in its thread when the window is closed.
JOB_AT_THE_END = r"""
import gc, time
from PySide6.QtCore import QTimer
from attnviz.experiment.files.specs_in_files import preset
from attnviz.experiment.files.session import Session
from attnviz.gui import app
from attnviz.gui.run.background import Background

seen = []

def work():
    time.sleep(0.3)
    seen.append(gc.isenabled())

class Window(app.MainWindow):
    def start(self):
        self.slow = Background(self, pool="files")
        self.slow.start(work)
        QTimer.singleShot(0, self.close)

app.MainWindow = Window
code = app.start(app.Options(Session(spec=preset("multi-head-random").spec)))
print(code, seen, gc.isenabled())
"""


def test_that_no_thread_collects_garbage_while_the_window_ends(env: dict[str, str], tmp_path: Path) -> None:
    said = call(env, tmp_path, code=JOB_AT_THE_END)
    assert (said.out, said.code) == ("0 [False] True\n", 0), said.err
