"""The view of a regression trace: the page, the stage of the mechanism, and the step of the training."""

from typing import Annotated, ClassVar, Literal, Self

from typing_extensions import override

from attnviz.definitions.contrasts import CONTRASTS
from attnviz.definitions.registry import Registry
from attnviz.definitions.text import English, Text
from attnviz.experiment.fields.knob import OneOf
from attnviz.experiment.regression.studies import KernelGrid
from attnviz.experiment.regression.trace import RegressionTrace
from attnviz.experiment.run import Cursor
from attnviz.experiment.view_settings import LAB_FIGURE, FigureView, Later, NoFigure, PageRecord, Place, ViewSettings

StageName = Literal["differences", "kernel", "weights", "pooling"]
STAGES: dict[StageName, English] = {
    "differences": "differences",
    "kernel": "kernel",
    "weights": "weights",
    "pooling": "pooling",
}
"""The stages of the mechanism, in order, with their titles."""
PAGES: Registry[PageRecord] = Registry(
    "page",
    (
        PageRecord(
            "fit",
            "Fit",
            "The curve, its weights and its training",
            widget="attnviz.gui.labs.regression.fit_page:RegressionFit",
            figure=LAB_FIGURE,
        ),
        PageRecord(
            "learning",
            "Learning",
            "Loss and width over the steps of the training",
            widget="attnviz.gui.labs.regression.learning_page:LearningPage",
            figure="attnviz.export.figures.regression.pages:draw_learning",
            stage="",
            offered=lambda trace: trace.spec.trains,
        ),
        PageRecord(
            "kernels",
            "Kernels",
            "Every kernel at four widths: fits and weights",
            widget="attnviz.gui.labs.regression.study_pages:KernelGridPage",
            figure="attnviz.export.figures.regression.pages:draw_kernels",
            stage="",
            runs=lambda spec: ((Text(), KernelGrid(of=spec)),),
        ),
        PageRecord(
            "errors",
            "Errors",
            "How the errors depend on the width, and where they are least",
            widget="attnviz.gui.labs.regression.study_pages:WidthErrorsPage",
            figure=NoFigure("A sweep over the width exports these numbers."),
            stage="",
        ),
    ),
)


class RegressionViewSettings(ViewSettings):
    """The view settings of the regression lab. ``head`` 0 is the average of all heads."""

    lab: Literal["regression"] = "regression"
    stage: StageName = "weights"
    page: Annotated[str, OneOf(PAGES)] = "fit"
    full_contrast: bool = True
    """Whether the colours of weights are stretched."""
    contrast_by: Annotated[str, OneOf(CONTRASTS), Later()] = "head"
    """The contrast used if so."""
    pages: ClassVar[Registry[PageRecord]] = PAGES
    step: Place | None = None
    """The shown step of a training; None is the last."""

    @property
    @override
    def cursor(self) -> Cursor | None:
        return None if self.step is None else Cursor(step=self.step)

    @property
    @override
    def reaches_largest(self) -> bool:
        return self.full_contrast

    @override
    def with_picture(self, picture: FigureView) -> Self:
        shown = super().with_picture(picture)
        return shown.model_copy(
            update={"page": "fit", "full_contrast": picture.contrast, "contrast_by": picture.contrast_by}
        )

    def within(self, trace: RegressionTrace) -> Self:
        """Return the settings adapted to a trace: its page, and the average of all instead of a head that it lacks."""
        return self.changed(head=self.head if self.head <= trace.num_heads else 0).offered(trace)

    def shown_of(self, trace: RegressionTrace) -> RegressionTrace:
        """Return the chosen head of a trace as a trace, or the trace itself for the average."""
        return trace.heads[self.head - 1] if 0 < self.head <= trace.num_heads and trace.num_heads > 1 else trace
