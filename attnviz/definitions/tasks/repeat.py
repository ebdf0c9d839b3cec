"""Repeat: a segment of distinct tokens occurs twice, at varying positions; every other token occurs once."""

from collections.abc import Sequence

from attnviz.definitions.knobs import NumberKnob
from attnviz.definitions.legal import at_least, at_most
from attnviz.definitions.tasks.task import Answers, Integers, Knobs, Task, TaskRule, different, symbols


def _draw_repeat(knobs: Knobs, integers: Integers) -> tuple[int, ...]:
    """Return a sequence with one segment of different tokens twice."""
    length, segment = knobs["num_tokens"], knobs["segment"]
    tokens = different(range(knobs["vocab_size"]), length - segment, integers)
    first = integers(0, length - 2 * segment + 1)
    second = integers(first + segment, length - segment + 1)
    return (*tokens[:second], *tokens[first : first + segment], *tokens[second:])


def _repeat_lags(knobs: Knobs) -> range:
    """Return how many tokens after its first the segment may come again."""
    return range(knobs["segment"], knobs["num_tokens"] - knobs["segment"] + 1)


def _repeat_at(knobs: Knobs, integers: Integers, lag: int) -> tuple[int, ...]:
    """Return a sequence whose segment comes again after so many tokens."""
    length, segment = knobs["num_tokens"], knobs["segment"]
    tokens = different(range(knobs["vocab_size"]), length - segment, integers)
    first = integers(0, length - segment - lag + 1)
    second = first + lag
    return (*tokens[:second], *tokens[first : first + segment], *tokens[second:])


def _answers_repeat(knobs: Knobs, tokens: Sequence[int]) -> Answers:
    """Return the token that must follow each place; None where it cannot be known."""
    answers: list[int | None] = []
    last: dict[int, int] = {}  # where each token was seen last
    source = repeated = 0  # the place that the next token repeats, and how many have been repeated
    for place, token in enumerate(tokens):
        goes_on = 0 < repeated < knobs["segment"] and tokens[source] == token
        repeated = repeated + 1 if goes_on else int(token in last)
        source = source + 1 if goes_on else last.get(token, place) + 1
        answers.append(tokens[source] if 0 < repeated < knobs["segment"] else None)
        last[token] = place
    return tuple(answers)


REPEAT = Task(
    name="repeat",
    title="Repeat",
    help="A segment of distinct tokens occurs a second time, at a varying position: continue it.",
    alphabet=lambda knobs: symbols(knobs["vocab_size"]),
    draw=_draw_repeat,
    answers=_answers_repeat,
    lags=_repeat_lags,
    draw_at=_repeat_at,
    knobs=(
        NumberKnob(
            name="segment",
            title="Segment",
            help="Length of the repeated segment, in tokens.",
            default=8,
            least=2,
            greatest=128,
        ),
    ),
    rules=(
        TaskRule(
            code="segment_too_varied",
            field="segment",
            text="a segment of {segment} distinct tokens needs a vocabulary larger than {vocab_size}; "
            "nearest: {nearest}",
            legal={
                "segment": lambda knobs: range(2, knobs["vocab_size"] + 1),
                "vocab_size": lambda knobs: at_least(knobs["segment"]),
            },
        ),
        TaskRule(
            code="segment_too_long",
            field="segment",
            text="twice a segment of {segment} is more than {num_tokens} tokens; nearest: {nearest}",
            legal={
                "segment": lambda knobs: range(2, knobs["num_tokens"] // 2 + 1),
                "num_tokens": lambda knobs: at_least(2 * knobs["segment"]),
            },
        ),
        TaskRule(
            code="too_few_different",
            field="num_tokens",
            text="{num_tokens} tokens, of which {segment} occur twice, need a vocabulary larger than "
            "{vocab_size}; nearest: {nearest}",
            legal={
                "num_tokens": lambda knobs: at_most(knobs["vocab_size"] + knobs["segment"]),
                "vocab_size": lambda knobs: at_least(knobs["num_tokens"] - knobs["segment"]),
                "segment": lambda knobs: at_least(knobs["num_tokens"] - knobs["vocab_size"]),
            },
        ),
    ),
)
