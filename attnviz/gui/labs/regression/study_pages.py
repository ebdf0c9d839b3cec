"""The pages about many fits: each requests a study beside the fit, and shows its result."""

from abc import abstractmethod
from typing import Any, ClassVar, NamedTuple

import numpy as np
from PySide6.QtCore import Signal, Slot
from typing_extensions import override

from attnviz.definitions.functions.kernels import KERNELS
from attnviz.experiment.colours import MASKED, WEIGHT_SCALE, contrast_to_offer, stretched, stretched_scale
from attnviz.experiment.labs import Event
from attnviz.experiment.regression.spec import RegressionSpec
from attnviz.experiment.regression.studies import KernelGrid, KernelGridTrace, Study, WidthErrors, WidthErrorsTrace
from attnviz.experiment.regression.trace import RegressionTrace
from attnviz.experiment.regression.view_settings import RegressionViewSettings
from attnviz.experiment.run import Failure
from attnviz.gui.labs.regression.pictures import Header, header_of, header_of_errors, header_of_kernels
from attnviz.gui.labs.regression.plots.error_plot import ROLES, SIGNS, ErrorCurve, ErrorPlot
from attnviz.gui.labs.regression.plots.kernel_grid import KernelGridView
from attnviz.gui.labs.regression.words import coloured
from attnviz.gui.labs.study_page import StudyPage
from attnviz.gui.plots.matrix.tile import ColourTable, colour_table
from attnviz.gui.plots.page import ColourLine, Page
from attnviz.gui.theme import Look
from attnviz.gui.widgets.layouts import column_of
from attnviz.gui.widgets.selection import Selection, SelectionModel
from attnviz.gui.widgets.words import failure_text, translate


class Fit(NamedTuple):
    """The data drawn by a page of the lab."""

    trace: RegressionTrace
    shown: RegressionTrace
    """The trace, or its chosen head as a trace."""
    view: RegressionViewSettings
    weights: ColourTable


class RegressionPage(Page[Fit]):
    """A page of the regression lab."""

    def header(self, trace: RegressionTrace, stage: str) -> Header:
        """Return the header of the page for a trace and a step of the mechanism."""
        return header_of(trace, stage)

    @abstractmethod
    def follow(self, trace: RegressionTrace) -> None:
        """Follow the trace on screen, also while another page is shown."""


class StudyView(StudyPage[Fit], RegressionPage):
    """Shows the result of a study of the points on screen, and has a sentence about it."""

    study_type: ClassVar[type[Any]]

    def __init__(self, look: Look, selection: SelectionModel, current: Any) -> None:
        super().__init__(look, selection, current)
        self._spec = RegressionSpec()

    @property
    def _event(self) -> Event | None:
        """The last result."""
        return self._results[-1] if self._results else None

    @abstractmethod
    def study_of(self, spec: RegressionSpec) -> Study | None:
        """Return the study of a spec's points, None if there is none."""

    @abstractmethod
    def draw_outcome(self, event: Event) -> None:
        """Draw the result of the study."""

    @override
    def studies(self) -> tuple[Study, ...]:
        study = self.study_of(self._spec)
        return () if study is None else (study,)

    @override
    def takes(self, event: Event) -> bool:
        return isinstance(event.spec, self.study_type)

    @override
    def draw_results(self) -> None:
        if self._event is not None:
            self.draw_outcome(self._event)
            self.tell()

    @override
    def say_stopped(self) -> None:
        if self.wanted():
            self.say(self.in_words_stopped())

    def tell(self) -> None:
        """Set the sentence about the result, or why there is none."""
        if self._event is None or self.wanted():
            self.say(f"{self.in_words_computing()} {self.in_words_before()}")
        elif isinstance(self._event, Failure):
            self.say(f"{failure_text(self._event)}. {self.in_words_before()}")
        else:
            self.say(self.in_words(self._event))

    @abstractmethod
    def in_words(self, outcome: Any) -> str:
        """Return the sentence about a result."""

    def in_words_computing(self) -> str:
        """Return the sentence while the study runs."""
        return self.tr("Computing ...")

    def in_words_stopped(self) -> str:
        """Return the sentence after the study was cancelled."""
        return f"{self.tr('Stopped. Choose the page again to compute it.')} {self.in_words_before()}"

    def in_words_before(self) -> str:
        """Return a sentence about the older pictures on screen, "" if there are none."""
        return ""


