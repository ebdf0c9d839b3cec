"""The settings of a figure for a paper: the part of a trace it shows, and its size."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from attnviz.definitions.contrasts import CONTRASTS
from attnviz.definitions.counting import FLAGS, SCREEN, Surface, head_name
from attnviz.definitions.text import English, Refused, Text, english, nearest_word, quoted
from attnviz.experiment.colours import MapName
from attnviz.experiment.fields.knob import Number, NumberOrNone, OneOf, Whole, knob
from attnviz.experiment.fields.problems import problem
from attnviz.experiment.files.session import Session
from attnviz.experiment.labs import LABS, Spec, wrong_stage
from attnviz.experiment.view_settings import FigureView, ViewSettings
from attnviz.export.options import Flag, Said
from attnviz.palette import THEMES, Theme

LONGEST = 10_000
"""The longest list of heads in characters, twice the length of naming every one of a thousand."""

_HEAD = re.compile(r"\s*([0-9]{1,4})\.([0-9]{1,4})\s*")
_PART = re.compile(r"\s*([0-9]{1,4})\s*(?:-\s*([0-9]{1,4})\s*)?")


CM = 1 / 2.54
_AS_WINDOW = "as the window: for regression alone"
NARROWEST, WIDEST = 4.0, 60.0
"""The limits of the width, in centimetres."""


@dataclass(frozen=True, slots=True)
class Extent:
    """The data limits of a fit's axes: the least and the greatest x and y."""

    x: tuple[float, float]
    y: tuple[float, float]

    def joined(self, other: "Extent") -> "Extent":
        """Return the union of both extents."""
        x, y = ((min(one[0], two[0]), max(one[1], two[1])) for one, two in ((self.x, other.x), (self.y, other.y)))
        return Extent(x, y)


def _read_heads(value: Any) -> Any:
    """Parse heads, counted from 1, without duplicates and in this order; an empty text and "all" mean all of them."""
    if not isinstance(value, str):
        return value
    if value.strip() in ("", "all"):
        return None
    if len(value) > LONGEST:
        sentence = "heads '{text}...' must be at most {most} characters"
        raise problem("heads", "heads_text", sentence, text=value[:40], most=LONGEST)
    heads: dict[int, None] = {}
    for part in value.split(","):
        match = _PART.fullmatch(part)
        first, last = (int(match[1]), int(match[2] or match[1])) if match else (0, 0)
        if not 1 <= first <= last:
            sentence = "heads '{text}' must be counted from 1, such as 1,3 or 2-4"
            raise problem("heads", "heads_text", sentence, text=value[:40])
        heads |= dict.fromkeys(range(first - 1, last))
    return tuple(heads)


def _read_head(value: Any) -> Any:
    """Parse a layer and head, counted from 1, such as 2.1."""
    if not isinstance(value, str):
        return value
    match = _HEAD.fullmatch(value)
    layer, head = (int(match[1]), int(match[2])) if match else (0, 0)
    if not (layer and head):
        sentence = "head '{text}' must be layer.head, counted from 1, such as 2.1"
        raise problem("large", "head_text", sentence, text=value[:40])
    return layer - 1, head - 1


