"""The glossary: terms on screen, each explained in one sentence.

To explain a term, add it to the page of the manual, `resources/help/glossary.md`, and to that of each language in a
folder beside it, which has the same terms in the same order: a heading, its sentence, then a formula in plain text and
alternative forms, if any. Labels, captions and the tests read it from there.
"""

import re
from dataclasses import dataclass
from functools import cache

from attnviz.experiment.texts.languages import ENGLISH
from attnviz.folders import resource_in

_ENTRY = re.compile(r"^## (.+?)(?:（(.+)）)?\n\n(.+?[.。])(?: `(.+?)`)?(?: (?:Also: |也作：)(.+)[.。])?$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Term:
    """One word or symbol of the field."""

    title: str
    sentence: str
    formula: str = ""
    """In plain text, if it says more than the sentence."""
    aliases: tuple[str, ...] = ()
    """Alternative forms on screen; each may have an s."""
    english: str = ""
    """Its English title, if different: pages of other languages have it in brackets."""

    @property
    def name(self) -> str:
        """Its English title in lower case: the same in every language."""
        return (self.english or self.title).casefold()

    @property
    def forms(self) -> tuple[str, ...]:
        """Every form in which it is written; a page may have its English title too."""
        return tuple(dict.fromkeys(form for form in (self.title, self.english, *self.aliases) if form))


@cache
def glossary(language: str = ENGLISH) -> tuple[Term, ...]:
    """Return every term in a language, in the order of the page."""
    page = resource_in(language, "help/glossary.md").read_text(encoding="utf-8")
    return tuple(
        Term(title, sentence, formula, tuple(re.split("; |；", also)) if also else (), english)
        for title, english, sentence, formula, also in _ENTRY.findall(page)
    )


def terms_in(text: str, language: str = ENGLISH) -> tuple[Term, ...]:
    """Return the terms in a text, in order; a longer form hides one within it ("row sum": "sum")."""
    by_form = _by_form(language)
    named: dict[str, Term] = {}
    for match in _pattern(language).finditer(text):
        form = match[0].casefold()
        term = by_form.get(form) or by_form[form.removesuffix("s")]
        named.setdefault(term.name, term)
    return tuple(named.values())


@cache
def _by_form(language: str) -> dict[str, Term]:
    return {form.casefold(): term for term in glossary(language) for form in term.forms}


@cache
def _pattern(language: str) -> re.Pattern[str]:
    """Return a pattern of whole words, the longest form first.

    Chinese has no spaces between words. So a form may occur inside a text, but beside a form of a single character only
    particles may occur, and no blank before it: 值 is the value, and a part of many words; 和 is the sum, and "and".
    """
    forms = map(_whole, sorted(_by_form(language), key=len, reverse=True))
    return re.compile(rf"(?<![a-z0-9_-])(?:{'|'.join(forms)})s?(?![a-z0-9_-])", re.IGNORECASE)


def _whole(form: str) -> str:
    han = r"\u4e00-\u9fff"
    if not re.fullmatch(f"[{han}]", form):
        return re.escape(form)
    return rf"(?:(?<![{han}\s])|(?<=[的各个每该有与和])){form}(?:(?![{han}])|(?=[的与和占]))"
