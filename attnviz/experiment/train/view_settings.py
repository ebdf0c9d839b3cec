"""The view of a training: the page, the layer and its stage, further options, and the step."""

from dataclasses import replace
from typing import Annotated, ClassVar, Literal, Self

from pydantic import Field
from typing_extensions import override

from attnviz.definitions.contrasts import CONTRASTS
from attnviz.definitions.registry import Registry
from attnviz.definitions.stages import STAGES
from attnviz.definitions.tasks import EVERY_ROLE
from attnviz.experiment.fields.knob import Number, OneOf, Whole
from attnviz.experiment.layers.settings import LayerSettings, nearest_stage
from attnviz.experiment.layers.view import LINES_PAGE, ViewOfLayers
from attnviz.experiment.run import Cursor
from attnviz.experiment.train.trace import TrainTrace
from attnviz.experiment.view_settings import LAB_FIGURE, FigureView, Later, NoFigure, PageRecord, Place

PAGES: Registry[PageRecord] = Registry(
    "page",
    (
        PageRecord(
            "train",
            "Train",
            "The training, every head, and what the model predicts",
            widget="attnviz.gui.labs.train.train_page:TrainPage",
            figure=LAB_FIGURE,
            stage="",
        ),
        PageRecord(
            "learning",
            "Learning",
            "Loss, accuracy and the roles of all heads, over the steps",
            widget="attnviz.gui.labs.train.learning_page:LearningPage",
            figure=LAB_FIGURE,
            stage="",
        ),
        PageRecord(
            "layer",
            "Layer",
            "Every step of the attention of one layer",
            widget="attnviz.gui.labs.train.layer_page:LayerPage",
            figure=LAB_FIGURE,
        ),
        replace(LINES_PAGE, widget="attnviz.gui.labs.train.layer_page:TrainLines"),
        PageRecord(
            "compare",
            "Compare",
            "Two steps, two seeds, or heads on and off, side by side",
            widget="attnviz.gui.labs.train.compare_steps:CompareSteps",
            figure=NoFigure("It shows two runs, and a figure one."),
        ),
        PageRecord(
            "effect",
            "Effect",
            "What each head attends to, and how much it is needed",
            widget="attnviz.gui.labs.train.effect_page:EffectPage",
            figure=NoFigure("Its numbers are measured by studies, and are exported as a table."),
            stage="",
        ),
        PageRecord(
            "write",
            "Write",
            "The model continues a text, token by token",
            widget="attnviz.gui.labs.train.write_page:WritePage",
            figure=NoFigure("It writes a text."),
            stage="",
            offered=lambda trace: trace.spec.task.record.reads_text,
        ),
    ),
)


class TrainViewSettings(ViewOfLayers):
    """The view settings of the training lab."""

    lab: Literal["train"] = "train"
    pages: ClassVar[Registry[PageRecord]] = PAGES
    stages_page: ClassVar[str] = "layer"
    stage: Annotated[str, OneOf(STAGES)] = "weights"
    page: Annotated[str, OneOf(PAGES)] = "train"
    layer: Place = 0
    place: Literal["tokens", "embed", "layer", "prediction"] = "layer"
    """The part shown on the layer page: the chosen layer, or the parts before and after all layers."""
    step: Place | None = None
    """The shown step; None is the last."""
    role: Annotated[str, OneOf(EVERY_ROLE, or_empty=True)] = ""
    """The role whose curves are drawn; empty: each head's own."""
    contrast: bool = False
    """Whether the colours of weights are stretched."""
    contrast_by: Annotated[str, OneOf(CONTRASTS)] = "head"
    split: Literal["q", "k", "v"] = "q"
    """The one of q, k and v that is shown at stages that show one of them at a time: its projection, and its split."""
    every_query: Annotated[bool, Later()] = False
    """Whether the lines of every query are strong, or only those of the chosen one."""
    pairs_of_head: Annotated[bool, Later()] = False
    """Whether the pairs of the chosen head with each other one are listed, instead of those of a role."""
    pinned_step: Annotated[Place | None, Field(exclude=True)] = None
    """Only in sessions of earlier versions: the step of the pinned run; see `without_pinned_step`."""
    temperature: Annotated[Number, Field(ge=0, le=100)] = 0.7
    """Of the writing: 0 takes the most probable token."""
    writing_seed: Annotated[Whole, Field(ge=0, le=2**31 - 1)] = 0
    prompt: Annotated[str, Field(max_length=1000)] = ""
    """The start of the writing; empty: the probe's."""

    @property
    @override
    def drawn(self) -> str:
        """The drawn stage: weights, except on pages that show every stage."""
        return self.stage if self.page_stage == "chosen" else "weights"

    @property
    @override
    def cursor(self) -> Cursor | None:
        return None if self.step is None else Cursor(step=self.step)

    @property
    @override
    def large(self) -> tuple[int, int]:
        return self.layer, self.head

    @property
    @override
    def of_layer(self) -> LayerSettings:
        # Where cells are compared, a stage without them gives way to the weights.
        stage = self.drawn if self.page == "layer" or STAGES[self.drawn].cells else "weights"
        return LayerSettings(stage=stage, contrast=self.contrast_drawn, split=self.split, every_query=self.every_query)

    @override
    def without_pinned_step(self) -> tuple[Self, int | None]:
        return self.model_copy(update={"pinned_step": None}), self.pinned_step

    @override
    def with_picture(self, picture: FigureView) -> Self:
        shown = super().with_picture(picture)
        changes = {"page": "train", "contrast": picture.contrast, "contrast_by": picture.contrast_by}
        return shown.model_copy(update=changes if picture.layer is None else changes | {"layer": picture.layer})

    @override
    def within(self, trace: TrainTrace) -> Self:
        """Return the settings adapted to a trace: its last layer instead of one that it lacks, a page with its data.

        A role of another task counts as not chosen.
        """
        layer = min(self.layer, len(trace.layers) - 1)
        stage = nearest_stage(self.stage, trace.layers[layer].stage_names)
        role = self.role if self.role in {each.name for each in trace.spec.roles} else ""
        return self.changed(layer=layer, stage=stage, role=role).offered(trace)
