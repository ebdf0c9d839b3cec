"""The values in a file: lines, columns of CSV tables and fields of JSON lines."""

import csv
import json
import os
import sys
import tracemalloc
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from attnviz.experiment.labs import Spec, SpecError, make_spec
from attnviz.experiment.sweeps import files
from attnviz.experiment.sweeps.crossing import read_crossing
from attnviz.experiment.sweeps.files import ValueFile

TEXTS = make_spec({"lab": "model"})
NUMBERS = make_spec({})
_ALPHABET = st.characters(codec="utf-8", exclude_characters="\0")


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def read(over: str, spec: Spec = TEXTS) -> list[Any]:
    return list(read_crossing(spec, [over]).overs[0].values)


def refusal(over: str, spec: Spec = TEXTS) -> str:
    with pytest.raises(SpecError) as caught:
        read(over, spec)
    return str(caught.value)


@given(st.lists(st.text(_ALPHABET, min_size=1), min_size=1, max_size=5))
def test_that_any_text_is_read_back_from_a_column_and_from_a_field(texts: list[str]) -> None:
    with Path("t.csv").open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([["id", "text"], *enumerate(texts)])
    lines = [json.dumps({"id": number, "text": text}) for number, text in enumerate(texts)]
    Path("t.jsonl").write_text("\n".join(lines), encoding="utf-8")
    for name in ("t.csv:text", "t.jsonl:text"):
        assert [value for _, value in ValueFile.of(name).values()] == texts


@pytest.mark.parametrize(
    ("content", "column", "expected"),
    [
        ('\ufeffid,text\n1,"two, \nlines"\n2,b\n', "text", ["two, \nlines", "b"]),
        ("\ufefftext,id\na,1\n", "text", ["a"]),
        ("id;text\n1;a, b\n", "text", ["a, b"]),
        ("id\ttext\r\n1\ta\r\n", "text", ["a"]),
        ("id, text \r1,a\r2,b\r", "text", ["a", "b"]),
        ("id,my:text\n1,a\n", "my:text", ["a"]),
        ("id,text\n1,a\n\n2,\n", "text", ["a", ""]),
    ],
    ids=["quoted", "byte order mark", "semicolons", "tabs", "carriage returns", "a colon", "an empty cell"],
)
def test_that_tables_of_every_kind_are_read(content: str, column: str, expected: list[str]) -> None:
    Path("a:b.CSV" if os.name != "nt" else "b.CSV").write_bytes(content.encode())
    assert read(f"text=@{'a:b.CSV' if os.name != 'nt' else 'b.CSV'}:{column}") == expected


def test_that_the_path_ends_where_there_is_a_file() -> None:
    assert ValueFile.of(r"C:\x.csv:text") == ValueFile(Path(r"C:\x.csv"), "text")
    assert ValueFile.of("x.csv") == ValueFile(Path("x.csv"))
    Path("a.csv:b.jsonl").write_text('{"c": "of the field"}')
    assert read("text=@a.csv:b.jsonl:c") == ["of the field"]
    Path("a.csv:b.jsonl:c").write_text("of the line\n")
    assert read("text=@a.csv:b.jsonl:c") == ["of the line"]


def test_that_a_column_gives_any_field_values_of_its_kind() -> None:
    Path("t.csv").write_text("h,causal,window\n1,true,none\n2,FALSE,3\n")
    Path("t.jsonl").write_text('{"h": 1, "w": null, "c": true}\n{"h": "2", "w": 3, "c": false}\n')
    assert read("num_heads=@t.csv:h", NUMBERS) == read("num_heads=@t.jsonl:h", NUMBERS) == [1, 2]
    assert read("window=@t.csv:window", NUMBERS) == read("window=@t.jsonl:w", NUMBERS) == [None, 3]
    assert read("causal=@t.csv:causal", NUMBERS) == read("causal=@t.jsonl:c", NUMBERS) == [True, False]


CSV_TEXT, JSON_TEXT = "text=@t.csv:text", "text=@t.jsonl:text"


