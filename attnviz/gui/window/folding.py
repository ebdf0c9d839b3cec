"""The folded state and widths of the side panels; without Qt, all lengths in whole pixels."""

from dataclasses import dataclass, replace

RAIL, RAIL_IN_PRESENT = 28, 18
"""The width of a folded panel, at scale 1: in the window, and in Present."""
LEAST_WIDTH, GREATEST_WIDTH = 220, 480
"""The limits of a panel's width, at scale 1."""
_LEAST_PAGE = 320
"""The page's width, at scale 1, below which two panels opened by hand are folded."""


@dataclass(frozen=True, slots=True)
class Side:
    """The user's choices for one panel."""

    width: int
    """At scale 1."""
    folded: bool | None = None
    """Whether it was folded or opened by hand; None: it folds if the window is too narrow."""

    def resized(self, width: float) -> "Side":
        """Return it with the nearest valid width."""
        return replace(self, width=round(min(max(width, LEAST_WIDTH), GREATEST_WIDTH)))


Sides = tuple[Side, Side]
"""The left panel and the right one."""


def folded_sides(width: int, scale: float, sides: Sides, needed: int) -> tuple[bool, bool]:
    """Return which panels are folded in a window of this width, whose page needs ``needed`` pixels.

    The user's own choice is kept; of the others the right one folds first.
    """
    left, right = (bool(side.folded) for side in sides)
    if sides[1].folded is None and width - sum(_widths(scale, sides, (left, right))) < needed:
        right = True
    if sides[0].folded is None and width - sum(_widths(scale, sides, (left, right))) < needed:
        left = True
    return left, right


def widths(width: int, scale: float, sides: Sides, folds: tuple[bool, bool], rail: int = RAIL) -> list[int]:
    """Return the widths of the panels in a window of this width; a folded panel is as wide as its rail."""
    found = _widths(scale, sides, folds, rail)
    for place in (1, 0):
        if not folds[place]:
            missing = max(0, round(_LEAST_PAGE * scale) - (width - sum(found)))
            found[place] = max(min(round(LEAST_WIDTH * scale), width * 2 // 5), found[place] - missing)
    return found


def toggled(width: int, scale: float, sides: Sides, place: int, needed: int) -> Sides:
    """Return the sides after the user has folded or opened the panel at index ``place``, 0 for the left one.

    The window's own choice is not stored as the user's: a panel opened in a wide window folds in a narrow one.
    """
    now = folded_sides(width, scale, sides, needed)[place]
    free = with_side(sides, place, replace(sides[place], folded=None))
    if folded_sides(width, scale, free, needed)[place] is not now:
        return free
    return with_side(sides, place, replace(sides[place], folded=not now))


def one_open(width: int, scale: float, sides: Sides, place: int) -> Sides:
    """Return the sides with the panel opposite of ``place`` folded if both would leave less than half of the width."""
    if 2 * sum(_widths(scale, sides, (False, False))) <= width:
        return sides
    return with_side(sides, 1 - place, replace(sides[1 - place], folded=True))


def with_side(sides: Sides, place: int, side: Side) -> Sides:
    """Return the sides with another one at ``place``."""
    return (sides[0], side) if place else (side, sides[1])


def _widths(scale: float, sides: Sides, folds: tuple[bool, bool], rail: int = RAIL) -> list[int]:
    return [round((rail if fold else side.width) * scale) for side, fold in zip(sides, folds, strict=True)]
