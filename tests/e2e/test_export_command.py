"""`attnviz export` and `attnviz code`: every form on disk, from one or many specs, and what they refuse."""

import csv
import json
import os
import re
import signal
import stat
from functools import partial
from itertools import count
from pathlib import Path

import numpy as np
import pytest
from calling import attnviz
from forked import COMMAND_LINE, spoken_to
from PIL import Image

from attnviz.cli.words import Progress
from attnviz.definitions.motions import MOTIONS
from attnviz.engine.run import run
from attnviz.experiment.attention.spec import AttentionSpec
from attnviz.experiment.attention.trace import AttentionTrace
from attnviz.experiment.attention.view import AttentionViewSettings
from attnviz.experiment.files.plain_files import write_atomically
from attnviz.experiment.files.session import Session
from attnviz.experiment.files.specs_in_files import preset
from attnviz.experiment.labs import Spec, make_spec, spec_to_json
from attnviz.export.document import read_document, write_session

SMALL = AttentionSpec(num_heads=2, num_hiddens=8, num_queries=3, num_kvpairs=4, valid_lens=(2, 4), seed=5)
FIT = make_spec({"lab": "regression", "width": 0.5, "x_test": {"step": 1.0}})


@pytest.fixture(autouse=True)
def _in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def written(spec: Spec = SMALL, name: str = "small.json") -> str:
    Path(name).write_text(spec_to_json(spec), encoding="utf-8")
    return name


def only_trace(spec: Spec) -> AttentionTrace:
    (trace,) = run(spec)
    assert isinstance(trace, AttentionTrace)
    return trace


def test_that_one_run_becomes_every_form_and_each_that_can_gives_the_spec_back() -> None:
    places = [f"out.{ending}" for ending in ("png", "svg", "pdf", "npz", "csv", "json", "attnviz")]
    said = attnviz("export", written(), *(word for place in places for word in ("-o", place)))
    assert (said.code, said.err) == (0, "")
    assert said.out.splitlines() == [f"wrote {place}" for place in places]
    for place in ("out.png", "out.svg", "out.pdf", "out.json", "out.attnviz"):
        assert read_document(Path(place)).spec == SMALL
    with np.load("out.npz", allow_pickle=False) as arrays:
        assert (arrays["weights"] == only_trace(SMALL).weights).all()


