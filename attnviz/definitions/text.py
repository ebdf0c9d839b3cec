"""Texts: templates with named values, formatted numbers, and messages about a user's input.

A text remains a value until it is shown: `Text` is an English template and its values, and exceptions carry one. The
window and the exports fill it in with a translator, the command line and the Python interface in English.
"""

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Protocol, TypeAlias

from attnviz.definitions.counting import FILES, SCREEN, Position, Surface

English: TypeAlias = str
"""A string for the user, translated where it is shown. `packaging/extract_texts.py` collects the literals passed to
parameters and fields of this type."""

One: TypeAlias = str
"""The English singular of a text, passed before it, for a ``count`` of 1."""


_CHINESE = "\u3000-\u303f\u3400-\u9fff\uff00-\uffef"
_HAS_CHINESE = re.compile(f"[{_CHINESE}]")
_EDGE = "\0"
"""Surrounds a word that is a text, while a Chinese text is filled in."""
_BLANKS = rf"(?<=[{_CHINESE}]) {_EDGE}(?=[{_CHINESE}])|(?<=[{_CHINESE}]){_EDGE} (?={_EDGE}?[{_CHINESE}])|{_EDGE}"
"""Not compiled here: that takes milliseconds of every start, and only a Chinese text needs it."""
_PLACES = re.compile(r"\{[^{}]*\}")
_POINTS = {", ": "，", "; ": "；", ": ": "：", ". ": "。", ".": "。"}
"""The punctuation between sentences, and its Chinese equivalents."""
_NEAREST = "; nearest"
"""The beginning of a message's ending with the nearest valid values."""


class Translate(Protocol):
    """Returns an English template in the reader's language."""

    def __call__(self, template: English, count: int | None = None, /) -> str:
        """Translate a template; a language with plural forms chooses the one of ``count``."""


def english(template: English, count: int | None = None, /) -> str:
    """Return a template unchanged: the translator of the command line."""
    del count
    return template


@dataclass(frozen=True, slots=True)
class Text:
    """An English template with named values; a value may be a text itself. Both can be translated."""

    template: English = ""
    values: Mapping[str, Any] = field(default_factory=dict)
    one: One = ""
    """The singular, for a ``count`` of 1; other languages have their own plural forms."""

    def __str__(self) -> str:
        """Return the text in English, with positions as files count them."""
        return self.filled()

    def __bool__(self) -> bool:
        """Return whether there is a text."""
        return bool(self.template)

    def filled(self, translate: Translate = english, surface: Surface = FILES) -> str:
        """Return the text in a language, with positions as a surface counts them."""
        values = {name: _word(word, translate, surface) for name, word in self.values.items()}
        texts = {name for name, word in self.values.items() if isinstance(word, Text)}
        count = self.values["count"] if self.one else None
        template = "".join(translate(part, count) for part in parts_of(self.template))
        if count == 1 and template == self.template:
            template = self.one
        joined = translate is not english and any(has_chinese(values[name]) for name in texts)
        if joined and not re.search(r"\w", _PLACES.sub("", template)):
            for point, chinese in _POINTS.items():  # it only joins texts, and has no translation of its own
                template = template.replace(point, chinese)
        elif not has_chinese(template):
            return template.format(**values)
        values |= {name: f"{_EDGE}{values[name]}{_EDGE}" for name in texts}
        return re.sub(_BLANKS, "", template.format(**{name: without_blank(word) for name, word in values.items()}))

    @property
    def without_nearest(self) -> "Text":
        """The text without its ending "; nearest: ...", for where the nearest values are shown differently."""
        values = {name: word.without_nearest if isinstance(word, Text) else word for name, word in self.values.items()}
        return replace(self, template=self.template.partition(_NEAREST)[0], values=values)

    @property
    def text(self) -> str:
        """The text as a sentence in English."""
        return self.translated()

    def translated(self, translate: Translate = english) -> str:
        """Return the text as a sentence on screen: its first word is capitalised, but no symbol such as x."""
        text = self.filled(translate, SCREEN)
        return text[:1].upper() + text[1:] if text[:2].isalpha() or text[:2] == "a " else text


def without_blank(word: Any) -> Any:
    """Return a word of a Chinese text, which has no blank before a percent sign."""
    return word.removesuffix(" %") + "%" if isinstance(word, str) and word.endswith(" %") else word


def has_chinese(text: str) -> bool:
    """Return whether a text contains Chinese characters."""
    return _HAS_CHINESE.search(text) is not None


def parts_of(template: English) -> tuple[English, ...]:
    """Return the separately translated parts: the template, and its ending "; nearest: ..." if it has one."""
    at = template.find(_NEAREST)
    return (template[:at], template[at:]) if at > 0 else (template,)


def _word(word: Any, translate: Translate, surface: Surface) -> Any:
    if isinstance(word, Text):
        return word.filled(translate, surface)
    return surface.number(word) if isinstance(word, Position) else word


