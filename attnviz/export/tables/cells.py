"""Texts in the cells of a CSV file, escaped so that no spreadsheet runs them as a formula."""

import re

_FORMULA = re.compile(r"'*[=+\-@\t\r]")
_NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?|-inf")


def cell_text(text: str) -> str:
    """Return a text as a cell, with an apostrophe before anything but a number that a spreadsheet would run."""
    return f"'{text}" if _FORMULA.match(text) and not _NUMBER.fullmatch(text) else text


def text_of_cell(cell: str) -> str:
    """Return the text that a cell was written from."""
    return cell[1:] if cell.startswith("'") and _FORMULA.match(cell) else cell
