"""Answers of a process that runs a user's code, which may send anything."""

from typing import Any

import numpy as np
import pytest

from attnviz.engine.attention.mods.answers import clause_in, files_in, listed_in, printed_in
from attnviz.engine.child import LimitError

SIZES = 2, 3, 2, 2
LEAF = {"name": "a", "does": "", "line": 3, "shape": [1, 1, 2, 2], "clauses": []}


def nested(depth: int) -> dict[str, Any]:
    clause: dict[str, Any] = LEAF
    for _ in range(depth):
        clause = LEAF | {"clauses": [clause]}
    return clause


def test_that_a_clause_is_read_with_its_operands() -> None:
    root = clause_in({"clause": LEAF | {"does": "and", "clauses": [LEAF, LEAF]}}, bytes([1, 0, 0, 1]) * 3, SIZES)
    assert (root.does, root.line, len(root.clauses)) == ("and", 3, 2)
    assert np.array_equal(root.clauses[1].allowed, np.eye(2, dtype=bool)[None, None])
    assert not root.allowed.flags.writeable


@pytest.mark.parametrize(
    ("clause", "raw"),
    [
        (None, bytes(4)),
        (LEAF, bytes(3)),
        (LEAF, bytes(5)),
        (LEAF, bytes([2, 0, 0, 1])),
        (LEAF | {"shape": [2, 2, 2, 2]}, bytes(16)),
        (LEAF | {"shape": [1, 1, 1 << 60, 2]}, bytes(4)),
        (LEAF | {"shape": ["1", 1, 2, 2]}, bytes(4)),
        (LEAF | {"shape": 4}, bytes(4)),
        (LEAF | {"clauses": [3]}, bytes(8)),
        (nested(5000), bytes(4 * 5001)),
    ],
    ids=["none", "short", "long", "no bool", "heads", "huge", "text", "number", "operand", "depth"],
)
def test_that_a_clause_that_is_none_is_an_error(clause: Any, raw: bytes) -> None:
    with pytest.raises(LimitError):
        clause_in({"clause": clause}, raw, SIZES)


def test_that_other_parts_of_an_answer_that_are_wrong_are_left_out() -> None:
    for wrong in (None, 3, "text", [3], {"a": 1}, [[1, 2, 3]], [{"name": None, "line": "x", "kind": 5}]):
        assert files_in({"files": wrong}) == {}
        assert all(each.kind == "" and each.line == 0 for each in listed_in({"listed": wrong}))
    assert len(printed_in({"printed": "x" * 99_999})) < 30_000