class TextError(Exception):
    """An error with a message for the user; ``str`` returns it in English."""

    def __init__(self, template: "English | Text", /, **values: Any) -> None:
        self.text = template if isinstance(template, Text) else Text(template, values)
        super().__init__(self.text)

    @property
    def numbers(self) -> Mapping[str, Any]:
        """The values of the text."""
        return self.text.values

    def __str__(self) -> str:
        return str(self.text)


class CodedError(TextError):
    """An error with a message for the user, and a code that is the same in every language and version."""

    def __init__(self, code: str, template: "English | Text", /, **values: Any) -> None:
        super().__init__(template, **values)
        self.code = code
        self.args = (code, self.text)


class Refused(TextError, ValueError):  # noqa: N818 - it is raised where a value is wrong, not where the code is
    """A value that is not accepted; the text names it, the rule and the nearest valid value."""


def text_of_error(error: Exception) -> Text:
    """Return the text of an error; a library's error has only an English message."""
    return error.text if isinstance(error, TextError) else untranslated(str(error))


def untranslated(text: str) -> Text:
    """Return a text that is the same in every language, or already in the language of the window."""
    return Text("{text}", {"text": text})


def listed(parts: Sequence[Text | str], template: English = "{first}, {rest}") -> Text:
    """Return parts separated by commas, or as a template joins the first one and the rest."""
    first = [part if isinstance(part, Text) else untranslated(part) for part in parts[:1]]
    if len(parts) < 2:
        return first[0] if first else Text()
    return Text(template, {"first": first[0], "rest": listed(parts[1:], template)})


def bytes_said(count: int) -> str:
    """Return a number of bytes with three digits: "5.63 kB", "1.18 MB"."""
    size, unit = float(count), "B"
    for larger in ("kB", "MB", "GB", "TB"):
        if size < 1000:
            break
        size, unit = size / 1000, larger
    return f"{number_said(size)} {unit}"


def number_said(value: float, digits: int = 3) -> str:
    """Return a number with ``digits`` significant digits and a typographic minus: "3.27", "−0.52", "1.2e−5", "∞"."""
    if math.isnan(value):
        return "NaN (not a number)"
    if math.isinf(value):
        return "∞" if value > 0 else "−∞"
    size = abs(value)
    if size and not 1e-3 <= size < 1e5:
        mantissa, _, exponent = f"{value:.{digits - 1}e}".partition("e")
        text = f"{float(mantissa):g}e{int(exponent)}"
    else:
        text = f"{value:.0f}" if size >= 10**digits else f"{float(f'{value:.{digits}g}') + 0.0:g}"
    return text.replace("-", "−")


def percent_said(share: float) -> str:
    """Return a share in percent, in any language: "51 %", "0.4 %", "< 0.1 %"; only 0 and 1 are 0 and 100 %."""
    percent = 100 * float(share) + 0.0  # turns -0 into 0
    if not math.isfinite(percent) or percent < 0:
        return f"{number_said(percent)} %"
    if 0 < percent < 0.1:
        return "< 0.1 %"
    if 99.95 <= percent < 100:
        return "> 99.9 %"
    return f"{percent:.1f} %" if 0 < percent < 1 or 99.5 <= percent < 100 else f"{percent:.0f} %"


def percents_said(*shares: float) -> tuple[str, ...]:
    """Return shares in percent, with enough digits to distinguish those that differ, at most five.

    Those that are close to each other have the same number of digits.
    """
    percents, close = tuple(map(percent_said, shares)), 0 < max(shares) - min(shares) < 0.05
    for digits in range(1, 6):
        if len(set(percents)) < len(set(shares)) or (close and digits == 1):
            percents = tuple(f"{100 * share:.{digits}f} %" for share in shares)
    return percents


def closest(word: object, choices: Iterable[str], cutoff: float = 0.5) -> str:
    """Return the choice most like a misspelt word, or ""."""
    import difflib  # only an error message needs it

    close = difflib.get_close_matches(word[:80] if isinstance(word, str) else "", list(choices), 1, cutoff)
    return close[0] if close else ""


def nearest_word(word: object, choices: Iterable[str], cutoff: float = 0.5) -> Text:
    """Return "; nearest: ..." with the choice most like a misspelt word, or an empty text."""
    close = closest(word, choices, cutoff)
    return Text("; nearest: {nearest}", {"nearest": close}) if close else Text()


def quoted(value: object) -> str:
    """Return a value as quoted in a message, shortened so that a hostile file cannot make it endless."""
    try:
        text = repr(value[:100] if isinstance(value, str) else value)
    except (RecursionError, ValueError):  # nested too deep; an integer of thousands of digits
        return "..."
    return text if len(text) <= 80 else f"{text[:77]}..."
