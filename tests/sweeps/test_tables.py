"""The table of a sweep as a file: it grows row by row, is gone on with, and no other file is touched."""

import csv
import json
import math
import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pyarrow.parquet
import pytest

from attnviz.definitions.formats import FORMATS, formats_for
from attnviz.experiment.labs import make_spec
from attnviz.experiment.sweeps.crossing import Crossing, crossed
from attnviz.export.tables.columns import columns_of_rows, ordered
from attnviz.export.tables.growing import GrowingTable, TableError, TableGoneError

SWEEP = crossed(make_spec({"device": "cpu"}), [("num_heads", [1, 2, 5]), ("seed", [7, 8])])
OTHER = crossed(make_spec({"device": "cpu"}), [("num_heads", [1, 2, 5]), ("seed", [7, 9])])
THIRD = 1 / 3
EACH = [form.name for form in formats_for("table")]
LINES = ["csv", "jsonl"]


def rows(*runs: int) -> list[dict[str, Any]]:
    """Rows as the engine gives them: run 3 has failed, run 4 has what is not finite, the others more or fewer heads."""
    found = []
    for run in runs:
        row: dict[str, Any] = {"run": run, **SWEEP.changes(run)}
        if run != 3:
            heads = {f"entropy_{head + 1}": THIRD * head + run for head in range(row["num_heads"])}
            row |= {"entropy": math.inf if run == 4 else 1e-300, **heads, "milliseconds": math.nan if run == 4 else 0.1}
        row |= {"failure": 'why, "so" 中文' if run == 3 else "", "spec": {"seed": row["seed"]}}
        found.append(row)
    return found


Opener = Callable[..., GrowingTable]


@pytest.fixture
def opened(tmp_path: Path) -> Iterator[Opener]:
    """Opens the table at a path; what is still open at the end is closed."""
    tables = []

    def open_(name: str, sweep: Crossing = SWEEP, *, force: bool = False) -> GrowingTable:
        path = tmp_path / f"table.{name}"
        table: GrowingTable = FORMATS[name].writer("table")(path, sweep, force=force)
        tables.append(table)
        return table

    yield open_
    for table in tables:
        table.close()


def written(opened: Opener, name: str, *batches: list[int]) -> None:
    table = opened(name)
    for batch in batches:
        table.add(rows(*batch))
    table.finish()
    table.close()


@pytest.mark.parametrize("name", EACH)
def test_that_the_order_in_which_rows_come_leaves_no_trace(name: str, opened: Opener, tmp_path: Path) -> None:
    path = tmp_path / f"table.{name}"
    written(opened, name, [0, 1, 2, 3, 4, 5])
    straight = path.read_bytes()
    path.unlink()
    written(opened, name, [5], [3, 4], [0], [2, 1])
    assert path.read_bytes() == straight
    assert [each.name for each in tmp_path.iterdir()] == [path.name]


def test_that_csv_has_every_number_bit_for_bit_and_nothing_where_there_is_none(opened: Opener, tmp_path: Path) -> None:
    written(opened, "csv", [5, 4, 3, 2, 1, 0])
    with open(tmp_path / "table.csv", encoding="utf-8", newline="") as file:
        found = list(csv.DictReader(file))
    heads = [f"entropy_{head + 1}" for head in range(5)]
    assert list(found[0])[:4] == ["run", "num_heads", "seed", "entropy"]
    assert list(found[0])[4:9] == heads
    assert list(found[0])[-4:] == ["milliseconds", "failure", "spec", "sweep"]
    assert [each["run"] for each in found] == list("012345")
    assert [found[5][head] for head in heads] == [repr(THIRD * head + 5) for head in range(5)]
    assert (found[4]["entropy"], found[4]["milliseconds"], found[0]["entropy_2"]) == ("inf", "", "")
    assert (found[3]["failure"], found[3]["entropy"]) == ('why, "so" 中文', "")
    assert json.loads(found[2]["spec"]) == {"seed": 7}


def test_that_json_lines_are_plain_json_with_infinity_as_a_number_and_nan_as_null(
    opened: Opener, tmp_path: Path
) -> None:
    written(opened, "jsonl", [4, 3, 0])
    texts = (tmp_path / "table.jsonl").read_text(encoding="utf-8").splitlines()

    def refuse(name: str) -> None:
        raise AssertionError(f"{name} is no JSON")

    found = [json.loads(text, parse_constant=refuse) for text in texts]
    assert [each["run"] for each in found] == [0, 3, 4]
    assert (found[2]["entropy"], found[2]["milliseconds"]) == (math.inf, None)
    assert (found[0]["entropy"], found[0]["entropy_1"]) == (1e-300, 0.0)
    assert {name: found[1][name] for name in ("failure", "spec")} == {"failure": 'why, "so" 中文', "spec": {"seed": 8}}


