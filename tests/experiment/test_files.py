import os
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

import pytest

from attnviz.experiment.attention.spec import AttentionSpec
from attnviz.experiment.files.plain_files import is_of_another_machine, write_atomically
from attnviz.experiment.files.specs_in_files import write_spec
from attnviz.export.document import read_document

POSIX = pytest.mark.skipif(os.name != "posix", reason="permissions and links of POSIX")


@pytest.fixture
def umask_022() -> Iterator[None]:
    before = os.umask(0o022)
    yield
    os.umask(before)


class CutShortError(Exception):
    """Stands in for a full disk or a crash."""


def half_written(file: BinaryIO) -> None:
    file.write(b'{"see')
    raise CutShortError


@pytest.mark.parametrize(
    ("error", "told"),
    [(each, each) for each in (CutShortError, KeyboardInterrupt, OSError)] + [(MemoryError, OSError)],
)
def test_that_a_cut_short_save_leaves_the_old_file_whole_and_nothing_beside_it(
    error: type[BaseException], told: type[BaseException], tmp_path: Path
) -> None:
    def half(file: BinaryIO) -> None:
        file.write(b'{"see')
        raise error

    path = tmp_path / "mine.json"
    write_spec(AttentionSpec(seed=1), path)
    with pytest.raises(told):
        write_atomically(path, half)
    assert read_document(path).spec == AttentionSpec(seed=1)
    assert os.listdir(tmp_path) == ["mine.json"]


@pytest.mark.parametrize(
    ("error", "why"),
    [
        (OSError(28, "No space left on device", "/mnt/.attnviz-x.part"), "No space left on device"),
        (MemoryError("Unable to allocate 3.00 GiB"), "there is not enough memory. Unable to allocate 3.00 GiB"),
    ],
)
def test_that_a_save_that_fails_is_told_of_the_file_that_was_asked_for(
    error: BaseException, why: str, tmp_path: Path
) -> None:
    def fail(_file: BinaryIO) -> None:
        raise error

    path = tmp_path / "mine.npz"
    with pytest.raises(OSError, match=why) as caught:
        write_atomically(path, fail)
    assert (caught.value.filename, caught.value.strerror) == (str(path), why)


@pytest.mark.skipif(os.name == "nt", reason="words of POSIX")
def test_that_a_folder_that_is_missing_is_told_without_the_hidden_name(tmp_path: Path) -> None:
    path = tmp_path / "gone" / "mine.npz"
    with pytest.raises(FileNotFoundError) as caught:
        write_atomically(path, half_written)
    assert str(caught.value) == f"[Errno 2] No such file or directory: {str(path)!r}"


def test_that_a_cut_short_first_save_leaves_no_file_at_all(tmp_path: Path) -> None:
    with pytest.raises(CutShortError):
        write_atomically(tmp_path / "new.json", half_written)
    assert os.listdir(tmp_path) == []


def test_that_the_old_file_is_whole_until_the_new_one_is_complete(tmp_path: Path) -> None:
    path = tmp_path / "mine.json"
    path.write_bytes(b"old")

    def write(file: BinaryIO) -> None:
        file.write(b"new")
        file.flush()
        assert path.read_bytes() == b"old"

    write_atomically(path, write)
    assert path.read_bytes() == b"new"
    assert os.listdir(tmp_path) == ["mine.json"]


def test_that_a_replacement_that_fails_leaves_the_old_file_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "mine.json"
    write_spec(AttentionSpec(seed=1), path)

    def refuse(*_: object) -> None:
        raise PermissionError(13, "the file is open elsewhere")

    monkeypatch.setattr(os, "replace", refuse)
    with pytest.raises(PermissionError):
        write_spec(AttentionSpec(seed=2), path)
    assert read_document(path).spec == AttentionSpec(seed=1)
    assert os.listdir(tmp_path) == ["mine.json"]


def test_that_the_bytes_are_on_the_disk_before_the_name_points_at_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls: list[str] = []
    fsync, replace = os.fsync, os.replace
    monkeypatch.setattr(os, "fsync", lambda handle: (calls.append("fsync"), fsync(handle)))
    monkeypatch.setattr(os, "replace", lambda *places: (calls.append("replace"), replace(*places)))
    write_spec(AttentionSpec(), tmp_path / "mine.json")
    assert calls == ["fsync", "replace"]


