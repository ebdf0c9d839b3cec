import time
import tracemalloc
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import wrong_values
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from pydantic_core import PydanticCustomError

from attnviz.experiment.attention.spec import AttentionSpec
from attnviz.experiment.fields import painted
from attnviz.experiment.files.session import session_or_spec_from_json
from attnviz.experiment.files.specs_in_files import write_spec
from attnviz.experiment.labs import SpecError, make_spec, spec_to_json
from attnviz.export.document import read_document

Cells = np.ndarray[Any, np.dtype[np.bool_]]

CELLS = arrays.arrays(bool, st.tuples(st.integers(1, 12), st.integers(1, 12)))
SIZES = st.tuples(st.integers(1, 14), st.integers(1, 14))
POSITION = st.integers(0, 11)
BLANKS = st.text(" \t\n", max_size=2)
MAX_SIZE = 16384


@st.composite
def spans(draw: st.DrawFn) -> tuple[str, range]:
    """A position or a range, forwards or backwards, and the positions that it stands for."""
    first, last = draw(POSITION), draw(POSITION)
    if first == last or draw(st.booleans()):
        return str(first), range(first, first + 1)
    return f"{first}{draw(BLANKS)}-{draw(BLANKS)}{last}", range(min(first, last), max(first, last) + 1)


@st.composite
def texts(draw: st.DrawFn) -> tuple[str, set[tuple[int, int]]]:
    """A painted mask as a person may type it, and the cells that it names."""
    entries, cells = [], set()
    for _ in range(draw(st.integers(0, 5))):
        head, queries = draw(spans())
        tails = draw(st.lists(spans(), min_size=1, max_size=4))
        between = draw(st.sampled_from([" ", ", ", "\n", " , "]))
        entries.append(f"{draw(BLANKS)}{head}{draw(BLANKS)}:{draw(BLANKS)}{between.join(t for t, _ in tails)}")
        cells |= {(query, key) for query in queries for _, keys in tails for key in keys}
    return draw(st.sampled_from([";", "; ", ";;"])).join(entries) + draw(st.sampled_from(["", ";", " "])), cells


def cells_of(text: str, num_queries: int = 12, num_kvpairs: int = 12) -> set[tuple[int, int]]:
    found = np.argwhere(painted.forbidden(text, num_queries, num_kvpairs))
    return {(int(query), int(key)) for query, key in found}


def spec(text: Any, **values: Any) -> AttentionSpec:
    made = make_spec({"num_queries": 12, "num_kvpairs": 12, "painted": text, **values})
    assert isinstance(made, AttentionSpec)
    return made


def the_problem(text: Any, **values: Any) -> tuple[str, str]:
    problem = wrong_values.the_problem(**{"num_queries": 12, "num_kvpairs": 12, "painted": text} | values)
    assert problem.field == "painted"
    return problem.code, problem.message


# The grammar and its one way of writing


@pytest.mark.parametrize(
    ("raw", "written"),
    [
        ("", ""),
        (" ;\n; ", ""),
        ("1: 3-5 7; 4-6: 0", "1: 3-5 7; 4-6: 0"),
        ("1:3,4,5,7;4:0;5:0;6:0", "1: 3-5 7; 4-6: 0"),
        ("6-4: 0; 1: 7 5-3", "1: 3-5 7; 4-6: 0"),
        ("1: 3 - 4; 1: 5 7; 4-6: 0;", "1: 3-5 7; 4-6: 0"),
        ("2: 1-3 2-5 5", "2: 1-5"),
        ("2: 1; 2: 2", "2: 1-2"),
        ("0-3: 1; 2: 4", "0-1: 1; 2: 1 4; 3: 1"),
        ("007: 01", "7: 1"),
    ],
)
def test_that_a_text_has_one_way_to_be_written(raw: str, written: str) -> None:
    assert painted.parse(raw) == written


@given(case=texts())
def test_that_a_text_forbids_the_cells_it_names_and_no_others(case: tuple[str, set[tuple[int, int]]]) -> None:
    text, cells = case
    assert cells_of(painted.parse(text)) == cells_of(text) == cells


@given(case=texts())
def test_that_writing_it_once_more_changes_nothing(case: tuple[str, set[tuple[int, int]]]) -> None:
    once = painted.parse(case[0])
    assert painted.parse(once) == once


@given(one=texts(), other=texts())
def test_that_two_texts_are_written_alike_exactly_when_they_forbid_the_same_cells(
    one: tuple[str, set[tuple[int, int]]], other: tuple[str, set[tuple[int, int]]]
) -> None:
    assert (painted.parse(one[0]) == painted.parse(other[0])) == (one[1] == other[1])
    assert cells_of(painted.parse(f"{one[0]};{other[0]}")) == one[1] | other[1]


