"""Whatever the user gives wrongly is told in one line, with exit code 2 and no traceback."""

import os
import sys
from pathlib import Path

import pytest
from calling import Said, attnviz

from attnviz.experiment.files.specs_in_files import presets


def both_ways(source: str, stdin: bytes = b"") -> list[Said]:
    """Hand a spec to a run and to the window, which says what is wrong before it needs a display."""
    return [attnviz("run", source, stdin=stdin), attnviz(source, stdin=stdin)]


@pytest.mark.parametrize(
    ("wrong", "nearest"),
    [("multi-head-bok", "multi-head-book"), ("Kernel-Fixed", "kernel-fixed")],
)
def test_that_an_unknown_preset_is_answered_with_the_nearest(wrong: str, nearest: str) -> None:
    for said in both_ways(f"preset:{wrong}"):
        assert said.is_one_line(2, f"there is no preset '{wrong}'; nearest: {nearest}")
        assert said.err.rpartition(" ")[2].strip() in presets()


@pytest.mark.parametrize("wrong", ["", "../x", "zzz"])
def test_that_a_preset_that_is_like_no_other_is_answered_with_how_to_see_them_all(wrong: str) -> None:
    for said in both_ways(f"preset:{wrong}"):
        assert said.is_one_line(2, f"there is no preset '{wrong}'; 'attnviz presets' lists them")


@pytest.mark.parametrize("wrong", ["multi-head-bok", "../x", ""])
def test_that_an_unknown_preset_is_refused_alike_whichever_way_it_is_named(wrong: str) -> None:
    said = attnviz("--preset", wrong)
    assert said.is_one_line(2, f"there is no preset '{wrong}'; ")
    assert said == attnviz(f"preset:{wrong}")


CONTENTS: dict[str, tuple[bytes, str]] = {
    "no JSON": (b"{seed: 5}", "this is not JSON"),
    "cut short": (b'{"seed": ', "this is not JSON"),
    "empty": (b"", "this is not JSON: it is empty"),
    "a list": (b"[1, 2]", "a spec is a JSON object"),
    "illegal together": (b'{"num_hiddens": 100, "num_heads": 6}', "nearest: 96, 102"),
    "illegal alone": (b'{"num_heads": 0}', "num_heads 0 must be at least 1; nearest: 1"),
    "misspelt": (b'{"num_head": 2}', "there is no field 'num_head'; nearest: num_heads"),
    "unknown lab": (b'{"lab": "diffusion"}', "lab 'diffusion' must be one of attention, regression"),
    "of another lab": (b'{"lab": "regression", "num_hiddens": 2}', "there is no field 'num_hiddens'"),
}


@pytest.mark.parametrize(("content", "why"), CONTENTS.values(), ids=CONTENTS)
def test_that_a_file_or_a_stream_which_holds_no_legal_spec_is_told_in_one_line(
    content: bytes, why: str, tmp_path: Path
) -> None:
    path = tmp_path / "spec.json"
    path.write_bytes(content)
    for said in (*both_ways(str(path)), *both_ways("-", content)):
        assert said.is_one_line(2, why)
        assert said.out == ""
        assert len(said.err) < 400


@pytest.mark.skipif(os.name != "posix", reason="the words of POSIX")
def test_that_a_file_which_is_no_text_of_fair_size_is_named(tmp_path: Path) -> None:
    binary, huge, missing = tmp_path / "picture.json", tmp_path / "huge.json", tmp_path / "missing.json"
    binary.write_bytes(b"\x89PNG\r\n\x1a\n\xff\xfe\0")
    huge.write_bytes(b" " * 20_000_000)
    why = {
        binary: "is a picture without an attnviz session, or is damaged",
        huge: "is larger than 8 MiB",
        missing: "cannot be read: No such file or directory",
        tmp_path: "has no config.json, so it is not a model folder",
        binary / "spec.json": "cannot be read: Not a directory",
        tmp_path / ("x" * 300): "cannot be read: File name too long",
    }
    for path, words in why.items():
        for said in both_ways(str(path)):
            assert said.is_one_line(2, f"{path} {words}")


def test_that_a_name_of_several_lines_is_told_in_one() -> None:
    for said in both_ways("no\nsuch\r\nfile"):
        assert said.is_one_line(2, "no such file cannot be read")


@pytest.mark.parametrize(
    ("output", "why"),
    [
        ("missing/out.npz", "there is no such folder"),
        ("file/out.npz", "there is no such folder"),
        (f"{'x' * 300}/out.npz", "there is no such folder"),
        ("folder.npz", "is a folder"),
    ],
)
def test_that_an_output_that_cannot_be_is_refused_before_the_run_and_nothing_is_made(
    output: str, why: str, elsewhere: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (elsewhere / "file").touch()
    (elsewhere / "folder.npz").mkdir()
    monkeypatch.setattr("attnviz.cli.last_trace", lambda *_: pytest.fail("it is refused before the run"))
    said = attnviz("run", "preset:multi-head-book", "-o", output)
    assert said.is_one_line(2, output, why)
    assert said.out == ""
    assert sorted(path.name for path in elsewhere.rglob("*")) == ["file", "folder.npz"]


def test_that_an_output_that_exists_is_kept_unless_it_is_said_to_be_overwritten(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    old = tmp_path / "out.npz"
    old.write_bytes(b"old")
    call = ("run", "preset:multi-head-book", "-o", str(old))
    with monkeypatch.context() as patch:
        patch.setattr("attnviz.cli.last_trace", lambda _: pytest.fail("it is refused before the run"))
        assert attnviz(*call).is_one_line(2, f"{old} exists; --force overwrites it")
    assert old.read_bytes() == b"old"
    assert attnviz(*call, "--force").code == 0
    assert old.read_bytes() != b"old"


def test_that_a_stream_which_is_no_text_of_fair_size_is_told_in_one_line() -> None:
    for content, why in ((b"\x89PNG\xff\xfe", "is not a text file"), (b" " * 20_000_000, "is larger than 8 MiB")):
        for said in both_ways("-", content):
            assert said.is_one_line(2, f"standard input {why}")


def test_that_a_closed_stream_is_told_in_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from attnviz.cli import main

    monkeypatch.setattr(sys, "stdin", None)
    code = main(["run", "-"])
    assert Said(code, *capsys.readouterr()).is_one_line(2, "standard input is closed")


def test_that_a_byte_order_mark_matters_neither_in_a_file_nor_in_a_stream(tmp_path: Path) -> None:
    path = tmp_path / "spec.json"
    path.write_bytes(b'\xef\xbb\xbf{"num_heads": 4}')
    for said in (attnviz("run", str(path)), attnviz("run", "-", stdin=path.read_bytes())):
        assert (said.code, said.err) == (0, "")
        assert "heads 4," in said.out


def test_that_nesting_at_the_edge_of_what_json_takes_is_told_in_one_line() -> None:
    for depth in range(800, 1001):
        text = b'{"inputs": ' + b"[" * depth + b"]" * depth + b"}"
        assert attnviz("run", "-", stdin=text).is_one_line(2)


@pytest.mark.skipif(sys.platform != "linux", reason="names that are no text")
def test_that_an_output_whose_name_is_no_text_is_written_and_named(elsewhere: Path) -> None:
    said = attnviz("run", "preset:multi-head-book", "-o", os.fsdecode(b"\xff.npz"))
    assert (said.code, said.err) == (0, "")
    assert said.out.endswith("wrote \\udcff.npz\n")
    assert os.listdir(os.fsencode(elsewhere)) == [b"\xff.npz"]