class KernelGridPage(StudyView):
    """Shows every kernel at every width; a click on a cell sets the fit's kernel and width."""

    study_type = KernelGrid
    taken = Signal(str, float)
    """The kernel and width that the user clicked."""

    def __init__(self, look: Look, selection: SelectionModel, current: Any) -> None:
        super().__init__(look, selection, current)
        self._colours = ColourLine(WEIGHT_SCALE, colour_table("viridis", look.theme), "")
        self.view = KernelGridView(look)
        column_of(self, self.view, wide=(self.view,))
        self.view.hovered.connect(self._hover)
        self.view.taken.connect(self._take)

    @override
    def study_of(self, spec: RegressionSpec) -> KernelGrid:
        return KernelGrid(of=spec.only_points())

    @override
    def header(self, trace: RegressionTrace, stage: str) -> Header:
        study = self.study_of(trace.spec_written_out)
        return header_of_kernels(study.widths, len(study.kernels))

    @override
    def follow(self, trace: RegressionTrace) -> None:
        """Mark the kernel and width of a fit, and update the sentence."""
        self._spec = trace.spec_written_out
        self.view.mark_own(self._place_of(self._spec))
        self.tell()

    @override
    def draw_outcome(self, event: Event) -> None:
        self.redraw_asked.emit()

    @override
    def show_data(self, data: Fit) -> None:
        trace, contrast = self._event, data.view.contrast_drawn
        self._colours = ColourLine(WEIGHT_SCALE, data.weights, self.tr("weight"), contrast=contrast)
        self.tell()
        if not isinstance(trace, KernelGridTrace):
            return
        levels = stretched(trace.weights, None, WEIGHT_SCALE, contrast)
        titles = tuple(translate(KERNELS[kernel].title) for kernel in trace.spec.kernels)
        self.view.show_grid(trace, levels, data.weights, titles)
        self._colours = self._colours._replace(
            scale=stretched_scale(trace.weights, WEIGHT_SCALE, contrast),
            offered="" if contrast else contrast_to_offer(trace.weights, levels),
            left_out=bool((levels == MASKED).any()),
        )

    @override
    def colour_line(self) -> ColourLine:
        return self._colours

    @override
    def select(self) -> None:
        """Mark the selected query in every cell."""
        query = self._selection.current.query
        if query is not None:
            self.view.select(query)

    @override
    def in_words(self, outcome: KernelGridTrace) -> str:
        numbers = self.tr("Numbers: leave-one-out errors, ★ the least.")
        if not np.isfinite(outcome.left_out_error).any():
            numbers = self.tr("These points have no leave-one-out errors.")
        take = self.tr("Click or Enter takes kernel and width.")
        constant = self.tr("Constant: the average.")
        return f"{numbers} {take} {constant}"

    @override
    def in_words_computing(self) -> str:
        return self.tr("Computing every kernel at every width ...")

    @override
    def in_words_before(self) -> str:
        return "" if self.view.trace is None else self.tr("The pictures show the previous settings.")

    def _place_of(self, spec: RegressionSpec) -> tuple[int, int] | None:
        study = self.study_of(spec)
        if spec.estimator != "nonparametric" or spec.width not in study.widths:
            return None
        return study.kernels.index(spec.kernel), study.widths.index(spec.width)

    @Slot(object)
    def _hover(self, query: int | None) -> None:
        self._selection.hover(None if query is None else Selection(0, query, self._selection.locked.key))

    @Slot(object)
    def _take(self, place: tuple[int, int]) -> None:
        trace = self.view.trace
        if trace is not None:
            self.taken.emit(trace.spec.kernels[place[0]], trace.spec.widths[place[1]])


class WidthErrorsPage(StudyView):
    """Plots the errors of a kernel against its width; a click on a width sets the fit's."""

    study_type = WidthErrors
    taken = Signal(float)
    """The width that the user clicked."""

    def __init__(self, look: Look, selection: SelectionModel, current: Any) -> None:
        super().__init__(look, selection, current)
        self.hint = self.tr("Click to use a width.")
        self.plot = ErrorPlot(look)
        column_of(self, self.plot, wide=(self.plot,))
        self.plot.taken.connect(self.taken)

    @override
    def study_of(self, spec: RegressionSpec) -> WidthErrors:
        return WidthErrors(of=spec.only_points(), kernel=self.kernel_of(spec))

    @override
    def header(self, trace: RegressionTrace, stage: str) -> Header:
        return header_of_errors(trace)

    @staticmethod
    def kernel_of(spec: RegressionSpec) -> str:
        """Return the kernel whose width is varied: the fit's, or gaussian if the fit learns its width or has none."""
        return spec.kernel if spec.own_overlay.has_width else "gaussian"

    @override
    def restyle(self, look: Look) -> None:
        super().restyle(look)
        self.tell()

    @override
    def follow(self, trace: RegressionTrace) -> None:
        """Mark the width of a fit."""
        self._spec = trace.spec_written_out
        learned = trace.width_now if trace.num_heads == 1 else None  # several heads have several widths
        width = trace.spec.width if trace.spec.own_overlay.has_width else learned
        self.plot.mark_width(width if width is not None and np.isfinite(width) else None)
        self.tell()

    @override
    def show_data(self, data: Fit) -> None:
        self.tell()

    @override
    def draw_outcome(self, event: Event) -> None:
        if isinstance(event, WidthErrorsTrace):
            curves = (ErrorCurve(errors, share, event.best(errors, share)) for errors, share in _curves_of(event))
            self.plot.show_curves(event.widths, tuple(curves))

    @override
    def in_words(self, outcome: WidthErrorsTrace) -> str:
        self.plot.show_legend(self._legend())
        some_out = (np.minimum(outcome.points_reached, outcome.queries_reached) < 1).any()
        thin = self.tr("Thin lines: some points have no neighbour in reach and do not count.")
        self.hint = f"{self.tr('Click to use a width.')} {thin if some_out else ''}"
        names = self.tr("error to the truth"), self.tr("leave-one-out error")
        least = [
            self.tr("{0} at width {1}").format(name, f"{outcome.widths[best]:.3g}")
            for name, curve in zip(names, _curves_of(outcome), strict=True)
            if (best := outcome.best(*curve)) is not None
        ]
        return f"{self._heading()} {self.tr('Least: {0}.').format(', '.join(least)) if least else ''}"

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

    def _legend(self) -> str:
        """Return the names of the curves as rich text."""
        names = self.tr("error to the truth"), self.tr("leave-one-out error")
        entries = [
            coloured(sign, getattr(self._look.theme, role), name)
            for name, role, sign in zip(names, ROLES, SIGNS, strict=True)
        ]
        return " &nbsp; ".join([*entries, coloured("★", self._look.theme.text, self.tr("the least"))])


def _curves_of(trace: WidthErrorsTrace) -> tuple[tuple[np.ndarray, np.ndarray], ...]:
    """Return each error with the share (0 to 1) of points that count in it."""
    return (trace.error_to_truth, trace.queries_reached), (trace.left_out_error, trace.points_reached)
