"""The page of all kernels at the teaching widths."""

import numpy as np
from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from attnviz.definitions.kernels import KERNELS
from attnviz.experiment.colours.levels import WEIGHT_SCALE, Scale, quantise
from attnviz.experiment.failure import Failure
from attnviz.experiment.labs import Event
from attnviz.experiment.regression.spec import RegressionSpec
from attnviz.experiment.regression.studies import KernelGrid, KernelGridTrace
from attnviz.gui.plots.fit.kernel_grid_view import KernelGridView
from attnviz.gui.plots.matrix.colour_table import ColourTable
from attnviz.gui.theme import Look
from attnviz.gui.widgets.selection import Selection, SelectionModel
from attnviz.gui.widgets.words import translate


class KernelGridPage(QWidget):
    """Shows a study of the points on screen; a cell that is clicked becomes the fit's kernel and width."""

    taken = Signal(str, float)
    """A kernel and a width."""

    def __init__(self, look: Look, selection: SelectionModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._selection = selection
        self._spec = RegressionSpec()
        self._event: Event | None = None
        self.view = KernelGridView(look)
        self.sentence = QLabel()
        self.sentence.setObjectName("caption")
        self.sentence.setWordWrap(True)
        self.sentence.setTextFormat(Qt.TextFormat.PlainText)
        self.caption = ""
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(6)
        layout.addWidget(self.sentence)
        layout.addWidget(self.view, 1)
        self.view.hovered.connect(self._hover)
        self.view.taken.connect(self._take)

    def wanted(self, spec: RegressionSpec) -> tuple[KernelGrid, ...]:
        """Return the study of a spec's points, unless it is shown already."""
        study = KernelGrid(of=spec.only_points())
        return () if self._event is not None and self._event.spec == study else (study,)

    def restyle(self, look: Look) -> None:
        """Take another theme or type scale."""
        self.view.restyle(look)

    def show_current(self, spec: RegressionSpec) -> None:
        """Mark the kernel and width that a spec has, and say whether the pictures are of its points."""
        self._spec = spec
        self.view.mark_own(self._place_of(spec))
        self._say()

    def show_event(self, event: Event) -> None:
        """Keep the outcome of the study; `draw` draws it."""
        self._event = event
        self._say()

    def draw(self, table: ColourTable, *, full_contrast: bool) -> Scale:
        """Draw the study's outcome, and return what its colours stand for."""
        trace = self._event
        self.caption = self.tr("weight over the largest of its picture") if full_contrast else self.tr("weight")
        if not isinstance(trace, KernelGridTrace):
            return WEIGHT_SCALE
        most = trace.weights.max(axis=(-2, -1), keepdims=True) if full_contrast else 1.0
        levels = quantise(trace.weights, None, 0.0, most)
        titles = tuple(translate(KERNELS[kernel].title) for kernel in trace.spec.kernels)
        self.view.show_grid(trace, levels, table, titles)
        return Scale(0.0, 1.0, per_head=full_contrast)

    def select(self, query: int) -> None:
        """Mark a query in every cell."""
        self.view.select(query)

    def say_stopped(self) -> None:
        """Say that the study was stopped, if it is still wanted."""
        if self.wanted(self._spec):
            self.sentence.setText(f"{self.tr('Stopped. Press the name of the page again to compute it.')} {self._of()}")

    def _say(self) -> None:
        if self._event is None or self.wanted(self._spec):
            self.sentence.setText(f"{self.tr('Computing every kernel at every width ...')} {self._of()}")
        elif isinstance(self._event, Failure):
            self.sentence.setText(f"{translate(self._event.message)}. {self._of()}")
        elif isinstance(self._event, KernelGridTrace):
            numbers = self.tr("Numbers are leave-one-out errors, ★ the least.")
            if not np.isfinite(self._event.left_out_error).any():
                numbers = self.tr("For these points there are no leave-one-out errors.")
            take = self.tr("A click, or Enter, takes that kernel and width.")
            constant = self.tr("The constant kernel has no width: it is the average.")
            self.sentence.setText(f"{numbers} {take} {constant}")

    def _of(self) -> str:
        """Say whose the pictures are that stand here meanwhile, if there are any."""
        return "" if self.view.trace is None else self.tr("The pictures are of the settings before.")

    def _place_of(self, spec: RegressionSpec) -> tuple[int, int] | None:
        study = KernelGrid(of=spec.only_points())
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
