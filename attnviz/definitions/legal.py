"""The integers that a rule allows for a field: ascending sequences of any length, usually ranges."""

from bisect import bisect_left
from collections.abc import Sequence
from functools import lru_cache
from math import isqrt
from typing import TypeVar

NumberT = TypeVar("NumberT", int, float)
Legal = Sequence[int]
"""Ascending integers. In an optional field, 0 means that nothing is set."""

_ENDLESS = 2**20
_MOST_STOPS = 64
"""The most stops of a slider over a wide range; more numbers are thinned out."""
_WIDE = 30
"""The ratio of the last to the first number from which a slider's range is wide."""
_BITS = 4


def multiples(number: int) -> Legal:
    """Return the multiples of a number; all numbers if it is not positive."""
    return range(max(number, 1), _ENDLESS, max(number, 1))


@lru_cache(maxsize=8)
def divisors(number: int) -> Legal:
    """Return the divisors of a number; all numbers if it is not positive."""
    if number < 1:
        return multiples(1)
    small = [each for each in range(1, isqrt(number) + 1) if number % each == 0]
    return tuple(sorted({*small, *(number // each for each in small)}))


def at_least(number: int) -> Legal:
    """Return the numbers from a number on."""
    return range(max(number, 1), _ENDLESS)


def at_most(number: int) -> Legal:
    """Return 1 to a number; 1 if the number is below 1."""
    return range(1, max(number, 1) + 1)


def both(first: Legal, second: Legal) -> Legal:
    """Return the numbers that two rules allow."""
    shorter, longer = sorted((first, second), key=len)
    if isinstance(shorter, range) and isinstance(longer, range) and longer.step == 1:
        return between(shorter, longer.start, longer.stop - 1)
    return tuple(each for each in shorter if each in longer)


def between(legal: Legal, low: float, high: float) -> Legal:
    """Return the numbers from ``low`` to ``high``, both included."""
    return legal[bisect_left(legal, low) : bisect_left(legal, high + 1)]


def neighbours(legal: Legal, number: int) -> tuple[int, ...]:
    """Return the nearest allowed numbers: the number itself, or those on either side."""
    at = bisect_left(legal, number)
    if at < len(legal) and legal[at] == number:
        return (number,)
    return tuple(legal[max(at - 1, 0) : at + 1])


def stepped(legal: Sequence[NumberT], number: NumberT, steps: int) -> NumberT:
    """Return the allowed number ``steps`` positions above a number, or below it; the last one if there are fewer."""
    at = bisect_left(legal, number)
    inside = at < len(legal) and legal[at] == number
    index = at + steps if inside or steps <= 0 else at + steps - 1
    return legal[min(max(index, 0), len(legal) - 1)]


@lru_cache(maxsize=64)
def stops(legal: Legal, low: int, high: int) -> Legal:
    """Return the stops of a slider from ``low`` to ``high``: every number, or spaced as on a logarithmic scale.

    On a logarithmic scale a number has at most four binary digits after its leading zeros, in units of the range's
    step: 8, 9, ... 15, 16, 18, ... 30, 32, 36. If no allowed number is in the range, the nearest one is the only stop.
    """
    within = between(legal, low, high)
    if not within:
        return neighbours(legal, low)[-1:]
    if not isinstance(within, range) or len(within) <= _MOST_STOPS or within[0] <= 0 or within[-1] < _WIDE * within[0]:
        return within
    kept = (each for each in within if _is_round(each // within.step))
    return tuple(sorted({within[0], *kept, within[-1]}))


def _is_round(number: int) -> bool:
    """Return whether a number is one of four binary digits, followed by zeros."""
    return number % (1 << max(number.bit_length() - _BITS, 0)) == 0
