"""Lengths of the documents packed into one sequence, each attending only to itself (a block mask)."""

import re
from typing import Any

from attnviz.definitions.sentences import said
from attnviz.experiment.limits import MAX_SIZE
from attnviz.experiment.problems import problem

DocumentLens = tuple[int, ...] | None
"""Lengths in order; the positions after them are one more document. None is no block mask."""


def parse(raw: Any) -> DocumentLens:
    """Return lengths from a file or editor; raises a custom pydantic error if the value is not a list of lengths."""
    if raw is None or (isinstance(raw, str) and not raw.strip()):
        return None
    lengths = re.split(r"[,\s]+", raw.strip(", \t\r\n")) if isinstance(raw, str) else raw
    if isinstance(lengths, (list, tuple)) and lengths:
        whole = tuple(_whole(length) for length in lengths[: MAX_SIZE + 1])
        if min(whole) >= 1:
            _check_sizes(whole)
            return whole
    raise problem(
        "document_lens",
        "document_lens_form",
        "document_lens must be null or whole numbers above 0, such as 4, 3, 3, not {said}",
        said=said(raw),
    )


def _check_sizes(lengths: tuple[int, ...]) -> None:
    for what, size in (("length", max(lengths)), ("count", len(lengths))):
        if size > MAX_SIZE:
            raise problem(
                "document_lens",
                "document_lens_range",
                "document_lens has a {what} of {size}, which must be at most {most}; nearest: {most}",
                what=what,
                size=said(size),
                most=MAX_SIZE,
            )


def _whole(length: Any) -> int:
    """Return a length as a number; 0, which is not a legal length, for anything but a whole number."""
    if isinstance(length, str) and re.fullmatch(r"\d{1,9}", length):
        return int(length)
    return length if isinstance(length, int) and not isinstance(length, bool) else 0
