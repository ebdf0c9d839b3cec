import os
import stat
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

import pytest

from attnviz.experiment.attention import AttentionSpec
from attnviz.experiment.labs import SpecError, make_spec
from attnviz.experiment.regression import RegressionSpec
from attnviz.experiment.spec_file import MAX_BYTES, read_spec, write_atomically, write_spec

AS_ROOT = hasattr(os, "geteuid") and os.geteuid() == 0
POSIX = pytest.mark.skipif(os.name != "posix", reason="permissions and pipes of POSIX")


@pytest.fixture
def umask_022() -> Iterator[None]:
    before = os.umask(0o022)
    yield
    os.umask(before)


def refused(path: Path) -> str:
    with pytest.raises(SpecError) as caught:
        read_spec(path)
    return str(caught.value)


@pytest.mark.parametrize("spec", [AttentionSpec(valid_lens=((1, 2, 3, 4), (0, 0, 6, 6))), RegressionSpec(w_init=0.1)])
def test_that_a_spec_comes_back_from_its_file_as_it_was(spec: AttentionSpec | RegressionSpec, tmp_path: Path) -> None:
    path = tmp_path / "注意 experiment.json"
    write_spec(spec, path)
    assert read_spec(path) == spec


def test_that_a_byte_order_mark_does_not_matter(tmp_path: Path) -> None:
    path = tmp_path / "bom.json"
    path.write_bytes(b'\xef\xbb\xbf{"seed": 5}')
    assert read_spec(path) == make_spec({"seed": 5})


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"\x89PNG\r\n\x1a\n\xff\xfe", "is not a text file"),
        ('{"seed": 5}'.encode("utf-16"), "is not a text file"),
        (b" " * (MAX_BYTES + 1), "is larger than 8 MiB"),
    ],
    ids=["binary", "utf-16", "huge"],
)
def test_that_a_file_which_is_no_text_of_fair_size_is_refused_by_name(content: bytes, why: str, tmp_path: Path) -> None:
    path = tmp_path / "odd.json"
    path.write_bytes(content)
    assert refused(path) == f"{path} {why}"


def test_that_a_file_of_just_the_largest_size_is_read(tmp_path: Path) -> None:
    path = tmp_path / "full.json"
    path.write_bytes(b'{"seed": 5}'.ljust(MAX_BYTES))
    assert read_spec(path) == make_spec({"seed": 5})


def test_that_a_file_which_is_not_there_or_is_a_folder_is_refused_by_name(tmp_path: Path) -> None:
    assert refused(tmp_path / "missing.json").startswith(f"{tmp_path / 'missing.json'} cannot be read: ")
    assert refused(tmp_path).startswith(f"{tmp_path} cannot be read: ")
    assert "cannot be read" in refused(tmp_path / ("x" * 5000))


@POSIX
@pytest.mark.skipif(AS_ROOT, reason="root may read every file")
def test_that_a_file_without_permission_is_refused_by_name(tmp_path: Path) -> None:
    path = tmp_path / "secret.json"
    path.write_text("{}")
    path.chmod(0)
    assert "cannot be read" in refused(path)


@pytest.mark.parametrize("content", [b"", b"[]", b"{", b'{"num_heads": 0}', b"\0\0\0"])
def test_that_a_text_which_is_no_legal_spec_is_a_spec_error(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "odd.json"
    path.write_bytes(content)
    assert refused(path)


class CutShortError(Exception):
    """Stands in for a full disk or a crash."""


def half_written(file: BinaryIO) -> None:
    file.write(b'{"see')
    raise CutShortError


@pytest.mark.parametrize("error", [CutShortError, KeyboardInterrupt, MemoryError, OSError])
def test_that_a_cut_short_save_leaves_the_old_file_whole_and_nothing_beside_it(
    error: type[BaseException], tmp_path: Path
) -> None:
    def half(file: BinaryIO) -> None:
        file.write(b'{"see')
        raise error

    path = tmp_path / "mine.json"
    write_spec(AttentionSpec(seed=1), path)
    with pytest.raises(error):
        write_atomically(path, half)
    assert read_spec(path) == AttentionSpec(seed=1)
    assert os.listdir(tmp_path) == ["mine.json"]


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
        raise PermissionError("the file is open elsewhere")

    monkeypatch.setattr(os, "replace", refuse)
    with pytest.raises(PermissionError):
        write_spec(AttentionSpec(seed=2), path)
    assert read_spec(path) == AttentionSpec(seed=1)
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


@POSIX
@pytest.mark.usefixtures("umask_022")
def test_that_a_saved_document_has_the_permissions_of_any_new_file_and_the_umask_stays(tmp_path: Path) -> None:
    path = tmp_path / "mine.json"
    write_spec(AttentionSpec(), path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o644
    assert os.umask(0o022) == 0o022


@POSIX
@pytest.mark.usefixtures("umask_022")
@pytest.mark.xfail(
    strict=True, raises=AssertionError, reason="the new file takes the umask's permissions, not the old file's"
)
def test_that_saving_over_a_private_file_leaves_it_private(tmp_path: Path) -> None:
    path = tmp_path / "mine.json"
    write_spec(AttentionSpec(), path)
    path.chmod(0o600)
    write_spec(AttentionSpec(seed=1), path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


@POSIX
@pytest.mark.xfail(strict=True, raises=AssertionError, reason="os.replace puts the file in the link's place")
def test_that_saving_through_a_link_changes_the_file_it_points_at(tmp_path: Path) -> None:
    target, link = tmp_path / "target.json", tmp_path / "link.json"
    write_spec(AttentionSpec(), target)
    link.symlink_to(target)
    write_spec(AttentionSpec(seed=1), link)
    assert link.is_symlink()
    assert read_spec(target) == AttentionSpec(seed=1)


@pytest.mark.xfail(strict=True, raises=AssertionError, reason="only unreadable files are named, not illegal ones")
@pytest.mark.parametrize("content", ["{", "[]", '{"num_heads": 0}'])
def test_that_the_sentence_names_the_file_of_an_illegal_spec(content: str, tmp_path: Path) -> None:
    path = tmp_path / "odd.json"
    path.write_text(content)
    assert "odd.json" in refused(path)


@pytest.mark.xfail(strict=True, raises=ValueError, reason="Path.stat raises ValueError, and only OSError is caught")
def test_that_a_path_with_a_nul_is_refused_like_any_other() -> None:
    assert "cannot be read" in refused(Path("mine\0.json"))


@POSIX
@pytest.mark.xfail(
    strict=True, raises=AssertionError, reason="a pipe has size 0, so it is opened, which waits for ever"
)
def test_that_a_pipe_is_refused_and_not_waited_for(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe.json"
    os.mkfifo(pipe)
    reader = threading.Thread(target=refused, args=(pipe,), daemon=True)
    reader.start()
    reader.join(0.5)
    waits = reader.is_alive()
    if waits:
        pipe.write_text("")  # lets the reader go
        reader.join()
    assert not waits
