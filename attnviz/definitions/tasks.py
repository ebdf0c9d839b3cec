"""What a transformer can learn: the tasks, each with its alphabet, its sequences and the places where it is right.

A task's functions take its knobs: the numbers ``num_tokens`` and ``vocab_size``, the task's own ones, and for the task
of a text the text; and ``held_out``, the share of the sequences that no step of a training draws, where there is one. A
sequence is a tuple of ``num_tokens`` tokens, each a position in the alphabet.

``draw``, ``answers`` and ``is_held_out`` are written into the exported script, with all that they call: functions (no
lambdas) and numbers of this module.
"""

import random
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from string import ascii_letters, digits
from typing import Any

from attnviz.definitions.knobs import NumberKnob
from attnviz.definitions.legal import Legal, at_least, at_most
from attnviz.definitions.registry import Registry
from attnviz.definitions.roles import ROLES, Cells, Places, Role
from attnviz.definitions.text import English

Knobs = Mapping[str, Any]
Integers = Callable[[int, int], int]
"""A source of random numbers: ``integers(low, high)`` is at least ``low`` and below ``high``."""
Answers = tuple[int | None, ...]
"""At each place the token that must follow it; None where that cannot be known."""

MOST_DRAWS = 20_000
"""How often a sequence is drawn until it is held out, or is not."""
_SAMPLE = 500
"""So many draws of a task hold one that is held out and one that is not, or the share is not legal."""
_MOST_MEASURED = 16
"""The most sequences on which roles are measured."""

NUM_TOKENS = NumberKnob(
    name="num_tokens", title="Tokens", help="The tokens of a sequence.", default=28, least=4, greatest=256
)
VOCAB_SIZE = NumberKnob(
    name="vocab_size", title="Vocabulary", help="The number of different tokens.", default=32, least=2, greatest=128
)


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskRule:
    """A condition on the numbers of a task, beside the limits of each."""

    code: str
    field: str
    """The number at which a problem is shown."""
    text: English
    """The problem as a sentence, with the knobs and `amounts` in braces, and ``{nearest}`` for legal values."""
    legal: Mapping[str, Callable[[Knobs], Legal]]
    """By number, the values that the other knobs leave it; those of `field` decide whether the rule is kept."""
    amounts: Callable[[Knobs], Mapping[str, Any]] = lambda knobs: {}
    """Further numbers of the sentence."""
    otherwise: English = "another task"
    """What helps where no value of `field` does."""

    def is_kept(self, knobs: Knobs) -> bool:
        """Return whether the knobs keep the rule."""
        return knobs[self.field] in self.legal[self.field](knobs)


def _share_of(tokens: Sequence[int]) -> float:
    """Return a number from 0 to 1, evenly spread, that depends on the tokens alone: FNV-1a."""
    number = 2166136261
    for token in (*tokens, 0, 0, 0):  # zeros: the last tokens reach the first bits too
        number = (number ^ token) * 16777619 % 2**32
    return number / 2**32


