"""Text: a part of a text, continued character by character."""

from collections.abc import Sequence
from functools import lru_cache

from attnviz.definitions.legal import at_most
from attnviz.definitions.tasks.task import VOCAB_SIZE, Answers, Integers, Knobs, Task, TaskRule


def _characters(text: str) -> tuple[str, ...]:
    return tuple(sorted(set(text)))


_characters_of = lru_cache(maxsize=8)(_characters)  # every sequence asks, and a long text takes milliseconds


def _alphabet_text(knobs: Knobs) -> tuple[str, ...]:
    """Return the different characters of the text."""
    return _characters_of(knobs["text"])


def _draw_text(knobs: Knobs, integers: Integers) -> tuple[int, ...]:
    """Return a part of the text."""
    text, length = knobs["text"], knobs["num_tokens"]
    start = integers(0, len(text) - length + 1)
    numbers = {character: number for number, character in enumerate(_alphabet_text(knobs))}
    return tuple(numbers[character] for character in text[start : start + length])


def _answers_text(knobs: Knobs, tokens: Sequence[int]) -> Answers:
    """Return the next character at each place."""
    return (*tokens[1:], None)


def _is_end_held_out(knobs: Knobs, tokens: Sequence[int]) -> bool | None:
    """Return whether a part is of the text's end, which is not drawn; None if it begins earlier."""
    text, alphabet = knobs["text"], _alphabet_text(knobs)
    first = len(text) - max(round(knobs["held_out"] * len(text)), len(tokens))
    part = "".join(alphabet[token] for token in tokens)
    if part in text[first:]:
        return True
    return False if part in text[:first] else None


_RHYME = """\
This is the house that Jack built.
This is the malt that lay in the house that Jack built.
This is the rat that ate the malt that lay in the house that Jack built.
This is the cat that killed the rat that ate the malt that lay in the house that Jack built.
"""

TEXT = Task(
    name="text",
    title="Text",
    help="Continue a text, character by character.",
    alphabet=_alphabet_text,
    draw=_draw_text,
    answers=_answers_text,
    is_held_out=_is_end_held_out,
    sequences=lambda knobs: len(knobs["text"]) - knobs["num_tokens"] + 1,
    rules=(
        TaskRule(
            code="text_too_short",
            field="num_tokens",
            text="the text has {characters} characters, fewer than {num_tokens} tokens; nearest: {nearest}",
            legal={"num_tokens": lambda knobs: at_most(len(knobs["text"]))},
            amounts=lambda knobs: {"characters": len(knobs["text"])},
            otherwise="a longer text",
        ),
        TaskRule(
            code="text_too_short_to_divide",
            field="num_tokens",
            text="the text has {characters} characters, fewer than twice {num_tokens} tokens; some of it is "
            "held out for testing; nearest: {nearest}",
            legal={"num_tokens": lambda knobs: at_most(len(knobs["text"]) // (2 if knobs.get("held_out") else 1))},
            amounts=lambda knobs: {"characters": len(knobs["text"])},
            otherwise="a longer text",
        ),
        TaskRule(
            code="text_alphabet",
            field="vocab_size",
            text="a model handles 2 to 128 distinct characters, but the text has {different}; nearest: another text",
            legal={"vocab_size": lambda knobs: range(int(VOCAB_SIZE.least), int(VOCAB_SIZE.greatest) + 1)},
            amounts=lambda knobs: {"different": len(_alphabet_text(knobs))},
        ),
    ),
    decides_vocabulary=True,
    reads_text=True,
    defaults={"num_tokens": 32, "vocab_size": len(set(_RHYME)), "text": _RHYME},
)
