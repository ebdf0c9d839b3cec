"""Specs, sessions and figures that mean harm, through the command line: one sentence, exit code 2, at once."""

import json
import os
import socket
from pathlib import Path

import pytest
from calling import attnviz
from hostile_files import GIF_HEAD, PNG_SIGN, chunk, pickled, pickled_npy, png, zipped

WHOLE = '{"format": 1, "spec": {}'
MANY = ", ".join(f'"a{number}": 0' for number in range(150_000))
CONTENTS: dict[str, bytes | str] = {
    "nested deep.json": "[" * 100_000 + "]" * 100_000,
    "nested deep.attnviz": WHOLE + ', "view": ' + '{"a":' * 100_000,
    "a number of a million digits.json": '{"seed": ' + "9" * 1_000_000 + "}",
    "a number of a million digits.attnviz": '{"format": ' + "9" * 1_000_000 + "}",
    "a fraction without end.json": '{"temperature": 1e' + "9" * 1_000_000 + "}",
    "a line of a megabyte.json": '{"' + "x" * 1_000_000 + '": 1}',
    "fields without number.json": "{" + MANY + "}",
    "fields without number in a part.json": '{"inputs": {"kind": "ones", ' + MANY + "}}",
    "fields without number in an overlay.json": '{"lab": "regression", "overlays": [{' + MANY + "}]}",
    "fields without number.attnviz": '{"format": 1, "spec": {' + MANY + "}}",
    "fields without number in a view.attnviz": WHOLE + ', "view": {' + MANY + "}}",
    "points that are none.json": '{"lab": "regression", "data": {"kind": "points", "x": [' + '"a",' * 500_000 + "1]}}",
    "overlays without number.json": '{"lab": "regression", "overlays": [' + '{"a": 1},' * 200_000 + "{}]}",
    "lengths without number.json": '{"valid_lens": [' + "[1]," * 100_000 + "[1]]}",
    "a doubled field that is illegal.json": '{"num_heads": 2, "num_heads": 0}',
    "not a number.json": '{"temperature": NaN}',
    "infinite.json": '{"dropout": -Infinity}',
    "half a character.json": '{"inputs": {"kind": "file", "path": "\\ud800.npz"}}',
    "half a character in a name.json": '{"\\ud800": 1}',
    "half a character.attnviz": WHOLE + ', "notes": "\\udfff"}',
    "nothing but zeros.json": b"\0" * 1000,
    "UTF-16.json": '{"seed": 5}'.encode("utf-16"),
    "no text.attnviz": b"\xff\xfe\xfd" * 100,
    "of the future.attnviz": '{"format": 1000000, "spec": {}, "of_the_future": 1}',
    "of a negative form.attnviz": '{"format": -1, "spec": {}}',
    "further fields.attnviz": WHOLE + ', "specs": {}}',
    "a hostile size.json": json.dumps({"num_heads": 10**18}),
    "a hostile size in text.json": json.dumps({"num_queries": "9" * 5000}),
    "hostile queries.json": json.dumps({"lab": "regression", "x_test": {"start": 0, "stop": 1e6, "step": 5e-324}}),
    "a hostile mask.json": json.dumps({"painted": "0-999999: 0;" * 10_000}),
    "a hostile formula.json": json.dumps(
        {"lab": "regression", "data": {"kind": "synthetic", "function": "formula", "formula": "(" * 100_000}}
    ),
    "code for a formula.json": json.dumps(
        {"lab": "regression", "data": {"kind": "synthetic", "function": "formula", "formula": "__import__('os')"}}
    ),
    "arrays.json": zipped({"weights.npy": b""}),
    "a hostile session.png": png("[" * 100_000),
    "chunks without number.png": PNG_SIGN + b"\0\0\0\0tEXt\0\0\0\0" * 1_000_000,
    "sides without number.png": PNG_SIGN + (b"\0\0\0\x08IHDR" + bytes(12)) * 1_000_000,
    "cut in a chunk.png": PNG_SIGN + chunk(b"tEXt", b"x" * 100)[:50],
    "extensions without number.gif": GIF_HEAD + b"!\xf9\0" * 3_000_000,
    "blocks of one byte.gif": GIF_HEAD + (b"!\xf9" + b"\1a" * 60_000 + b"\0") * 50,
    "cut in a comment.gif": GIF_HEAD + b"!\xfe\xffattnviz",
    "entities of entities.svg": '<!DOCTYPE svg [<!ENTITY a0 "ha">'
    + "".join(f'<!ENTITY a{place} "{f"&a{place - 1};" * 10}">' for place in range(1, 12))
    + "]><svg><metadata>&a11;</metadata></svg>",
    "another file.svg": '<?xml version="1.0"?><!DOCTYPE svg [<!ENTITY a SYSTEM "file:///etc/hostname">]>'
    '<svg><metadata><session xmlns="urn:attnviz:session">&a;</session></metadata></svg>',
    "brackets without end.pdf": b"%PDF-1.4\n" + b"/AttnvizSession (" * 300_000,
    "names without number.pdf": b"%PDF-1.4\n" + b"/AttnvizSession " * 300_000,
    "digits without end.pdf": b"%PDF-1.4\n/AttnvizSession <" + b"41" * 1_000_000,
    "information that leads to itself.pdf": b"%PDF-1.4\n2 0 obj\n<</AttnvizSession 2 0 R>>\nendobj\n",
}  # fmt: skip


