"""The glossary: a page of the manual in each language, of which every entry is a term."""

import re

import pytest

from attnviz.experiment.labs import LABS
from attnviz.experiment.texts.glossary import Term, glossary, terms_in
from attnviz.experiment.texts.languages import ENGLISH, languages, translator
from attnviz.folders import resource_in

SENTENCE = {ENGLISH: r"[A-Z][^.]*\.", "zh_CN": r"[^.。]*[\u4e00-\u9fff][^.。]*。"}
TERMS = [(language, term) for language in languages() for term in glossary(language)]


@pytest.mark.parametrize("language", languages())
def test_that_no_word_is_explained_twice(language: str) -> None:
    forms = [form.casefold() for term in glossary(language) for form in term.forms]
    assert sorted(forms) == sorted(set(forms))


@pytest.mark.parametrize(("language", "term"), TERMS, ids=lambda given: getattr(given, "name", given))
def test_that_a_term_is_explained_in_one_sentence_and_found_in_every_form(language: str, term: Term) -> None:
    assert re.fullmatch(SENTENCE[language], term.sentence)
    assert [terms_in(f"“{form}”: 3", language) for form in term.forms] == [(term,)] * len(term.forms)


def test_that_a_longer_form_counts_before_one_inside_it_and_parts_of_words_are_no_terms() -> None:
    assert [term.name for term in terms_in("Row sums, empty row and seedlings")] == ["row sum", "empty row"]
    assert [term.name for term in terms_in("QUERY “the”, HEAD 2; keyboard")] == ["query", "head"]


def test_that_chinese_terms_are_found_without_spaces_but_single_characters_beside_particles_alone() -> None:
    assert [term.name for term in terms_in("各样本的有效长度与权重衰减", "zh_CN")] == [
        "item",
        "valid length",
        "weight decay",
    ]
    assert [term.name for term in terms_in("查询 3，键 5：值", "zh_CN")] == ["query", "key", "value"]
    assert [term.name for term in terms_in("3 个头的和，各键和值", "zh_CN")] == ["head", "row sum", "key", "value"]
    assert terms_in("数值与最大值，按键 3 和 4", "zh_CN") == ()


@pytest.mark.parametrize("language", languages())
def test_that_every_heading_of_the_page_is_a_term_and_the_page_is_sorted(language: str) -> None:
    headings = re.findall(
        "^## .+$", resource_in(language, "help/glossary.md").read_text(encoding="utf-8"), re.MULTILINE
    )
    assert len(headings) == len(glossary(language))
    names = [term.name for term in glossary(language)]
    assert names == sorted(names, key=lambda name: name.strip("("))


def test_that_every_language_has_the_same_terms_and_formulas() -> None:
    for language in languages():
        assert [(term.name, term.formula) for term in glossary(language)] == [
            (term.name, term.formula) for term in glossary()
        ]


@pytest.mark.parametrize("lab", LABS)
def test_that_the_name_of_a_knob_names_the_same_terms_in_every_language(lab: str) -> None:
    titles = [field.title for field in LABS[lab].spec_type.model_fields.values() if field.title]
    for language in languages():
        named = {title: terms_in(translator(language)(title), language) for title in titles}
        for title in titles:
            assert [term.name for term in named[title]] == [term.name for term in terms_in(title)], title
