"""What the figures and films that attnviz really writes carry, and what hostile ones do to a reader."""

import io
import logging
import random
import struct
import time
import zlib
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hostile_files import chunk
from made_traces import attention_trace

from attnviz.experiment.attention.view import AttentionViewSettings
from attnviz.experiment.files.session import LONGEST_NOTES, Session, session_to_json
from attnviz.experiment.files.specs_in_files import preset
from attnviz.experiment.labs import SpecError, make_spec
from attnviz.export.animation.animation import AnimationSettings, write_animation
from attnviz.export.animation.frames import Film, Frame
from attnviz.export.document import read_document
from attnviz.export.embedded_session import KEY, into_svg, screen_png
from attnviz.export.figures.figure import figure_bytes, paper_figure
from attnviz.export.figures.settings import FigureSettings

KINDS = ("png", "pdf", "svg", "gif", "apng")
EVERY_KIND = pytest.mark.parametrize("kind", KINDS)
SPEC = preset("causal-sentence").spec
TRACE = attention_trace(np.random.default_rng(0).random((1, 2, 3, 4)))
PLAIN = Session(spec=SPEC, notes="what I saw")
AT_ONCE = 6.0
"""Seconds that a hostile file may take on a machine that does other things beside."""


@cache
def drawn() -> Any:
    return paper_figure(TRACE, FigureSettings())


def figure_of(kind: str, session: Session, folder: Path) -> bytes:
    if kind in ("gif", "apng"):
        film = Film([Frame(TRACE, "one"), Frame(TRACE, "two")], 2)
        write_animation(film, folder / f"made.{kind}", AnimationSettings(width=200, height=160), session)
        content = (folder / f"made.{kind}").read_bytes()
        (folder / f"made.{kind}").unlink()
        return content
    return figure_bytes(drawn(), kind, session, dpi=72)  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """A figure of each kind that carries `PLAIN`."""
    folder = tmp_path_factory.mktemp("plain")
    return {kind: figure_of(kind, PLAIN, folder) for kind in KINDS}


NASTY = [
    "",
    "]]> </session></metadata><!-- & &amp; &#0; --> <session>",
    "\0\a\b\x1b\x7f\x85\u2028\ufeff\ufffe",
    "(\\( \\) \\\\ ) %% endobj\nendstream >> << /AttnvizSession (no)",
    f"{KEY}: {KEY}\0 IDAT IEND ; !\xfe",
    "naïve 注意力 \U0001f600 \u202e backwards a\u0301",
    '"{}[]\\u0000\\"' * 50,
    "\r\n\t \n\r",
    "注" * LONGEST_NOTES,
]


@EVERY_KIND
def test_that_every_kind_of_figure_gives_its_session_back(kind: str, tmp_path: Path) -> None:
    view = AttentionViewSettings(stage="split", head=3, colour_map="Reds")
    in_one = "".join(NASTY[:-1])  # what one of them would break is broken here as well
    for notes in {"svg": NASTY, "pdf": ("", in_one, NASTY[-1])}.get(kind, (NASTY[2], NASTY[4], NASTY[-1])):
        session = Session(spec=SPEC, notes=notes, view=view, pinned=preset("why-root-d").spec)
        (tmp_path / "figure").write_bytes(figure_of(kind, session, tmp_path))
        assert read_document(tmp_path / "figure") == session


def refusal_of(content: bytes, name: str, folder: Path) -> str:
    """Return the sentence that a file is refused with; it comes soon, and names the file."""
    path = folder / name
    path.write_bytes(content)
    start = time.process_time()
    with pytest.raises(SpecError) as caught:
        read_document(path)
    assert time.process_time() - start < AT_ONCE
    assert str(path) in str(caught.value)
    return str(caught.value)


def damaged(content: bytes, dice: random.Random) -> bytes:
    """Return a file that was cut, or whose bytes were flipped, taken out or doubled somewhere."""
    at = dice.randrange(len(content))
    # What is carried stands near the beginning, or near the end of a PDF: that is where damage tells.
    at = dice.choice([at, at % 4000, len(content) - 1 - at % 4000]) % len(content)
    match dice.randrange(4):
        case 0:
            return content[:at]
        case 1:
            flipped = bytearray(content)
            for place in range(at, min(at + dice.randrange(1, 9), len(content))):
                flipped[place] ^= dice.randrange(1, 256)
            return bytes(flipped)
        case 2:
            return content[:at] + content[at + dice.randrange(1, 50) :]
    return content[:at] + content[at : at + dice.randrange(1, 50)] + content[at:]


