import os
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from attnviz.experiment.regression.data import FARTHEST, MAX_POINTS
from attnviz.experiment.regression.points import MOST_BYTES, PointsError, points_of_text, read_points

NUMBERS = st.floats(-FARTHEST, FARTHEST)
POINTS = st.lists(st.tuples(NUMBERS, NUMBERS), min_size=1, max_size=20)
SPACE = st.text(" ", max_size=3)
WRITTEN = [(",", "."), ("\t", "."), (";", "."), (" ", "."), ("   ", "."), ("\t", ","), (";", ","), ("  ", ",")]
# Every sign that means something to the reader, and some that must not.
SIGNS = '0123456789.,;\t "\n\r#-+eEnaif_x\0\ud800\ufeff\u2028１é'


def read(text: str) -> list[tuple[float, float]]:
    x, y = points_of_text(text)
    assert x.shape == y.shape
    assert (x.dtype, y.dtype) == (np.float64, np.float64)
    return list(zip(x.tolist(), y.tolist(), strict=True))


def refused(text: str, named: str = "") -> PointsError:
    with pytest.raises(PointsError) as caught:
        points_of_text(text, named)
    assert str(caught.value).isprintable()
    assert len(str(caught.value)) < 170
    return caught.value


@pytest.mark.parametrize(
    "text",
    [
        "1.5,2\n-3,4.25\n",
        "1.5,2\r\n-3,4.25\r\n",
        "1.5,2\r-3,4.25",
        "1.5\t2\n-3\t4.25\n",
        "1,5\t2\n-3\t4,25\n",
        "1.5;2\n-3;4.25",
        "1,5;2\n-3 ; 4,25",
        "1.5 2\n  -3 4.25  ",
        "1,5   2\n-3      4,25",
        "1.5 , 2\n-3,     4.25",
        '"1.5","2"\n"-3", "4.25"',
        '"1,5";"2"\n-3;"4,25"',
        '"1,5" "2"\n"-3"   "4,25"',
        '"1,5"   2,0\n"-3"   4,25',
        '" x "," y "\n1.5,2\n-3,4.25',
        '"1,5"\t2\n" -3 "\t4,25',
        "\ufeff1.5,2\n-3,4.25",
        "\ufeffx,y\n1.5,2\n-3,4.25",
        '"x, in cm";"y"\n1,5;2\n-3;4,25',
        '"x; in cm","y"\n1.5,2\n-3,4.25',
        "time (s)\tΔ\n1,5\t2\n-3\t4,25",
        "# of 1,2\n\n  # too\nx,y\n#\n1.5,2\n\n-3,4.25\n # end",
        '1.5,2\n   \n,\n\t\n;;\n"",""\n-3,4.25\n\n',
        "+15e-1,2.\n-3e0,4.25",
        "1.5;2\n-3\t4,25",
    ],
    ids=ascii,
)
def test_that_two_columns_are_read_however_they_are_written(text: str) -> None:
    assert read(text) == [(1.5, 2), (-3, 4.25)]


def test_that_every_line_has_its_own_separator_the_tab_before_the_semicolon_before_the_comma_before_spaces() -> None:
    assert read("1,5;2\n1,5\n1,5\t2\n3 4\n1 , 5") == [(1.5, 2), (1, 5), (1.5, 2), (3, 4), (1, 5)]


def test_that_points_stay_in_the_order_of_the_text_and_nobody_can_change_them() -> None:
    x, y = points_of_text("3,1\n1,2\n3,0\n2,3")
    assert (x.tolist(), y.tolist()) == ([3, 1, 3, 2], [1, 2, 0, 3])
    for column in (x, y):
        with pytest.raises(ValueError, match="read-only"):
            column[0] = 7
        assert column.base is None


@pytest.mark.parametrize(("separator", "decimal"), WRITTEN, ids=repr)
@given(points=POINTS, data=st.data())
def test_that_written_points_are_read_back_bit_for_bit(
    separator: str, decimal: str, points: list[tuple[float, float]], data: st.DataObject
) -> None:
    lines = [separator.join(repr(number).replace(".", decimal) for number in point) for point in points]
    x, y = points_of_text("".join(f"{data.draw(SPACE)}{line}{data.draw(SPACE)}\n" for line in lines))
    assert np.stack((x, y), axis=1).tobytes() == np.array(points).tobytes()