def test_that_a_place_which_cannot_be_written_is_an_os_error(tmp_path: Path) -> None:
    with pytest.raises(OSError, match=r"No such file|cannot find"):
        write_spec(AttentionSpec(), tmp_path / "no such folder" / "mine.json")
    (tmp_path / "folder.json").mkdir()
    with pytest.raises(OSError, match=r"folder\.json"):
        write_spec(AttentionSpec(), tmp_path / "folder.json")
    assert os.listdir(tmp_path) == ["folder.json"]


def test_that_the_parts_of_saves_that_were_killed_go_at_the_next_save_and_nothing_else_does(tmp_path: Path) -> None:
    names = ("left", ".attnviz-0123456789ab.part", ".attnviz-mine.part", "attnviz-0123456789ab.part", "mine.json")
    for name in names:
        (tmp_path / name).write_bytes(b"{")
        os.utime(tmp_path / name, (1e9, 1e9))
    (tmp_path / ".attnviz-ba9876543210.part").write_bytes(b"{")  # may be about to be renamed
    (tmp_path / ".attnviz-aaaaaaaaaaaa.part").symlink_to(tmp_path / "left")
    write_atomically(tmp_path / "mine.json", lambda file: file.write(b"new"))
    kept = {*names, ".attnviz-ba9876543210.part", ".attnviz-aaaaaaaaaaaa.part"} - {".attnviz-0123456789ab.part"}
    assert set(os.listdir(tmp_path)) == kept


def test_that_the_part_of_a_save_under_way_stays_however_long_it_takes(tmp_path: Path) -> None:
    def write(file: BinaryIO) -> None:
        file.write(b"new")
        (part,) = tmp_path.glob(".attnviz-*.part")
        os.utime(part, (1e9, 1e9))
        write_atomically(tmp_path / "other.json", lambda file: file.write(b"other"))
        assert part.exists()

    write_atomically(tmp_path / "mine.json", write)
    assert sorted(os.listdir(tmp_path)) == ["mine.json", "other.json"]


@pytest.mark.parametrize(
    ("path", "other"),
    [
        (r"\\host\share\x.npz", True),
        ("//host/share/x.npz", True),
        (r"/\host\share\x.npz", True),
        (r"\\?\UNC\host\share\x.npz", True),
        (r"\\.\pipe\x", True),
        (r"\\?\C:\x.npz", False),
        (r"C:\x.npz", False),
        ("/tmp/x.npz", False),
        ("x.npz", False),
        ("", False),
    ],
)
def test_that_paths_of_other_machines_are_told_from_those_of_this_one(path: str, other: bool) -> None:
    assert is_of_another_machine(path) == other


@POSIX
@pytest.mark.usefixtures("umask_022")
def test_that_a_saved_document_has_the_permissions_of_any_new_file_and_the_umask_stays(tmp_path: Path) -> None:
    path = tmp_path / "mine.json"
    write_spec(AttentionSpec(), path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o644
    assert os.umask(0o022) == 0o022


@POSIX
def test_that_a_save_never_sets_the_umask_which_every_thread_shares(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[int] = []
    monkeypatch.setattr(os, "umask", asked.append)
    write_spec(AttentionSpec(), tmp_path / "mine.json")
    assert asked == []


@POSIX
@pytest.mark.usefixtures("umask_022")
def test_that_saving_over_a_private_file_leaves_it_private(tmp_path: Path) -> None:
    path = tmp_path / "mine.json"
    write_spec(AttentionSpec(), path)
    path.chmod(0o600)
    write_spec(AttentionSpec(seed=1), path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


@POSIX
def test_that_saving_through_a_link_changes_the_file_it_points_at(tmp_path: Path) -> None:
    target, link = tmp_path / "target.json", tmp_path / "link.json"
    write_spec(AttentionSpec(), target)
    link.symlink_to(target)
    write_spec(AttentionSpec(seed=1), link)
    assert link.is_symlink()
    assert read_document(target).spec == AttentionSpec(seed=1)


def test_that_a_name_as_long_as_names_may_be_can_be_saved(tmp_path: Path) -> None:
    path = tmp_path / ("x" * 250 + ".json")
    path.write_bytes(b"old")
    write_atomically(path, lambda file: file.write(b"new"))
    assert path.read_bytes() == b"new"