@given(cells=CELLS)
def test_that_a_matrix_comes_back_from_its_text(cells: Cells) -> None:
    text = painted.write(cells)
    assert painted.parse(text) == text
    np.testing.assert_array_equal(painted.forbidden(text, *cells.shape), cells)


@given(cells=CELLS, sizes=SIZES)
def test_that_cells_outside_the_sizes_asked_for_are_left_out(cells: Cells, sizes: tuple[int, int]) -> None:
    expected = np.zeros(sizes, bool)
    high, wide = (min(pair) for pair in zip(sizes, cells.shape, strict=True))
    expected[:high, :wide] = cells[:high, :wide]
    np.testing.assert_array_equal(painted.forbidden(painted.write(cells), *sizes), expected)


@given(cells=CELLS)
def test_that_count_and_extent_are_those_of_the_cells(cells: Cells) -> None:
    text = painted.write(cells)
    places = np.argwhere(cells)
    assert painted.forbidden(text, *painted.extent(text)).sum() == len(places)
    assert painted.extent(text) == (tuple(places.max(axis=0) + 1) if len(places) else (0, 0))


@given(cells=CELLS, sizes=SIZES)
def test_that_conforming_keeps_the_cells_that_lie_within_and_is_written_as_ever(
    cells: Cells, sizes: tuple[int, int]
) -> None:
    text = painted.write(cells)
    conformed = painted.conform(text, *sizes)
    assert cells_of(conformed, 14, 14) == cells_of(text, *sizes)
    assert painted.parse(conformed) == conformed == painted.conform(conformed, *sizes)
    painted.check(conformed, *sizes)


# In a spec


@given(case=texts())
def test_that_a_painted_spec_comes_back_from_its_json(case: tuple[str, set[tuple[int, int]]]) -> None:
    made = spec(case[0])
    assert session_or_spec_from_json(spec_to_json(made)).spec == made
    assert cells_of(made.painted) == case[1]


def test_that_specs_with_the_same_cells_are_equal_however_they_were_typed() -> None:
    assert spec("1: 3-5 7; 4-6: 0") == spec("4:0;5:0;6:0;1:7,3,4,5")
    assert spec("1: 3") != spec("1: 4")
    assert spec(" ; ") == spec("")


@pytest.mark.parametrize(
    "raw", ["1", "1:", ":", ": 3", "a: 3", "1: b", "1 2: 3", "1: -3", "1: 3-", "1: 3--4", "1: 3-4-5", "1: 2: 3", "1: ²"]
)
def test_that_an_entry_which_cannot_be_read_is_quoted_beside_one_that_can(raw: str) -> None:
    code, message = the_problem(f"0: 1; {raw}")
    assert code == "painted_entry"
    assert message == f"painted entry {raw.strip()!r} must read 'query: keys', such as '1: 3-5 7'"


@pytest.mark.parametrize("raw", [None, 5, True, ["1: 3"], {"1": "3"}, 10**400])
def test_that_what_is_no_text_is_refused_with_an_example(raw: Any) -> None:
    code, message = the_problem(raw)
    assert code == "painted_form"
    assert message.startswith("painted must be text such as '1: 3-5 7; 4-6: 2', not ")


@pytest.mark.parametrize(
    ("raw", "message"),
    [
        ("12: 0", "painted query 12 is not in 0..11; nearest: 11"),
        ("0: 3-12", "painted key 12 is not in 0..11; nearest: 11"),
        ("40: 50", "painted query 40 is not in 0..11; nearest: 11"),
    ],
)
def test_that_a_cell_outside_the_weights_is_refused_with_the_nearest(raw: str, message: str) -> None:
    assert the_problem(raw) == ("painted_outside", message)


def test_that_the_last_cell_of_the_largest_weights_can_be_painted() -> None:
    last = MAX_SIZE - 1
    assert spec(f"{last}: {last}", num_queries=MAX_SIZE, num_kvpairs=MAX_SIZE).painted == f"{last}: {last}"


