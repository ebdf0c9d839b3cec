"""The values in a file: the lines of a text file, a column of a CSV table, or a field of JSON lines.

A file is read row by row, and only the chosen column is kept; a broken row is reported with the number of its line.
"""

import csv
import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from io import BufferedReader
from pathlib import Path
from typing import Any

from attnviz.definitions.text import Text, closest, quoted
from attnviz.experiment.files.plain_files import is_there, open_plain
from attnviz.experiment.files.specs_in_files import saying, text_of, unreadable

_COLUMN = re.compile(r"\.(csv|tsv|jsonl|ndjson):", re.IGNORECASE)
"""Matches the end of the path of a table that is followed by the name of a column."""
_OBJECTS = (".jsonl", ".ndjson")
_DELIMITERS = (",", ";", "\t")
_LONGEST_ROW = 16 << 20
"""The limit of a row in bytes: an unclosed quotation mark would make one of the whole file."""
MOST_BYTES = 64 << 20
"""The limit of the values that are kept, in bytes."""
MOST_ROWS = 1_000_000
_SHOWN = 12
"""The most column names in a message."""

Rows = Iterator[tuple[int, Any]]
"""The values of a file, each with the number of its line, counted from 1."""


@dataclass(frozen=True, slots=True)
class ValueFile:
    """A file with values, as typed after ``@``."""

    path: Path
    column: str = ""
    """The name of a column of a table, or of a field of JSON lines; "": each line is a value."""

    @classmethod
    def of(cls, typed: str) -> "ValueFile":
        r"""Return the file of ``FILE``, ``FILE.csv:COLUMN`` or ``FILE.jsonl:FIELD``.

        A file with exactly the typed name is a file of lines. Otherwise the path ends at the first ``.csv:``,
        ``.tsv:``, ``.jsonl:`` or ``.ndjson:`` at which there is a file: ``C:\x.csv:text`` is the column "text" of
        ``C:\x.csv``.
        """
        splits = [cls(Path(typed[: each.end() - 1]), typed[each.end() :].strip()) for each in _COLUMN.finditer(typed)]
        if not splits or is_there(Path(typed)):
            return cls(Path(typed))
        return next((each for each in splits if is_there(each.path)), splits[0])

    @property
    def has_objects(self) -> bool:
        """Whether each line is a JSON object."""
        return self.path.suffix.lower() in _OBJECTS

    def values(self) -> list[tuple[int, Any]]:
        """Return its values with their lines: texts; of JSON lines also numbers, true, false and None.

        Empty lines are left out; an empty cell is an empty text.

        Raises:
            SpecError: it cannot be read, has no such column, or a row is broken; names the line and the nearest column.
        """
        path = str(self.path)
        try:
            with open_plain(self.path) as file:
                if self.column:
                    kept = self._kept(self._objects(file) if self.has_objects else self._cells(file))
                else:
                    kept = [line for line in enumerate(text_of(file, path).splitlines(), 1) if line[1].strip()]
        except OSError as error:
            raise unreadable(path, "it cannot be read: {why}", why=error.strerror or str(error)) from error
        if not kept:
            raise unreadable(path, "it has no line with a value")
        if not self.column and self.has_objects and isinstance(found := _object(kept[0][1]), dict):
            self._refuse("", found)
        return kept

    def columns(self) -> tuple[str, ...]:
        """Return the names of its columns; none in a file of lines, or in one that cannot be read."""
        try:
            with open_plain(self.path) as file:
                if self.has_objects:
                    found = _object(next((text for _, text in _lines(file) if text.strip()), ""))
                    return tuple(found) if isinstance(found, dict) else ()
                if self.path.suffix.lower() in (".csv", ".tsv"):
                    widest = max((_header(file, each) for each in _DELIMITERS), key=len)
                    return tuple(widest)
        except (OSError, ValueError):
            pass
        return ()

    def _kept(self, rows: Rows) -> list[tuple[int, Any]]:
        kept: list[tuple[int, Any]] = []
        size = 0
        for number, value in rows:
            size += len(value.encode(errors="replace")) if isinstance(value, str) else 8
            if size > MOST_BYTES or len(kept) == MOST_ROWS:
                template = "the values before line {line} are {count}, and no more than {most} MiB are read"
                if len(kept) == MOST_ROWS:
                    template = "it has more than {count} values; nearest: its lines before line {line}"
                raise unreadable("", template, line=number, count=len(kept), most=MOST_BYTES >> 20)
            kept.append((number, value))
        return kept

    def _objects(self, file: BufferedReader) -> Rows:
        for number, line in _lines(file):
            if not line.strip():
                continue
            row = _object(line)
            if not isinstance(row, dict):
                raise unreadable("", "line {line} is not a JSON object", line=number)
            if self.column not in row:
                with saying(Text("line {line}", {"line": number})):
                    self._refuse(self.column, row)
            value = row[self.column]
            if isinstance(value, list | dict):
                template = "line {line}: field {field} must be a text, a number, true or false, not {said}"
                raise unreadable("", template, line=number, field=quoted(self.column), said=quoted(value))
            yield number, value

    def _cells(self, file: BufferedReader) -> Rows:
        headers = {each: _header(file, each) for each in _DELIMITERS}
        delimiter = next((each for each, names in headers.items() if self.column in names), "")
        if not delimiter:
            widest = max(headers.values(), key=len)
            self._refuse(self.column, widest)
        header = headers[delimiter]
        if header.count(self.column) > 1:
            values = {"count": header.count(self.column), "column": quoted(self.column)}
            raise unreadable("", "{count} columns are named {column}; nearest: one of them", **values)
        at, rows = header.index(self.column), _parsed(file, delimiter)
        next(rows)
        for number, row in rows:
            if len(row) != len(header):
                values = {"line": number, "cells": len(row), "header": len(header)}
                raise unreadable("", "line {line} has {cells} cells, and the header has {header}", **values)
            yield number, row[at]

    def _refuse(self, column: str, there: Iterable[str]) -> None:
        """Raise the error of a column that does not exist; ``there`` are those that do."""
        names = [name[:40] for name in there]
        if not names:
            raise unreadable("", "its first row has no names of columns")
        listing = ", ".join(names[:_SHOWN]) + (", ..." if len(names) > _SHOWN else "")
        nearest = closest(column or "text", names, 0.0) or names[0]
        if not column:
            values = {"listing": listing, "nearest": f"@{self.path}:{nearest}"}
            raise unreadable("", "its lines have the fields {listing}, and none is named; nearest: {nearest}", **values)
        values = {"column": quoted(column), "listing": listing, "nearest": nearest}
        raise unreadable("", "there is no {column} among {listing}; nearest: {nearest}", **values)