@pytest.mark.parametrize("damage", ["cut", "no end", "nothing but entries"])
def test_that_a_broken_pdf_of_100_megabytes_is_read_or_refused_at_once(
    damage: str, plain: dict[str, bytes], tmp_path: Path
) -> None:
    pdf, size = plain["pdf"], 100 << 20
    rest = b"7 0 obj\n<< /A (x) >>\nendobj\n" * (size // 29)
    start = time.process_time()
    if damage == "nothing but entries":
        count = size // 20
        end = b"trailer << /Root 1 0 R /Info 2 0 R /Size %d>>\nstartxref\n9\n%%%%EOF" % count
        content = b"%PDF-1.7\n" + b"xref\n0 %d\n" % count + b"0000000000 00000 n \n" * count + end
        assert "without an attnviz session" in refusal_of(content, "figure.pdf", tmp_path)
    else:
        end = b"\nstartxref\n10\n%%EOF" if damage == "cut" else b""
        (tmp_path / "figure.pdf").write_bytes(pdf[:-40] + rest + end)
        assert read_document(tmp_path / "figure.pdf") == PLAIN
    assert time.process_time() - start < 3


def test_that_a_small_pdf_whose_table_is_broken_still_gives_its_session(
    plain: dict[str, bytes], tmp_path: Path
) -> None:
    at = plain["pdf"].rindex(b"startxref")
    (tmp_path / "figure.pdf").write_bytes(plain["pdf"][:at] + b"startxref\n10\n%%EOF\n")
    assert read_document(tmp_path / "figure.pdf") == PLAIN


PDF_STRINGS: dict[str, Callable[[bytes], bytes]] = {
    "as it is": lambda text: b"(" + text.replace(b"\\", b"\\\\") + b")",
    "in octal": lambda text: b"(" + b"".join(b"\\%03o" % sign for sign in text) + b")",
    "in short octal": lambda text: b"(" + text.replace(b"\\", b"\\134").replace(b"\n", b"\\12") + b")",
    "of broken lines": lambda text: b" \n(" + text.replace(b"\\", b"\\\\").replace(b" ", b" \\\r\n") + b")",
    "in digits": lambda text: b"<" + text.hex(" ").encode() + b">",
    "in 16 bits": lambda text: b"<FEFF" + text.decode().encode("utf-16-be").hex().encode() + b">",
    "after a mention": lambda text: b"/Other /AttnvizSession " + b"(" + text.replace(b"\\", b"\\\\") + b")",
}


@pytest.mark.parametrize("form", PDF_STRINGS)
def test_that_a_session_is_read_from_a_pdf_however_its_string_is_written(form: str, tmp_path: Path) -> None:
    session = Session(spec=SPEC, notes="(brackets (in brackets)) and \\ and 注意")
    content = PDF_STRINGS[form](session_to_json(session).encode())
    # Wherever it stands, also across the pieces in which a file is gone through.
    for before in (0, (1 << 20) - 20, (1 << 20) - 10):
        start = b"%PDF-1.4\n".ljust(before) + b"2 0 obj\n<< /Creator (x) /AttnvizSession "
        (tmp_path / "figure.pdf").write_bytes(start + content + b" >>\nendobj\n")
        assert read_document(tmp_path / "figure.pdf") == session


@EVERY_KIND
def test_that_a_damaged_figure_gives_a_session_or_a_sentence_that_names_it(
    kind: str, plain: dict[str, bytes], tmp_path: Path
) -> None:
    dice = random.Random(f"seed of {kind}")
    path = tmp_path / f"figure.{kind}"
    outcomes = set()
    start = time.process_time()
    for _ in range(60):
        path.write_bytes(damaged(plain[kind], dice))
        try:
            outcomes.add(type(read_document(path)).__name__)
        except SpecError as error:
            outcomes.add(str(path) in str(error))
    assert outcomes == {"Session", True}
    assert time.process_time() - start < 10 * AT_ONCE


@EVERY_KIND
def test_that_a_figure_cut_before_its_session_is_a_sentence(kind: str, plain: dict[str, bytes], tmp_path: Path) -> None:
    content = plain[kind]
    for size in (0, 1, 7, 12, 40):
        refusal_of(content[:size], f"figure.{kind}", tmp_path)
    said = refusal_of(content[:200], f"figure.{kind}", tmp_path)
    assert said.endswith("is a picture without an attnviz session, or is damaged")


def test_that_a_session_whose_bytes_were_flipped_in_a_png_is_not_taken_for_true(
    plain: dict[str, bytes], tmp_path: Path
) -> None:
    assert b"what I saw" in plain["png"]
    refusal_of(plain["png"].replace(b"what I saw", b"what I say"), "figure.png", tmp_path)


def png_of_claims(width: int, height: int, *chunks: bytes) -> bytes:
    head = chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))
    return b"\x89PNG\r\n\x1a\n" + head + b"".join(chunks) + chunk(b"IDAT", zlib.compress(bytes(1000)))