@given(st.text(st.characters()) | st.text(SIGNS) | st.lists(st.text(SIGNS, max_size=8)).map("\n".join))
def test_that_any_text_at_all_is_points_or_is_refused_with_a_sentence(text: str) -> None:
    try:
        x, y = points_of_text(text)
    except PointsError:
        assert refused(text).code in {"bad_row", "no_points"}
    else:
        assert 0 < len(x) == len(y) <= text.count("\n") + text.count("\r") + 1
        assert (np.abs([x, y]) <= FARTHEST).all()


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        ("x,y\n1,2\na,b\n", 3, "a,b"),
        ("1,2\r\n\r\n# no\r\n5\r\n", 4, "5"),
        ("1,2\r3", 2, "3"),
        ("1,nan", 1, "1,nan"),
        ("1,2\ninf,2", 2, "inf,2"),
        ("1,1e999", 1, "1,1e999"),
        ("1,1.1e100", 1, "1,1.1e100"),
        ("1,2,3", 1, "1,2,3"),
        ("1,2,", 1, "1,2,"),
        (",1,2", 1, ",1,2"),
        ("1\t2\t", 1, "1 2 "),
        ("\t1\t2", 1, " 1 2"),
        ("1,,2", 1, "1,,2"),
        ("1;;2", 1, "1;;2"),
        ("1;\t2", 1, "1; 2"),
        ("1 2 3", 1, "1 2 3"),
        ("1,5 2,5", 1, "1,5 2,5"),
        ("1.000,5;2", 1, "1.000,5;2"),
        ("1 000;2", 1, "1 000;2"),
        ('"1,5","2,5"', 1, '"1,5","2,5"'),
        ("1_000,2", 1, "1_000,2"),
        ('1,2\n"3,4', 2, '"3,4'),
        ('1,2\n"', 2, '"'),
        ('"1"5,2', 1, '"1"5,2'),
        ('"1,2"', 1, '"1,2"'),
        ("x,y\na,b", 2, "a,b"),
        ("1,2\nx,y", 2, "x,y"),
        ("x,1\n2,3", 1, "x,1"),
        ("x,y,\n2,3", 1, "x,y,"),
        ("1,\0", 1, "1,\ufffd"),
        ("\ud800,1", 1, "\ufffd,1"),
        ("1,2\x853,4", 1, "1,2\ufffd3,4"),
        ("0x1,2", 1, "0x1,2"),
    ],
    ids=ascii,
)
def test_that_a_line_which_is_not_two_finite_numbers_is_named_and_quoted(text: str, line: int, said: str) -> None:
    error = refused(text)
    begin = f"line {line}: '{said}' is not two finite numbers"
    assert str(error).startswith(begin)
    remedy = str(error).removeprefix(begin)
    assert not remedy or any(words in remedy for words in ("columns", "missing number", "thousands separators"))
    assert (error.code, error.numbers["line"], error.numbers["more"]) == ("bad_row", line, 0)
    assert str(refused(text, "Clipboard")) == f"Clipboard, {error}"


def test_that_a_long_line_is_quoted_up_to_60_characters() -> None:
    assert str(refused("1,2\n1," + "a" * 100)) == f"line 2: '1,{'a' * 58}' is not two finite numbers"


@pytest.mark.parametrize(
    ("bad", "ending"),
    [(1, "numbers"), (2, "numbers; nor is 1 more"), (5, "numbers; nor are 4 more")],
)
def test_that_the_first_of_several_bad_lines_is_named_and_the_others_counted(bad: int, ending: str) -> None:
    error = refused("1,2\n" + "1,x\n\n3,4\n" * bad)
    assert str(error).startswith("line 2: '1,x'")
    assert str(error).endswith(ending)
    assert (error.numbers["line"], error.numbers["more"]) == (2, bad - 1)


def test_that_bad_lines_are_not_counted_for_ever() -> None:
    assert str(refused("1,x\n" * 1_000_000)).endswith(f"; nor are at least {MAX_POINTS} more")


@pytest.mark.parametrize("text", ["", "\n\n", "x,y\n", "\ufeff", "# 1,2", ",\n;\n\t", '""', "one line of words"])
def test_that_a_text_without_points_is_refused(text: str) -> None:
    assert (refused(text).code, str(refused(text))) == ("no_points", "the text holds no points")
    assert str(refused(text, "a.csv")) == "a.csv holds no points"


def test_that_as_many_points_as_allowed_are_read_besides_header_and_comments_and_one_more_is_refused() -> None:
    text = "# two columns\nx,y\n" + "1,2\n\n" * MAX_POINTS
    assert len(read(text)) == MAX_POINTS
    error = refused(text + "3,4\n")
    assert (error.code, str(error)) == ("too_many_points", f"the text holds more than {MAX_POINTS} points")


def test_that_a_text_may_be_as_long_as_the_limit_and_no_longer() -> None:
    text = "1,2\n#" + "x" * (MOST_BYTES - 5)
    assert read(text) == [(1, 2)]
    assert refused(text + "x").code == "too_large"
    assert str(refused(text + "x")) == f"the text is larger than 8 MiB, which {MAX_POINTS} points never are"


