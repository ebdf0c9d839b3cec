"""The page of all kernels at the teaching widths."""

import numpy as np
from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QVBoxLayout, QWidget
from typing_extensions import override

from attnviz.definitions.kernels import KERNELS
from attnviz.experiment.colours.levels import WEIGHT_SCALE, Scale, quantise
from attnviz.experiment.labs import Event
from attnviz.experiment.regression.spec import RegressionSpec
from attnviz.experiment.regression.studies import KernelGrid, KernelGridTrace
from attnviz.experiment.regression.trace import RegressionTrace
from attnviz.experiment.regression.view_settings import RegressionViewSettings
from attnviz.gui.labs.page import ColourLine
from attnviz.gui.labs.regression.study_view import Fit, StudyView
from attnviz.gui.plots.fit.kernel_grid import KernelGridView
from attnviz.gui.plots.matrix.colour_table import colour_table
from attnviz.gui.theme import Look
from attnviz.gui.widgets.selection import Selection, SelectionModel
from attnviz.gui.widgets.words import translate


class KernelGridPage(StudyView):
    """Shows every kernel at every width; a click on a cell sets the fit's kernel and width."""

    study_type = KernelGrid
    taken = Signal(str, float)
    """The kernel and width that the user clicked."""

    def __init__(self, look: Look, selection: SelectionModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._selection = selection
        self._colours = WEIGHT_SCALE, ""
        self._weights = colour_table("viridis", look.theme)
        self.view = KernelGridView(look)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(6)
        layout.addWidget(self.sentence)
        layout.addWidget(self.view, 1)
        self.view.hovered.connect(self._hover)
        self.view.taken.connect(self._take)

    @override
    def study_of(self, spec: RegressionSpec) -> KernelGrid:
        return KernelGrid(of=spec.only_points())

    @override
    def uses_contrast(self, view: RegressionViewSettings) -> bool:
        return True

    @override
    def restyle(self, look: Look) -> None:
        self.view.restyle(look)

    @override
    def follow(self, trace: RegressionTrace) -> None:
        """Mark the kernel and width of a fit, and update the sentence."""
        self._spec = trace.spec_written_out
        self.view.mark_own(self._place_of(self._spec))
        self.say()

    @override
    def draw_outcome(self, event: Event) -> None:
        self.redraw_asked.emit()

    @override
    def show_data(self, data: Fit) -> None:
        trace, full, self._weights = self._event, data.view.full_contrast, data.weights
        caption = self.tr("weight / largest in its picture") if full else self.tr("weight")
        self._colours = WEIGHT_SCALE, caption
        self.say()
        if not isinstance(trace, KernelGridTrace):
            return
        most = trace.weights.max(axis=(-2, -1), keepdims=True) if full else 1.0
        levels = quantise(trace.weights, None, 0.0, most)
        titles = tuple(translate(KERNELS[kernel].title) for kernel in trace.spec.kernels)
        self.view.show_grid(trace, levels, data.weights, titles)
        self._colours = Scale(0.0, 1.0, per_head=full), caption

    @override
    def colour_line(self) -> ColourLine:
        scale, caption = self._colours
        return ColourLine(scale, self._weights, caption)

    @override
    def select(self) -> None:
        """Mark the selected query in every cell."""
        query = self._selection.current.query
        if query is not None:
            self.view.select(query)

    @override
    def in_words(self, outcome: KernelGridTrace) -> str:
        numbers = self.tr("The numbers are leave-one-out errors, ★ is the least.")
        if not np.isfinite(outcome.left_out_error).any():
            numbers = self.tr("For these points there are no leave-one-out errors.")
        take = self.tr("Click or press Enter to use that kernel and width.")
        constant = self.tr("The constant kernel has no width: it is the average.")
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