class FigureSettings(BaseModel):
    """The settings of a figure; `check_settings` checks them against a trace."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    heads: Annotated[tuple[int, ...] | None, BeforeValidator(_read_heads), Flag("--heads", "1,3-4", "all")] = knob(
        None, "Heads", "Which heads, counted from 1, and in this order", group="Figure", nothing="all, or such as 1,3-4"
    )
    """Counted from 0 in Python; None means all of them."""
    item: Annotated[Whole, Flag("--item", "0", "the first")] = knob(
        0, "Item", "Which item of the batch, counted from 0", group="Figure"
    )
    large: Annotated[
        tuple[int, int] | None, BeforeValidator(_read_head), Flag("--large", "2.1", "the first of the last layer")
    ] = knob(None, "Large", "Which head of a transformer is large, as layer.head, counted from 1", group="")
    """The layer and the head, counted from 0 in Python; None: the first of `heads` in the last layer."""
    page: Annotated[str, Flag("--page", "NAME", usual=_AS_WINDOW)] = knob(
        "", "Page", "Which page of the lab the figure is of", group=""
    )
    """The name of the page; empty: the figure of the lab."""
    stage: Annotated[str, Flag("--stage", "NAME")] = knob(
        "weights", "Stage", "Which stage, such as scores or split", group=""
    )
    contrast: Annotated[bool, Flag("--contrast", usual=_AS_WINDOW)] = knob(
        False, "Contrast", "Whether colours end at the largest weight instead of 1", group="Figure"
    )
    contrast_by: Annotated[str, OneOf(CONTRASTS), Flag("--contrast-by", "NAME", usual=_AS_WINDOW)] = knob(
        "head", "Contrast by", "How colours are stretched, with contrast", group="Figure"
    )
    colour_map: Annotated[MapName, Flag("--map", "NAME", usual="viridis")] = knob(
        "viridis", "Colour map", "Colours of weights: viridis, cividis, CET-CBL1 or Reds", group=""
    )
    theme: Annotated[Literal["light", "dark"], Flag("--theme")] = knob(
        "light", "Colours", "Which palette", group="Figure", titles={"light": "Light", "dark": "Dark"}
    )
    width_cm: Annotated[Number, Flag("--width", "CM"), Said("width", "cm")] = knob(
        8.0, "Width", "Width of a figure in cm", group="Figure", ge=NARROWEST, le=WIDEST
    )
    height_cm: Annotated[NumberOrNone, Said("height", "cm")] = knob(
        None, "Height", "Height of the page in cm", group="", ge=NARROWEST, le=WIDEST
    )
    """None: as high as the content needs; else the layout fills a page of this height."""
    dpi: Annotated[Whole, Flag("--dpi", "N"), Said("dpi")] = knob(
        300, "Sharpness (dpi)", "Pixels per inch of a PNG, 30 to 1200", group="Figure", ge=30, le=1200
    )
    transparent: Annotated[bool, Flag("--transparent")] = knob(False, "Transparent", "No background", group="Figure")
    caption: str = ""
    """A line at the bottom of the page."""
    overview: Annotated[str, Flag("--overview", "NAME", "entropy")] = knob(
        "", "Overview", "Which number of each head the overview of a model shows", group=""
    )
    sums: bool = False
    """Whether the sum of each row of weights is beside it, if there is room."""
    query: int | None = None
    """The query marked with a line in a fit; None for none."""
    cell: tuple[int, int | None, int | None] | None = None
    """Head, query and key of a figure about one cell; None: the first head, its last query, the largest weight."""
    pair: int = 0
    """The pair of features in the figure of positions, counted from 0."""
    shift: int = 0
    """By how many positions that figure moves every token."""
    extent: Extent | None = None
    """The limits of a fit's axes; None: those of the trace."""
    language: Callable[..., str] = Field(english, exclude=True, repr=False)
    """A `Translate`: the language of the texts in the figure."""

    def tr(self, text: English | Text) -> str:
        """Return a text in the language of the figure."""
        return (text if isinstance(text, Text) else Text(text)).filled(self.language, SCREEN)

    @property
    def contrast_drawn(self) -> str:
        """The contrast of attention weights by its name in `CONTRASTS`; "" without."""
        return self.contrast_by if self.contrast else ""

    @property
    def palette(self) -> Theme:
        """The colours of everything but the cells."""
        return THEMES[self.theme]

    @property
    def width(self) -> float:
        """The width of the page in inches."""
        return self.width_cm * CM

    @property
    def height(self) -> float | None:
        """The height of the page in inches; None if not given."""
        return None if self.height_cm is None else self.height_cm * CM

    def heads_of(self, count: int) -> tuple[int, ...]:
        """Return the chosen heads of a run with ``count`` heads."""
        return tuple(range(count)) if self.heads is None else self.heads

    def large_of(self, layers: int) -> tuple[int | None, int | None]:
        """Return the chosen layer and head of a run with ``layers`` layers; None for no particular one."""
        first = self.heads[0] if self.heads else None
        if not layers and self.large is None:
            return None, first
        layer, head = (layers - 1, first) if self.large is None else self.large
        return layer, head if self.heads is None or head in self.heads else first


