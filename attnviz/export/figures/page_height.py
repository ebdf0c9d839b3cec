"""How high a page that grows with what it shows may become."""

from bisect import bisect_left
from collections.abc import Callable

from attnviz.export.figures.settings import CM, WIDEST

FAIR = 9.4
"""Inches, just below A4: a page that need not be higher is not."""
_MOST_CM = 480
_MOST = _MOST_CM * CM
"""Readers of PDF open nothing that is higher than 508 cm."""


def check_height(height: float, width: float, count: int, fits: Callable[[int, float], bool]) -> None:
    """Refuse a page of so many inches that shows so many heads.

    Args:
        height: how high it would be.
        width: how wide it is.
        count: how many heads it shows.
        fits: whether so many heads on a page so many inches wide make a page that can be opened.

    Raises:
        ValueError: it is too high; names the most heads and the least width with which it is not.
    """
    if height <= _MOST:
        return
    fewer = bisect_left(range(1, count), True, key=lambda some: not fits(some, width))
    wider = least_width(width, lambda wide: fits(count, wide))
    nearest = [f"{fewer} of the heads (--heads 1-{fewer})"] if fewer else []
    nearest += [f"a page {wider:g} cm wide"] if wider is not None else []
    raise ValueError(
        f"{count} heads on a page {width / CM:.3g} cm wide make it {height / CM:.0f} cm high, and nothing opens more "
        f"than {_MOST_CM}; nearest: {' or '.join(nearest)}"
    )


def least_width(width: float, fits: Callable[[float], bool]) -> float | None:
    """Return the least width above this one (inches) that fits, in centimetres; None where not even the widest does."""
    tenths = range(int(width / CM * 10) + 1, int(WIDEST * 10) + 1)
    place = bisect_left(tenths, True, key=lambda each: fits(each / 10 * CM))
    return tenths[place] / 10 if place < len(tenths) else None


def is_low(height: float) -> bool:
    """Return whether a page of so many inches can be opened everywhere."""
    return height <= _MOST
