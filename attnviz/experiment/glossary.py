"""The words on screen that a reader may not know, each explained in one sentence.

To explain a word, add it to the page of the manual, `resources/help/glossary.md`: a heading, its sentence, then a
formula in plain signs and the further forms in which it is written, if any. Labels, captions and the tests read it
from there.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from attnviz.definitions.registry import Registry
from attnviz.definitions.text import English
from attnviz.folders import resource

_ENTRY = re.compile(r"^## (.+)\n\n(.+?\.)(?: `(.+?)`)?(?: Also: (.+)\.)?$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Term:
    """One word or sign of the field."""

    title: English
    sentence: English
    formula: str = ""
    """In plain signs, if it says more than the sentence."""
    aliases: tuple[str, ...] = ()
    """Further forms in which it is written on screen; each may have an s."""

    @property
    def name(self) -> str:
        """Its title in small letters."""
        return self.title.casefold()

    @property
    def forms(self) -> tuple[str, ...]:
        """Every form in which it is written."""
        return (self.title, *self.aliases)


def _terms() -> Iterator[Term]:
    for title, sentence, formula, also in _ENTRY.findall(resource("help/glossary.md").read_text(encoding="utf-8")):
        yield Term(title, sentence, formula, tuple(also.split("; ")) if also else ())


GLOSSARY = Registry("term", _terms())


def terms_in(text: str) -> tuple[Term, ...]:
    """Return the terms that a text names, in its order; a longer form hides one in it ("row sum": "sum")."""
    named: dict[str, Term] = {}
    for match in _pattern(tuple(GLOSSARY)).finditer(text):
        forms, form = _by_form(tuple(GLOSSARY)), match[0].casefold()
        term = forms.get(form) or forms[form.removesuffix("s")]
        named.setdefault(term.name, term)
    return tuple(named.values())


@lru_cache(maxsize=1)
def _by_form(names: tuple[str, ...]) -> dict[str, Term]:
    return {form.casefold(): GLOSSARY[name] for name in names for form in GLOSSARY[name].forms}


@lru_cache(maxsize=1)
def _pattern(names: tuple[str, ...]) -> re.Pattern[str]:
    """Return a pattern of whole words, the longest form first."""
    forms = sorted(_by_form(names), key=len, reverse=True)
    return re.compile(rf"(?<![\w-])(?:{'|'.join(map(re.escape, forms))})s?(?![\w-])", re.IGNORECASE)
