"""Reads the numbers of a sentence back and compares them with a trace's arrays; not a line of the project's words."""

import re
from collections.abc import Callable
from typing import Any

import numpy as np

NUMBER = r"(?:−?(?:\d+(?:\.\d+)?(?:e−?\d+)?|∞)|NaN \(not a number\))"
_SHARE = r"(?:under 0\.1|over 99\.9|−?\d+(?:\.\d+)?(?:e−?\d+)?) %"
_NAME = r"(?:“[^”]*”(?: \(\d+\))?|query \d+|Query \d+|key \d+|itself)"
_POINT = rf"x = {NUMBER}(?: \(point \d+\))?"
_KINDS = {"int": r"\d+", "num": NUMBER, "share": _SHARE, "name": _NAME, "point": _POINT, "text": r"[^{}]*?"}


def form(template: str) -> re.Pattern[str]:
    """Return the pattern of a sentence, which names its words with their kind: "{q:name} has {n:int} keys"."""
    parts = re.split(r"\{(\w+):(\w+)\}", template)
    made = re.escape(parts[0])
    for name, kind, after in zip(parts[1::3], parts[2::3], parts[3::3], strict=True):
        made += f"(?P<{name}>{_KINDS[kind]}){re.escape(after)}"
    return re.compile(made)


def number(text: str) -> float:
    """Return the number that a text of a sentence writes."""
    return float(text.replace("−", "-").replace("∞", "inf").removesuffix(" (not a number)"))


def same(text: str, value: Any, digits: int = 3) -> bool:
    """Return whether a text writes a number: up to half a unit of its last digit."""
    value = float(value)
    if value == 0 or not np.isfinite(value):
        return bool(np.array_equal(number(text), value, equal_nan=True))
    return bool(abs(number(text) - value) <= 0.501 * 10.0 ** (np.floor(np.log10(abs(value))) + 1 - digits))


def same_share(text: str, value: Any) -> bool:
    """Return whether a text writes a share as a percentage; none but 0 and 1 are written as 0 and 100 %."""
    value = float(value)
    if text == "under 0.1 %":
        return 0 < value < 0.001
    if text == "over 99.9 %":
        return 0.9995 <= value < 1
    written = text.removesuffix(" %")
    if value < 0:
        return same(written, 100 * value)
    if written in ("0", "100") and value <= 1:
        return value == number(written) / 100
    step = 10.0 ** -len(written.partition(".")[2])
    return abs(number(written) - 100 * value) <= 0.501 * step


def position(name: str, tokens: tuple[str, ...], query: int) -> int:
    """Return the position that a name of a query or key means; raises unless it can mean but one."""
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


Check = Callable[..., bool]
"""Takes what is known of the row, and the words of the sentence by name."""


def matched(text: str, forms: dict[str, Any]) -> tuple[str, dict[str, str]]:
    """Return the one form of these that a text has, and its words; raises where it has none or two."""
    found = {template: match for template in forms if (match := form(template).fullmatch(text))}
    assert found, f"no form: {text}"
    exact = sorted(found, key=lambda template: -len(re.sub(r"\{.*?\}", "", template)))[0]
    return exact, found[exact].groupdict()


def written_well(text: str) -> list[str]:
    """Return what is wrong with the look of a sentence."""
    faults = {
        "None": "None" in text,
        "nan": bool(re.search(r"\bnan\b", text))
        or (text.count("NaN") > 0 and "number" not in text and "finite" not in text),
        "braces": bool(re.search(r"[{}]", text)),
        "spaces": "  " in text or text != text.strip(),
        "end": not text.endswith("."),
        "length": len(text) > 180,
        "number type": "np." in text or "array" in text,
    }
    return [name for name, wrong in faults.items() if wrong]
