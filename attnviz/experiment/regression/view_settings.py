"""The view of a regression trace: the page, the stage of the mechanism, and the step of the training."""

from typing import Annotated, Literal, Self

from typing_extensions import override

from attnviz.definitions.contrasts import CONTRASTS
from attnviz.definitions.registry import Registry
from attnviz.definitions.text import English
from attnviz.experiment.fields.knob import OneOf
from attnviz.experiment.regression.trace import RegressionTrace
from attnviz.experiment.run import Cursor
from attnviz.experiment.view_settings import FigureView, Later, PageName, Place, ViewSettings

StageName = Literal["differences", "kernel", "weights", "pooling"]
STAGES: dict[StageName, English] = {
    "differences": "differences",
    "kernel": "kernel",
    "weights": "weights",
    "pooling": "pooling",
}
"""The stages of the mechanism, in order, with their titles."""
PAGES: Registry[PageName] = Registry(
    "page",
    (
        PageName("fit", "Fit", "The curve, its weights and its training"),
        PageName("learning", "Learning", "Loss and width over the steps of the training"),
        PageName("kernels", "Kernels", "Every kernel at four widths: fits and weights"),
        PageName("errors", "Errors", "How the errors depend on the width, and where they are least"),
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
        page = "fit" if self.page == "learning" and not trace.spec.trains else self.page
        return self.changed(page=page, head=self.head if self.head <= trace.num_heads else 0)

    def shown_of(self, trace: RegressionTrace) -> RegressionTrace:
        """Return the chosen head of a trace as a trace, or the trace itself for the average."""
        return trace.heads[self.head - 1] if 0 < self.head <= trace.num_heads and trace.num_heads > 1 else trace