def _is_held_out(knobs: Knobs, tokens: Sequence[int]) -> bool:
    """Return whether no step draws a sequence."""
    share: float = knobs["held_out"]
    return _share_of(tokens) < share


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """One task."""

    name: str
    title: English
    help: English
    """One sentence for the form: what is to be learned."""
    alphabet: Callable[[Knobs], tuple[str, ...]]
    """The words of the tokens, by their numbers."""
    draw: Callable[[Knobs, Integers], tuple[int, ...]]
    """One sequence of ``num_tokens`` tokens."""
    answers: Callable[[Knobs, Sequence[int]], Answers]
    """What must follow each place of a sequence of any length; known from the tokens up to that place alone, but for a
    text, where it is the next character of the sequence."""
    is_held_out: Callable[[Knobs, Sequence[int]], bool | None] = _is_held_out
    """Whether no step draws a sequence, by ``held_out`` and its tokens alone; None: it is not drawn to be tested on
    either, for it holds a part of what steps draw."""
    sequences: Callable[[Knobs], int] | None = None
    """How many sequences there are, where that may be so few that a training draws most of them."""
    knobs: tuple[NumberKnob, ...] = ()
    """Its own, beside ``num_tokens`` and ``vocab_size``."""
    rules: tuple[TaskRule, ...] = ()
    decides_vocabulary: bool = False
    """Whether the alphabet does not depend on ``vocab_size``, which then follows from it."""
    reads_text: bool = False
    """Whether ``text`` is one of its knobs."""
    lags: Callable[[Knobs], Sequence[int]] | None = None
    """How far apart in a sequence may be what belongs together; None where that does not differ."""
    draw_at: Callable[[Knobs, Integers, int], tuple[int, ...]] | None = None
    """One sequence as by ``draw``, with a lag."""
    roles: tuple[Role, ...] = ()
    """What its heads may do beside `ROLES`."""
    defaults: Mapping[str, Any] = field(default_factory=dict)
    """Of ``num_tokens``, ``vocab_size`` and ``text``, where they are not those of every task."""

    @property
    def default_knobs(self) -> dict[str, Any]:
        """Knobs that keep every rule."""
        return {knob.name: knob.default for knob in (NUM_TOKENS, VOCAB_SIZE, *self.knobs)} | dict(self.defaults)

    def vocabulary(self, knobs: Knobs) -> int:
        """Return how many tokens there are: ``vocab_size``, or as many as the task decides."""
        return len(self.alphabet(knobs))

    def problem(self, knobs: Knobs) -> TaskRule | None:
        """Return the first rule that the knobs break; sequences of such knobs cannot be drawn."""
        return next((rule for rule in self.rules if not rule.is_kept(knobs)), None)

    def counts(self, knobs: Knobs, tokens: Sequence[int]) -> tuple[bool, ...]:
        """Return at which places of a sequence the next token is in it and can be known."""
        known = [answer is not None for answer in self.answers(knobs, tokens)]
        return (*known[:-1], False)

    def probe(self, knobs: Knobs) -> tuple[int, ...]:
        """Return a sequence to look at, held out if any are, always the same for the same knobs."""
        return self.drawn(knobs, _integers(), held_out=True)

    def drawn(self, knobs: Knobs, integers: Integers, *, held_out: bool) -> tuple[int, ...]:
        """Return a sequence that is held out, or one that is not; any where ``knobs`` hold out none.

        Raises:
            ValueError: there is none among `MOST_DRAWS`.
        """
        if not knobs.get("held_out"):
            return self.draw(knobs, integers)
        for _ in range(MOST_DRAWS):
            tokens = self.draw(knobs, integers)
            if self.is_held_out(knobs, tokens) is held_out:
                return tokens
        raise ValueError(f"none of {MOST_DRAWS} sequences is as held_out {knobs['held_out']:g} asks for")

    def role_sequences(self, knobs: Knobs) -> tuple[tuple[int, ...], ...]:
        """Return the sequences on which roles are measured, always the same for the same knobs.

        Every lag comes equally often; where there are too many of them, some, evenly spread, come once. They are held
        out where such are found.
        """
        integers, lags = _integers(), self.lags(knobs) if self.lags is not None else (0,)
        if len(lags) > _MOST_MEASURED:
            lags = [lags[place * (len(lags) - 1) // (_MOST_MEASURED - 1)] for place in range(_MOST_MEASURED)]
        return tuple(self._drawn_at(knobs, integers, lag) for lag in lags for _ in range(_MOST_MEASURED // len(lags)))

    def _drawn_at(self, knobs: Knobs, integers: Integers, lag: int) -> tuple[int, ...]:
        tokens: tuple[int, ...] = ()
        for _ in range(_SAMPLE):
            tokens = self.draw(knobs, integers) if self.draw_at is None else self.draw_at(knobs, integers, lag)
            if not knobs.get("held_out") or self.is_held_out(knobs, tokens):
                break
        return tokens

    def sample(self, knobs: Knobs) -> Iterator[tuple[int, ...]]:
        """Yield some sequences, always the same for the same knobs, the first of them as `probe` does."""
        integers = _integers()
        return (self.draw(knobs, integers) for _ in range(_SAMPLE))

    def has_both(self, knobs: Knobs, sequences: Iterable[tuple[int, ...]]) -> bool:
        """Return whether among sequences there are one that is held out and one that is not."""
        kinds = set()
        for tokens in sequences:
            kinds.add(self.is_held_out(knobs, tokens))
            if kinds >= {True, False}:
                return True
        return False


def _integers() -> Integers:
    fraction = random.Random(0).random
    return lambda low, high: low + int(fraction() * (high - low))


def different(items: Sequence[int], count: int, integers: Integers) -> list[int]:
    """Return so many of the items in random order, each at most once."""
    left = list(items)
    for place in range(count):
        other = integers(place, len(left))
        left[place], left[other] = left[other], left[place]
    return left[:count]


def symbols(count: int) -> tuple[str, ...]:
    """Return so many different words: a, b, ... z, A, ... Z, a2, b2, ..."""
    rounds = range(1, 2 + count // len(ascii_letters))
    return tuple(letter + (str(each) if each > 1 else "") for each in rounds for letter in ascii_letters)[:count]


# A segment of different tokens is there twice, at places that vary; every other token is there once.


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


# Symbols, a bar, the answer, and bars to the end. The bar is the last token of the alphabet.


def _same(asked: Sequence[int]) -> Sequence[int]:
    """Return the answer to symbols."""
    return asked


def _backwards(asked: Sequence[int]) -> Sequence[int]:
    """Return the answer to symbols."""
    return asked[::-1]


def _in_order(asked: Sequence[int]) -> Sequence[int]:
    """Return the answer to symbols."""
    return sorted(asked)


def _drawn_symbols(knobs: Knobs, integers: Integers) -> list[int]:
    """Return the symbols before the bar, which is the last token of the alphabet."""
    count = integers((knobs["symbols"] + 1) // 2, knobs["symbols"] + 1)
    return [integers(0, knobs["vocab_size"] - 1) for _ in range(count)]


def _asked(knobs: Knobs, tokens: Sequence[int]) -> list[int]:
    """Return the symbols before the bar of a sequence that has one; else none."""
    bar = knobs["vocab_size"] - 1
    return list(tokens[: tokens.index(bar)]) if bar in tokens else []


def _where(wanted: Callable[[list[int]], Sequence[Sequence[int]]]) -> Cells:
    """Return the cells of the places, for each token of the answer, that are wanted; the bar asks for the first one."""

    def cells(tokens: Sequence[int], knobs: Knobs) -> Places:
        asked = _asked(knobs, tokens)
        found = [*[()] * len(asked), *map(tuple, wanted(asked)), *[()] * len(tokens)]
        return tuple(found[: len(tokens)])

    return cells


def _one_after_the_other(asked: list[int]) -> list[list[int]]:
    return [[place] for place in range(len(asked))]


def _mirrored(asked: list[int]) -> list[list[int]]:
    return [[place] for place in reversed(range(len(asked)))]


def _next_larger(asked: list[int]) -> list[list[int]]:
    return [[place for place, token in enumerate(asked) if token == wanted] for wanted in sorted(asked)]


def _answered(
    name: str, title: English, help_: English, answer: Callable[[Sequence[int]], Sequence[int]], role: Role
) -> Task:
    """Return the task of answering symbols, and what a head may look at to answer."""

    def draw(knobs: Knobs, integers: Integers) -> tuple[int, ...]:
        """Return symbols, a bar, their answer, and bars to the end."""
        asked, bar = _drawn_symbols(knobs, integers), knobs["vocab_size"] - 1
        bars = knobs["num_tokens"] - 2 * len(asked)
        return (*asked, bar, *answer(asked), *[bar] * (bars - 1))

    def answers(knobs: Knobs, tokens: Sequence[int]) -> Answers:
        """Return the token that must follow each place; None where it cannot be known."""
        bar = knobs["vocab_size"] - 1
        asked = list(tokens[: tokens.index(bar)]) if bar in tokens else list(tokens)
        found = [*[None] * len(asked), *answer(asked), *[None] * len(tokens)]
        return tuple(found[: len(tokens)])

    def draw_at(knobs: Knobs, integers: Integers, count: int) -> tuple[int, ...]:
        """Return a sequence with so many symbols."""
        asked, bar = [integers(0, knobs["vocab_size"] - 1) for _ in range(count)], knobs["vocab_size"] - 1
        return (*asked, bar, *answer(asked), *[bar] * (knobs["num_tokens"] - 2 * count - 1))

    return Task(
        name=name,
        title=title,
        help=help_,
        alphabet=lambda knobs: (*symbols(knobs["vocab_size"] - 1), "|"),
        draw=draw,
        answers=answers,
        lags=lambda knobs: range((knobs["symbols"] + 1) // 2, knobs["symbols"] + 1),
        draw_at=draw_at,
        roles=(role,),
        knobs=(
            NumberKnob(
                name="symbols",
                title="Symbols",
                help="How many symbols there are at most; at least half as many.",
                default=8,
                least=1,
                greatest=127,
            ),
        ),
        rules=(
            TaskRule(
                code="answer_too_long",
                field="symbols",
                text="{symbols} symbols, a bar and their answer are more than {num_tokens} tokens; nearest: {nearest}",
                legal={
                    "symbols": lambda knobs: at_most((knobs["num_tokens"] - 1) // 2),
                    "num_tokens": lambda knobs: at_least(2 * knobs["symbols"] + 1),
                },
            ),
        ),
        defaults={"num_tokens": 17, "vocab_size": 16},
    )


# Two numbers and their sum, in digits: 58+67=521. Equals signs fill the end.

_PLUS, _EQUALS = 10, 11


def _sum_of(first: Sequence[int], second: Sequence[int]) -> list[int]:
    """Return the digits of a sum from the ones on, one more than the longer number has."""
    count = 1 + max(len(first), len(second))
    digits_of = [enumerate(reversed(number)) for number in (first, second)]
    total = sum(digit * 10**power for each in digits_of for power, digit in each)
    return [total // 10**power % 10 for power in range(count)]


def _draw_add(knobs: Knobs, integers: Integers) -> tuple[int, ...]:
    """Return two numbers, their sum from the ones on, and equals signs to the end."""
    first, second = ([integers(0, 10) for _ in range(knobs["digits"])] for _ in range(2))
    tokens = [*first, _PLUS, *second, _EQUALS, *_sum_of(first, second)]
    return (*tokens, *[_EQUALS] * (knobs["num_tokens"] - len(tokens)))


def _answers_add(knobs: Knobs, tokens: Sequence[int]) -> Answers:
    """Return the digit that must follow each place; None where it cannot be known."""
    nothing = (None,) * len(tokens)
    if _EQUALS not in tokens:
        return nothing
    equals = tokens.index(_EQUALS)
    asked = tuple(tokens[:equals])
    if asked.count(_PLUS) != 1:
        return nothing
    plus = asked.index(_PLUS)
    if not 0 < plus < equals - 1:
        return nothing  # a number is missing
    return (*nothing[:equals], *_sum_of(asked[:plus], asked[plus + 1 :]), *nothing)[: len(tokens)]


def _pairs(tokens: Sequence[int]) -> list[tuple[int, int]]:
    """Return the places of the digits of both numbers of a sum, from the ones on; none if no sum is asked for."""
    if _PLUS not in tokens or _EQUALS not in tokens:
        return []
    plus, equals = tokens.index(_PLUS), tokens.index(_EQUALS)
    return [(plus - each, equals - each) for each in range(1, 1 + min(plus, equals - plus - 1))]


def _other_digit(tokens: Sequence[int], _knobs: Knobs) -> Places:
    """Return, for each digit of the second number, the place of the one of the same value in the first."""
    of_second = {second: (first,) for first, second in _pairs(tokens)}
    return tuple(of_second.get(query, ()) for query in range(len(tokens)))


def _added_next(tokens: Sequence[int], _knobs: Knobs) -> Places:
    """Return, for each token from the equals sign on, the places of the two digits that are added next."""
    pairs = _pairs(tokens)
    before = tokens.index(_EQUALS) if pairs else 0
    return (*[()] * before, *pairs, *[()] * len(tokens))[: len(tokens)]


def _is_pair_held_out(knobs: Knobs, tokens: Sequence[int]) -> bool:
    """Return whether no step draws the two numbers, in whatever order."""
    plus, equals = tokens.index(_PLUS), tokens.index(_EQUALS)
    less, more = sorted((tuple(tokens[:plus]), tuple(tokens[plus + 1 : equals])))
    share: float = knobs["held_out"]
    return _share_of((*less, _PLUS, *more)) < share


# The characters of a text.


def _characters(text: str) -> tuple[str, ...]:
    """Return the different characters of a text."""
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

TASKS = Registry(
    "task",
    (
        Task(
            name="repeat",
            title="Repeat",
            help="A segment of different tokens comes a second time, at a place that varies: continue it.",
            alphabet=lambda knobs: symbols(knobs["vocab_size"]),
            draw=_draw_repeat,
            answers=_answers_repeat,
            lags=_repeat_lags,
            draw_at=_repeat_at,
            knobs=(
                NumberKnob(
                    name="segment",
                    title="Segment",
                    help="The tokens of the segment that comes twice.",
                    default=8,
                    least=2,
                    greatest=128,
                ),
            ),
            rules=(
                TaskRule(
                    code="segment_too_varied",
                    field="segment",
                    text="a segment of {segment} different tokens needs more than a vocabulary of {vocab_size}; "
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
                    text="{num_tokens} tokens, of which {segment} are there twice, need more than a vocabulary of "
                    "{vocab_size}; nearest: {nearest}",
                    legal={
                        "num_tokens": lambda knobs: at_most(knobs["vocab_size"] + knobs["segment"]),
                        "vocab_size": lambda knobs: at_least(knobs["num_tokens"] - knobs["segment"]),
                        "segment": lambda knobs: at_least(knobs["num_tokens"] - knobs["vocab_size"]),
                    },
                ),
            ),
        ),
        _answered(
            "copy",
            "Copy",
            "After the bar, write the symbols once more.",
            _same,
            Role(
                name="copied_next",
                title="Copied next",
                short="copied",
                heading="copy",
                help="From the bar on, each token looks at the symbol that is to be copied next.",
                does="looks at the symbol to be copied next",
                do="look at the symbol to be copied next",
                places="the bar and the answer",
                latex=r"\frac{1}{m-1} \sum_{i=2}^{m} b_{m+i,\,i}",
                spoken="the mean, over the answer, of the weight on the symbol to be copied next",
                cells=_where(_one_after_the_other),
            ),
        ),
        _answered(
            "reverse",
            "Reverse",
            "After the bar, write the symbols backwards.",
            _backwards,
            Role(
                name="mirrored",
                title="Mirrored place",
                short="mirrored",
                heading="mirr",
                help="From the bar on, each token looks at the symbol that is mirrored by the place after it.",
                does="looks at the mirrored place",
                do="look at the mirrored place",
                places="the bar and the answer",
                latex=r"\frac{1}{m-1} \sum_{i=1}^{m-1} b_{m+i,\,m+1-i}",
                spoken="the mean, over the answer, of the weight on the symbol that the bar mirrors to the next place",
                cells=_where(_mirrored),
            ),
        ),
        _answered(
            "sort",
            "Sort",
            "After the bar, write the symbols in the order of the alphabet.",
            _in_order,
            Role(
                name="next_larger",
                title="Next larger",
                short="larger",
                heading="larger",
                help="From the bar on, each token looks at the next larger symbol, or at all that are equal to it.",
                does="looks at the next larger token",
                do="look at the next larger token",
                places="the bar and the answer",
                latex=r"\frac{1}{m} \sum_{i=1}^{m} \sum_{1<j\le m,\, x_j = y_i} b_{m+i,\,j}",
                spoken="the mean, over the answer, of the weight on the symbols that must come next",
                cells=_where(_next_larger),
            ),
        ),
        Task(
            name="add",
            title="Add",
            help="Write the sum of two numbers digit by digit, beginning with the ones.",
            alphabet=lambda knobs: (*digits, "+", "="),
            draw=_draw_add,
            answers=_answers_add,
            is_held_out=_is_pair_held_out,
            sequences=lambda knobs: 100 ** knobs["digits"],
            knobs=(
                NumberKnob(
                    name="digits", title="Digits", help="The digits of each number.", default=2, least=1, greatest=84
                ),
            ),
            rules=(
                TaskRule(
                    code="sum_too_long",
                    field="num_tokens",
                    text="a sum of numbers of {digits} digits is longer than {num_tokens} tokens; nearest: {nearest}",
                    legal={
                        "digits": lambda knobs: range(1, knobs["num_tokens"] // 3),
                        "num_tokens": lambda knobs: at_least(3 * knobs["digits"] + 3),
                    },
                ),
            ),
            roles=(
                Role(
                    name="other_digit",
                    title="Other digit",
                    short="digit",
                    heading="other",
                    help="Each digit of the second number looks at the digit of the same value in the first.",
                    does="looks at the other number's same digit",
                    do="look at the other number's same digit",
                    places="the second number",
                    latex=r"\frac{1}{d-1} \sum_{i=2}^{d} b_{d+1+i,\,i}",
                    spoken="the mean, over the digits of the second number, of the weight on the digit of the same "
                    "value in the first number",
                    cells=_other_digit,
                ),
                Role(
                    name="added_next",
                    title="Added next",
                    short="addends",
                    heading="added",
                    help="From the equals sign on, each token looks at the two digits that are added next.",
                    does="looks at the digits to be added next",
                    do="look at the digits to be added next",
                    places="the equals sign and the sum",
                    latex=r"\frac{1}{d} \sum_{i=1}^{d} (b_{2d+1+i,\,d+1-i} + b_{2d+1+i,\,2d+2-i})",
                    spoken="the mean, over the sum, of the weight on the two digits that are added next",
                    cells=_added_next,
                ),
            ),
            decides_vocabulary=True,
            defaults={"num_tokens": 9, "vocab_size": 12},
        ),
        Task(
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
                    text="the text has {characters} characters, fewer than twice {num_tokens} tokens, of which "
                    "some are held out; nearest: {nearest}",
                    legal={
                        "num_tokens": lambda knobs: at_most(len(knobs["text"]) // (2 if knobs.get("held_out") else 1))
                    },
                    amounts=lambda knobs: {"characters": len(knobs["text"])},
                    otherwise="a longer text",
                ),
                TaskRule(
                    code="text_alphabet",
                    field="vocab_size",
                    text="a model has 2 to 128 different characters, but the text has {different}; "
                    "nearest: another text",
                    legal={"vocab_size": lambda knobs: range(int(VOCAB_SIZE.least), int(VOCAB_SIZE.greatest) + 1)},
                    amounts=lambda knobs: {"different": len(_alphabet_text(knobs))},
                ),
            ),
            decides_vocabulary=True,
            reads_text=True,
            defaults={"num_tokens": 32, "vocab_size": len(set(_RHYME)), "text": _RHYME},
        ),
    ),
)
"""In the order of the form."""

EVERY_ROLE = Registry("role", (*ROLES.values(), *(role for task in TASKS.values() for role in task.roles)))
"""The roles of all tasks."""
