from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from legal_specs import JUNK
from wrong_values import the_problem

from attnviz.experiment.attention.spec import AttentionSpec
from attnviz.experiment.attention.valid_lens import DocumentLens, parse_documents
from attnviz.experiment.files.session import session_or_spec_from_json
from attnviz.experiment.labs import SpecError, make_spec, spec_to_json

MOST = 16_384
LENGTHS = st.lists(st.integers(1, 6), min_size=1, max_size=8)


def spec(document_lens: Any, **values: Any) -> AttentionSpec:
    made = make_spec({"document_lens": document_lens, **values})
    assert isinstance(made, AttentionSpec)
    return made


def the_sentence(document_lens: Any, code: str = "document_lens_form") -> str:
    problem = the_problem(document_lens=document_lens)
    assert (problem.field, problem.code) == ("document_lens", code)
    assert len(problem.message) < 200
    return problem.message


@pytest.mark.parametrize(
    ("raw", "lengths"),
    [
        (None, None),
        ("", None),
        ("  \n", None),
        ("4, 3, 3", (4, 3, 3)),
        ("4, 3\n", (4, 3)),
        ("\t4, 3", (4, 3)),
        ("\n4, 3,\n", (4, 3)),
        ("4 3\t3", (4, 3, 3)),
        (" ,4,,3 , 3, ", (4, 3, 3)),
        ([4, 3, 3], (4, 3, 3)),
        ((4,), (4,)),
        (["4", 3, "3"], (4, 3, 3)),
        ("007", (7,)),
        (MOST * [1], (1,) * MOST),
        ([MOST], (MOST,)),
    ],
)
def test_that_lengths_are_read_as_a_person_or_a_file_writes_them(raw: Any, lengths: DocumentLens) -> None:
    assert parse_documents(raw) == lengths


@given(lengths=LENGTHS, between=st.sampled_from([",", ", ", " ", "\n", "\t,"]))
def test_that_a_text_and_a_list_of_the_same_lengths_make_equal_specs(lengths: list[int], between: str) -> None:
    made = spec(between.join(map(str, lengths)))
    assert made == spec(lengths) == spec(tuple(lengths))
    assert made.document_lens == tuple(lengths)


@given(lengths=st.none() | LENGTHS)
def test_that_a_spec_with_documents_comes_back_from_its_json(lengths: list[int] | None) -> None:
    made = spec(lengths)
    assert session_or_spec_from_json(spec_to_json(made)).spec == made


@pytest.mark.parametrize(
    "raw",
    [
        0,
        4,
        True,
        [],
        [0],
        [4, 0],
        [4, -3],
        [4, 3.0],
        [4, True],
        [4, None],
        [[4, 3]],
        ["4, 3"],
        ["-4"],
        ["4²"],
        {"4": 3},
        ",",
        "4; 3",
        "4, x",
        "4.5",
        "-4",
        "+4",
        "0",
        ["9" * 5000],
        "7" * 1_000_000,
    ],
    ids=lambda raw: repr(raw)[:20],
)
def test_that_what_is_no_list_of_lengths_is_refused_with_an_example(raw: Any) -> None:
    message = the_sentence(raw)
    assert message.startswith("document_lens must be null or whole numbers above 0, such as 4, 3, 3, not ")


@given(raw=JUNK)
def test_that_whatever_a_file_holds_is_lengths_or_a_sentence(raw: Any) -> None:
    try:
        lengths, wrong = spec(raw).document_lens, []
    except SpecError as error:
        lengths, wrong = None, [problem.field for problem in error.problems]
    assert wrong in ([], ["document_lens"])
    assert lengths is None or (lengths and all(1 <= length <= MOST for length in lengths))


@pytest.mark.parametrize("lengths", [[100], [1], [4, 3, 3]])
def test_that_documents_need_not_fill_the_sequence_nor_fit_into_it(lengths: list[int]) -> None:
    assert spec(lengths, num_queries=5, num_kvpairs=7).document_lens == tuple(lengths)


@pytest.mark.parametrize(
    "raw",
    [[MOST + 1], [10**400], [1] * (MOST + 1), "1 " * (MOST + 1)],
    ids=["too long", "endless", "too many", "too many in text"],
)
def test_that_too_long_a_document_and_too_many_are_refused_by_naming_the_most(raw: Any) -> None:
    assert the_sentence(raw, "document_lens_range").endswith(f"must be at most {MOST}; nearest: {MOST}")
