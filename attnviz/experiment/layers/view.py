"""The view settings of a lab whose traces have layers."""

from abc import abstractmethod
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal, Self

from typing_extensions import override

from attnviz.definitions.contrasts import CONTRASTS
from attnviz.definitions.registry import Registry
from attnviz.definitions.stages import STAGES
from attnviz.definitions.statistics import STATISTICS
from attnviz.experiment.fields.knob import OneOf
from attnviz.experiment.layers.settings import LayerSettings, nearest_stage
from attnviz.experiment.run import Cursor
from attnviz.experiment.view_settings import LAB_FIGURE, FigureView, Later, NoFigure, PageRecord, Place, ViewSettings

STAGES_PAGE = PageRecord(
    "stages",
    "Stages",
    "Every step of the mechanism",
    widget="attnviz.gui.layers.stages_page:StagesPage",
    figure=LAB_FIGURE,
)
LINES_PAGE = PageRecord(
    "lines",
    "Lines",
    "Weights as lines from each query to the keys it attends to",
    widget="attnviz.gui.layers.lines_page:LinesPage",
    figure=NoFigure("The lines follow the mouse; the weights are the figure of another page."),
    stage="weights",
)
COMPARE_PAGE = PageRecord(
    "compare",
    "Compare",
    "Pin a run as A and compare later runs as B",
    widget="attnviz.gui.labs.compare_page:ComparePage",
    figure=NoFigure("It shows two runs, and a figure one."),
)
PAGES: Registry[PageRecord] = Registry("page", (STAGES_PAGE, LINES_PAGE, COMPARE_PAGE))


class ViewOfLayers(ViewSettings):
    """The view settings of a lab whose traces have layers. A lab's subclass has the fields, whose order files keep."""

    if TYPE_CHECKING:
        layer: Place

    @property
    @abstractmethod
    def of_layer(self) -> LayerSettings:
        """The settings that decide which numbers of the chosen layer are drawn."""

    @abstractmethod
    def within(self, trace: Any) -> Self:
        """Return the settings adapted to a trace."""

    @property
    def shows_cells(self) -> bool:
        """Whether the stage has one number for each query and key."""
        return STAGES[self.stage].cells is not None

    @property
    def draws_cells(self) -> bool:
        """Whether the page of the stages is chosen, at such a stage."""
        return self.page == self.stages_page and self.shows_cells


class LayerViewSettings(ViewOfLayers):
    """The layer and stage that are shown, and how. A lab's subclass narrows ``lab``, and ``page`` if it has more."""

    stage: Annotated[str, OneOf(STAGES)] = "weights"
    page: Annotated[str, OneOf(PAGES)] = "stages"
    item: Place = 0
    layer: Annotated[Place, Later()] = 0
    contrast: bool = False
    """Whether the colours of weights are stretched."""
    contrast_by: Annotated[str, OneOf(CONTRASTS)] = "head"
    """The contrast used if so."""
    statistic: Annotated[str, OneOf(STATISTICS, or_empty=True)] = "entropy"
    """The statistic noted beside each head; empty: none."""
    ranked: bool = False
    """Whether heads are sorted by that statistic."""
    extremes: bool = False
    sums: bool = True
    """Whether the sum of each row of weights is beside it."""
    split: Literal["q", "k", "v"] = "q"
    """The one of q, k and v that is shown at stages that show one of them at a time: its projection, and its split."""
    every_query: Annotated[bool, Later()] = False
    """Whether the lines of every query are strong, or only those of the chosen one."""
    pages: ClassVar[Registry[PageRecord]] = PAGES
    stages_page: ClassVar[str] = STAGES_PAGE.name

    @property
    @override
    def drawn(self) -> str:
        """The stage whose tensors are drawn: weights also if another page than that of the stages has no cells."""
        if self.page_stage != "chosen" or (self.page != self.stages_page and not self.shows_cells):
            return "weights"
        return self.stage

    @property
    @override
    def of_layer(self) -> LayerSettings:
        return LayerSettings(
            stage=self.drawn,
            item=self.item,
            contrast=self.contrast_drawn,
            statistic=self.statistic,
            ranked=self.ranked,
            extremes=self.extremes,
            sums=self.sums,
            split=self.split,
            every_query=self.every_query,
        )

    @property
    @override
    def cursor(self) -> Cursor | None:
        return Cursor(layer=self.layer) if self.layer else None

    @property
    @override
    def batch_item(self) -> int:
        return self.item

    @override
    def with_picture(self, picture: FigureView) -> Self:
        shown = super().with_picture(picture)
        changes: dict[str, Any] = {"page": "stages", "item": picture.item, "contrast": picture.contrast}
        changes |= {
            "contrast_by": picture.contrast_by,
            "layer": shown.layer if picture.layer is None else picture.layer,
        }
        return shown.model_copy(update=changes)

    @override
    def within(self, trace: Any) -> Self:
        """Return the settings adapted to a trace: the nearest layer, an earlier stage of that, the last item.

        Head, query and key are unchanged; `SelectionModel.fit` adapts them.
        """
        number = trace.layers.nearest(self.layer)
        layer = trace.layers.layer(number)
        changes: dict[str, Any] = {"layer": number}
        if layer is not None:
            changes |= {"stage": nearest_stage(self.stage, layer.stage_names), "item": min(self.item, layer.items - 1)}
        return self.changed(**changes).offered(trace)
