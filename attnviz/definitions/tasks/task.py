"""The record of a task: an alphabet, sequences, and the positions at which the next token is predictable.

A task's functions take its knobs: the numbers ``num_tokens`` and ``vocab_size``, the task's own ones, and for the task
of a text the text; and ``held_out``, the share of the sequences that no step of a training draws, if there is one. A
sequence is a tuple of ``num_tokens`` tokens, each an index in the alphabet.

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
"""For each position the token that must follow it; None where it is not predictable."""

MOST_DRAWS = 20_000
"""The most attempts to draw a sequence that is, or is not, held out."""
_SAMPLE = 500
"""The number of draws among which a valid share of held-out sequences gives at least one of each kind."""
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
    """A condition on the options of a task, besides the limits of each."""

    code: str
    field: str
    """The option at which a problem is shown."""
    text: English
    """The message, with the options and `amounts` in braces, and ``{nearest}`` for valid values."""
    legal: Mapping[str, Callable[[Knobs], Legal]]
    """By option, the values that the other options allow; those of `field` decide whether the rule is satisfied."""
    amounts: Callable[[Knobs], Mapping[str, Any]] = lambda knobs: {}
    """Further numbers of the message."""
    otherwise: English = "another task"
    """The remedy if no value of `field` helps."""

    def is_kept(self, knobs: Knobs) -> bool:
        """Return whether the options satisfy the rule."""
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
    """One sentence for the form about the task."""
    alphabet: Callable[[Knobs], tuple[str, ...]]
    """The words of the tokens, by token id."""
    draw: Callable[[Knobs, Integers], tuple[int, ...]]
    """One sequence of ``num_tokens`` tokens."""
    answers: Callable[[Knobs, Sequence[int]], Answers]
    """The required next token at each position of a sequence of any length, determined by the tokens up to there,
    except for a text, where it is the next character of the sequence."""
    is_held_out: Callable[[Knobs, Sequence[int]], bool | None] = _is_held_out
    """Whether no step draws a sequence, by ``held_out`` and its tokens only; None: it is not used for tests either,
    because it overlaps with training sequences."""
    sequences: Callable[[Knobs], int] | None = None
    """The number of sequences, if it may be so small that a training draws most of them."""
    knobs: tuple[NumberKnob, ...] = ()
    """Its own, besides ``num_tokens`` and ``vocab_size``."""
    rules: tuple[TaskRule, ...] = ()
    decides_vocabulary: bool = False
    """Whether the alphabet does not depend on ``vocab_size``, which then follows from it."""
    reads_text: bool = False
    """Whether ``text`` is one of its options."""
    lags: Callable[[Knobs], Sequence[int]] | None = None
    """The possible distances between related tokens; None if there is only one."""
    draw_at: Callable[[Knobs, Integers, int], tuple[int, ...]] | None = None
    """One sequence as by ``draw``, with a lag."""
    roles: tuple[Role, ...] = ()
    """The roles of its heads besides `ROLES`."""
    defaults: Mapping[str, Any] = field(default_factory=dict)
    """Of ``num_tokens``, ``vocab_size`` and ``text``, if they differ from the usual ones."""

    @property
    def default_knobs(self) -> dict[str, Any]:
        """Options that satisfy every rule."""
        return {knob.name: knob.default for knob in (NUM_TOKENS, VOCAB_SIZE, *self.knobs)} | dict(self.defaults)

    def vocabulary(self, knobs: Knobs) -> int:
        """Return the vocabulary size: ``vocab_size``, or the one that the task determines."""
        return len(self.alphabet(knobs))

    def problem(self, knobs: Knobs) -> TaskRule | None:
        """Return the first rule that the options break; such sequences cannot be drawn."""
        return next((rule for rule in self.rules if not rule.is_kept(knobs)), None)

    def counts(self, knobs: Knobs, tokens: Sequence[int]) -> tuple[bool, ...]:
        """Return at which positions of a sequence the next token is in it and predictable."""
        known = [answer is not None for answer in self.answers(knobs, tokens)]
        return (*known[:-1], False)

    def probe(self, knobs: Knobs) -> tuple[int, ...]:
        """Return the sequence to show, held out if any are, always the same for the same options."""
        return self.drawn(knobs, _integers(), held_out=True)

    def drawn(self, knobs: Knobs, integers: Integers, *, held_out: bool) -> tuple[int, ...]:
        """Return a sequence that is held out, or one that is not; any if no sequences are held out.

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
        """Return the sequences on which roles are measured, always the same for the same options.

        Every lag occurs equally often; if there are too many, some, evenly spread, occur once. They are held out if
        such sequences are found.
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
        """Yield some sequences, always the same for the same options, starting with that of `probe`."""
        integers = _integers()
        return (self.draw(knobs, integers) for _ in range(_SAMPLE))

    def has_both(self, knobs: Knobs, sequences: Iterable[tuple[int, ...]]) -> bool:
        """Return whether sequences include one that is held out and one that is not."""
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
