"""``attnviz sweep`` as its user meets it; no worker is started here."""

import csv
import json
import os
import re
import sys
import tracemalloc
from pathlib import Path
from typing import Any

import pytest
from calling import Said, attnviz

from attnviz.cli.words import Progress, duration
from attnviz.engine.sweeps import rows as engine_rows

SPEC = b'{"device": "cpu", "num_hiddens": 20}'


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def sweep(*arguments: str, spec: bytes = SPEC) -> Said:
    return attnviz("sweep", "-", *arguments, stdin=spec)


def table(path: Path) -> list[dict[str, str]]:
    with open(path, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_that_a_sweep_is_a_table_with_a_row_for_each_run_said_beforehand_and_at_the_end(folder: Path) -> None:
    said = sweep("--over", "num_heads=1,2,3", "--over", "seed=0:3", "-o", "table.csv")
    assert (said.code, said.out) == (0, "wrote table.csv: 12 rows\n")
    assert re.sub(r"about \d+ s", "about a moment", said.err).splitlines() == [
        "attnviz: 3 × 4 = 12 runs, 4 of them illegal; about a moment in this process",
        "attnviz: 4 of 12 runs failed; their rows say why",
    ]
    found = table(folder / "table.csv")
    assert [(row["num_heads"], row["seed"]) for row in found] == [(h, s) for h in "123" for s in "0123"]
    assert [bool(row["failure"]) for row in found] == [False] * 8 + [True] * 4
    assert json.loads(found[5]["spec"])["num_heads"] == 2


def test_that_the_same_command_goes_on_without_doing_a_run_again(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    arguments = ("--over", "seed=0:4", "-o", "table.csv")
    sweep(*arguments)
    whole = (folder / "table.csv").read_bytes().splitlines(keepends=True)
    (folder / "table.csv").write_bytes(b"".join(whole[:3]) + whole[3][:30])
    asked: list[int] = []
    row_of = engine_rows.row_of
    monkeypatch.setattr(
        engine_rows, "row_of", lambda base, run, *more: (asked.append(run), row_of(base, run, *more))[1]
    )
    said = sweep(*arguments)
    assert "5 runs, of which 2 are there; about" in said.err
    assert asked == [2, 3, 4]
    assert [row["run"] for row in table(folder / "table.csv")] == list("01234")
    asked.clear()
    assert sweep(*arguments) == (0, "wrote table.csv: 5 rows\n", "")
    assert asked == []


def test_that_a_dry_run_says_what_would_be_run_and_measured_and_writes_nothing(folder: Path) -> None:
    said = sweep("--over", "seed=0:99", "--over", "causal=true,false", "--dry-run", "-o", "table.csv")
    assert said.code == 0
    assert said.out.startswith("100 × 2 = 200 runs; about ")
    assert "  seed: 0, 1, 2, 3, 4, 5, 6, 7, ... 99\n  causal: True, False\n" in said.out
    assert "entropy " in said.out
    assert list(folder.iterdir()) == []


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--over", "num_head=1"), "there is no field 'num_head' in this spec; nearest: num_heads"),
        (("--over", "seed=1", "--over", "seed=2"), "seed is swept twice"),
        (("--over", "seed=1,2", "--over", "num_heads=1", "--zip"), "the same number of values"),
        (
            ("--over", "seed=1", "-o", "table.xlsx"),
            "table.xlsx: .xlsx is not among .csv, .jsonl, .parquet; nearest: table.csv",
        ),
        (("--over", "seed=1", "-o", "no/such/table.csv"), "there is no such folder"),
        (("--over", "seed=1", "--workers", "0"), "'0' must be a whole number of at least 1; nearest: 1"),
        (("--over", "seed=1", "--limit", "0"), "'0' must be a number of seconds above 0; nearest: 60"),
        (("--over", "seed=1", "--scheduler-file", "none.json"), "none.json cannot be read: No such file"),
        (("--over", "seed=1", "--workers", "2", "--scheduler", "tcp://a:1"), "not allowed with"),
        ((), "the following arguments are required: --over"),
    ],
)
def test_that_bad_input_is_one_sentence_and_nothing_is_written(
    arguments: tuple[str, ...], said: str, folder: Path
) -> None:
    output = () if "-o" in arguments else ("-o", "table.csv")
    assert sweep(*arguments, *output).is_one_line(2, said)
    assert list(folder.iterdir()) == []


def test_that_a_table_needs_a_file(folder: Path) -> None:
    assert sweep("--over", "seed=1").is_one_line(2, "-o names no file for the table; nearest: -o table.csv")


def test_that_another_file_is_refused_and_force_begins_anew(folder: Path) -> None:
    (folder / "table.csv").write_text("mine\n")
    said = sweep("--over", "seed=1", "-o", "table.csv")
    assert said.is_one_line(2, "table.csv exists, and it is not the table of a sweep; --force starts over")
    assert (folder / "table.csv").read_text() == "mine\n"
    assert sweep("--over", "seed=1", "-o", "table.csv", "--force").code == 0
    assert len(table(folder / "table.csv")) == 1


