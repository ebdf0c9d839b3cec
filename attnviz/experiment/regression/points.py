"""Training points: those of Zhang et al., of a spec or of a text file, and edits by hand."""

import codecs
import contextlib
import csv
import io
import json
import math
import re
from collections.abc import Iterator
from functools import cache
from itertools import islice
from pathlib import Path

import numpy as np

from attnviz.definitions.text import CodedError, Refused, Text
from attnviz.experiment.arrays import Vector, read_only
from attnviz.experiment.files.plain_files import DataFileError, open_plain
from attnviz.experiment.regression.data import FARTHEST, MAX_POINTS, BookData, FileData, PointsData
from attnviz.folders import resource

MOST_BYTES = 8 << 20
"""The limit of a file in bytes, and of a text in characters."""

_UTF_16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_NO_TEXT = re.compile(r"[\0-\b\x0e-\x1a\x7f-\x9f]")
"""Matches a control character, which no table has."""
_SEPARATOR_LINE = re.compile(r'\s*"?sep=(?:.|\\t)"?\s*', re.IGNORECASE)
"""Matches a first line for spreadsheets that names the separator of columns."""
_NO_NUMBER = re.compile(r"|-+|na|n/a|#n/a|nan|null|none|\?", re.IGNORECASE)
"""Matches a cell for a missing number."""
_IN_THOUSANDS = re.compile(r"[+-]?\d{1,3}(?:([,.' \u00a0\u202f])\d{3})+(?:[,.]\d+)?")
_MOST_SAID = 60
_BYTE_ORDER_MARK = "\ufeff"
_SKIPPED = re.compile(r'\s*+#|(?:[\s,;]|"")*+\Z')  # an empty row of a spreadsheet counts as a blank line
_QUOTED = re.compile(r'"[^"]*"')
_WIDE_GAP = re.compile(r"[^ ,]  +[^ ,]")
"""Two or more spaces without a comma beside them separate columns, so that commas must be decimal ones."""


class PointsError(CodedError, DataFileError):
    """A text does not hold points."""


def read_points(path: str) -> tuple[Vector, Vector]:
    """Return the two columns of a text file in UTF-8, x (K,) and y (K,), as `points_of_text` does.

    Raises:
        PointsError: the file cannot be read, or does not hold points; the message names the file and the line.
    """
    if not path:
        raise PointsError("no_file", "choose a CSV file with two columns, x and y")
    try:
        with open_plain(Path(path)) as file:
            content = file.read(MOST_BYTES + 1) or b""  # empty if the system would wait for more
        if len(content) > MOST_BYTES:
            raise _too_large(path)
    except OSError as error:
        raise PointsError(
            "unreadable", "{path} cannot be read: {why}", path=path, why=error.strerror or error
        ) from error
    return points_of_text(_decoded(content, path), path)


def _decoded(content: bytes, path: str) -> str:
    """Return the text of a file in UTF-8, UTF-16 or Latin-1, which a table uses at most for a name.

    Raises:
        PointsError: it is no text.
    """
    encodings = ["utf-16"] if content.startswith(_UTF_16) else ["utf-8", "latin-1"]
    if b"\0" in content[1:2]:
        encodings = ["utf-16-le"]  # the name in spreadsheets: without a byte order mark
    for encoding in encodings:
        with contextlib.suppress(UnicodeDecodeError):
            text = content.decode(encoding)
            if not _NO_TEXT.search(text):
                return text
    raise PointsError("unreadable", "{path} is not a CSV text file; nearest: a table saved as CSV UTF-8", path=path)