@pytest.mark.parametrize(
    "raw",
    [
        "0-999999: 0-999999",
        "0:1 " * 250_000,
        ";" * 1_000_000,
        "; ".join(["0-999999: 0"] * 10_000),
        ";".join(f"0-99999: {2 * key}" for key in range(8_000)),
        f"0-999999: {' '.join(str(2 * key) for key in range(20_000))}",
        f"0: {' '.join(str(2 * key) for key in range(15_000))};" + ";".join(f"0: {key}" for key in range(10_000)),
        f"1: 3{' ' * 190_000}x",
        f"1: {'3 - ' * 45_000}",
        "9" * 190_000,
        f"1: {'9' * 190_000}",
    ],
    ids=["huge", "1 MB", "semicolons", "deep", "many deep", "fine", "one row", "blanks", "dashes", "head", "key"],
)
def test_that_a_hostile_text_is_refused_in_a_few_seconds(raw: str) -> None:
    start = time.process_time()
    _, message = the_problem(raw)
    assert time.process_time() - start < 5
    assert len(message) < 200


def test_that_a_text_too_long_is_refused_with_the_most_it_may_be() -> None:
    message = f"painted holds {painted.MAX_LENGTH + 1} characters; nearest: {painted.MAX_LENGTH}"
    assert the_problem(" " * (painted.MAX_LENGTH + 1)) == ("painted_too_long", message)
    assert spec("0: 1".ljust(painted.MAX_LENGTH)).painted == "0: 1"


def test_that_a_mask_too_fine_for_a_text_is_refused_and_not_cut() -> None:
    speckled = np.random.default_rng(0).random((512, 512)) < 0.5
    code, _ = the_problem(painted.write(speckled), num_queries=512, num_kvpairs=512)
    assert code == "painted_too_long"


def test_that_every_second_cell_of_200_by_200_can_be_painted() -> None:
    chequered = np.indices((200, 200)).sum(axis=0) % 2 == 1
    made = spec(painted.write(chequered), num_queries=200, num_kvpairs=200)
    np.testing.assert_array_equal(painted.forbidden(made.painted, 200, 200), chequered)


def test_that_half_of_512_by_512_painted_as_a_triangle_stays_a_small_file(tmp_path: Path) -> None:
    triangle = ~np.tri(512, dtype=bool)
    made = spec(painted.write(triangle), num_queries=512, num_kvpairs=512)
    assert painted.forbidden(made.painted, 512, 512).sum() == 512 * 511 // 2
    write_spec(made, tmp_path / "triangle.json")
    assert (tmp_path / "triangle.json").stat().st_size < 10_000
    assert read_document(tmp_path / "triangle.json").spec == made


# Found wrong


@pytest.mark.parametrize(
    ("raw", "cells"),
    [("0: 0000003", {(0, 3)}), ("0: 2-00000003", {(0, 2), (0, 3)}), ("0: 1234567", None)],
)
def test_that_a_number_of_many_digits_is_one_number_or_refused(raw: str, cells: set[tuple[int, int]] | None) -> None:
    try:
        text = painted.parse(raw)
    except PydanticCustomError as error:
        refused = error.type
    else:
        refused = ""
        assert cells_of(text) == cells
    assert refused in ("", "painted_entry")


def test_that_a_spec_which_was_accepted_is_accepted_again_from_its_own_json() -> None:
    keys = " ".join(str(2 * key) for key in range(300))
    raw = f"0-1500: {keys}; " + "; ".join(f"{query}: 9000" for query in range(0, 1500, 2))
    try:
        made = spec(raw, num_queries=2000, num_kvpairs=10_000)
    except SpecError:
        return
    assert session_or_spec_from_json(spec_to_json(made)).spec == made


def test_that_conforming_a_mask_from_a_file_needs_no_more_memory_than_the_sizes_it_is_cut_to() -> None:
    tracemalloc.start()
    try:
        assert painted.conform("1: 2; 19999: 9999", 4, 6) == "1: 2"
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert most < 1_000_000


@given(case=texts())
def test_that_what_is_typed_counts_from_one_and_what_is_stored_from_zero(
    case: tuple[str, set[tuple[int, int]]],
) -> None:
    raw, cells = case
    stored = painted.parse(raw)
    shown = painted.typed(stored)
    assert painted.parse(shown) == stored
    assert cells_of(painted.parse(str(shown)), 13, 13) == {(query + 1, key + 1) for query, key in cells}


@pytest.mark.parametrize("raw", ["0: 1", "1: 0", "2: 3 0-4", "0-3: 2"])
def test_that_a_zero_is_no_query_or_key_where_they_count_from_one(raw: str) -> None:
    assert painted.parse(raw) == raw.replace("3 0-4", "0-4")
    assert the_problem(painted.Typed(raw)) == (
        "painted_below_first",
        f"painted entry '{raw}' must count queries and keys from 1",
    )
