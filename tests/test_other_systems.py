"""What differs on Windows and macOS, on a made-up system: each test changes the platform that one module sees."""

import ctypes
import importlib
import os
import resource
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType, SimpleNamespace

import pytest

import attnviz.__main__ as start
from attnviz import cli, crash_report, doctor, folders, inventory, log, parent
from attnviz.engine.model.tokenizer import worker
from attnviz.experiment.files import plain_files

On = Callable[[ModuleType, str], None]
OTHERS = ("win32", "darwin")


@pytest.fixture
def on(monkeypatch: pytest.MonkeyPatch) -> On:
    """Return a function that lets a module see another platform."""

    def change(module: ModuleType, platform: str) -> None:
        seen = SimpleNamespace(**{name: getattr(sys, name) for name in dir(sys) if not name.startswith("__")})
        seen.platform = platform
        monkeypatch.setattr(module, "sys", seen)

    return change


@pytest.mark.parametrize(
    ("platform", "local", "folder"),
    [
        ("win32", "/users/me/local", "/users/me/local/attnviz"),
        ("win32", "", "/users/me/AppData/Local/attnviz"),
        ("darwin", "/ignored", "/users/me/Library/Application Support/attnviz"),
    ],
)
def test_that_the_state_is_where_the_system_keeps_it(
    platform: str, local: str, folder: str, on: On, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", "/users/me")
    monkeypatch.setenv("LOCALAPPDATA", local)
    on(folders, platform)
    assert folders.state_folder() == Path(folder)


@pytest.mark.parametrize("platform", ["linux", *OTHERS])
def test_that_windows_alone_loads_the_library_of_torch_before_qt(
    platform: str, on: On, monkeypatch: pytest.MonkeyPatch
) -> None:
    happened: list[str] = []
    monkeypatch.setattr(start, "ctypes", SimpleNamespace(CDLL=lambda path: happened.append(Path(path).name)))
    monkeypatch.setattr(cli, "main", lambda arguments: happened.append("command") or 0)
    on(start, platform)
    assert start.main(["doctor"]) == 0
    assert happened == (["c10.dll", "command"] if platform == "win32" else ["command"])


@pytest.mark.parametrize(("answer", "allowed"), [(0, False), (1, True)])
def test_that_windows_is_asked_for_less_motion(
    answer: int, allowed: bool, on: On, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = importlib.import_module("attnviz.gui.session.settings")

    def ask(which: int, _: int, found: object, __: int) -> None:
        assert which == 0x1042  # SPI_GETCLIENTAREAANIMATION
        ctypes.cast(found, ctypes.POINTER(ctypes.c_int))[0] = answer  # type: ignore[arg-type]

    monkeypatch.setattr(
        ctypes, "windll", SimpleNamespace(user32=SimpleNamespace(SystemParametersInfoW=ask)), raising=False
    )
    on(settings, "win32")
    assert settings.system_allows_motion() is allowed


@pytest.mark.parametrize("platform", OTHERS)
def test_that_settings_in_a_database_of_the_system_need_no_file(
    platform: str, on: On, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = importlib.import_module("attnviz.gui.session.settings")
    monkeypatch.setattr(settings, "make_private", lambda folder: pytest.fail("a folder is made"))
    on(settings, platform)
    assert not settings.open_settings().fallbacksEnabled()


def test_that_a_file_is_locked_on_windows_beyond_its_end_and_only_once(
    on: On, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    locked: list[int] = []

    def locking(handle: int, mode: str, count: int) -> None:
        assert (mode, count) == ("without waiting", 1)
        if locked:
            raise PermissionError
        locked.append(os.lseek(handle, 0, os.SEEK_CUR))

    monkeypatch.setitem(sys.modules, "msvcrt", SimpleNamespace(LK_NBLCK="without waiting", locking=locking))  # type: ignore[arg-type]
    on(log, "win32")
    (tmp_path / "log").write_text("six let")
    with (tmp_path / "log").open("r+b") as file:
        assert log.lock(file.fileno())
        assert locked[0] > 7
        assert os.lseek(file.fileno(), 0, os.SEEK_CUR) == 7  # the end, where the next line goes
        assert not log.lock(file.fileno())


def test_that_a_file_being_written_needs_no_lock_on_windows(on: On, tmp_path: Path) -> None:
    with (tmp_path / "part").open("w") as one, (tmp_path / "part").open("r+") as other:
        plain_files._lock(one.fileno())
        with pytest.raises(BlockingIOError):
            plain_files._lock(other.fileno())
        on(plain_files, "win32")
        plain_files._lock(other.fileno())


def test_that_a_crash_is_reported_once_on_windows_where_an_open_file_stays(on: On, tmp_path: Path) -> None:
    path = tmp_path / "1.running"
    path.write_text(
        "attnviz 0.9.0\nFatal Python error: Segmentation fault\n\nCurrent thread 0x1 (most recent call first):\n"
    )
    on(crash_report, "win32")
    log.make_reports_folder()
    found = crash_report._collected(path)
    assert found is not None
    assert not path.exists()


@pytest.mark.parametrize("platform", OTHERS)
def test_that_only_linux_may_lack_a_display_and_qts_libraries(
    platform: str, on: On, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"):
        monkeypatch.delenv(name, raising=False)
    for module in (cli, doctor):
        on(module, platform)
    assert cli._choose_platform(offscreen_will_do=True)
    assert "QT_QPA_PLATFORM" not in os.environ
    monkeypatch.setattr(doctor, "_loads", lambda library: False)
    assert (doctor._display(), doctor.libraries_remedy()) == ("the desktop's", "")


@pytest.mark.parametrize(("platform", "name"), [("linux", "xcb"), ("win32", "qwindows"), ("darwin", "cocoa")])
def test_that_the_plugin_of_the_systems_windows_is_looked_for(platform: str, name: str, on: On) -> None:
    on(inventory, platform)
    found = {line: there for line, there in inventory.plugins() if "platforms/" in line}
    (own,) = [there for line, there in found.items() if name in line]
    assert own is (platform == sys.platform)


def test_that_a_command_watches_its_parent_only_where_an_orphan_gets_another_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    started: list[str] = []
    thread = SimpleNamespace(start=lambda: started.append("watch"))
    monkeypatch.setattr(parent, "threading", SimpleNamespace(Thread=lambda **_: thread))
    for name, watches in (("nt", []), ("posix", ["watch"])):
        monkeypatch.setattr(parent, "os", SimpleNamespace(name=name, environ={parent.VARIABLE: "1"}, getppid=lambda: 1))
        parent.end_with_parent()
        assert started == watches


def test_that_windows_sets_no_limit_to_the_memory_of_a_tokenizer(on: On, monkeypatch: pytest.MonkeyPatch) -> None:
    limits: list[int] = []
    monkeypatch.setattr(resource, "getrlimit", lambda which: (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    monkeypatch.setattr(resource, "setrlimit", lambda which, found: limits.append(found[0]))
    worker._limit_memory(1 << 30)
    assert limits == [1 << 30]
    on(worker, "win32")
    worker._limit_memory(1 << 31)
    assert limits == [1 << 30]