def points_of_text(text: str, named: Text | str = "") -> tuple[Vector, Vector]:
    """Return the two columns of a text, x (K,) and y (K,), in its order, read-only.

    ``named`` is the name of the text in messages.

    Raises:
        PointsError: the text is too long, holds no points or too many, or a line of it is not two finite numbers of at
            most `FARTHEST` in size; the message names the first such line.
    """
    if len(text) > MOST_BYTES:
        raise _too_large(named)
    # One more than allowed shows that there are too many, and bounds the work on a text of invalid lines.
    rows = list(islice(_rows(text), MAX_POINTS + 1))
    points = [_point(line) for _, line in rows]
    if None in points:
        first = points.index(None)
        raise _bad_row(named, *rows[first], points.count(None) - 1, is_all=len(rows) <= MAX_POINTS)
    if not points:
        raise PointsError("no_points", "{text} holds no points", text=_name(named))
    if len(points) > MAX_POINTS:
        raise PointsError("too_many_points", "{text} holds more than {most} points", text=_name(named), most=MAX_POINTS)
    x, y = np.array(points, dtype=np.float64).T
    return read_only(x.copy()), read_only(y.copy())


def _rows(text: str) -> Iterator[tuple[int, str]]:
    """Yield every line that should be a point, after its number, counted from 1."""
    may_be_header = True
    for number, raw in enumerate(io.StringIO(text.removeprefix(_BYTE_ORDER_MARK), newline=None), 1):
        if _SKIPPED.match(raw) or (number == 1 and _SEPARATOR_LINE.fullmatch(raw)):
            continue
        line = raw.strip(" \n")  # but no tabs: a tab at an end is followed by an empty cell
        is_header = may_be_header and all(cell.strip()[:1].isalpha() for cell in _cells(line))
        may_be_header = False
        if not is_header:
            yield number, line


def _point(line: str) -> tuple[float, float] | None:
    try:
        x, y = map(_number, _cells(line))
    except ValueError:
        return None
    return (x, y) if abs(x) <= FARTHEST and abs(y) <= FARTHEST else None


def _number(cell: str) -> float:
    if "_" in cell:  # 1_000 is a number only in Python
        raise ValueError
    return float(cell)


def _cells(line: str) -> list[str]:
    """Return the cells of a line, with decimal points; a line whose quotes do not match is one cell."""
    separator = _separator(line)
    if separator != ",":
        line = line.replace(",", ".")
    if separator == " ":
        line = re.sub("  +", " ", line)
    try:
        (cells,) = csv.reader([line], delimiter=separator, skipinitialspace=separator != " ", strict=True)
    except csv.Error:
        return [line]
    return cells


def _separator(line: str) -> str:
    bare = _QUOTED.sub("0", line)
    for mark in "\t;":
        if mark in bare:
            return mark
    return "," if "," in bare and not _WIDE_GAP.search(bare) else " "


def _too_large(named: Text | str) -> PointsError:
    values = {"text": _name(named), "limit": MOST_BYTES >> 20, "points": MAX_POINTS, "most": MOST_BYTES}
    return PointsError("too_large", "{text} is larger than {limit} MiB, which {points} points never are", **values)


def _bad_row(named: Text | str, number: int, line: str, more: int, *, is_all: bool) -> PointsError:
    start = line[:_MOST_SAID].replace("\t", " ")
    line_start = "".join(sign if sign.isprintable() else "\ufffd" for sign in start)  # a NUL would end the message
    count: dict[str, int] = {"count": more}
    if is_all:
        others = Text("; nor are {count} more", count, one="; nor is 1 more") if more else Text()
    else:
        others = Text("; nor are at least {count} more", count, one="; nor is at least 1 more") if more else Text()
    values = {"line": number, "said": line_start, "others": others, "more": more, "remedy": _remedy(line)}
    if named:
        sentence = "{text}, line {line}: '{said}' is not two finite numbers{others}{remedy}"
        return PointsError("bad_row", sentence, text=named, **values)
    return PointsError("bad_row", "line {line}: '{said}' is not two finite numbers{others}{remedy}", **values)