def seen_as(settings: FigureSettings, session: Session) -> Session:
    """Return the session with the view of a figure with these settings, as opening the figure restores it."""
    layer, head = settings.large_of(session.spec.layers_run)
    picture = FigureView(
        stage=settings.stage,
        colour_map=settings.colour_map,
        head=head,
        layer=layer,
        item=settings.item,
        contrast=settings.contrast,
        contrast_by=settings.contrast_by,
    )
    view = session.shown_view.with_picture(picture)
    return session.model_copy(update={"view": view.changed(page=settings.page) if settings.page else view})


def looked_at(view: ViewSettings, spec: Spec) -> dict[str, Any]:
    """Return the settings that follow from a view: page, stage, colour map, and the large head if there are layers."""
    seen: dict[str, Any] = {"page": view.page, "stage": view.stage, "colour_map": view.colour_map}
    if view.large is not None and spec.has_layers:
        layer, head = view.large
        known = spec.sizes_known
        seen["large"] = (min(layer, spec.layers_run - 1), min(head, spec.heads_run - 1)) if known else (layer, head)
    return seen | view.figure_settings


def check_choice(
    heads: tuple[int, ...] | None, item: int | None, head_count: int, item_count: int, surface: Surface = FLAGS
) -> None:
    """Raise `Refused` if chosen heads or an item do not exist; its numbers are counted as on a surface."""
    if heads is not None and not heads:
        raise Refused("no head is chosen; nearest: head 1")
    for head in heads or ():
        if not 0 <= head < head_count:
            values = _range(*map(surface.head, (head, 0, head_count - 1)))
            raise Refused("head {value} must be in {first}..{last}; nearest: {nearest}", **values)
    if item is not None and not 0 <= item < item_count:
        values = _range(*map(surface.number, (item, 0, item_count - 1)))
        raise Refused("item {value} must be in {first}..{last}; nearest: {nearest}", **values)


def _range(value: int, first: int, last: int) -> dict[str, int]:
    return {"value": value, "first": first, "last": last, "nearest": min(max(value, first), last)}


def check_settings(settings: FigureSettings, spec: Spec, heads: int, items: int, layers: int) -> None:
    """Raise `Refused` for settings that a run with these heads, batch items and layers cannot satisfy."""
    check_choice(settings.heads, settings.item, heads, items)
    if settings.large is not None:
        layer, head = settings.large
        if not spec.has_layers:
            values = {"lab": quoted(spec.lab)}
            raise Refused("no head is large in the lab {lab}, which has no layers; leave out 'large'", **values)
        if not (0 <= layer < layers and 0 <= head < heads):
            nearest = min(max(layer, 0), layers - 1), min(max(head, 0), heads - 1)
            pairs = {"head": (layer, head), "last": (layers - 1, heads - 1), "nearest": nearest}
            names = {name: head_name(*pair) for name, pair in pairs.items()}
            raise Refused("there is no head {head}; the last one is {last}; nearest: {nearest}", **names)
    check_names(settings, spec)


def check_names(settings: FigureSettings, spec: Spec) -> None:
    """Raise `Refused` for names that a lab does not have, independently of its run."""
    known = LABS[spec.lab].overview
    if settings.overview and settings.overview not in known:
        near = nearest_word(settings.overview, known)
        values = {"said": quoted(settings.overview), "lab": quoted(spec.lab), "near": near}
        if known:
            names = ", ".join(known)
            raise Refused("there is no overview {said} in the lab {lab}, only {names}{near}", names=names, **values)
        raise Refused("there is no overview {said} in the lab {lab}{near}", **values)
    if wrong := wrong_stage(settings.stage, spec):
        raise Refused(wrong)
