"""Heads as people write them: counted from 1, such as ``1,3-4``."""

import re

LONGEST = 10_000
"""How many characters a list of heads may take, which is twice what naming every one of a thousand takes."""

_PART = re.compile(r"\s*([0-9]{1,4})\s*(?:-\s*([0-9]{1,4})\s*)?")


def parse_heads(text: str) -> tuple[int, ...]:
    """Return the heads of a list, counted from 0, each once and in the order of the list.

    Raises:
        ValueError: the text is no list of heads; the sentence shows one.
    """
    if len(text) > LONGEST:
        raise ValueError(f"heads '{text[:40]}...' must be at most {LONGEST} characters")
    heads: dict[int, None] = {}
    for part in text.split(","):
        found = _PART.fullmatch(part)
        first, last = (int(found[1]), int(found[2] or found[1])) if found else (0, 0)
        if not 1 <= first <= last:
            raise ValueError(f"heads '{text[:40]}' must be counted from 1, such as 1,3 or 2-4")
        heads |= dict.fromkeys(range(first - 1, last))
    return tuple(heads)
