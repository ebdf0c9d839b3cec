"""What a figure for a paper shows of a trace, and how large."""

from dataclasses import dataclass, field
from math import isfinite

from attnviz.definitions.sentences import said
from attnviz.experiment.colours.maps import MapName
from attnviz.experiment.labs import LABS, Spec
from attnviz.experiment.session import Session
from attnviz.experiment.stages import stages_of, wrong_stage
from attnviz.palette import LIGHT, Theme

CM = 1 / 2.54
NARROWEST, WIDEST = 4.0, 60.0
"""Centimetres."""


@dataclass(frozen=True, slots=True)
class Extent:
    """What the axes of a fit reach over: the least and the greatest x and y."""

    x: tuple[float, float]
    y: tuple[float, float]

    def joined(self, other: "Extent") -> "Extent":
        """Return the extent that holds both."""
        x, y = ((min(one[0], two[0]), max(one[1], two[1])) for one, two in ((self.x, other.x), (self.y, other.y)))
        return Extent(x, y)


@dataclass(frozen=True, slots=True)
class FigureSettings:
    """The choices around a figure; `wrong_settings` says whether a trace can follow them."""

    heads: tuple[int, ...] | None = None
    """Which heads, counted from 0 and in this order; None is all of them."""
    item: int = 0
    """Which sequence of the batch."""
    stage: str = "weights"
    contrast: bool = False
    """Whether each head's colours reach to its own largest weight."""
    colour_map: MapName = "viridis"
    theme: Theme = field(default=LIGHT)
    width_cm: float = 8.0
    height_cm: float | None = None
    """None is as high as what it shows; else it is laid out to fill a page of this height."""
    caption: str = ""
    """A line below everything."""
    extent: Extent | None = None
    """Of the axes of a fit; None is what the trace holds."""
    transparent: bool = False

    @property
    def width(self) -> float:
        """The width of the page in inches."""
        return self.width_cm * CM

    @property
    def height(self) -> float | None:
        """The height of the page in inches, where one is asked for."""
        return None if self.height_cm is None else self.height_cm * CM

    def heads_of(self, count: int) -> tuple[int, ...]:
        """Return the chosen heads of a run that has so many."""
        return tuple(range(count)) if self.heads is None else self.heads


def seen_as(settings: FigureSettings, session: Session) -> Session:
    """Return the session as a figure with these settings shows it, which is how it opens again."""
    view = session.view or LABS[session.spec.lab].view_type()
    shown = view.with_picture(
        stage=settings.stage,
        colour_map=settings.colour_map,
        head=settings.heads[0] if settings.heads else None,
        item=settings.item,
        contrast=settings.contrast,
    )
    return session.model_copy(update={"view": shown})


def wrong_choice(heads: tuple[int, ...] | None, item: int | None, head_count: int, item_count: int) -> str:
    """Return what is wrong with the heads and the item that were chosen of so many; nothing where they are there."""
    if heads is not None and not heads:
        return "no head is chosen; nearest: head 1"
    for head in heads or ():
        if not 0 <= head < head_count:
            return f"head {head + 1} must lie in 1..{head_count}; nearest: {min(max(head + 1, 1), head_count)}"
    if item is not None and not 0 <= item < item_count:
        return f"item {item} must lie in 0..{item_count - 1}; nearest: {min(max(item, 0), item_count - 1)}"
    return ""


def wrong_settings(settings: FigureSettings, spec: Spec, heads: int, items: int) -> str:
    """Return what of the settings a run with so many heads and batch items has not; nothing where it has all."""
    wrong = wrong_choice(settings.heads, settings.item, heads, items)
    if wrong:
        return wrong
    for name, length in (("width", settings.width_cm), ("height", settings.height_cm)):
        if length is not None and not NARROWEST <= length <= WIDEST:
            nearest = min(max(length, NARROWEST), WIDEST) if isfinite(length) else FigureSettings().width_cm
            return f"{name} {length:g} cm must lie in {NARROWEST:g}..{WIDEST:g}; nearest: {nearest:g}"
    if settings.stage not in stages_of(spec):
        return wrong_stage(said(settings.stage)[1:-1], spec)
    return ""
