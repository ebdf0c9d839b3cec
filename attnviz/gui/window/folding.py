"""Which side panels are folded, and where the panels and the page are; without Qt, all lengths in whole pixels."""

from dataclasses import dataclass, replace

RAIL, RAIL_OVER_PAGE = 28, 18
"""The width of a folded panel, at scale 1: beside the page, and before an audience."""
LEAST_WIDTH, GREATEST_WIDTH = 220, 480
"""How narrow and how wide a panel can be made, at scale 1."""
_LEAST_PAGE = 320
"""The page's width, at scale 1, below which two panels opened by hand give way."""


@dataclass(frozen=True, slots=True)
class Side:
    """What the user has chosen for one panel."""

    width: int
    """At scale 1."""
    folded: bool | None = None
    """Whether it was folded or opened by hand; None: it folds where the window is too narrow."""

    def resized(self, width: float) -> "Side":
        """Return it with the nearest width that a panel can have."""
        return replace(self, width=round(min(max(width, LEAST_WIDTH), GREATEST_WIDTH)))


@dataclass(frozen=True, slots=True)
class Span:
    """A part of the window's width."""

    x: int
    width: int

    @property
    def end(self) -> int:
        """Its right edge."""
        return self.x + self.width


@dataclass(frozen=True, slots=True)
class Places:
    """Where the panels and the page are, from left to right; a folded panel is as wide as its rail."""

    left: Span
    page: Span
    right: Span
    left_folded: bool
    right_folded: bool


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


def places(width: int, scale: float, sides: Sides, needed: int, *, over_page: bool = False) -> Places:
    """Return the places in a window of this width; ``over_page`` lets open panels cover the page."""
    folds = folded_sides(width, scale, sides, needed)
    rail = RAIL_OVER_PAGE if over_page else RAIL
    widths = _widths(scale, sides, folds, rail)
    for place in (1, 0):
        if not folds[place]:
            missing = max(0, round(_LEAST_PAGE * scale) - (width - sum(widths)))
            widths[place] = max(min(round(LEAST_WIDTH * scale), width * 2 // 5), widths[place] - missing)
    left, right = [round(rail * scale)] * 2 if over_page else widths
    page = Span(left, max(0, width - left - right))
    return Places(Span(0, widths[0]), page, Span(width - widths[1], widths[1]), *folds)


def toggled(width: int, scale: float, sides: Sides, place: int, needed: int) -> Sides:
    """Return the sides after the user has folded or opened the panel at ``place``, 0 for the left one.

    What the window would do by itself is not kept as a choice: a panel opened in a wide window folds in a narrow one.
    """
    now = folded_sides(width, scale, sides, needed)[place]
    free = _with(sides, place, replace(sides[place], folded=None))
    if folded_sides(width, scale, free, needed)[place] is not now:
        return free
    return _with(sides, place, replace(sides[place], folded=not now))


def _widths(scale: float, sides: Sides, folds: tuple[bool, bool], rail: int = RAIL) -> list[int]:
    return [round((rail if fold else side.width) * scale) for side, fold in zip(sides, folds, strict=True)]


def _with(sides: Sides, place: int, side: Side) -> Sides:
    return (sides[0], side) if place else (side, sides[1])
