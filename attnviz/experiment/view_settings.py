"""The view of a trace: one frozen value, held by the room of a lab and saved in a session.

It never affects the numbers of a run.
"""

from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, Protocol, Self

from pydantic import BaseModel, ConfigDict, Field, SerializerFunctionWrapHandler, model_serializer

from attnviz.definitions.text import English
from attnviz.experiment.colours import MapName
from attnviz.experiment.fields.knob import Whole
from attnviz.experiment.run import Cursor


@dataclass(frozen=True, slots=True)
class PageName:
    """The name of a page in session files, its title on the button, and a sentence about it."""

    name: str
    title: English
    help: English


Place = Annotated[Whole, Field(ge=0, le=2**31 - 1)]
"""A head, a batch item, a row, a column or a step, counted from 0."""


@dataclass(frozen=True, slots=True)
class Later:
    """Marks a field that earlier versions do not know: files have it only if it differs from its default."""


class Chosen(Protocol):
    """The selection: of view settings, or under the mouse; None for a query or key is none in particular."""

    @property
    def head(self) -> int:
        """The head."""

    @property
    def query(self) -> int | None:
        """The row."""

    @property
    def key(self) -> int | None:
        """The column."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FigureView:
    """The part of a trace shown in a figure; None for a head or layer is none in particular."""

    stage: str
    colour_map: str
    head: int | None
    layer: int | None
    item: int
    contrast: bool
    contrast_by: str


class SweepChoice(BaseModel):
    """The fields and the measure of the page *Sweep*, as typed. They are validated when the sweep is run."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    knobs: Annotated[tuple[Annotated[str, Field(max_length=1000)], ...], Field(max_length=2)] = ()
    """One or two, in the syntax of ``--over``: "num_heads=1,2,4"."""
    seeds: Annotated[str, Field(max_length=1000)] = ""
    """The values of the seed; empty: that of the spec."""
    measure: Annotated[str, Field(max_length=100)] = ""
    """The name of a scalar; empty: the lab's first choice."""


class ViewSettings(BaseModel):
    """The view settings common to all labs. A lab's subclass narrows ``lab``, ``stage`` and ``page``, and adds fields.

    The JSON names are fixed.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    colour_map: MapName = "viridis"
    head: Place = 0
    query: Place | None = None
    key: Place | None = None
    lab: str = ""
    stage: str = "weights"
    page: str = ""
    sweep: Annotated[SweepChoice | None, Later()] = None
    """The sweep; None: nothing was chosen yet."""
    stages_page: ClassVar[str] = ""
    """The page of every stage; "" in a lab whose pages all show the chosen one."""

    @model_serializer(mode="wrap")
    def _leave_out_later_fields(self, write: SerializerFunctionWrapHandler) -> dict[str, Any]:
        fields, written = type(self).model_fields, write(self)
        usual = {name: field.default for name, field in fields.items() if Later() in field.metadata}
        return {name: value for name, value in written.items() if usual.get(name, ...) != getattr(self, name)}

    @property
    def drawn(self) -> str:
        """The stage that the page shows; reimplemented if a page shows another than the chosen one."""
        return self.stage

    def at_stage(self, stage: str) -> Self:
        """Return the settings that show a stage: on the page of the stages, if this one draws another."""
        shown = self.changed(stage=stage)
        return shown if shown.drawn == stage or not self.stages_page else shown.changed(page=self.stages_page)

    @property
    def batch_item(self) -> int:
        """The shown batch item; 0 in a lab that has none."""
        return 0

    @property
    def cursor(self) -> Cursor | None:
        """The cursor at which the run is shown and pauses; None: the run goes to its end."""
        return None

    @property
    def large(self) -> tuple[int, int] | None:
        """The layer and head that a figure draws large; None in a lab without layers."""
        return None

    @property
    def figure_settings(self) -> dict[str, Any]:
        """The settings of a figure that this lab's view determines besides stage and colours."""
        return {}

    def changed(self, **changes: Any) -> Self:
        """Return the settings with other values; the same object if nothing changes."""
        same = all(getattr(self, name) == value for name, value in changes.items())
        return self if same else self.model_copy(update=changes)

    @property
    def reaches_largest(self) -> bool:
        """Whether the colour scale of weights ends at the largest weight instead of 1, by ``contrast`` of the lab."""
        return bool(getattr(self, "contrast", False))

    @property
    def stretched_by(self) -> str:
        """The name in `CONTRASTS` by which colours are stretched, if they are, by ``contrast_by`` of the lab."""
        return str(getattr(self, "contrast_by", "head"))

    @property
    def contrast_drawn(self) -> str:
        """The name in `CONTRASTS` of the contrast of weights; "": their colours run from 0 to 1."""
        return self.stretched_by if self.reaches_largest else ""

    def without_pinned_step(self) -> tuple[Self, int | None]:
        """Return the settings without the step of the pinned run, which earlier versions saved here, and that step."""
        return self, None

    def with_picture(self, picture: FigureView) -> Self:
        """Return the settings that show the same as a figure: its stage on the stages page, its head and colours."""
        changes: dict[str, Any] = {"stage": picture.stage, "colour_map": picture.colour_map}
        return self.model_copy(update=changes if picture.head is None else changes | {"head": picture.head})