HOSTILE: dict[str, Callable[[int], str]] = {
    "long number": lambda size: "1," + "9" * (size // 8),
    "long exponent": lambda size: "1e" + "9" * (size // 8) + ",2",
    "many blanks": lambda size: "1" + " " * (size // 2) + ",2,3",
    "many numbers in a line": lambda size: "1 " * (size // 2),
    "quotes": lambda size: '"' * (size - 1),
    "quoted": lambda size: '"a",' * (size // 4),
    "blanks before commas": lambda size: "1  ," * (size // 4),
    "commas": lambda size: "," * (size - 2) + "1",
    "zeros": lambda size: "\0" * (size // 8),
    "empty lines": lambda size: "\n" * (size // 2),
    "remarks": lambda size: "#\n" * (size // 4),
    "blank lines": lambda size: ("\t" * 99 + "\n") * (size // 160),
}


@pytest.mark.parametrize("kind", HOSTILE)
def test_that_a_hostile_text_is_refused_in_a_few_seconds(kind: str, long: bool) -> None:
    text = HOSTILE[kind](MOST_BYTES if long else MOST_BYTES // 16)  # a time that grows by the square is hours in both
    start = time.process_time()
    refused(text)
    assert time.process_time() - start < 10


@pytest.fixture
def file(tmp_path: Path) -> Any:
    """Write bytes into a file and return its path."""

    def write(content: bytes) -> str:
        path = tmp_path / "mine.csv"
        path.write_bytes(content)
        return str(path)

    return write


def refused_file(path: str) -> PointsError:
    with pytest.raises(PointsError) as caught:
        read_points(path)
    return caught.value


@pytest.mark.parametrize("content", [b"\xef\xbb\xbfx,y\r\n1,2\r\n", b"1;2", "Höhe\tñ\r1\t2\r".encode()], ids=repr)
def test_that_a_file_is_read_as_its_text(file: Any, content: bytes) -> None:
    x, y = read_points(file(content))
    assert (x.tolist(), y.tolist()) == ([1], [2])


def test_that_a_bad_line_of_a_file_is_named_with_the_file(file: Any) -> None:
    path = file(b"x,y\n1,2\noops\n")
    assert str(refused_file(path)) == f"{path}, line 3: 'oops' is not two finite numbers"


@pytest.mark.parametrize("content", [b"\xff\xfex\0,", b"1,2\n\x89PNG", b"1,2\n\0\0"], ids=["utf-16", "png", "zeros"])
def test_that_a_file_which_is_no_text_is_refused_by_name(file: Any, content: bytes) -> None:
    path = file(content)
    assert refused_file(path).code == "unreadable"
    assert str(refused_file(path)) == f"{path} is not a CSV text file; nearest: a table saved as CSV UTF-8"


TABLE = "Größe;y\n1,5;2\n-3;4\n"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "latin-1", "utf-16", "utf-16-le"])
@pytest.mark.parametrize("first", ["", "sep=;\n", '"sep=;"\r\n'], ids=repr)
def test_that_a_table_of_a_spreadsheet_is_read_in_its_encoding(file: Any, encoding: str, first: str) -> None:
    x, y = read_points(file((first + TABLE).encode(encoding)))
    assert (x.tolist(), y.tolist()) == ([1.5, -3], [2, 4])


@pytest.mark.parametrize(
    ("text", "remedy"),
    [
        (",x,y\n0,1,2\n1,2,3\n", "it has 3 columns, and points have two: remove the others"),
        ("x,y\n1,NA\n2,3\n", "'NA' is a missing number; nearest: without this line"),
        ('x,y\n"1,234.5",2\n', "'1,234.5' has thousands separators; nearest: 1234.5"),
        ("x;y\n1.234.567,5;2\n", "'1.234.567,5' has thousands separators; nearest: 1234567.5"),
        ("x\ty\n1'234\t2\n", "'1'234' has thousands separators; nearest: 1234"),
    ],
)
def test_that_a_line_which_is_no_point_is_told_with_its_remedy(text: str, remedy: str) -> None:
    assert str(refused(text)).endswith(f"; {remedy}")


def test_that_no_path_at_all_asks_for_one() -> None:
    error = refused_file("")
    assert (error.code, str(error)) == ("no_file", "choose a CSV file with two columns, x and y")


@pytest.mark.parametrize("name", ["missing.csv", ".", "a\0b.csv", "\ud800.csv"], ids=ascii)
def test_that_a_path_which_leads_to_no_file_is_refused_by_name(name: str, tmp_path: Path) -> None:
    path = str(tmp_path / name)
    assert refused_file(path).code == "unreadable"
    assert str(refused_file(path)).startswith(f"{path} cannot be read: ")


def test_that_a_file_far_larger_than_its_points_could_be_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "endless.csv"
    with path.open("wb") as endless:
        endless.truncate(MOST_BYTES + 1)
    error = refused_file(str(path))
    assert (error.code, str(error)) == (
        "too_large",
        f"{path} is larger than 8 MiB, which {MAX_POINTS} points never are",
    )


@pytest.mark.skipif(os.name != "posix", reason="pipes of POSIX")
def test_that_a_pipe_is_refused_and_not_waited_for(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe.csv"
    os.mkfifo(pipe)
    codes: list[str] = []
    worker = threading.Thread(target=lambda: codes.append(refused_file(str(pipe)).code), daemon=True)
    worker.start()
    worker.join(5)
    assert codes == ["unreadable"]