def _remedy(line: str) -> Text:
    """Return the remedy for a line that is not a point; empty if there is none."""
    cells = [cell.strip() for cell in _cells(line)]
    missing = next((cell for cell in cells if _NO_NUMBER.fullmatch(cell)), None)
    if missing and len(cells) == 2:
        return Text("; '{cell}' is a missing number; nearest: without this line", {"cell": missing})
    grouped = next((match for cell in _columns(line) if (match := _IN_THOUSANDS.fullmatch(cell[:_MOST_SAID]))), None)
    if grouped is not None:
        plain = grouped[0].replace(grouped[1], "").replace(",", ".")
        return Text("; '{cell}' has thousands separators; nearest: {nearest}", {"cell": grouped[0], "nearest": plain})
    if len(cells) > 2:
        return Text("; it has {count} columns, and points have two: remove the others", {"count": len(cells)})
    return Text()


def _columns(line: str) -> list[str]:
    """Return the cells of a line unchanged, quoted or not."""
    separator = _separator(line)
    parts = _QUOTED.findall(line) if _QUOTED.search(line) else line.split(separator)
    return [part.strip('" ') for part in parts]


def _name(named: Text | str) -> Text | str:
    return named or Text("the text")


def moved(x: Vector, y: Vector, index: int, to_x: float, to_y: float) -> tuple[Vector, Vector, int]:
    """Return the points with one of them moved, and its new index.

    Among others of the same x it stays on the side that it comes from.

    Raises:
        ValueError: it would be too far away; the message names the nearest valid value.
        IndexError: there is no such point.
    """
    _check_near(to_x, to_y)
    new_x, new_y = np.array(x, np.float64), np.array(y, np.float64)
    new_x[index], new_y[index] = to_x, to_y
    return _sorted(new_x, new_y, index % len(new_x))


def added(x: Vector, y: Vector, new_x: float, new_y: float) -> tuple[Vector, Vector, int]:
    """Return the points with one more, and its index, after others of the same x.

    Raises:
        ValueError: it would be too far away (the message names the nearest valid value) or be one too many.
    """
    _check_near(new_x, new_y)
    if len(x) >= MAX_POINTS:
        raise Refused("there are {count} points already; at most {most} are possible", count=len(x), most=MAX_POINTS)
    return _sorted(np.append(x, new_x), np.append(y, new_y), len(x))


def removed(x: Vector, y: Vector, index: int) -> tuple[Vector, Vector]:
    """Return the points without one of them.

    Raises:
        ValueError: it is the only point.
        IndexError: there is no such point.
    """
    if len(x) == 1:
        raise Refused("the only point cannot be removed; at least 1 is needed")
    new_x, new_y, _ = _sorted(np.delete(x, index), np.delete(y, index), 0)
    return new_x, new_y


def _sorted(x: Vector, y: Vector, index: int) -> tuple[Vector, Vector, int]:
    """Return the points sorted by x, and the new index of the one at ``index``."""
    order = np.argsort(x, kind="stable")
    return x[order], y[order], int(np.flatnonzero(order == index)[0])


def _check_near(x: float, y: float) -> None:
    for name, value in (("x", x), ("y", y)):
        if not abs(value) <= FARTHEST:
            nearest = 0.0 if math.isnan(value) else math.copysign(FARTHEST, value)
            values = {"name": name, "value": value, "most": FARTHEST, "nearest": nearest}
            raise Refused(
                "{name} {value:g} must be a finite number, at most {most:g} in size; nearest: {nearest:g}", **values
            )


def written_points(data: BookData | FileData | PointsData) -> tuple[Vector, Vector]:
    """Return x and y, (K,) each, sorted by x, the order of the weights' columns.

    Raises:
        PointsError: the file cannot be read, or holds no points.
    """
    match data:
        case BookData():
            x, y = book_points()
        case FileData(path=path):
            x, y = read_points(path)
        case PointsData(x=xs, y=ys):
            x, y = np.array(xs, dtype=np.float64), np.array(ys, dtype=np.float64)
    order = np.argsort(x, kind="stable")
    return x[order], y[order]


@cache
def book_points() -> tuple[Vector, Vector]:
    """Return the x and y of Zhang et al., (50,) each, read-only."""
    document = json.loads(resource("data/kernel_regression_book.json").read_text(encoding="utf-8"))
    return read_only(np.array(document["x_train"])), read_only(np.array(document["y_train"]))