def _object(line: str) -> Any:
    """Return the value of a line of JSON; None if it is broken."""
    try:
        return json.loads(line)
    except (ValueError, RecursionError):  # an integer of thousands of digits, lists in lists
        return None


def _lines(file: BufferedReader) -> Iterator[tuple[int, str]]:
    """Yield the lines of a file of UTF-8, from its beginning, with their line ends and numbers."""
    file.seek(0)
    number = 0
    while block := file.readline(_LONGEST_ROW + 1):
        if len(block) > _LONGEST_ROW:
            template = "line {line} is longer than {most} MiB"
            raise unreadable("", template, line=number + 1, most=_LONGEST_ROW >> 20)
        for line in block.splitlines(keepends=True):  # also at a carriage return alone
            number += 1
            try:
                yield number, line.decode("utf-8-sig" if number == 1 else "utf-8")
            except UnicodeDecodeError as error:
                raise unreadable("", "line {line} is not UTF-8 text", line=number) from error


def _parsed(file: BufferedReader, delimiter: str) -> Iterator[tuple[int, list[str]]]:
    """Yield the rows of a CSV file that are not empty, each with the number of its first line."""
    csv.field_size_limit(1 << 30)  # of the whole process; the limit of a row is below
    begin, now, size = 1, 0, 0

    def counted() -> Iterator[str]:
        nonlocal now, size
        for number, line in _lines(file):
            now, size = number, size + len(line)
            if size > _LONGEST_ROW:
                template = "the row that begins at line {line} is larger than {most} MiB: is a quotation mark open?"
                raise unreadable("", template, line=begin, most=_LONGEST_ROW >> 20)
            yield line

    reader = csv.reader(counted(), delimiter=delimiter, strict=True)
    while True:
        try:
            row = next(reader, None)
        except csv.Error as error:
            raise unreadable("", "line {line} is not CSV: {why}", line=begin, why=str(error)) from error
        if row is None:
            return
        if row:
            yield begin, row
        begin, size = now + 1, 0


def _header(file: BufferedReader, delimiter: str) -> list[str]:
    """Return the names in the first row of a CSV file."""
    _, names = next(_parsed(file, delimiter), (0, []))
    return [name.strip() for name in names]
