"""Disks that are full, read-only, gone or broken: what was there stays whole, a sentence names path and reason."""

import contextlib
import errno
import os
import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from calling import attnviz
from disks import FAULTS, Fault, at_last
from pytestqt.qtbot import QtBot
from session_hands import change, saves_to
from small_specs import attention

from attnviz.experiment.files.plain_files import write_atomically
from attnviz.export.document import read_document
from attnviz.gui.session import autosave as autosave_module
from attnviz.gui.session.autosave import Autosave, orphans
from attnviz.gui.session.settings import LastFolder
from attnviz.gui.window.main_window import MainWindow

each_fault = pytest.mark.parametrize("fault", FAULTS.values(), ids=FAULTS)


@each_fault
@pytest.mark.parametrize("old", [b"old", None], ids=["over a file", "a first save"])
def test_that_a_save_that_fails_leaves_what_was_there_and_the_next_one_succeeds(
    fault: Fault, old: bytes | None, tmp_path: Path
) -> None:
    path = tmp_path / "mine.npz"
    if old is not None:
        path.write_bytes(old)
    before = sorted(tmp_path.iterdir())
    with pytest.MonkeyPatch.context() as patch:
        fault.strike(patch)
        with pytest.raises(OSError, match=fault.why) as caught:
            write_atomically(path, lambda file: file.write(b"new" * 9999))
    assert caught.value.errno == fault.number
    assert sorted(tmp_path.iterdir()) == before
    assert old is None or path.read_bytes() == old
    write_atomically(path, lambda file: file.write(b"new"))
    assert path.read_bytes() == b"new"
    assert list(tmp_path.iterdir()) == [path]


def test_that_the_first_thing_that_went_wrong_is_told_where_clearing_up_fails_too(tmp_path: Path) -> None:
    with pytest.MonkeyPatch.context() as patch:
        FAULTS["no room"].strike(patch)
        patch.setattr(os, "unlink", lambda *_: (_ for _ in ()).throw(OSError(errno.EROFS, "Read-only file system")))
        with pytest.raises(OSError, match="No space left") as caught:
            write_atomically(tmp_path / "mine.npz", lambda file: file.write(b"new"))
    assert caught.value.errno == errno.ENOSPC


def test_that_a_file_system_without_permissions_takes_a_save(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: Any) -> None:
        raise PermissionError(errno.EPERM, "Operation not permitted")

    monkeypatch.setattr(os, "chmod", refuse)
    write_atomically(tmp_path / "mine.npz", lambda file: file.write(b"new"))
    assert (tmp_path / "mine.npz").read_bytes() == b"new"


