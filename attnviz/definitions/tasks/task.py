"""What a task is: an alphabet, sequences, and the places where the next token can be known.

A task's functions take its knobs: the numbers ``num_tokens`` and ``vocab_size``, the task's own ones, and for the task
of a text the text; and ``held_out``, the share of the sequences that no step of a training draws, where there is one. A
sequence is a tuple of ``num_tokens`` tokens, each a position in the alphabet.

``draw``, ``answers`` and ``is_held_out`` are written into the exported script, with all that they call: functions (no
lambdas) and numbers of the modules here.
"""

import random
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from string import ascii_letters
from typing import Any

from attnviz.definitions.knobs import NumberKnob
from attnviz.definitions.legal import Legal
from attnviz.definitions.roles import Role
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
    name="num_tokens", title="Tokens", help="Sequence length, in tokens.", default=28, least=4, greatest=256
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


def share_of(tokens: Sequence[int]) -> float:
    """Return a number from 0 to 1, evenly spread, that depends on the tokens alone: FNV-1a."""
    number = 2166136261
    for token in (*tokens, 0, 0, 0):  # zeros: the last tokens reach the first bits too
        number = (number ^ token) * 16777619 % 2**32
    return number / 2**32


def _is_held_out(knobs: Knobs, tokens: Sequence[int]) -> bool:
    """Return whether no step draws a sequence."""
    share: float = knobs["held_out"]
    return share_of(tokens) < share


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
