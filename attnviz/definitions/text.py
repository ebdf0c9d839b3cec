"""Sentences with named words, numbers as sentences write them, and the words about a user's input."""

import difflib
import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Text:
    """An English template with named words; a word may be a sentence itself. Both can be translated."""

    template: str = ""
    words: Mapping[str, Any] = field(default_factory=dict)

    @property
    def text(self) -> str:
        """The sentence in English, its first word capitalised (but no symbol such as x); empty if there is none."""
        return self.translated(str)

    def translated(self, translate: Callable[[str], str]) -> str:
        """Return the sentence in another language; ``translate`` is applied to each template before it is filled."""
        text = self.filled(translate)
        return text[:1].upper() + text[1:] if text[:2].isalpha() else text

    def filled(self, translate: Callable[[str], str]) -> str:
        """Return the text in another language as it stands within a sentence: its first word is not capitalised."""
        words = {name: word.filled(translate) if isinstance(word, Text) else word for name, word in self.words.items()}
        return translate(self.template).format(**words)


def listed(parts: Iterable[Text | str]) -> Text:
    """Return parts separated by commas."""
    words = {f"part_{place}": part for place, part in enumerate(parts)}
    return Text(", ".join(f"{{{name}}}" for name in words), words)


def number_said(value: float, digits: int = 3) -> str:
    """Return a number with so many significant digits and a typographic minus: "3.27", "−0.52", "1.2e−5", "∞"."""
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
    """Return a share as a percentage: "51 %", "0.4 %" where one is smaller than 1; rounding makes none 0 or all."""
    percent = 100 * float(share)
    if not math.isfinite(percent) or percent < 0:
        return f"{number_said(percent)} %"
    if 0 < percent < 0.1:
        return "under 0.1 %"
    if 99.95 <= percent < 100:
        return "over 99.9 %"
    return f"{percent:.1f} %" if 0 < percent < 1 or 99.5 <= percent < 100 else f"{percent:.0f} %"


def nearest_word(word: object, choices: Iterable[str], cutoff: float = 0.5) -> str:
    """Return "; nearest: ..." with the choice most like a misspelt word, or ""."""
    close = difflib.get_close_matches(word[:80] if isinstance(word, str) else "", list(choices), 1, cutoff)
    return f"; nearest: {close[0]}" if close else ""


def said(value: object) -> str:
    """Return a value as a sentence quotes it, shortened so that a hostile file cannot make it endless."""
    try:
        text = repr(value[:100] if isinstance(value, str) else value)
    except (RecursionError, ValueError):  # nested too deep; an integer of thousands of digits
        return "..."
    return text if len(text) <= 80 else f"{text[:77]}..."
