import io
import os
import threading
from pathlib import Path

import pytest

from attnviz.experiment.attention.spec import AttentionSpec
from attnviz.experiment.files import specs_in_files
from attnviz.experiment.files.specs_in_files import MAX_BYTES, presets, proposed_name, saying, text_of, write_spec
from attnviz.experiment.labs import SpecError, make_spec
from attnviz.experiment.regression.spec import RegressionSpec
from attnviz.export.document import read_document

AS_ROOT = hasattr(os, "geteuid") and os.geteuid() == 0
POSIX = pytest.mark.skipif(os.name != "posix", reason="permissions and pipes of POSIX")


def refused(path: Path) -> str:
    with pytest.raises(SpecError) as caught:
        read_document(path)
    return str(caught.value)


@pytest.mark.parametrize("spec", [AttentionSpec(valid_lens=((1, 2, 3, 4), (0, 0, 6, 6))), RegressionSpec(w_init=0.1)])
def test_that_a_spec_comes_back_from_its_file_as_it_was(spec: AttentionSpec | RegressionSpec, tmp_path: Path) -> None:
    path = tmp_path / "注意 experiment.json"
    write_spec(spec, path)
    assert read_document(path).spec == spec


def test_that_a_byte_order_mark_does_not_matter(tmp_path: Path) -> None:
    path = tmp_path / "bom.json"
    path.write_bytes(b'\xef\xbb\xbf{"seed": 5}')
    assert read_document(path).spec == make_spec({"seed": 5})


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"\xff\xfe\0\1", "is not a text file"),
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
    assert read_document(path).spec == make_spec({"seed": 5})


def test_that_a_file_which_is_not_there_or_is_a_folder_is_refused_by_name(tmp_path: Path) -> None:
    assert refused(tmp_path / "missing.json").startswith(f"{tmp_path / 'missing.json'} cannot be read: ")
    assert refused(tmp_path) == f"{tmp_path} has no config.json, so it is not a model folder"
    assert "cannot be read" in refused(tmp_path / ("x" * 5000))


@POSIX
@pytest.mark.skipif(AS_ROOT, reason="root may read every file")
def test_that_a_file_without_permission_is_refused_by_name(tmp_path: Path) -> None:
    path = tmp_path / "secret.json"
    path.write_text("{}")
    path.chmod(0)
    assert "cannot be read" in refused(path)


@pytest.mark.parametrize("content", [b"", b"[]", b"{", b'{"num_heads": 0}', b"\0\0\0"])
def test_that_the_sentence_names_the_file_of_a_text_which_is_no_legal_spec(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "odd.json"
    path.write_bytes(content)
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
    assert text_of(io.BytesIO(b'\xef\xbb\xbf{"seed": 5}'), "the pipe") == '{"seed": 5}'
    for content, why in [
        (b"\xff\xfe", "the pipe is not a text file"),
        (b" " * (MAX_BYTES + 1), "the pipe is larger than 8 MiB"),
    ]:
        with pytest.raises(SpecError, match=why):
            text_of(io.BytesIO(content), "the pipe")


def test_that_a_file_with_several_problems_is_named_once() -> None:
    with pytest.raises(SpecError) as caught, saying("mine.json"):
        make_spec({"num_heads": 0, "num_queries": 0, "seed": -1, "batch_size": 0})
    sentence = str(caught.value)
    assert sentence.startswith("mine.json: ")
    assert sentence.count("mine.json") == 1
    assert sentence.count("; nearest: ") == 3
    assert len(caught.value.problems) == 4


def test_that_the_name_proposed_for_a_presets_file_is_its_own() -> None:
    assert [proposed_name(each.spec) for each in presets().values()] == list(presets())


@pytest.mark.parametrize(
    ("values", "name"),
    [
        ({"num_heads": 4, "num_hiddens": 8, "causal": True, "seed": 7}, "multi-head-4-heads-causal-seed-7"),
        ({"mechanism": "dot_product", "seed": 3}, "dot-product-seed-3"),
        ({"lab": "regression", "width": 0.25}, "kernel-gaussian-width-0.25-book"),
    ],
)
def test_that_the_name_proposed_for_another_spec_says_what_was_chosen(values: dict[str, object], name: str) -> None:
    assert proposed_name(make_spec(values)) == name


def test_that_packed_arrays_do_not_count_as_text_up_to_a_size_of_their_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(specs_in_files, "MAX_BYTES", 10_000)
    monkeypatch.setattr(specs_in_files, "MOST_PACKED", 50_000)
    array = b'"' + b"A" * 20_000 + b'"'
    for content in (b"[" + array + b", 1]", b"[" + array + b"," + array + b"]"):
        assert text_of(io.BytesIO(content), "the pipe") == content.decode()
    for content, why in (
        (b"[" + b",".join([array] * 3) + b"]", "has arrays of more than 0 MiB"),
        (b"[" + array + b" " * 10_001 + b"]", "is larger than 0 MiB"),
        (b'"' + b"A" * 4000 + b'","' * 4000, "is larger than 0 MiB"),
    ):
        with pytest.raises(SpecError, match=why):
            text_of(io.BytesIO(content), "the pipe")
