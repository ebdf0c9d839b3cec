"""The glossary: one record for a term, and a page of the manual that says the same."""

import re

import pytest

from attnviz.definitions.glossary import GLOSSARY, Term, as_page, terms_in
from attnviz.folders import resource

TERMS = tuple(GLOSSARY.values())


def test_that_no_word_is_explained_twice() -> None:
    forms = [form.casefold() for term in TERMS for form in term.forms]
    assert sorted(forms) == sorted(set(forms))


@pytest.mark.parametrize("term", TERMS, ids=lambda term: term.name)
def test_that_a_term_is_explained_in_one_sentence_and_found_in_every_form(term: Term) -> None:
    assert re.fullmatch(r"[A-Z][^.]*\.", term.sentence)
    assert [terms_in(f"of {form}: 3") for form in term.forms] == [(term,)] * len(term.forms)


def test_that_a_longer_form_counts_before_one_inside_it_and_parts_of_words_are_no_terms() -> None:
    assert [term.name for term in terms_in("Row sums, empty row and seedlings")] == ["row-sum", "empty-row"]
    assert [term.name for term in terms_in("QUERY “the”, HEAD 2; keyboard")] == ["query", "head"]


def test_that_the_page_of_the_manual_says_what_the_records_say() -> None:
    assert resource("help/glossary.md").read_text(encoding="utf-8") == as_page(), "write as_page() into the file"
