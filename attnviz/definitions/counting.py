"""Where heads, queries, keys, batch items and features count from one, and where from zero: one table.

What people read and type counts from one: the screen, figures, the text of the form. What programs read keeps the
counting that it has always had. A head named with its layer, "1.4", is a name: from one on every surface. Lengths,
sizes and training steps are numbers of things, not positions, and are equal everywhere.

Positions are kept from zero; each surface adds its own first number. A sentence that is shown on several surfaces keeps
its positions as `Position`, and is filled for the surface it appears on.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from attnviz.definitions.registry import Registry


@dataclass(frozen=True, slots=True)
class Surface:
    """A place where positions are read or written, and the numbers that the first ones have there."""

    name: str
    title: str
    first_head: int
    first: int
    """Of queries, keys, batch items and features."""

    def head(self, head: int) -> int:
        """Return the number of a head here."""
        return head + self.first_head

    def number(self, position: int) -> int:
        """Return the number of a query, key, batch item or feature here."""
        return position + self.first

    def position(self, number: int) -> int:
        """Return the position that a number here means."""
        return number - self.first


SCREEN = Surface("screen", "Screen, figures and typed text", 1, 1)
FLAGS = Surface("flags", "Flags of the command line", 1, 0)
CSV = Surface("csv", "CSV", 1, 0)
FILES = Surface("files", "JSON, sessions, NPZ, Python and its scripts", 0, 0)

LAYERS = Surface("layers", "The array `layers` of NPZ, as in the name 3.4", 1, 1)
"""The one array that counts from one: the numbers that a model's own layers have in names of heads."""

SURFACES = Registry("surface", (SCREEN, FLAGS, CSV, FILES, LAYERS))


class Position(int):
    """A position in the numbers of a sentence, counted from zero."""


def on_screen(numbers: Mapping[str, Any]) -> dict[str, Any]:
    """Return the numbers of a sentence as the screen writes them: positions count from one."""
    return {name: SCREEN.number(each) if isinstance(each, Position) else each for name, each in numbers.items()}


def are_positions(tokens: Sequence[str]) -> bool:
    """Return whether tokens are nothing but their own positions, as files keep them: "0", "1", "2", ..."""
    return tuple(tokens) == _numbers_from(0, len(tokens))


def are_numbers(names: Sequence[str]) -> bool:
    """Return whether names on screen are nothing but numbers in order: "1", "2", "3", ..."""
    return tuple(names) == numbers(len(names))


def numbers(count: int) -> tuple[str, ...]:
    """Return the numbers of so many positions on screen."""
    return _numbers_from(SCREEN.first, count)


@lru_cache(maxsize=16)
def _numbers_from(first: int, count: int) -> tuple[str, ...]:
    return tuple(map(str, range(first, first + count)))


def name_at(names: Sequence[str], position: int, *, words: bool = False) -> str:
    """Return a position on screen with its name, if that says more than the number: "5 “the”".

    ``words``: the names are words, so that even "5" is not the number of its place.
    """
    number = str(SCREEN.number(position))
    return number if names[position] == number and not words else f"{number} “{names[position]}”"


def told_apart(names: Sequence[str]) -> tuple[str, ...]:
    """Return names, those that occur more than once with their number on screen: "the (5)"."""
    counts = Counter(names)
    return tuple(
        f"{name} ({SCREEN.number(position)})" if counts[name] > 1 else name for position, name in enumerate(names)
    )


def with_positions(names: Sequence[str]) -> tuple[str, ...]:
    """Return names, each with its number on screen if any occurs more than once: "home (6)"."""
    if len(set(names)) == len(names):
        return tuple(names)
    return tuple(f"{name} ({SCREEN.number(position)})" for position, name in enumerate(names))


def head_name(layer: int, head: int) -> str:
    """Return the name of a head, "1.4", from its layer and number from 0."""
    return f"{layer + 1}.{head + 1}"
