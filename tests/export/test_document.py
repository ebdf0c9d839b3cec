"""Documents: sessions, specs and figures that carry one; and files that are broken, endless, or cut by a crash."""

import contextlib
import io
import json
import os
import random
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from broken_sessions import FULL, OTHER, broken
from PIL import Image

from attnviz.experiment.files import specs_in_files
from attnviz.experiment.files.session import LONGEST_NOTES, Session, session_from_json, session_to_json
from attnviz.experiment.labs import SpecError, spec_to_json
from attnviz.export import document
from attnviz.export.document import ENDING, read_document, write_session
from attnviz.export.embedded_session import gif_comment, into_pdf, into_svg, png_text

ROOT = Path(__file__).resolve().parents[2]


def png(session: Session, **options: object) -> bytes:
    content = io.BytesIO()
    Image.new("RGB", (3, 2)).save(content, "PNG", pnginfo=png_text(session), **options)
    return content.getvalue()


def gif(session: Session) -> bytes:
    content = io.BytesIO()
    Image.new("P", (3, 2)).save(content, "GIF", comment=gif_comment(session))
    return content.getvalue()


def svg(session: Session) -> bytes:
    return into_svg('<?xml version="1.0"?>\n<svg xmlns="http://www.w3.org/2000/svg"><g/></svg>', session).encode()


def pdf(session: Session) -> bytes:
    from pypdf import PdfWriter

    blank, content = PdfWriter(), io.BytesIO()
    blank.add_blank_page(10, 10)
    blank.write(content)
    return into_pdf(content.getvalue(), session)


FIGURES = {"png": png, "gif": gif, "svg": svg, "pdf": pdf}


def refusal(path: Path) -> str:
    with pytest.raises(SpecError) as caught:
        read_document(path)
    return str(caught.value)


@pytest.mark.parametrize("session", [FULL, OTHER])
def test_that_a_session_is_read_back_from_its_file(session: Session, tmp_path: Path) -> None:
    path = tmp_path / f"mine{ENDING}"
    write_session(session, path)
    assert read_document(path) == session


@pytest.mark.parametrize("session", [FULL, OTHER])
@pytest.mark.parametrize("kind", FIGURES)
def test_that_every_kind_of_figure_gives_its_session_back_whatever_it_is_called(
    kind: str, session: Session, tmp_path: Path
) -> None:
    for name in (f"figure.{kind}", "figure.download"):
        (tmp_path / name).write_bytes(FIGURES[kind](session))
        assert read_document(tmp_path / name) == session


def test_that_a_bare_spec_opens_as_json_and_not_as_a_session(tmp_path: Path) -> None:
    for name in ("spec.json", f"spec{ENDING}"):
        (tmp_path / name).write_text(spec_to_json(FULL.spec))
    assert read_document(tmp_path / "spec.json") == Session(spec=FULL.spec)
    assert "format" in refusal(tmp_path / f"spec{ENDING}")


@pytest.mark.parametrize("kind", FIGURES)
def test_that_a_figure_that_carries_nothing_is_refused_by_name(kind: str, tmp_path: Path) -> None:
    path = tmp_path / f"plain.{kind}"
    path.write_bytes(
        FIGURES[kind](FULL).replace(b"attnviz-session", b"somebody-elses_").replace(b"AttnvizSess", b"x" * 11)
    )
    if kind == "svg":
        path.write_text('<svg xmlns="http://www.w3.org/2000/svg"><g/></svg>')
    assert f"{path} is a picture without an attnviz session" in refusal(path)


def test_that_200_broken_files_are_legal_or_refused_in_a_sentence_that_names_file_and_place(tmp_path: Path) -> None:
    path, refused = tmp_path / f"broken{ENDING}", 0
    places = ("JSON", "not a text file", "format", "spec", "pinned", "pins", "view", "notes", "field", "session")
    for content in broken(200):
        path.write_bytes(content)
        began = time.process_time()
        try:
            session = read_document(path)
        except SpecError as error:
            refused += 1
            sentence = str(error)
            assert sentence.startswith(str(path))
            assert any(place in sentence.removeprefix(str(path)) for place in places), sentence
            assert len(sentence) < 1200
        else:
            assert session_from_json(session_to_json(session)) == session
        assert time.process_time() - began < 1
    assert 120 < refused < 200


@pytest.mark.parametrize("kind", FIGURES)
def test_that_a_broken_figure_opens_as_what_it_carried_or_is_refused(kind: str, tmp_path: Path) -> None:
    chance, whole, path = random.Random(3), FIGURES[kind](FULL), tmp_path / f"figure.{kind}"
    for number in range(60):
        content = bytearray(whole)
        for _ in range(chance.choice((1, 4))):
            content[chance.randrange(len(content) if number % 2 else 64)] ^= 1 << chance.randrange(8)
        path.write_bytes(content[: chance.randrange(len(content)) if number % 3 == 0 else None])
        began = time.process_time()
        with contextlib.suppress(SpecError):
            session = read_document(path)
            assert session_from_json(session_to_json(session)) == session
        assert time.process_time() - began < 2


