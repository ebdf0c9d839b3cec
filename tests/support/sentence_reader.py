"""Compares the values in a sentence with a trace's arrays, independently of the project's code for sentences."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from string import Formatter
from typing import Any, NamedTuple, TypeVar

import numpy as np

from attnviz.experiment.fields.knob import MASK_POLICIES

T = TypeVar("T")
_SENTENCES = ("origin", "when", "sentence", "head", "expected", "the_point", "truth", "first", "rest")


def words_of(text: Any) -> Iterator[tuple[str, str]]:
    """Yield the values that a text shows, by name, as they are read; including those of a sentence within it."""
    template = text.one if text.one and text.values["count"] == 1 else text.template
    for _, name, _, _ in Formatter().parse(template):
        if name is not None:
            word = text.values[name]
            if name in _SENTENCES and hasattr(word, "values"):
                yield from words_of(word)
            else:
                yield name, _as_within_a_sentence(word) if hasattr(word, "values") else str(word)


def _as_within_a_sentence(text: Any) -> str:
    read: str = text.text
    return read[0].lower() + read[1:] if read[:2].isalpha() else read


def number(text: str) -> float:
    """Return the number written in a sentence."""
    return float(text.replace("−", "-").replace("∞", "inf").removesuffix(" (not a number)"))


def same(text: str, value: Any, digits: int = 3) -> bool:
    """Return whether a text is a number, up to half a unit of its last digit."""
    value = float(value)
    if value == 0 or not np.isfinite(value):
        return bool(np.array_equal(number(text), value, equal_nan=True))
    return bool(abs(number(text) - value) <= 0.501 * 10.0 ** (np.floor(np.log10(abs(value))) + 1 - digits))


def same_share(text: str, value: Any) -> bool:
    """Return whether a text is a share as a percentage; only 0 and 1 are 0 and 100 %."""
    value = float(value)
    if text == "< 0.1 %":
        return 0 < value < 0.001
    if text == "> 99.9 %":
        return 0.9995 <= value < 1
    written = text.removesuffix(" %")
    if value < 0:
        return same(written, 100 * value)
    if written in ("0", "100") and value <= 1:
        return value == number(written) / 100
    step = 10.0 ** -len(written.partition(".")[2])
    return abs(number(written) - 100 * value) <= 0.501 * step


def agrees(text: str, value: Any, digits: int = 3) -> bool:
    """Return whether a word agrees with a value: exactly, if that is a count or a text; a bool is the answer itself."""
    if isinstance(value, bool | np.bool_):
        return bool(value)
    if isinstance(value, str):
        return text == value
    if isinstance(value, int | np.integer):
        return text == str(value)
    return same_share(text, value) if text.endswith(" %") else same(text, value, digits)


def position(name: str, tokens: tuple[str, ...], query: int) -> int:
    """Return the position of a query or key by its name; raise if the name is ambiguous."""
    if name == "itself":
        return query
    if not name.startswith("“"):
        return int(name.rpartition(" ")[2]) - 1
    word, _, rest = name[1:].partition("”")
    places = [place for place, token in enumerate(tokens) if token == word or token.startswith(word.rstrip("…"))]
    if rest:
        place = int(rest.strip(" ()")) - 1
        assert len(places) > 1, name
        assert place in places, name
        return place
    (place,) = places
    return place


def check(text: Any, phrases: Mapping[str, Callable[[T], Any]], row_of: Callable[[dict[str, str]], T]) -> T:
    """Raise unless every phrase (a pattern) in a sentence is true; return the row of the sentence.

    ``row_of`` takes the values of the first sentence that has them.
    """
    known = row_of(dict(reversed(list(words_of(text)))))
    for phrase, holds in phrases.items():
        assert not re.search(phrase, text.text) or holds(known), f"{text.text}\nnot true: {phrase}"
    return known


class Numbers(NamedTuple):
    """The numbers that may occur in a sentence."""

    shares: Sequence[float]
    """Those written as percentages."""
    others: Sequence[float]
    counts: Set[int]

    def check(self, text: Any, known: Mapping[str, Any], digits: int = 3) -> None:
        """Raise unless every number of a sentence is one of these, and its words are known ones, by name."""
        for name, word in words_of(text):
            value = known.get(name, True)
            value = value(word) if callable(value) else value
            assert agrees(word, value), f"{text.text}\n{name}: {word}, not {value}"
            assert name != "policy" or word.casefold() in map(str.casefold, MASK_POLICIES.values()), text.text
            for said in _SAID.findall("" if name == "policy" else _QUOTED.sub("", word)):
                assert self._has(said.strip(), digits), f"{text.text}\n{name}: {said} is not in the trace"

    def _has(self, said: str, digits: int) -> bool:
        if said.endswith("%"):
            return any(same_share(said, value) for value in self.shares)
        values, written = np.asarray(self.others, np.float64), number(said)
        near = values[np.isclose(values, written, rtol=0.06, equal_nan=True)]
        return said in map(str, self.counts) or any(same(said, value, digits) for value in near)


_QUOTED = re.compile("“[^”]*”")
_SAID = re.compile(r"[<>]? ?−?(?:∞|NaN|\d+(?:\.\d+)?(?:e[−+-]?\d+)?)(?: %)?")


_MANY = "(?:numbers|keys|values|weights|scores|points|features|zeros|heads|layers|tokens)"


def written_well(text: str) -> list[str]:
    """Return the typographic problems of a sentence."""
    faults = {
        "None": "None" in text,
        "nan": bool(re.search(r"\bnan\b", text))
        or (text.count("NaN") > 0 and "number" not in text and "finite" not in text),
        "one of many": bool(re.search(rf"(?<![\d.,−])\b1 {_MANY}\b", text)),
        "braces": bool(re.search(r"[{}]", text)),
        "spaces": "  " in text or text != text.strip(),
        "end": not text.endswith("."),
        "length": len(text) > 180,
        "number type": "np." in text or "array" in text,
    }
    return [name for name, wrong in faults.items() if wrong]
