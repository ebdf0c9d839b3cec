"""Where heads, queries, keys, batch items and features count from one, and where from zero: one table.

Users read and type positions from one: on the screen, in figures, in the text of the form. Programs keep the counting
that they always had. A head named with its layer, "1.4", is a name: from one on every surface. Lengths, sizes and
training steps are counts, not positions, and are equal everywhere.

Positions are stored from zero; each surface adds its own first number. A message that is shown on several surfaces
keeps its positions as `Position`, and is filled in for the surface it appears on.
"""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from attnviz.definitions.registry import Registry


@dataclass(frozen=True, slots=True)
class Surface:
    """A surface on which positions are read or written, and the numbers of the first ones there."""

    name: str
    title: str
    first_head: int
    first: int
    """Of queries, keys, batch items and features."""

    def head(self, head: int) -> int:
        """Return the number of a head on this surface."""
        return head + self.first_head

    def number(self, position: int) -> int:
        """Return the number of a query, key, batch item or feature on this surface."""
        return position + self.first

    def position(self, number: int) -> int:
        """Return the position of a number on this surface."""
        return number - self.first


SCREEN = Surface("screen", "Screen, figures and typed text", 1, 1)
FLAGS = Surface("flags", "Flags of the command line", 1, 0)
CSV = Surface("csv", "CSV", 1, 0)
FILES = Surface("files", "JSON, sessions, NPZ, Python and its scripts", 0, 0)

LAYERS = Surface("layers", "The array `layers` of NPZ, as in the name 3.4", 1, 1)
"""The one array that counts from one: the layer numbers that a model uses in names of heads."""

SURFACES = Registry("surface", (SCREEN, FLAGS, CSV, FILES, LAYERS))


class Position(int):
    """A position among the values of a message, counted from zero."""


def on_screen(numbers: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values of a message as on screen: positions count from one."""
    return {name: SCREEN.number(each) if isinstance(each, Position) else each for name, each in numbers.items()}


def are_positions(tokens: Sequence[str]) -> bool:
    """Return whether tokens are just their own positions, as stored in files: "0", "1", "2", ..."""
    return tuple(tokens) == _numbers_from(0, len(tokens))


def are_numbers(names: Sequence[str]) -> bool:
    """Return whether names on screen are just consecutive numbers: "1", "2", "3", ..."""
    return tuple(names) == numbers(len(names))


def numbers(count: int) -> tuple[str, ...]:
    """Return the numbers of ``count`` positions on screen."""
    return _numbers_from(SCREEN.first, count)


@lru_cache(maxsize=16)
def _numbers_from(first: int, count: int) -> tuple[str, ...]:
    return tuple(map(str, range(first, first + count)))


def name_at(names: Sequence[str], position: int, *, words: bool = False) -> str:
    """Return a position on screen with its name, if that adds information: "5 “the”".

    ``words``: the names are words, so that even "5" is not the number of its position.
    """
    number = str(SCREEN.number(position))
    return number if names[position] == number and not words else f"{number} “{names[position]}”"


def told_apart(names: Sequence[str]) -> tuple[str, ...]:
    """Return names, the duplicate ones with their number on screen: "the (5)"."""
    counts = Counter(names)
    return tuple(
        f"{name} ({SCREEN.number(position)})" if counts[name] > 1 else name for position, name in enumerate(names)
    )


def with_positions(names: Sequence[str]) -> tuple[str, ...]:
    """Return names, all with their number on screen if there are duplicates: "home (6)"."""
    if len(set(names)) == len(names):
        return tuple(names)
    return tuple(f"{name} ({SCREEN.number(position)})" for position, name in enumerate(names))


def patch_name(row: int, column: int) -> str:
    """Return the name of a patch of an image, "row 3, column 5", from its row and column, counted from 0."""
    return f"row {SCREEN.number(row)}, column {SCREEN.number(column)}"


def short_name(name: str) -> str:
    """Return the name of a patch for a narrow place, "3, 5"; any other name as it is."""
    found = PATCH.fullmatch(name)
    return name if found is None else f"{found[1]}, {found[2]}"


PATCH = re.compile(r"row ([0-9]{1,5}), column ([0-9]{1,5})")
"""Matches the name of a patch; its groups are the row and the column, counted from 1."""


def head_name(layer: int, head: int) -> str:
    """Return the name of a head, "1.4", from its layer and index, counted from 0."""
    return f"{layer + 1}.{head + 1}"