@pytest.mark.parametrize(
    ("options", "heads", "items"), [((), (0, 1), (0, 1)), (("--heads", "2", "--item", "1"), (1,), (1,))]
)
def test_that_a_table_holds_every_cell_bit_for_bit(
    options: tuple[str, ...], heads: tuple[int], items: tuple[int]
) -> None:
    assert attnviz("export", written(), "-o", "out.csv", *options).code == 0
    with Path("out.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    trace = only_trace(SMALL)
    assert list(rows[0]) == ["batch", "head", "query", "key", "query_token", "key_token", "score", "masked", "weight"]
    cells = [(item, head, q, k) for item in items for head in heads for q in range(3) for k in range(4)]
    assert [tuple(int(row[name]) for name in ("batch", "head", "query", "key")) for row in rows] == [
        (item, head + 1, q, k) for item, head, q, k in cells
    ]
    for row, cell in zip(rows, cells, strict=True):
        assert np.float32(row["weight"]) == trace.weights[cell]
        assert np.float32(row["score"]) == trace.scores[cell]
        assert row["masked"] == str(int(not trace.mask[cell]))
        assert (row["query_token"], row["key_token"]) == (trace.query_tokens[cell[2]], trace.key_tokens[cell[3]])


def test_that_the_size_of_a_large_table_is_said_beforehand_and_then_how_far_it_is(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    large = written(SMALL.model_copy(update={"num_queries": 300, "num_kvpairs": 200, "valid_lens": None}))
    assert "MB" not in attnviz("export", large, "-o", "first.csv").err
    monkeypatch.setattr("attnviz.export.numbers.MANY", 200_000)
    monkeypatch.setattr("attnviz.cli.export.Progress", partial(Progress, now=count().__next__))
    said = attnviz("export", large, "-o", "out.csv").err.splitlines()
    rows, size = re.findall(r"attnviz: out.csv: ([\d,]+) rows, about ([\d.]+) MB", said[0])[0]
    assert rows == "240,000"
    assert float(size) == pytest.approx(Path("out.csv").stat().st_size / 1e6, rel=0.1)
    assert all(re.fullmatch(r"row \d+000/240000, \d+ (s|min) left", line) for line in said[1:])
    assert len(said) > 10
    assert Path("out.csv").read_bytes() == Path("first.csv").read_bytes()


def test_that_a_table_of_a_regression_pairs_queries_with_points() -> None:
    assert attnviz("export", written(FIT), "-o", "out.csv").code == 0
    with Path("out.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    (trace,) = run(FIT)
    assert len(rows) == trace.weights.size
    assert [float(row["weight"]) for row in rows] == trace.weights.ravel().tolist()
    assert [float(row["x_key"]) for row in rows[:50]] == trace.x_train.tolist()
    assert [float(row["x_query"]) for row in rows[::50]] == trace.x_test.tolist()


def test_that_many_specs_are_exported_with_a_line_each_and_one_that_fails_stops_no_other() -> None:
    sources = [
        written(SMALL, "a.json"),
        written(SMALL.model_copy(update={"device": "cuda:9"}), "b.json"),
        "preset:dot-product-book",
    ]
    said = attnviz("export", *sources, "-o", "{name}.npz")
    assert said.code == 1
    assert said.out.splitlines() == ["[1/3] wrote a.npz", "[3/3] wrote dot-product-book.npz"]
    assert said.is_one_line(1, "[2/3] b.json: there is no device cuda:9 here")
    assert not Path("b.npz").exists()


@pytest.mark.parametrize(
    ("ending", "options", "frames"),
    [
        ("gif", ("--sweep", "num_heads=1:4"), 3),
        ("apng", ("--sweep", "num_heads=1,2"), 2),
        ("gif", ("--animate", "stages"), 8),
    ],
)
def test_that_an_animation_has_its_frames_its_size_and_its_session(
    ending: str, options: tuple[str, ...], frames: int
) -> None:
    said = attnviz("export", written(), "-o", f"out.{ending}", *options, "--size", "320x240", "--fps", "10")
    assert said.code == 0
    assert f"frame {frames}/{frames}" in said.err
    assert ("left out num_heads 3: num_hiddens 8 is not divisible by num_heads 3" in said.err) == (frames == 3)
    with Image.open(f"out.{ending}") as image:
        assert (image.size, image.n_frames, image.info["duration"]) == ((320, 240), frames, 100)
    assert read_document(Path(f"out.{ending}")).spec == SMALL


@pytest.mark.parametrize(("options", "moving"), [((), "stages"), (("--sweep", "num_heads=1,2"), "sweep")])
def test_that_an_animation_has_the_pace_of_its_kind_and_its_help_says_which(
    options: tuple[str, ...], moving: str
) -> None:
    assert attnviz("export", written(), "-o", "out.gif", *options, "--size", "320x240").code == 0
    with Image.open("out.gif") as image:
        assert image.info["duration"] == 1000 / MOTIONS[moving].pace
    said = " ".join(attnviz("export", "--help").out.split())
    assert f"{moving} {MOTIONS[moving].pace:g}" in said


def test_that_a_trained_width_is_animated_step_by_step_unless_something_else_is_asked_for() -> None:
    trained = preset("kernel-learned-book").spec
    assert attnviz("export", written(trained), "-o", "out.gif", "--size", "320x240").code == 0
    with Image.open("out.gif") as image:
        assert image.n_frames == trained.epochs + 1
        assert image.info["duration"] == 1000 / MOTIONS["training"].pace


def test_that_a_session_is_drawn_as_it_was_looked_at_and_its_notes_stay_at_home() -> None:
    view = AttentionViewSettings(stage="scores", item=1, colour_map="Reds")
    write_session(Session(spec=SMALL, view=view, notes="not for readers"), Path("seen.attnviz"))
    assert attnviz("export", "seen.attnviz", "-o", "out.svg").code == 0
    assert attnviz("export", written(), "-o", "same.svg", "--stage", "scores", "--item", "1", "--map", "Reds").code == 0
    drawn, same = (Path(name).read_text(encoding="utf-8") for name in ("out.svg", "same.svg"))
    assert drawn.partition("</metadata>")[2] == same.partition("</metadata>")[2]
    assert read_document(Path("out.svg")) == Session(spec=SMALL, view=view)
    assert "not for readers" not in drawn


def test_that_nothing_is_overwritten_without_force() -> None:
    source = written()
    Path("out.npz").write_text("precious")
    assert attnviz("export", source, "-o", "new.csv", "-o", "out.npz").is_one_line(
        2, "out.npz exists; --force overwrites it"
    )
    assert Path("out.npz").read_text() == "precious"
    assert not Path("new.csv").exists()  # refused before anything is written
    assert attnviz("export", source, "-o", "out.npz", "--force").code == 0
    assert Path("out.npz").read_bytes().startswith(b"PK")


@pytest.mark.parametrize(
    ("arguments", "fragments"),
    [
        (("-o", "out.bmp"), (".bmp is not among .png",)),
        (("-o", "out"), ("out has no ending; one of",)),
        (("-o", "nowhere/out.png"), ("there is no such folder",)),
        (("-o", "out.png", "--heads", "3"), ("head 3 must be in 1..2; nearest: 2",)),
        (("-o", "out.csv", "--heads", "3"), ("head 3 must be in 1..2",)),
        (("-o", "out.png", "--heads", "0"), ("must be counted from 1",)),
        (("-o", "out.png", "--heads", "x;y"), ("must be counted from 1",)),
        (("-o", "out.png", "--item", "2"), ("item 2 must be in 0..1; nearest: 1",)),
        (("-o", "out.png", "--stage", "wieghts"), ("must be one of", "nearest: weights")),
        (("-o", "out.png", "--map", "virids"), ("nearest: viridis",)),
        (("-o", "out.png", "--dpi", "9"), ("nearest: 30",)),
        (("-o", "out.pdf", "--width", "400"), ("nearest: 60",)),
        (("-o", "out.pdf", "--width", "nan"), ("nearest: 8",)),
        (("-o", "out.gif", "--size", "9x9"), ("must be in",)),
        (("-o", "out.gif", "--size", "big"), ("WIDTHxHEIGHT",)),
        (("-o", "out.gif", "--sweep", "num_heds=1:4"), ("nearest: num_heads",)),
        (("-o", "out.gif", "--animate", "training"), ("trains nothing",)),
        (("-o", "a.png", "-o", "a.png"), ("would be written twice",)),
    ],
)
def test_that_bad_input_is_one_line_and_leaves_no_file(arguments: tuple[str, ...], fragments: tuple[str, ...]) -> None:
    assert attnviz("export", written(), *arguments).is_one_line(2, *fragments)
    assert [path.name for path in Path().iterdir()] == ["small.json"]


@pytest.mark.parametrize(
    ("arguments", "fragments"),
    [
        (("-o", "out.pdf", "--sweep", "num_heads=1,2"), ("out.pdf cannot be animated; nearest: out.gif",)),
        (("-o", "out.gif", "--sweep", "num_heads=1,2", "--animate", "stages"), ("not allowed with",)),
        (("-o", "out.npz", "--heads", "99"), ("head 99 must be in 1..2",)),
        (("-o", "x" * 300 + ".png"), ("File name too long",)),
    ],
)
def test_that_what_would_be_ignored_or_fail_later_is_refused_at_once(
    arguments: tuple[str, ...], fragments: tuple[str, ...]
) -> None:
    assert attnviz("export", written(), *arguments).is_one_line(2, *fragments)


def test_that_a_pipe_or_a_device_is_never_replaced_by_a_file() -> None:
    os.mkfifo("pipe.png")
    said = attnviz("export", written(), "-o", "pipe.png", "--force")
    assert said.is_one_line(2, "pipe.png is a pipe or a device")
    assert stat.S_ISFIFO(Path("pipe.png").stat().st_mode)
    with pytest.raises(OSError, match="not a plain file"):
        write_atomically(Path("pipe.png"), lambda file: file.write(b"x"))


def test_that_one_file_under_two_names_is_written_once_at_most() -> None:
    Path("link.json").symlink_to("out.json")
    assert attnviz("export", written(), "-o", "out.json", "-o", "link.json").is_one_line(2, "would be written twice")


def test_that_a_library_that_stumbles_stops_no_other_spec(monkeypatch: pytest.MonkeyPatch) -> None:
    def stumble(*_: object, **__: object) -> None:
        raise RuntimeError("no such font")

    monkeypatch.setattr("attnviz.export.figures.figure.write_figure", stumble)
    said = attnviz("export", written(SMALL, "a.json"), written(SMALL, "b.json"), "-o", "{name}.npz", "-o", "{name}.png")
    assert said.code == 1
    assert said.out.splitlines() == ["[1/2] wrote a.npz", "[2/2] wrote b.npz"]
    assert "[1/2] a.json: a.png cannot be made: RuntimeError: no such font" in said.err


def test_that_a_batch_goes_on_when_nobody_reads_its_lines_any_more() -> None:
    arguments = ("export", written(SMALL, "a.json"), written(SMALL, "b.json"), "-o", "{name}.npz")
    begin = f"import sys; sys.stdin.readline(); {COMMAND_LINE}"
    with spoken_to(begin, *arguments, cwd=Path(), env=os.environ) as process:
        process.stdout.close()
        process.stdin.write("nobody reads any more\n")
        process.stdin.flush()
        assert process.wait(20) == 0
    assert Path("a.npz").exists()
    assert Path("b.npz").exists()


def test_that_two_specs_into_one_file_are_refused_with_the_way_out() -> None:
    said = attnviz("export", written(SMALL, "a.json"), written(SMALL, "b.json"), "-o", "out.png")
    assert said.is_one_line(2, "out.png would be written twice", "write {name} into -o")


def test_that_a_spec_may_come_through_the_pipe_also_as_a_session() -> None:
    session = json.dumps({"format": 1, "spec": json.loads(spec_to_json(SMALL))}).encode()
    assert attnviz("export", "-", "-o", "out.json", stdin=session).code == 0
    assert attnviz("code", "-", stdin=spec_to_json(SMALL).encode()).out.count("class MultiHeadAttention") == 1


def test_that_code_is_printed_or_written_and_never_over_a_file() -> None:
    printed = attnviz("code", written())
    assert (printed.code, printed.err) == (0, "")
    assert attnviz("code", "small.json", "-o", "small.py").out == "wrote small.py\n"
    assert Path("small.py").read_text(encoding="utf-8") == printed.out
    assert attnviz("code", "small.json", "-o", "small.py").is_one_line(2, "small.py exists")
    assert attnviz("code", "preset:nope").is_one_line(2, "there is no preset 'nope'")


def test_that_an_animation_that_is_told_to_end_leaves_the_old_file_whole_and_nothing_beside_it() -> None:
    many = written(SMALL.model_copy(update={"num_hiddens": 840}))
    Path("out.gif").write_bytes(b"old")
    arguments = ("export", many, "-o", "out.gif", "--force", "--sweep", "seed=0:400")
    begin = f"import os, sys; sys.stderr = os.fdopen(1, 'w', buffering=1); {COMMAND_LINE}"
    with spoken_to(begin, *arguments, cwd=Path(), env=os.environ) as process:
        assert process.stdout.readline() == "frame 1/401\n"
        process.send_signal(signal.SIGTERM)
        assert process.wait(20) == 130
    assert Path("out.gif").read_bytes() == b"old"
    assert sorted(path.name for path in Path().iterdir()) == ["out.gif", "small.json"]


def test_that_a_way_of_contrast_asks_for_contrast() -> None:
    pictures = []
    for place, flags in enumerate((("--contrast-by", "log"), ("--contrast", "--contrast-by", "log"), ())):
        file = f"{place}.png"
        assert attnviz("export", "preset:multi-head-random", "-o", file, "--dpi", "60", *flags).code == 0
        pictures.append(Image.open(file).convert("RGB").tobytes())
    assert pictures[0] == pictures[1] != pictures[2]
