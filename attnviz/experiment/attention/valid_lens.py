"""Valid lengths, their adaptation to new sizes, and the lengths of documents that share a sequence."""

import random
import re
from typing import Any, TypeGuard

from attnviz.definitions.text import quoted
from attnviz.experiment.arrays import MAX_SIZE, MOST_ITEMS
from attnviz.experiment.fields.problems import Repair, problem

PerItem = tuple[int, ...]
PerQuery = tuple[tuple[int, ...], ...]
ValidLens = PerItem | PerQuery | None
"""One length per batch item; or one per batch item and query; or None: everything is valid."""


def is_per_query(valid_lens: ValidLens) -> TypeGuard[PerQuery]:
    """Return whether there is one length per query."""
    return bool(valid_lens) and isinstance(valid_lens[0], tuple)  # type: ignore[index]


def parse(raw: Any) -> ValidLens:
    """Return a value from a file or editor as `ValidLens`; raises a custom pydantic error if it is invalid."""
    if raw is None:
        return None
    if isinstance(raw, (list, tuple)) and raw:
        if len(raw) > MOST_ITEMS:
            raise problem(
                "valid_lens",
                "valid_lens_batch",
                "valid_lens has {rows} entries; a batch has at most {most}",
                rows=len(raw),
                most=MOST_ITEMS,
            )
        if all(_is_length(length) for length in raw):
            return tuple(raw)
        if all(isinstance(row, (list, tuple)) and row and all(map(_is_length, row)) for row in raw):
            return tuple(tuple(row) for row in raw)
    wrong, repaired = _repaired(raw)
    raise problem(
        "valid_lens",
        "valid_lens_form",
        "valid_lens must be null, a list of whole numbers (one per batch item) or a list of such lists "
        "(one per query), not {said}",
        "Valid length {wrong} must be a whole number",
        (Repair("valid_lens", repaired, "1"),) if repaired else (),
        said=quoted(raw),
        wrong=quoted(wrong),
    )


def check(valid_lens: ValidLens, batch_size: int, num_queries: int, num_kvpairs: int) -> None:
    """Raise a custom pydantic error if the lengths do not fit the sizes."""
    if valid_lens is None:
        return
    if len(valid_lens) != batch_size:
        raise problem(
            "valid_lens",
            "valid_lens_batch",
            "valid_lens has {rows} entries for a batch of {batch_size}; needed {batch_size}",
            rows=len(valid_lens),
            batch_size=batch_size,
        )
    if is_per_query(valid_lens):
        for row in valid_lens:
            if len(row) != num_queries:
                raise problem(
                    "valid_lens",
                    "valid_lens_queries",
                    "valid_lens has a row of {columns} lengths for {num_queries} queries; needed {num_queries}",
                    columns=len(row),
                    num_queries=num_queries,
                )
    for length in (length for row in valid_lens for length in (row if isinstance(row, tuple) else (row,))):
        if not 0 <= length <= num_kvpairs:
            nearest = min(max(length, 0), num_kvpairs)
            raise problem(
                "valid_lens",
                "valid_lens_range",
                "valid length {length} is not in 0..{num_kvpairs}, the number of keys; nearest: {nearest}",
                "Valid length {length} is not in 0..{num_kvpairs}, the number of keys; nearest: {nearest}",
                (Repair("valid_lens", _within(valid_lens, num_kvpairs), str(nearest)),),
                length=length,
                num_kvpairs=num_kvpairs,
                nearest=nearest,
            )


def conform(valid_lens: ValidLens, batch_size: int, num_queries: int, num_kvpairs: int) -> ValidLens:
    """Return the lengths for new sizes: rows and columns truncated or repeated from the last, limited to the keys."""
    if valid_lens is None:
        return None

    def follow(row: tuple[int, ...], count: int) -> tuple[int, ...]:
        kept = row[:count] + row[-1:] * (count - len(row))
        return tuple(min(length, num_kvpairs) for length in kept)

    if is_per_query(valid_lens):
        rows = valid_lens[:batch_size] + valid_lens[-1:] * (batch_size - len(valid_lens))
        return tuple(follow(row, num_queries) for row in rows)
    return follow(valid_lens, batch_size)  # type: ignore[arg-type]


def _within(valid_lens: PerItem | PerQuery, num_kvpairs: int) -> ValidLens:
    """Return the lengths clamped to the valid range."""
    if is_per_query(valid_lens):
        return tuple(tuple(min(max(length, 0), num_kvpairs) for length in row) for row in valid_lens)
    return tuple(min(max(length, 0), num_kvpairs) for length in valid_lens)  # type: ignore[return-value]