def test_that_a_picture_that_claims_a_million_pixels_a_side_is_refused(tmp_path: Path) -> None:
    import struct
    import zlib

    content = bytearray(png(FULL))
    content[16:24] = struct.pack(">II", 1 << 20, 1 << 20)
    content[29:33] = struct.pack(">I", zlib.crc32(content[12:29]))
    (tmp_path / "huge.png").write_bytes(content)
    assert "huge.png" in refusal(tmp_path / "huge.png")


def test_that_what_is_no_file_of_fair_size_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(document, "LARGEST", 1000)
    (tmp_path / "long.png").write_bytes(b"\x89PNG\r\n\x1a\n" + b"x" * 1000)
    assert "larger than" in refusal(tmp_path / "long.png")
    assert "No such file" in refusal(tmp_path / "gone.attnviz")
    assert "so it is not a model folder" in refusal(tmp_path)
    if hasattr(os, "mkfifo"):
        os.mkfifo(tmp_path / "pipe.json")
        assert "not a plain file" in refusal(tmp_path / "pipe.json")


@pytest.mark.parametrize(
    "values",
    [
        {"inputs": {"kind": "file", "path": r"\\host\share\x.npz"}},
        {"lab": "regression", "data": {"kind": "file", "path": "//host/share/x.csv"}},
        {"format": 1, "spec": {}, "pinned": {"inputs": {"kind": "file", "path": r"\\host\share\x.npz"}}},
        {"lab": "model", "folder": r"\\host\share\model"},
        {"lab": "model", "image": r"\\host\share\x.png"},
    ],
    ids=["inputs", "points", "a pinned run", "a model", "an image"],
)
def test_that_windows_asks_no_other_machine_for_a_file_that_a_document_names(
    values: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "mine.json"
    path.write_text(json.dumps(values))
    assert read_document(path), "elsewhere it is a path of this machine"
    monkeypatch.setattr(document, "ON_WINDOWS", True)
    said = refusal(path)
    assert said.startswith(f"{path}: ")
    assert "is on another machine, which attnviz does not contact; nearest: a copy on this one" in said
    assert read_document(path, is_own=True), "unsaved work names what its user chose"


def test_that_a_session_that_would_not_open_again_is_not_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / f"mine{ENDING}"
    write_session(OTHER, path)
    monkeypatch.setattr(specs_in_files, "MAX_BYTES", 1000)
    with pytest.raises(OSError, match="larger than"):
        write_session(FULL, path)
    assert read_document(path) == OTHER


# One process imports everything and forks 20 savers; each is stopped at some moment, and killed if it then is writing.
KILL_SAVERS = f"""
import os, random, signal, sys, time
from pathlib import Path
from attnviz.experiment.labs import make_spec
from attnviz.experiment.files.session import Session
from attnviz.export.document import read_document, write_session

path, spec, chance = Path(sys.argv[1]), make_spec({{}}), random.Random(11)
for _ in range(20):
    path.unlink(missing_ok=True)
    for part in path.parent.glob(".attnviz-*.part"):
        part.unlink()
    saver = os.fork()
    number = 0
    while saver == 0:
        number += 1
        write_session(Session(spec=spec, notes=str(number % 10) * {LONGEST_NOTES}), path)
    while not path.exists():
        time.sleep(0.001)
    while True:
        time.sleep(chance.random() * 0.02)
        os.kill(saver, signal.SIGSTOP)
        os.waitpid(saver, os.WUNTRACED)
        if list(path.parent.glob(".attnviz-*.part")):
            break
        os.kill(saver, signal.SIGCONT)
    os.kill(saver, signal.SIGKILL)
    os.waitpid(saver, 0)
    notes = read_document(path).notes
    assert notes == notes[0] * {LONGEST_NOTES}
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="a kill of POSIX")
def test_that_a_save_killed_at_any_moment_leaves_a_whole_file(tmp_path: Path) -> None:
    path = tmp_path / f"mine{ENDING}"
    env = os.environ | {"PYTHONPATH": str(ROOT)}
    subprocess.run([sys.executable, "-c", KILL_SAVERS, str(path)], check=True, env=env, timeout=50)
    assert read_document(path).notes
    assert list(tmp_path.glob(".attnviz-*.part")), "no save was cut short"


def test_that_a_session_file_is_json_for_people_and_other_programs(tmp_path: Path) -> None:
    path = tmp_path / f"mine{ENDING}"
    write_session(FULL, path)
    values = json.loads(path.read_text(encoding="ascii"))
    assert next(iter(values)) == "format"  # the first bytes are what a desktop knows the file by
    assert values["notes"] == FULL.notes
    assert values["spec"]["num_heads"] == 2