def test_that_ctrl_c_leaves_a_valid_table_and_says_how_to_go_on(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    row_of = engine_rows.row_of

    def interrupted(base: Any, run: int, *more: Any) -> Any:
        if run == 2:
            raise KeyboardInterrupt
        return row_of(base, run, *more)

    monkeypatch.setattr(engine_rows, "row_of", interrupted)
    said = sweep("--over", "seed=0:4", "-o", "table.csv")
    assert said.code == 130
    assert "stopped; table.csv has 2 of 5 rows, and the same command goes on" in said.err
    assert [row["run"] for row in table(folder / "table.csv")] == ["0", "1"]


@pytest.mark.skipif(sys.platform == "win32", reason="an open file cannot be removed on Windows")
@pytest.mark.timeout(60)
@pytest.mark.parametrize("replace", [Path.touch, os.mkfifo, lambda path: None], ids=["a file", "a pipe", "nothing"])
@pytest.mark.parametrize("ending", ["csv", "jsonl", "parquet"])
def test_that_a_table_that_is_removed_or_replaced_half_way_fails_in_one_line_and_loses_no_row(
    ending: str, replace: Any, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    row_of = engine_rows.row_of
    name = f"table.{ending}"
    growing = folder / (f"{name}.jsonl" if ending == "parquet" else name)

    def removing(base: Any, run: int, *more: Any) -> Any:
        if run == 3:
            growing.unlink()
            replace(growing)
        return row_of(base, run, *more)

    arguments = ("--over", "seed=0:4", "-o", name)
    with monkeypatch.context() as patch:
        patch.setattr(engine_rows, "row_of", removing)
        said = sweep(*arguments)
    rescued = growing.with_name(f"{growing.stem}.rescued{growing.suffix}").name
    assert (said.code, said.out) == (1, "")
    assert said.err.endswith(
        f"{growing.name} was removed or replaced while the sweep wrote it; its 4 rows are in {rescued}; "
        "rename that to resume\n"
    )
    growing.unlink(missing_ok=True)
    (folder / rescued).rename(growing)
    again = sweep(*arguments)
    assert "5 runs, of which 4 are there" in again.err
    assert (again.code, again.out) == (0, f"wrote {name}: 5 rows\n")


@pytest.mark.skipif(sys.platform == "win32", reason="limits of POSIX")
def test_that_a_full_disk_leaves_a_valid_table_and_says_how_to_go_on(folder: Path) -> None:
    import resource

    arguments = ("--over", "seed=0:4", "-o", "table.csv")
    sweep(*arguments)
    whole = (folder / "table.csv").read_bytes().splitlines(keepends=True)
    (folder / "table.csv").unlink()
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (sum(map(len, whole[:3])) + 500, before[1]))
    try:
        said = sweep(*arguments)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert said.code == 1
    assert (
        "table.csv cannot be written: File too large; table.csv has 2 of 5 rows, and the same command goes on"
        in said.err
    )
    assert [row["run"] for row in table(folder / "table.csv")] == ["0", "1"]
    sweep(*arguments)
    assert [row["run"] for row in table(folder / "table.csv")] == list("01234")


def test_that_without_the_extra_one_worker_is_the_default_and_parquet_is_refused_in_a_sentence(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import importlib.util

    find = importlib.util.find_spec
    missing = ("distributed", "pyarrow")
    monkeypatch.setattr(importlib.util, "find_spec", lambda name, *more: None if name in missing else find(name, *more))
    monkeypatch.setattr("attnviz.cli.sweep._SOON", 0)
    monkeypatch.setattr("attnviz.cli.sweep._cores", lambda: 2)
    monkeypatch.setitem(sys.modules, "distributed", None)
    said = sweep("--over", "seed=0:3", "-o", "table.csv")
    assert said.code == 0
    assert "one worker; several need Dask: pip install 'attnviz[cluster]'" in said.err
    said = sweep("--over", "seed=0:3", "-o", "table.parquet")
    assert said.is_one_line(2, "Parquet needs pyarrow: pip install 'attnviz[cluster]'; nearest: table.csv")
    said = sweep("--over", "seed=0:3", "-o", "other.csv", "--workers", "2")
    assert said.code == 1
    assert "several workers need Dask" in said.err.splitlines()[-1]
    assert not (folder / "other.csv").exists()


def test_that_progress_says_rows_rate_and_the_time_that_is_left(capsys: pytest.CaptureFixture[str]) -> None:
    clock = iter([0.0, 100.0, 110.0, 120.0])
    progress = Progress("row", lambda: next(clock), with_rate=True)
    for done in (0, 5, 10):
        progress.show(done, 1000)
    assert capsys.readouterr().err == "row 5/1000, 0.5 a second, 33 min left\nrow 10/1000, 0.5 a second, 33 min left\n"


@pytest.mark.parametrize(("seconds", "said"), [(3.4, "3 s"), (119, "119 s"), (1800, "30 min"), (9000, "2 h 30 min")])
def test_that_a_duration_is_said_in_its_own_unit(seconds: float, said: str) -> None:
    assert duration(seconds) == said


@pytest.mark.usefixtures("folder")
def test_that_a_dry_run_of_a_hundred_million_runs_lists_none() -> None:
    sweep("--over", "seed=0:9", "--dry-run")  # what it loads stays
    tracemalloc.start()
    try:
        said = sweep("--over", "seed=0:99999998", "--dry-run")
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert said.out.startswith("99999999 runs; about ")
    assert peak < 50 << 20