def _repaired(raw: Any) -> tuple[Any, ValidLens]:
    """Return the first value of a table that is no length, and the table with 1 instead of each such value."""
    if not isinstance(raw, tuple) or not all(isinstance(row, int | str | tuple) for row in raw):
        return raw, None
    cells = [cell for row in raw for cell in (row if isinstance(row, tuple) else (row,))]
    wrong = next((cell for cell in cells if not _is_length(cell)), raw)
    legal = [cell if _is_length(cell) else 1 for cell in cells]
    per_query = len(raw[0]) if raw and isinstance(raw[0], tuple) else None
    return wrong, _shaped(legal, len(raw), per_query)


def all_equal(length: int, batch_size: int, num_queries: int | None = None) -> ValidLens:
    """Return one length throughout, per query when ``num_queries`` is given."""
    return _shaped([length] * (batch_size * (num_queries or 1)), batch_size, num_queries)


def at_random(seed: int, num_kvpairs: int, batch_size: int, num_queries: int | None = None) -> ValidLens:
    """Return lengths drawn from 1..num_kvpairs, deterministic by seed."""
    draw = random.Random(seed)
    return _shaped(
        [draw.randint(1, num_kvpairs) for _ in range(batch_size * (num_queries or 1))], batch_size, num_queries
    )


def staircase(num_kvpairs: int, batch_size: int, num_queries: int | None = None) -> ValidLens:
    """Return 1, 2, 3, ... down the queries (or down the batch), never above the keys."""
    if num_queries is None:
        return tuple(min(item + 1, num_kvpairs) for item in range(batch_size))
    return tuple(tuple(min(query + 1, num_kvpairs) for query in range(num_queries)) for _ in range(batch_size))


def _is_length(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _shaped(lengths: list[int], batch_size: int, num_queries: int | None) -> ValidLens:
    if num_queries is None:
        return tuple(lengths)
    return tuple(tuple(lengths[item * num_queries : (item + 1) * num_queries]) for item in range(batch_size))


_MOST_SHOWN = 6

DocumentLens = tuple[int, ...] | None
"""Lengths in order; the positions after them are one more document. None is no block mask."""


def parse_documents(raw: Any) -> DocumentLens:
    """Return lengths from a file or editor; raises a custom pydantic error if the value is not a list of lengths."""
    if raw is None or (isinstance(raw, str) and not raw.strip()):
        return None
    lengths = re.split(r"[,\s]+", raw.strip(", \t\r\n")) if isinstance(raw, str) else raw
    whole: tuple[int, ...] = ()
    if isinstance(lengths, (list, tuple)) and lengths:
        whole = tuple(_whole_number(length) for length in lengths[: MAX_SIZE + 1])
        if min(whole) >= 1:
            _check_sizes(whole)
            return whole
    raise problem(
        "document_lens",
        "document_lens_form",
        "document_lens must be null or whole numbers above 0, such as 4, 3, 3, not {said}",
        "",
        _documents_of(whole),
        said=quoted(raw),
    )


def _check_sizes(lengths: tuple[int, ...]) -> None:
    for quantity, size in (("length", max(lengths)), ("count", len(lengths))):
        if size > MAX_SIZE:
            raise problem(
                "document_lens",
                "document_lens_range",
                "document_lens has a {what} of {size}, which must be at most {most}; nearest: {most}",
                "",
                _documents_of(lengths),
                what=quantity,
                size=quoted(size),
                most=MAX_SIZE,
            )


def _documents_of(lengths: tuple[int, ...]) -> tuple[Repair, ...]:
    """Return the list with only the valid lengths; empty if there is none."""
    legal = tuple(min(length, MAX_SIZE) for length in lengths[:MAX_SIZE] if length >= 1)
    listed = ", ".join(map(str, legal[:_MOST_SHOWN]))
    return (Repair("document_lens", legal, listed + ", ..." * (len(legal) > _MOST_SHOWN)),) if legal else ()


def _whole_number(length: Any) -> int:
    """Return a length as a number; 0, which is not a valid length, for anything but an integer."""
    if isinstance(length, str) and re.fullmatch(r"\d{1,9}", length):
        return int(length)
    return length if isinstance(length, int) and not isinstance(length, bool) else 0
