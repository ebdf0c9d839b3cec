"""Findings about a mask: its common mistakes, true over all of its cells, and the blocks that a kernel can skip.

Shape letters: B batch, h heads, Q queries, K keys. A mask is (1 or B, 1 or h, Q, K), True = may attend.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import reduce
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from attnviz.definitions.counting import Position
from attnviz.definitions.text import English, One, Text
from attnviz.experiment.attention.own_mask import Clause
from attnviz.experiment.layers.positions_text import positions_said

Allowed = NDArray[np.bool_]
Level = Literal["mistake", "hint", "fact"]
"""A mistake is wrong in almost every mask; a hint may be intended; a fact is neither."""

BLOCK_SIZES = (16, 32, 64, 128)
"""The sides of the square blocks of `Blocks`; 128 is the default of FlexAttention."""
_USUAL = 0.5
"""The share of rows with one number of keys from which on that number is usual."""


@dataclass(frozen=True, slots=True, eq=False)
class Finding:
    """One statement about a mask or a clause of it."""

    kind: str
    text: Text
    level: Level = "fact"
    clause: Clause | None = None
    """The clause it is about; None: the whole mask."""
    place: tuple[int, int, int] | None = None
    """An item, head and query where it holds, which a click selects; None for all of them."""


def findings(mask: Clause) -> tuple[Finding, ...]:
    """Return what there is to say about a mask, and then about each of its clauses, mistakes first."""
    found = [*_of_whole(mask.allowed)]
    for clause in mask.walk():
        for operand in clause.clauses:
            found += _of_clause(operand, clause)
    order = ("mistake", "hint", "fact")
    return tuple(sorted(found, key=lambda finding: order.index(finding.level)))


def _of_whole(allowed: Allowed) -> Iterator[Finding]:
    queries, keys = allowed.shape[-2:]
    counts = np.count_nonzero(allowed, axis=-1)
    if not counts.any():
        yield Finding("all_masked", Text("No query may attend to any key."), "mistake")
        return
    if (counts == keys).all():
        yield Finding("none_masked", Text("Every query may attend to every key."))
        return
    yield from _rows_without_keys(counts)
    if keys > 1 and ((counts == 0) | (counts == keys)).all():
        yield Finding("keys_alike", Text("The mask depends on q_idx only: was kv_idx meant?"), "mistake")
    yield from _unusual_rows(counts)
    if queries == keys and queries > 1:
        yield from _about_diagonal(allowed)
    columns = np.asarray(allowed.any(axis=-2))
    if queries > 1 and (allowed.all(axis=-2) == columns).all():
        text = "The mask depends on kv_idx only: every query has the same keys, as with padding."
        yield Finding("queries_alike", Text(text))
    yield from _keys_not_attended(columns)
    of_heads: English = "The {copies} heads have {count} different masks; they differ in {cells} of {all} cells."
    of_items: English = "The {copies} items have {count} different masks; they differ in {cells} of {all} cells."
    yield from _differences(allowed, 1, "heads_differ", of_heads)
    yield from _differences(allowed, 0, "items_differ", of_items)


def _rows_without_keys(counts: NDArray[np.intp]) -> Iterator[Finding]:
    empty = counts == 0
    if empty.any():
        one = "One row has no key: {rows}{where}."
        text = "{count} rows have no key: {rows}{where}."
        yield _about_rows("empty_rows", text, empty, "mistake", one=one)


def _unusual_rows(counts: NDArray[np.intp]) -> Iterator[Finding]:
    """Yield the rows with another number of keys than most rows of their item and head, which are not empty.

    There are none where no number is usual, as in a causal mask.
    """
    unusual = np.zeros(counts.shape, bool)
    usual: dict[tuple[int, ...], int] = {}
    for index in np.ndindex(counts.shape[:2]):
        row = counts[index]
        numbers, times = np.unique(row, return_counts=True)
        most = int(times.argmax())
        if len(row) > 2 and numbers[most] and times[most] > _USUAL * len(row):
            unusual[index] = (row != numbers[most]) & (row > 0)
            usual[index] = int(numbers[most])
    if not unusual.any():
        return
    item, head, _ = _first(unusual)
    values = {"usual": usual[item, head]}
    if _is_ramp(counts[item, head], unusual[item, head]):
        text = "{count} rows at the edge have other than {usual} keys, as with a window: {rows}{where}."
        one = "One row at the edge has other than {usual} keys, as with a window: {rows}{where}."
        yield _about_rows("edge_rows", text, unusual, "fact", values, one=one)
        return
    text = "{count} rows have other than {usual} keys, unlike most: {rows}{where}."
    one = "One row has other than {usual} keys, unlike most: {rows}{where}."
    yield _about_rows("unusual_rows", text, unusual, "hint", values, one=one)


def _is_ramp(counts: NDArray[np.intp], unusual: NDArray[np.bool_]) -> bool:
    """Return whether the unusual rows are the first and last ones, with ever more or fewer keys toward the others."""
    usual = np.flatnonzero(~unusual)
    first, last = int(usual[0]), int(usual[-1])
    inner = ~unusual[first : last + 1]
    ends = np.diff(counts[: first + 1]), np.diff(counts[last:])
    return bool(inner.all()) and all(bool((end > 0).all() or (end < 0).all()) for end in ends)


def _about_diagonal(allowed: Allowed) -> Iterator[Finding]:
    """Yield what the diagonal of a square mask says about q_idx and kv_idx."""
    below, above = (_beside_diagonal(allowed, below=below) for below in (True, False))
    diagonal = np.diagonal(allowed, axis1=-2, axis2=-1)
    if above and not below:
        text = "No query may attend to an earlier key, only to later ones: are q_idx and kv_idx swapped?"
        yield Finding("only_later", Text(text), "mistake")
    if not diagonal.any():
        if below and not above:
            text = "A query may attend to earlier keys, but not to itself: was >= meant?"
            yield Finding("not_itself", Text(text), "mistake")
        else:
            yield Finding("not_itself", Text("No query may attend to itself."), "hint")
    elif not diagonal.all():
        # An empty row is said elsewhere.
        without = ~diagonal & allowed.any(axis=-1)
        if without.any():
            text = "{count} rows have keys, but not their own: {rows}{where}."
            one = "One row has keys, but not its own: {rows}{where}."
            yield _about_rows("not_itself", text, without, "fact", one=one)


def _beside_diagonal(allowed: Allowed, *, below: bool) -> bool:
    """Return whether any cell below or above the diagonal is allowed; row by row, without a copy of the mask."""
    if below:
        return any(allowed[..., query, :query].any() for query in range(allowed.shape[-2] - 1, 0, -1))
    return any(allowed[..., query, query + 1 :].any() for query in range(allowed.shape[-2] - 1))


def _keys_not_attended(columns: NDArray[np.bool_]) -> Iterator[Finding]:
    """Yield the keys that no query of their item and head may attend to; ``columns``: (B, h, K)."""
    unused = ~columns
    if unused.any():
        text = "No query may attend to {count} keys: {rows}{where}."
        one = "No query may attend to one key: {rows}{where}."
        finding = _about_rows("unused_keys", text, unused, "fact", one=one)
        item, head, _ = _first(unused)
        yield Finding(finding.kind, finding.text, finding.level, place=(item, head, 0))


def _differences(allowed: Allowed, axis: int, kind: str, text: English) -> Iterator[Finding]:
    """Yield how many masks there are along an axis of items or heads, and in how many cells they differ."""
    copies = allowed.shape[axis]
    masks = allowed.swapaxes(0, axis)
    count = len({np.packbits(masks[each]).tobytes() for each in range(copies)})
    if count > 1:
        cells = int(np.count_nonzero((allowed.any(axis=axis) != allowed.all(axis=axis)).any(axis=0)))
        values = {"copies": copies, "count": count, "cells": cells, "all": allowed.shape[2] * allowed.shape[3]}
        yield Finding(kind, Text(text, values))


def _of_clause(clause: Clause, whole: Clause) -> Iterator[Finding]:
    """Yield what there is to say about an operand of a mask."""
    allowed, is_and = clause.allowed, whole.does == "and"
    some, every = bool(allowed.any()), bool(allowed.all())
    if some != every:
        if _has_no_effect(clause, whole):
            text = "It changes nothing: the other clauses forbid all that it forbids."
            if not is_and:
                text = "It changes nothing: the other clauses allow all that it allows."
            yield Finding("no_effect", Text(text), "hint", clause)
        yield from _one_index_only(clause, is_and=is_and)
    elif every:
        text = (
            "It is true everywhere and changes nothing." if is_and else "It is true everywhere, so nothing is masked."
        )
        yield Finding("all_true", Text(text), "hint", clause)
    else:
        text = "It is false everywhere, so all is masked." if is_and else "It is false everywhere and changes nothing."
        yield Finding("all_false", Text(text), "mistake" if is_and else "hint", clause)


def _has_no_effect(clause: Clause, whole: Clause) -> bool:
    """Return whether the other operands of a mask alone make the same mask."""
    others = [each.allowed for each in whole.clauses if each is not clause]
    combine = np.logical_and if whole.does == "and" else np.logical_or
    return bool(others) and bool((reduce(combine, others) == whole.allowed).all())


def _one_index_only(clause: Clause, *, is_and: bool) -> Iterator[Finding]:
    """Yield which of q_idx and kv_idx a clause ignores. One of an "or" may well give some queries all keys."""
    allowed = clause.allowed
    queries, keys = allowed.shape[-2:]
    if keys > 1 and (allowed.all(axis=-1) == allowed.any(axis=-1)).all():
        if is_and:
            text = Text("It depends on q_idx only: was kv_idx meant?")
            yield Finding("keys_alike", text, "mistake", clause, _first(~np.asarray(allowed.any(axis=-1))))
        else:
            yield Finding("keys_alike", Text("It depends on q_idx only: it gives queries all keys."), "fact", clause)
    elif queries > 1 and (allowed.all(axis=-2) == allowed.any(axis=-2)).all():
        text = Text("It depends on kv_idx only: every query has the same keys, as with padding.")
        yield Finding("queries_alike", text, "fact", clause)


def _about_rows(
    kind: str,
    template: English,
    rows: NDArray[np.bool_],
    level: Level,
    values: Mapping[str, int] | None = None,
    *,
    one: One,
) -> Finding:
    """Return a finding about the True ones of (B, h, rows); it lists those of the first item and head."""
    item, head, query = _first(rows)
    listed_rows = np.flatnonzero(rows[item, head])
    numbers = {"count": len(listed_rows), "rows": positions_said(listed_rows), "where": _where(rows, item, head)}
    return Finding(kind, Text(template, {**numbers, **(values or {})}, one), level, place=(item, head, query))


def _first(rows: NDArray[np.bool_]) -> tuple[int, int, int]:
    """Return the indices of the first True."""
    item, head, query = (int(index) for index in np.unravel_index(int(rows.argmax()), rows.shape))
    return item, head, query


def _where(rows: NDArray[np.bool_], item: int, head: int) -> Text:
    """Return the item and head of a finding if the mask has several; those with the same rows are not counted."""
    place = place_said(rows.shape, item, head)
    others = int(np.count_nonzero((rows != rows[item, head]).any(axis=-1) & rows.any(axis=-1)))
    if not others:
        return place
    one = "{place}, and others in one further mask"
    return Text("{place}, and others in {count} further masks", {"place": place, "count": others}, one)


def place_said(shape: tuple[int, ...], item: int, head: int) -> Text:
    """Return the item and head of a mask of a shape (1 or B, 1 or h, ...) in brackets, each if there are several."""
    values = {"item": Position(item), "head": Position(head)}
    if shape[:2] == (1, 1):
        return Text()
    if shape[1] == 1:
        return Text(" (item {item})", values)
    if shape[0] == 1:
        return Text(" (head {head})", values)
    return Text(" (item {item}, head {head})", values)


EMPTY, PARTIAL, FULL = range(3)
"""The kinds of blocks: no cell, some or all of their cells are allowed."""


@dataclass(frozen=True, slots=True, eq=False)
class Blocks:
    """A mask cut into square blocks; those at the edges may be smaller, and only cells of the mask count.

    ``BlockMask.sparsity`` of torch 2.13 counts the padding of the last blocks as computed, so it may be negative.
    """

    size: int
    kinds: NDArray[np.uint8]
    """(1 or B, 1 or h, block rows, block columns): `EMPTY`, `PARTIAL` or `FULL`."""
    sparsity: float
    """The share of cells that are in empty blocks, which a kernel skips."""

    def count(self, kind: int) -> int:
        """Return the number of blocks of a kind, over all items and heads of the mask."""
        return int(np.count_nonzero(self.kinds == kind))


def blocks_of(allowed: Allowed, size: int) -> Blocks:
    """Return the blocks of a mask."""
    rows, columns = (np.arange(0, length, size) for length in allowed.shape[-2:])
    along_keys = np.add.reduceat(allowed, columns, axis=-1, dtype=np.int32)
    counts = np.add.reduceat(along_keys, rows, axis=-2)
    heights, widths = (
        np.diff(starts, append=length) for starts, length in zip((rows, columns), allowed.shape[-2:], strict=True)
    )
    areas = heights[:, None] * widths
    kinds = np.where(counts == 0, EMPTY, np.where(counts == areas, FULL, PARTIAL)).astype(np.uint8)
    skipped = int(np.where(counts == 0, areas, 0).sum())
    return Blocks(size, kinds, skipped / allowed.size)
