"""The glossary: a page of the manual, of which every entry is a term."""

import re

import pytest

from attnviz.experiment.glossary import GLOSSARY, Term, terms_in
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
    assert [term.name for term in terms_in("Row sums, empty row and seedlings")] == ["row sum", "empty row"]
    assert [term.name for term in terms_in("QUERY “the”, HEAD 2; keyboard")] == ["query", "head"]


def test_that_every_heading_of_the_page_is_a_term_and_the_page_is_sorted() -> None:
    titles = re.findall("^## (.+)$", resource("help/glossary.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert titles == [term.title for term in TERMS]
    assert titles == sorted(titles, key=lambda title: title.strip("(").casefold())