def test_that_a_png_which_claims_more_pixels_than_a_poster_has_is_refused_and_a_poster_is_not(tmp_path: Path) -> None:
    carried = chunk(b"tEXt", f"{KEY}\0{session_to_json(PLAIN)}".encode())
    for chunks in ([], [carried]):
        refusal_of(png_of_claims(40_000, 25_000, *chunks), "figure.png", tmp_path)
    (tmp_path / "poster.png").write_bytes(png_of_claims(14_000, 20_000, carried))
    assert read_document(tmp_path / "poster.png") == PLAIN


DEEP = b"[" * 2_000_000
ENTITIES = "".join(f'<!ENTITY a{place} "{f"&a{place - 1};" * 10}">' for place in range(1, 12))
HOSTILE = {
    "a text of many megabytes.png": png_of_claims(9, 9, chunk(b"tEXt", KEY.encode() + b"\0" + b"[" * 30_000_000)),
    "a text nested deep.png": png_of_claims(9, 9, chunk(b"tEXt", KEY.encode() + b"\0" + DEEP)),
    "a text that unpacks to a hundred megabytes.png": png_of_claims(
        9, 9, chunk(b"zTXt", KEY.encode() + b"\0\0" + zlib.compress(b"[" * 100_000_000))
    ),
    "a chunk longer than the file.png": png_of_claims(9, 9, struct.pack(">I", 2**31 - 1) + b"tEXt" + b"abc"),
    "many chunks.png": png_of_claims(9, 9, *[chunk(b"tEXt", b"k\0v")] * 100_000),
    "text that is no text.png": png_of_claims(9, 9, chunk(b"tEXt", KEY.encode() + b"\0\xff\xfe")),
    "many comments.gif": b"GIF89a\x0a\0\x0a\0\0\0\0" + b"!\xfe\x01a\0" * 500_000,
    "a comment without end.gif": b"GIF89a\x0a\0\x0a\0\0\0\0!\xfe" + (b"\xff" + b"a" * 255) * 200_000,
    "entities of entities.svg": f'<?xml version="1.0"?><!DOCTYPE svg [<!ENTITY a0 "ha">{ENTITIES}]>'
    "<svg><metadata>&a11;</metadata></svg>".encode(),
    "one entity many times.svg": b'<?xml version="1.0"?><!DOCTYPE svg [<!ENTITY a "' + b"a" * 100_000 + b'">]><svg>'
    b"<metadata>" + b"&a;" * 100_000 + b"</metadata></svg>",
    "a session from another file.svg": into_svg(
        '<?xml version="1.0"?><!DOCTYPE svg [<!ENTITY a SYSTEM "file:///etc/hostname">]><svg xmlns="s"></svg>', PLAIN
    ).replace("&quot;", '"').replace("{", "&a;{", 1).encode(),
    "nested deep.svg": b"<svg>" + b"<a>" * 150_000,
    "many elements.svg": b"<svg>" + b"<a/>" * 1_000_000,
    "many attributes.svg": b"<svg>" + b"<a " + b"".join(b"b%d='' " % place for place in range(500_000)),
    "a session without end.svg": b'<svg><metadata><session xmlns="urn:attnviz:session">' + b"[" * 30_000_000,
    "noise.pdf": b"%PDF-1.4\n" + random.Random(0).randbytes(2_000_000),
    "brackets without end.pdf": b"%PDF-1.4\n/AttnvizSession (" + b"(" * (16 << 20),
    "escapes without end.pdf": b"%PDF-1.4\n/AttnvizSession (" + rb"\1" * (8 << 20),
    "objects without end.pdf": b"%PDF-1.4\n" + b"1 0 obj\n<< /A 2 0 R >>\nendobj\n" * 100_000 + b"startxref\n7\n%%EOF",
    "nested deep.pdf": b"%PDF-1.4\n" + DEEP + b"\nstartxref\n9\n%%EOF",
    "a table that leads to itself.pdf": b"%PDF-1.4\nxref\n0 1\n0000000000 65535 f\n"
    b"trailer\n<< /Size 1 /Prev 9 /Info 5 0 R >>\nstartxref\n9\n%%EOF",
    "information that is none.pdf": b"%PDF-1.4\n1 0 obj\n[/AttnvizSession]\nendobj\n"
    b"trailer\n<< /Size 2 /Info 1 0 R /Root 1 0 R >>\nstartxref\n0\n%%EOF",
}  # fmt: skip