def test_that_parquet_has_the_same_rows_in_columns_of_their_types(opened: Opener, tmp_path: Path) -> None:
    written(opened, "parquet", [5, 4, 3, 2, 1, 0])
    found = pyarrow.parquet.read_table(tmp_path / "table.parquet")
    assert {name: str(found.schema.field(name).type) for name in ("run", "seed", "entropy", "entropy_5", "spec")} == {
        "run": "int64",
        "seed": "int64",
        "entropy": "double",
        "entropy_5": "double",
        "spec": "string",
    }
    assert found["entropy"].to_pylist() == [1e-300] * 3 + [None, math.inf, 1e-300]
    assert found["entropy_5"].to_pylist() == [None] * 4 + [THIRD * 4 + 4, THIRD * 4 + 5]


def test_that_columns_in_python_are_those_of_the_table() -> None:
    found = columns_of_rows(rows(4, 3, 0), SWEEP.columns)
    assert list(found)[:5] == ["run", "num_heads", "seed", "entropy", "entropy_1"]
    assert found["run"] == [0, 3, 4]
    assert found["entropy_5"][2] == THIRD * 4 + 4
    assert math.isnan(found["entropy_5"][0])


def test_that_the_numbers_of_heads_follow_that_of_all_in_the_order_of_the_heads() -> None:
    names = ["run", "seed", "steps_to_95", "role_a", "milliseconds", "role_a_10.1", "role_a_2.11", "role_a_2.2"]
    assert ordered(names) == (
        "run",
        "seed",
        "steps_to_95",
        "role_a",
        "role_a_2.2",
        "role_a_2.11",
        "role_a_10.1",
        "milliseconds",
    )


# Going on.


@pytest.mark.parametrize("name", LINES)
def test_that_a_table_cut_anywhere_is_gone_on_with_and_comes_out_whole(
    name: str, opened: Opener, tmp_path: Path
) -> None:
    path = tmp_path / f"table.{name}"
    written(opened, name, [0, 1, 2, 3, 4, 5])
    whole = path.read_bytes()
    for cut in range(len(whole) + 1):
        path.write_bytes(whole[:cut])
        table = opened(name)
        kept = whole[:cut].count(b"\n") - (name == "csv")
        assert table.rows == max(0, kept), cut
        assert list(table.done) == [1] * table.rows + [0] * (6 - table.rows)
        table.add(rows(*(run for run in range(6) if not table.done[run])))
        table.finish()
        table.close()
        assert path.read_bytes() == whole, cut


@pytest.mark.parametrize("name", EACH)
def test_that_a_complete_table_is_left_as_it_is(name: str, opened: Opener, tmp_path: Path) -> None:
    path = tmp_path / f"table.{name}"
    written(opened, name, [0, 1, 2, 3, 4, 5])
    before = path.read_bytes()
    table = opened(name)
    assert table.rows == 6
    table.add(rows(2, 3))  # a worker that was thought dead has answered after all
    table.finish()
    assert path.read_bytes() == before


@pytest.mark.parametrize("name", EACH)
def test_that_another_sweeps_table_is_refused_as_it_is_and_force_begins_anew(
    name: str, opened: Opener, tmp_path: Path
) -> None:
    path = tmp_path / f"table.{name}"
    written(opened, name, [0, 1])
    before = path.read_bytes()
    with pytest.raises(TableError, match="--force starts over"):
        opened(name, OTHER)
    assert path.read_bytes() == before
    assert opened(name, OTHER, force=True).rows == 0


@pytest.mark.parametrize("name", EACH)
@pytest.mark.parametrize(
    "content",
    [b"my notes", b"my notes\n", b"a,b\n1,2\n", b'{"a": 1}\n', b'{"a": 1}', b"run\n1\n", b"\0" * 20, b"7"],
    ids=repr,
)
def test_that_a_file_of_the_users_is_refused_and_kept(
    name: str, content: bytes, opened: Opener, tmp_path: Path
) -> None:
    path = tmp_path / f"table.{name}"
    path.write_bytes(content)
    with pytest.raises(TableError, match=r"exists, .*; --force starts over"):
        opened(name)
    assert path.read_bytes() == content


@pytest.mark.parametrize("name", LINES)
def test_that_a_row_that_was_edited_in_the_middle_is_refused(name: str, opened: Opener, tmp_path: Path) -> None:
    path = tmp_path / f"table.{name}"
    written(opened, name, [0, 1, 2])
    texts = path.read_bytes().splitlines(keepends=True)
    for wrong in (b"oops\n", texts[-1]):
        edited = [*texts[:-2], wrong, *texts[-1:]]
        path.write_bytes(b"".join(edited))
        with pytest.raises(TableError, match=r"row [23]"):
            opened(name)
        assert path.read_bytes() == b"".join(edited)


@pytest.mark.parametrize("name", EACH)
def test_that_one_sweep_at_a_time_writes_a_file(name: str, opened: Opener) -> None:
    first = opened(name)
    first.add(rows(1, 0, 5))
    with pytest.raises(TableError, match="is being written by another sweep"):
        opened(name)
    with pytest.raises(TableError, match="is being written by another sweep"):
        opened(name, force=True)
    first.add(rows(2))
    first.close()
    assert opened(name).rows == 4


@pytest.mark.parametrize("name", EACH)
def test_that_a_sweep_without_a_row_leaves_no_file(name: str, opened: Opener, tmp_path: Path) -> None:
    opened(name).close()
    assert list(tmp_path.iterdir()) == []


