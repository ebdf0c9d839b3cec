"""What a figure for a paper shows of a trace, and how large."""

from dataclasses import dataclass, field

from attnviz.experiment.colour_maps import MapName
from attnviz.experiment.labs import Spec
from attnviz.experiment.problems import said
from attnviz.experiment.stages import stages_of, wrong_stage
from attnviz.palette import LIGHT, Theme

CM = 1 / 2.54
NARROWEST, WIDEST = 4.0, 60.0
"""Centimetres."""


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
    transparent: bool = False

    @property
    def width(self) -> float:
        """The width of the page in inches."""
        return self.width_cm * CM

    def heads_of(self, count: int) -> tuple[int, ...]:
        """Return the chosen heads of a run that has so many."""
        return tuple(range(count)) if self.heads is None else self.heads


def wrong_settings(settings: FigureSettings, spec: Spec, heads: int, items: int) -> str:
    """Return what of the settings a run with so many heads and batch items has not; nothing where it has all."""
    if settings.heads is not None and not settings.heads:
        return "no head is chosen; nearest: head 1"
    for head in settings.heads or ():
        if not 0 <= head < heads:
            return f"head {head + 1} must lie in 1..{heads}; nearest: {min(max(head + 1, 1), heads)}"
    if not 0 <= settings.item < items:
        return f"item {settings.item} must lie in 0..{items - 1}; nearest: {min(max(settings.item, 0), items - 1)}"
    if not NARROWEST <= settings.width_cm <= WIDEST:
        nearest = min(max(settings.width_cm, NARROWEST), WIDEST)
        return f"width {settings.width_cm:g} cm must lie in {NARROWEST:g}..{WIDEST:g}; nearest: {nearest:g}"
    if settings.stage not in stages_of(spec):
        return wrong_stage(said(settings.stage)[1:-1], spec)
    return ""
