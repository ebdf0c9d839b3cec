import io
import os
import threading
from pathlib import Path

import pytest

from attnviz.experiment.attention import AttentionSpec
from attnviz.experiment.labs import SpecError, make_spec
from attnviz.experiment.regression import RegressionSpec
from attnviz.experiment.spec_file import MAX_BYTES, read_spec, read_spec_from, write_spec

AS_ROOT = hasattr(os, "geteuid") and os.geteuid() == 0
POSIX = pytest.mark.skipif(os.name != "posix", reason="permissions and pipes of POSIX")


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


@pytest.mark.parametrize("content", ["{", "[]", '{"num_heads": 0}'])
def test_that_the_sentence_names_the_file_of_an_illegal_spec(content: str, tmp_path: Path) -> None:
    path = tmp_path / "odd.json"
    path.write_text(content)
    assert "odd.json" in refused(path)


def test_that_a_path_with_a_nul_is_refused_like_any_other() -> None:
    assert "cannot be read" in refused(Path("mine\0.json"))


@POSIX
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


def test_that_a_stream_is_read_like_a_file_and_its_sentences_call_it_by_its_name() -> None:
    assert read_spec_from(io.BytesIO(b'\xef\xbb\xbf{"seed": 5}'), "the pipe") == make_spec({"seed": 5})
    for content, why in [
        (b"\xff\xfe", "the pipe is not a text file"),
        (b" " * (MAX_BYTES + 1), "the pipe is larger than 8 MiB"),
        (b'{"num_heads": 0}', "the pipe: num_heads 0 must be at least 1"),
    ]:
        with pytest.raises(SpecError, match=why):
            read_spec_from(io.BytesIO(content), "the pipe")
