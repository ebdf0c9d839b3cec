"""The view of a trace: one frozen value, held by the room of a lab and saved in a session.

It never affects the numbers of a run.
"""

from collections.abc import Callable
from dataclasses import KW_ONLY, dataclass
from typing import Annotated, Any, ClassVar, Literal, Protocol, Self

from pydantic import BaseModel, ConfigDict, Field, SerializerFunctionWrapHandler, model_serializer

from attnviz.definitions.registry import Registry
from attnviz.definitions.text import English, Text
from attnviz.experiment.colours import MapName
from attnviz.experiment.fields.knob import Whole
from attnviz.experiment.run import Cursor

LAB_FIGURE = ""
"""The figure of a page whose contents the figure of its lab has."""


@dataclass(frozen=True, slots=True)
class NoFigure:
    """A page without a figure, and the reason."""

    reason: str


@dataclass(frozen=True, slots=True)
class PageTable:
    """The table of a page whose numbers are not those of cells."""

    title: English
    """The file dialog's name for it."""
    rows: str
    """Returns its rows, by column, for a trace and `FigureSettings`, "package.module:function"."""


@dataclass(frozen=True, slots=True)
class PageRecord:
    """A page of a lab: a row of the registry beside the lab's view settings, and a file with its widget."""

    name: str
    """In session files."""
    title: English
    """On its button, and in the heading of its section of the manual."""
    help: English
    _: KW_ONLY
    widget: str
    """The `Page` that draws it, "package.module:Class"."""
    figure: str | NoFigure
    """Draws the figure of a trace or of the page's study, "package.module:function"; or `LAB_FIGURE`."""
    of_study: str = ""
    """Draws the figure of a study that the view may show in place of the trace; "": ``figure`` does."""
    table: PageTable | None = None
    """Written as CSV in place of the cells, and beside the arrays of a file; None: its numbers are those of cells."""
    stage: Literal["chosen", "weights", ""] = "chosen"
    """The stage that it draws: the chosen one, or the weights; "" if its picture has no stages to choose from."""
    offered: Callable[[Any], bool] = lambda _: True
    """Returns whether a trace has what the page draws; where it has not, the lab's first page is shown."""
    runs: Callable[[Any], tuple[tuple[Text, Any], ...]] = lambda _: ()
    """Returns the runs and studies of a spec that it shows in place of the spec's own run, each with its title."""

    def __post_init__(self) -> None:
        if self.stage not in ("chosen", "weights", "") or not callable(self.offered) or not callable(self.runs):
            raise TypeError(f"the page '{self.name}' has no such stage, or its offered or runs is no function")


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


class WithLaterFields(BaseModel):
    """Leaves `Later` fields out of files if they have their defaults."""

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)

    @model_serializer(mode="wrap")
    def _leave_out_later_fields(self, write: SerializerFunctionWrapHandler) -> dict[str, Any]:
        written = write(self)
        return {name: value for name, value in written.items() if name not in self._later or self._is_later(name)}

    @property
    def _later(self) -> dict[str, Any]:
        fields = type(self).model_fields.items()
        return {name: field.default for name, field in fields if Later() in field.metadata}

    def _is_later(self, name: str) -> bool:
        return bool(self._later[name] != getattr(self, name))

    @property
    def has_later(self) -> bool:
        """Whether a file of it has a field that earlier versions do not know."""
        return any(map(self._is_later, self._later))


class SweepChoice(WithLaterFields):
    """The fields and the measure of the page *Sweep*, as typed. They are validated when the sweep is run."""

    knobs: Annotated[tuple[Annotated[str, Field(max_length=1000)], ...], Field(max_length=2)] = ()
    """One or two, in the syntax of ``--over``: "num_heads=1,2,4"."""
    seeds: Annotated[str, Field(max_length=1000)] = ""
    """The values of the seed; empty: that of the spec."""
    measure: Annotated[str, Field(max_length=100)] = ""
    """The name of a scalar; empty: the lab's first choice."""
    against: Annotated[str, Field(max_length=100), Later()] = ""
    """The second measure of a picture of heads; empty: the picture is of runs."""
    colour_by: Annotated[Literal["role", "layer"], Later()] = "role"
    """The colours of heads in that picture."""


class ViewSettings(WithLaterFields):
    """The view settings common to all labs. A lab's subclass narrows ``lab``, ``stage`` and ``page``, and adds fields.

    The JSON names are fixed.
    """

    colour_map: MapName = "viridis"
    head: Place = 0
    query: Place | None = None
    key: Place | None = None
    lab: str = ""
    stage: str = "weights"
    page: str = ""
    sweep: Annotated[SweepChoice | None, Later()] = None
    """The sweep; None: nothing was chosen yet."""
    pages: ClassVar[Registry[PageRecord]] = Registry("page")
    """The pages of the lab; empty in a lab with one picture."""
    stages_page: ClassVar[str] = ""
    """The page of every stage; "" in a lab whose pages all show the chosen one."""

    @property
    def session_format(self) -> int:
        """The lowest format of a session that can hold the settings."""
        return 6 if self.sweep is not None and self.sweep.has_later else 1

    @property
    def page_stage(self) -> str:
        """The stage that the page draws, as in `PageRecord`."""
        return self.pages[self.page].stage if self.pages else "chosen"

    def runs(self, spec: Any) -> tuple[tuple[Text, Any], ...]:
        """Return what the page shows in place of the run of a spec, each with its title; empty: that run."""
        return self.pages[self.page].runs(spec) if self.pages else ()

    def offered(self, trace: Any) -> Self:
        """Return the settings with the first page in place of one that a trace has no data for."""
        return self if self.pages[self.page].offered(trace) else self.changed(page=type(self)().page)

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

    def with_roles(self, roles: Any, spec: Any) -> Self | None:
        """Return the settings that name heads by their roles over a sweep's runs; None in a lab that does not.

        Args:
            roles: `attnviz.experiment.sweeps.roles.RolesOverRuns`, without the model.
            spec: the base of the sweep.
        """
        del roles, spec
        return None

    def with_picture(self, picture: FigureView) -> Self:
        """Return the settings that show the same as a figure: its stage on the stages page, its head and colours."""
        changes: dict[str, Any] = {"stage": picture.stage, "colour_map": picture.colour_map}
        return self.model_copy(update=changes if picture.head is None else changes | {"head": picture.head})