@pytest.mark.timeout(20)
@pytest.mark.parametrize("name", CONTENTS)
def test_that_a_hostile_document_is_one_sentence_that_names_it(name: str, tmp_path: Path) -> None:
    content, path = CONTENTS[name], tmp_path / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    said = attnviz("run", str(path))
    assert said.is_one_line(2, str(path))
    assert said.out == ""
    assert "sys." not in said.err  # a user knows nothing of Python
    assert len(said.err) < 1000
    if name.startswith("fields without number"):
        assert " fields; at most 100 are read" in said.err, "they are counted, and not gone through"


@pytest.mark.parametrize("name", ["further fields.attnviz", "nested deep.json", "cut in a chunk.png"])
def test_that_every_command_refuses_it_in_the_same_words(name: str, tmp_path: Path) -> None:
    content, path = CONTENTS[name], tmp_path / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    said = attnviz("run", str(path))
    for arguments in ((), ("code",), ("export", "-o", str(tmp_path / "out.png"))):
        assert attnviz(*arguments[:1], str(path), *arguments[1:]) == said
    assert [path.name for path in tmp_path.iterdir()] == [name]


@pytest.mark.parametrize("name", [name for name in CONTENTS if name.endswith(".json")][::3])
def test_that_what_comes_on_standard_input_is_refused_alike(name: str) -> None:
    content = CONTENTS[name]
    stdin = content if isinstance(content, bytes) else content.encode()
    assert attnviz("run", "-", stdin=stdin).is_one_line(2, "standard input")


@pytest.mark.parametrize("name", ["mine.attnviz", "mine.json", "mine.png", "mine.csv.json"])
def test_that_a_pickle_is_never_loaded_whatever_it_is_called(name: str, trap: Path, tmp_path: Path) -> None:
    for content in (pickled(trap), pickled_npy(trap), PNG_SIGN + pickled(trap)):
        (tmp_path / name).write_bytes(content)
        assert attnviz("run", str(tmp_path / name)).is_one_line(2, name)
    assert attnviz("run", "-", stdin=pickled(trap)).is_one_line(2, "standard input")
    assert not trap.exists()


@pytest.mark.skipif(os.name != "posix", reason="devices and pipes of POSIX")
@pytest.mark.timeout(20)
@pytest.mark.parametrize("ending", [".json", ".attnviz", ".png", ".npz", ".csv"])
def test_that_what_is_no_plain_file_is_refused_and_not_waited_for(ending: str, tmp_path: Path) -> None:
    odd = tmp_path / f"odd{ending}"
    for make in (
        odd.mkdir,
        lambda: os.mkfifo(odd),
        lambda: odd.symlink_to("/dev/zero"),
        lambda: odd.symlink_to("/dev/tty"),
        lambda: odd.symlink_to(tmp_path / "gone"),
        lambda: odd.symlink_to(odd),
        lambda: socket.socket(socket.AF_UNIX).bind(str(odd)) if len(str(odd)) < 100 else odd.mkdir(),
    ):
        make()
        why = "has no config.json, so it is not a model folder" if odd.is_dir() else "cannot be read"
        assert attnviz("run", str(odd)).is_one_line(2, f"{odd} {why}")
        (odd.rmdir if odd.is_dir() and not odd.is_symlink() else odd.unlink)()


@pytest.mark.skipif(not Path("/proc/self/mem").exists(), reason="a file of Linux that has no end")
def test_that_the_memory_of_the_process_is_no_document(tmp_path: Path) -> None:
    (tmp_path / "mine.json").symlink_to("/proc/self/mem")
    assert attnviz("run", str(tmp_path / "mine.json")).is_one_line(2, "cannot be read")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="pipes of POSIX")
@pytest.mark.timeout(20)
def test_that_a_pipe_which_takes_the_place_of_a_file_is_not_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, real = tmp_path / "mine.json", Path.stat

    def swapped(self: Path, **options: bool) -> os.stat_result:
        status = real(self, **options)
        if self == path:
            path.unlink()
            os.mkfifo(path)
        return status

    path.write_text("{}")
    monkeypatch.setattr(Path, "stat", swapped)
    assert attnviz("run", str(path)).is_one_line(2, "not a plain file")


@pytest.mark.skipif(os.name != "posix", reason="streams of POSIX")
def test_that_a_stream_that_has_nothing_yet_is_told_and_not_stumbled_over(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    import sys

    from attnviz.cli import main

    reading, writing = os.pipe()
    os.set_blocking(reading, False)
    with os.fdopen(reading) as stdin, os.fdopen(writing, "w"):
        monkeypatch.setattr(sys, "stdin", stdin)
        assert main(["run", "-"]) == 2
    assert capsys.readouterr().err == "attnviz: standard input cannot be read: no data has arrived yet\n"