def test_that_parquet_is_made_of_lines_beside_it_which_then_go(opened: Opener, tmp_path: Path) -> None:
    table = opened("parquet")
    table.add(rows(3, 1))
    table.close()
    assert [each.name for each in tmp_path.iterdir()] == ["table.parquet.jsonl"]
    table = opened("parquet")
    assert table.rows == 2
    table.add(rows(0, 2, 4, 5))
    table.finish()
    assert [each.name for each in tmp_path.iterdir()] == ["table.parquet"]


def removed(path: Path) -> None:
    path.unlink()


def replaced(path: Path) -> None:
    path.unlink()
    path.write_text("mine")


def renamed_over(path: Path) -> None:
    path.with_name("other").write_text("mine")
    path.with_name("other").rename(path)


def piped(path: Path) -> None:
    path.unlink()
    os.mkfifo(path)


@pytest.mark.skipif(os.name != "posix", reason="an open file cannot be removed on Windows")
@pytest.mark.timeout(20)
@pytest.mark.parametrize("then", ["more rows", "the end"])
@pytest.mark.parametrize("change", [removed, replaced, renamed_over, piped])
@pytest.mark.parametrize("name", EACH)
def test_that_the_rows_of_a_file_that_was_removed_or_replaced_are_rescued_beside_it(
    name: str, change: Callable[[Path], None], then: str, opened: Opener, tmp_path: Path
) -> None:
    table = opened(name)
    growing = tmp_path / ("table.parquet.jsonl" if name == "parquet" else f"table.{name}")
    table.add(rows(0, 2, 1))
    change(growing)
    runs = [0, 1, 2, 3] if then == "more rows" else [0, 1, 2]
    with pytest.raises(TableGoneError) as caught:
        table.add(rows(3)) if then == "more rows" else table.finish()
    rescued = growing.with_name(f"{growing.stem}.rescued{growing.suffix}")
    assert str(caught.value).endswith(f"its {len(runs)} rows are in {rescued}; rename that to resume")
    table.close()
    if change in (replaced, renamed_over):
        assert growing.read_text() == "mine"
    else:
        assert growing.exists() == (change is piped)
    growing.unlink(missing_ok=True)
    rescued.rename(growing)
    again = opened(name)
    assert [run for run, done in enumerate(again.done) if done] == runs


@pytest.mark.parametrize("name", LINES)
def test_that_a_file_into_which_another_program_wrote_is_told(name: str, opened: Opener, tmp_path: Path) -> None:
    table = opened(name)
    table.add(rows(0, 1))
    with (tmp_path / f"table.{name}").open("ab") as file:
        file.write(b"x\n")
    with pytest.raises(TableGoneError, match="was changed by another program while the sweep wrote it"):
        table.add(rows(2))


@pytest.mark.skipif(os.name != "posix", reason="an open file cannot be removed on Windows")
def test_that_a_table_without_a_row_removes_no_file_that_took_its_place(opened: Opener, tmp_path: Path) -> None:
    table = opened("csv")
    replaced(tmp_path / "table.csv")
    table.close()
    assert (tmp_path / "table.csv").read_text() == "mine"


@pytest.mark.skipif(os.name != "posix", reason="an open file cannot be removed on Windows")
def test_that_rows_which_cannot_be_rescued_are_said_to_be_lost(
    opened: Opener, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "folder").mkdir()
    table = FORMATS["csv"].writer("table")(tmp_path / "folder" / "table.csv", SWEEP)
    table.add(rows(0, 1))
    shutil.rmtree(tmp_path / "folder")
    with pytest.raises(TableGoneError, match="and its rows are lost: No such file or directory"):
        table.finish()
    table.close()


@pytest.mark.parametrize("text", ["=1+1", "+cmd|' /C calc'!A0", "-2+3", "@SUM(A1)", "'=1", "\t=1", "-", "''-x", "--1"])
def test_that_no_cell_of_a_csv_is_a_formula_and_its_text_comes_back(text: str, opened: Opener, tmp_path: Path) -> None:
    written(opened, "csv", [0])
    table = opened("csv")
    table.add([rows(1)[0] | {"failure": text}])
    table.finish()
    table.close()
    with (tmp_path / "table.csv").open(encoding="utf-8", newline="") as file:
        cells = [cell for row in csv.reader(file) for cell in row]
    assert f"'{text}" in cells
    assert not [cell for cell in cells if cell[:1] in "=+-@\t\r" and cell and not _is_number(cell)]
    again = opened("csv")
    assert [row["failure"] for row in again.in_order()] == ["", text]


@pytest.mark.parametrize("number", [-1.5, -1e-300, -math.inf, -3])
def test_that_negative_numbers_stay_numbers_in_a_csv(number: float, opened: Opener, tmp_path: Path) -> None:
    table = opened("csv")
    table.add([rows(0)[0] | {"entropy": number}])
    with (tmp_path / "table.csv").open(encoding="utf-8", newline="") as file:
        assert float(next(csv.DictReader(file))["entropy"]) == number


def _is_number(cell: str) -> bool:
    try:
        float(cell)
    except ValueError:
        return False
    return True