@pytest.mark.parametrize("name", HOSTILE)
def test_that_a_hostile_figure_is_a_sentence_at_once(
    name: str, tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for logger in (logging.getLogger(), logging.getLogger("pypdf")):
        monkeypatch.setattr(logger, "handlers", [])  # as it is without pytest: what nobody handles is printed
    refusal_of(HOSTILE[name], name, tmp_path)
    assert capfd.readouterr().err == "", "what a library makes of it is not shown"


def test_that_a_session_is_looked_for_in_the_first_megabyte_of_an_svg(tmp_path: Path) -> None:
    def svg(before: int) -> bytes:
        whole = into_svg('<svg xmlns="http://www.w3.org/2000/svg"></svg>', PLAIN)
        return whole.replace("<metadata>", f"<!--{' ' * before}--><metadata>").encode()

    (tmp_path / "near.svg").write_bytes(svg(500_000))
    assert read_document(tmp_path / "near.svg") == PLAIN
    refusal_of(svg(2_000_000), "far.svg", tmp_path)


@pytest.mark.parametrize("name", ["spec.json", "notes.attnviz"])
def test_that_a_session_whose_words_name_svg_is_none_the_less_a_session(name: str, tmp_path: Path) -> None:
    text = "<?xml the <svg tag <svg>"
    session = Session(spec=make_spec({"inputs": {"kind": "sentence", "text": text}}), notes=text)
    content = session_to_json(session)
    assert "<svg" in content[:1024]
    (tmp_path / name).write_text(content)
    assert read_document(tmp_path / name) == session


def test_that_an_svg_may_begin_with_a_mark_of_its_encoding_and_with_blanks(tmp_path: Path) -> None:
    svg = into_svg('<svg xmlns="http://www.w3.org/2000/svg"></svg>', PLAIN)
    (tmp_path / "figure.svg").write_bytes(b"\xef\xbb\xbf" + svg.encode())
    assert read_document(tmp_path / "figure.svg") == PLAIN


def test_that_a_pixel_of_every_figure_can_be_shown_by_others(plain: dict[str, bytes]) -> None:
    from PIL import Image
    from pypdf import PdfReader

    for kind in ("png", "gif", "apng"):
        with Image.open(io.BytesIO(plain[kind])) as image:
            assert min(image.size) > 80
            image.load()
    assert len(PdfReader(io.BytesIO(plain["pdf"]), strict=True).pages) == 1


@pytest.mark.parametrize("scale", [1, 2, 3])
def test_that_a_picture_of_the_screen_is_as_large_on_paper_whatever_its_scale(scale: int) -> None:
    from PIL import Image

    with Image.open(io.BytesIO(screen_png(np.full((4 * scale, 6 * scale, 4), 255, np.uint8), scale, PLAIN))) as image:
        inches = [size / dpi for size, dpi in zip(image.size, image.info["dpi"], strict=True)]
    assert inches == pytest.approx([6 / 96, 4 / 96], rel=1e-3)