@pytest.mark.parametrize(
    ("over", "content", "said"),
    [
        ("text=@t.csv:txet", "id,text\n1,a\n", "there is no 'txet' among id, text; nearest: text"),
        (CSV_TEXT, "", "its first row has no names of columns"),
        (CSV_TEXT, "text\n", "it has no line with a value"),
        (CSV_TEXT, "text,text\na,b\n", "2 columns are named 'text'"),
        (CSV_TEXT, 'id,text\n1,"a\nb"\n2,b,c\n', "line 4 has 3 cells, and the header has 2"),
        (CSV_TEXT, 'id,text\n1,a\n2,"b\n', "line 3 is not CSV: unexpected end of data"),
        (CSV_TEXT, "id,text\n1,\udcff\n", "line 2 is not UTF-8 text"),
        (JSON_TEXT, '{"text": "a"}\n\n{"tex": 1}\n', "line 3: there is no 'text' among tex; nearest: tex"),
        (JSON_TEXT, '{"text": "a"}\n{"text": "b"\n', "line 2 is not a JSON object"),
        (JSON_TEXT, '{"text": "a"}\n["b"]\n', "line 2 is not a JSON object"),
        (JSON_TEXT, '{"text": 5}\n', 'line 1: text: value 5 must be a text; nearest: "5"'),
        (JSON_TEXT, '{"text": null}\n', 'line 1: text: value null must be a text; nearest: ""'),
        (JSON_TEXT, '{"text": {}}\n', "line 1: field 'text' must be a text, a number, true or false, not {}"),
        (JSON_TEXT, "[" * 100_000, "line 1 is not a JSON object"),
        (JSON_TEXT, '{"text": ' + "9" * 9999 + "}", "line 1 is not a JSON object"),
        ("text=@t.jsonl", '{"id": 1, "text": "a"}', "the fields id, text, and none is named; nearest: @t.jsonl:text"),
        ("text=@u.csv:text", "", "it cannot be read: No such file"),
    ],
)
def test_that_a_broken_file_is_reported_with_its_line_and_the_nearest_column(
    over: str, content: str, said: str
) -> None:
    Path("t.csv" if ".csv" in over else "t.jsonl").write_bytes(content.encode(errors="surrogateescape"))
    assert said in refusal(over)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ('{"h": 1}\n{"h": true}\n', "line 2: num_heads: value true must be a whole number"),
        ('{"h": 1}\n{"h": 2.5}\n', "line 2: num_heads: value 2.5 must be a whole number; nearest: 2"),
        ('{"h": "x"}\n', "line 1: num_heads: value 'x' must be a whole number"),
        ('{"h": 1e999}\n', "line 1: num_heads: value 'Infinity' must be a finite number"),
    ],
)
def test_that_a_value_of_another_kind_is_reported_with_its_line(content: str, said: str) -> None:
    Path("t.jsonl").write_text(content)
    assert said in refusal("num_heads=@t.jsonl:h", NUMBERS)


@pytest.mark.skipif(sys.platform == "win32", reason="there are no pipes in folders")
@pytest.mark.timeout(20)
def test_that_a_pipe_or_a_folder_is_not_waited_for() -> None:
    os.mkfifo("t.csv")
    Path("t.jsonl").mkdir()
    for over in (CSV_TEXT, JSON_TEXT):
        assert "not a plain file" in refusal(over)


def test_that_an_open_quotation_mark_does_not_read_the_whole_file(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "_LONGEST_ROW", 10_000)
    Path("t.csv").write_text('id,text\n1,a\n2,"b\n' + "3,c\n" * 100_000)
    assert "the row that begins at line 3 is larger" in refusal(CSV_TEXT)
    Path("t.jsonl").write_text('{"text": "' + "a" * 10_000)
    assert "line 1 is longer" in refusal(JSON_TEXT)


def test_that_a_large_table_takes_the_memory_of_its_column(monkeypatch: pytest.MonkeyPatch) -> None:
    Path("t.csv").write_text("text,other\n" + f"ab,{'x' * 9000}\n" * 4000)  # 36 MB, of which 8 kB are wanted
    tracemalloc.start()
    try:
        assert len(ValueFile.of("t.csv:text").values()) == 4000
        assert tracemalloc.get_traced_memory()[1] < 4 << 20
    finally:
        tracemalloc.stop()
    monkeypatch.setattr(files, "MOST_BYTES", 4000)
    assert "the values before line 2002 are 2000" in refusal(CSV_TEXT)
