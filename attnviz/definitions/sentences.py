"""Parts of sentences about a user's input: the quoted value, and the nearest known word."""

import difflib
from collections.abc import Iterable


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