@contextlib.contextmanager
def no_file_larger_than(count: int) -> Iterator[None]:
    """Let the system itself refuse what a file holds beyond so many bytes."""
    import resource

    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (count, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


@pytest.mark.skipif(sys.platform == "win32", reason="limits of POSIX")
@pytest.mark.parametrize("name", ["out.npz", "out.csv", "out.png", "out.gif", "out.json"])
def test_that_a_limit_of_the_system_is_one_line_and_leaves_the_old_file_whole(name: str, elsewhere: Path) -> None:
    (elsewhere / name).write_bytes(b"old")
    spec = b'{"device": "cpu", "num_queries": 30, "num_kvpairs": 30, "seed": 3}'
    with no_file_larger_than(10):
        said = attnviz("export", "-", "-o", name, "--force", "--size", "320x240", stdin=spec)
    assert said._replace(err=said.err.removeprefix("frame 1/8\n")).is_one_line(
        1, f"{name} cannot be written: File too large"
    )
    assert (elsewhere / name).read_bytes() == b"old"
    assert os.listdir(elsewhere) == [name]


@each_fault
def test_that_a_session_that_is_not_saved_stays_unsaved_and_can_be_saved_elsewhere(
    fault: Fault, begun: MainWindow, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, qtbot: QtBot
) -> None:
    path, good = tmp_path / "mine.attnviz", tmp_path / "good.attnviz"
    saves_to(begun, monkeypatch, path)
    with qtbot.waitSignal(begun.keeper.said, check_params_cb=at_last):
        begun.keeper.save()
    old = path.read_bytes()
    change(begun)
    with monkeypatch.context() as patch, qtbot.waitSignal(begun.keeper.said, check_params_cb=at_last) as told:
        fault.strike(patch)
        begun.keeper.save()
    assert told.args == [f"Not saved: {path}: {fault.why}", True]
    assert path.read_bytes() == old
    assert begun.isWindowModified()
    assert [file.name for file in tmp_path.iterdir()] == [path.name]
    saves_to(begun, monkeypatch, good)
    with qtbot.waitSignal(begun.keeper.said, check_params_cb=at_last) as told:
        begun.keeper.save_as()
    assert told.args == [f"Saved {good}", False]
    assert read_document(good).spec == attention(seed=7)
    assert not begun.isWindowModified()


@each_fault
def test_that_what_is_exported_in_vain_says_so_and_leaves_the_old_file(
    fault: Fault, begun: MainWindow, tmp_path: Path, qtbot: QtBot
) -> None:
    exporter = begun.exporter
    saves: dict[str, Callable[[Path], None]] = {
        "numbers.npz": exporter.save_numbers,
        "numbers.csv": exporter.save_numbers,
        "spec.json": exporter.save_spec,
        "figure.png": lambda path: exporter.write_bytes(path, lambda: b"made"),
    }
    for name, save in saves.items():
        path = tmp_path / name
        path.write_bytes(b"old")
        with pytest.MonkeyPatch.context() as patch, qtbot.waitSignal(exporter.said, check_params_cb=at_last) as told:
            fault.strike(patch)
            save(path)
        assert told.args == [f"Not saved: {path}: {fault.why}", True]
        assert path.read_bytes() == b"old"
    assert sorted(file.name for file in tmp_path.iterdir()) == sorted(saves)
    with qtbot.waitSignal(exporter.said, check_params_cb=at_last) as told:
        exporter.save_spec(tmp_path / "spec.json")
    assert told.args == [f"Saved {tmp_path / 'spec.json'}", False]


@pytest.mark.parametrize("place", ["{tmp}/" + "x" * 300 + ".attnviz", "{tmp}/gone/mine.attnviz", "/proc/mine.attnviz"])
def test_that_places_that_no_file_can_be_in_are_named(
    place: str, begun: MainWindow, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, qtbot: QtBot
) -> None:
    if place.startswith("/proc") and not sys.platform.startswith("linux"):
        pytest.skip("a folder of Linux")
    path = Path(place.format(tmp=tmp_path))
    saves_to(begun, monkeypatch, path)
    change(begun)
    for speaker, save in ((begun.keeper, begun.keeper.save), (begun.exporter, lambda: begun.exporter.save_spec(path))):
        with qtbot.waitSignal(speaker.said, check_params_cb=at_last) as told:
            save()
        assert told.args[0].startswith(f"Not saved: {path}: ")
        assert len(told.args[0]) > len(f"Not saved: {path}: ")
    assert begun.isWindowModified()
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("number", [errno.EACCES, errno.ESTALE, errno.EIO])
def test_that_a_folder_that_does_not_answer_is_left_for_the_users_own(
    number: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = LastFolder()
    folder.take(tmp_path / "mine.attnviz")

    def dead(path: Path) -> bool:
        raise OSError(number, os.strerror(number), str(path))

    monkeypatch.setattr(Path, "is_dir", dead)
    assert folder.path == Path.home()


@pytest.fixture
def kept(begun: MainWindow, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Autosave]:
    """An autosave of the module's window, in a folder of its own."""
    monkeypatch.setattr(autosave_module, "AFTER_MS", 20)
    autosave = Autosave(tmp_path / "kept", begun.keeper, begun.session_state)
    yield autosave
    autosave.close()
    autosave.setParent(None)
    autosave.deleteLater()


@each_fault
def test_that_an_autosave_that_fails_is_said_once_keeps_the_one_before_and_goes_on_when_there_is_room(
    fault: Fault, begun: MainWindow, kept: Autosave, qtbot: QtBot
) -> None:
    change(begun)
    qtbot.waitUntil(kept.path.exists)
    said: list[str] = []
    kept.failed.connect(said.append)
    with pytest.MonkeyPatch.context() as patch:
        fault.strike(patch)
        for seed in (8, 9):
            change(begun, seed)
            kept.write()
            qtbot.waitUntil(lambda: not kept._background.busy)
    assert said == [f"Unsaved work could not be backed up: {kept.path}: {fault.why}"]
    assert read_document(kept.path).spec == attention(seed=7)
    assert sorted(file.name for file in kept.path.parent.iterdir()) == [kept.path.name, f"{kept.path.name}.lock"]
    change(begun, 10)
    qtbot.waitUntil(lambda: read_document(kept.path).spec == attention(seed=10))
    with pytest.MonkeyPatch.context() as patch:
        fault.strike(patch)
        kept.write()
        qtbot.waitUntil(lambda: len(said) == 2)


def test_that_an_autosave_goes_on_when_its_folder_was_tidied_away_or_could_not_be_made_at_first(
    begun: MainWindow, kept: Autosave, qtbot: QtBot
) -> None:
    folder = kept.path.parent
    folder.write_text("in the way")
    with qtbot.waitSignal(kept.failed) as told:
        change(begun)
    assert str(folder) in told.args[0]
    folder.unlink()
    change(begun, 8)
    qtbot.waitUntil(kept.path.exists)
    shutil.rmtree(folder)
    change(begun, 9)
    qtbot.waitUntil(kept.path.exists)
    assert read_document(kept.path).spec == attention(seed=9)
    assert orphans(folder) == [], "another window takes it for one that was left behind"
