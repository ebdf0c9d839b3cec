"""The page that plots errors against the width of a kernel."""

import numpy as np
from PySide6.QtCore import Signal
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget
from typing_extensions import override

from attnviz.definitions.kernels import KERNELS
from attnviz.experiment.labs import Event
from attnviz.experiment.regression.spec import RegressionSpec
from attnviz.experiment.regression.studies import WidthErrors, WidthErrorsTrace
from attnviz.experiment.regression.trace import RegressionTrace
from attnviz.gui.labs.regression.study_view import Fit, StudyView
from attnviz.gui.labs.regression.words import coloured
from attnviz.gui.plots.curves.error_plot import ROLES, SIGNS, ErrorCurve, ErrorPlot
from attnviz.gui.theme import Look
from attnviz.gui.widgets.words import translate


class WidthErrorsPage(StudyView):
    """Plots the errors of a kernel against its width; a click on a width sets the fit's."""

    study_type = WidthErrors
    taken = Signal(float)
    """The width that the user clicked."""

    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._look = look
        self.legend = QLabel()
        self.legend.setObjectName("caption")
        self.legend.setWordWrap(True)
        self.plot = ErrorPlot(look)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(6)
        layout.addWidget(self.sentence)
        layout.addWidget(self.legend)
        layout.addWidget(self.plot, 1)
        self.plot.taken.connect(self.taken)

    @override
    def study_of(self, spec: RegressionSpec) -> WidthErrors:
        return WidthErrors(of=spec.only_points(), kernel=self.kernel_of(spec))

    @staticmethod
    def kernel_of(spec: RegressionSpec) -> str:
        """Return the kernel whose width is varied: the fit's, or gaussian if the fit learns its width or has none."""
        return spec.kernel if spec.own_overlay.has_width else "gaussian"

    @override
    def restyle(self, look: Look) -> None:
        self._look = look
        self.plot.restyle(look)
        self.say()

    @override
    def follow(self, trace: RegressionTrace) -> None:
        """Mark the width of a fit."""
        self._spec = trace.spec_written_out
        learned = trace.width_now if trace.num_heads == 1 else None  # several heads have several widths
        width = trace.spec.width if trace.spec.own_overlay.has_width else learned
        self.plot.mark_width(width if width is not None and np.isfinite(width) else None)
        self.say()

    @override
    def show_data(self, data: Fit) -> None:
        self.say()

    @override
    def draw_outcome(self, event: Event) -> None:
        if isinstance(event, WidthErrorsTrace):
            curves = (ErrorCurve(errors, share, event.best(errors, share)) for errors, share in _curves_of(event))
            self.plot.show_curves(event.widths, tuple(curves))

    @override
    def in_words(self, outcome: WidthErrorsTrace) -> str:
        self.legend.setText(self._legend(outcome))
        thin = self.tr("Thin lines: at that width some points have no neighbour in reach and do not count.")
        some_out = (np.minimum(outcome.points_reached, outcome.queries_reached) < 1).any()
        return f"{self._heading()} {thin if some_out else ''}"

    @override
    def in_words_computing(self) -> str:
        return self.tr("Computing the errors over the width ...")

    @override
    def in_words_before(self) -> str:
        return self.tr("The curves show the previous settings.") if self.plot.has_curves else ""

    def _heading(self) -> str:
        heading = self.tr("{0} kernel.").format(translate(KERNELS[self.kernel_of(self._spec)].title))
        if self._spec.own_overlay.has_width or self._spec.trains:
            return heading
        return self.tr("{0} The average itself has no width.").format(heading)

    def _legend(self, trace: WidthErrorsTrace) -> str:
        """Return the names of the curves with their minima, as rich text."""
        names = self.tr("mean square to truth"), self.tr("leave-one-out error")
        entries = []
        for name, role, sign, (errors, reached) in zip(names, ROLES, SIGNS, _curves_of(trace), strict=True):
            best = trace.best(errors, reached)
            if best is not None:
                numbers = f"{errors[best]:.4f}", f"{trace.widths[best]:.3g}"
                said = self.tr("{0}: ★ {1} at width {2}").format(name, *numbers)
                entries.append(coloured(sign, getattr(self._look.theme, role), said))
        return " &nbsp; ".join(entries)


def _curves_of(trace: WidthErrorsTrace) -> tuple[tuple[np.ndarray, np.ndarray], ...]:
    """Return each error with the share (0 to 1) of points that count in it."""
    return (trace.error_to_truth, trace.queries_reached), (trace.left_out_error, trace.points_reached)
