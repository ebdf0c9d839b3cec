"""The centre of the regression lab: the fit with a step of its mechanism, or a page about many fits."""

from PySide6.QtCore import Signal, Slot
from typing_extensions import override

from attnviz.definitions.counting import SCREEN
from attnviz.experiment.labs import Lab
from attnviz.experiment.regression.trace import RegressionTrace
from attnviz.experiment.regression.view_settings import RegressionViewSettings
from attnviz.gui.forms.editor import ComboBox
from attnviz.gui.labs.current_view import CurrentView
from attnviz.gui.labs.lab_stage import LabStage
from attnviz.gui.labs.regression.fit_page import RegressionFit
from attnviz.gui.labs.regression.learning_page import LearningPage
from attnviz.gui.labs.regression.study_pages import Fit, KernelGridPage, RegressionPage, WidthErrorsPage
from attnviz.gui.labs.regression.words import reading_of
from attnviz.gui.labs.stage_rows import RoomFor
from attnviz.gui.plots.page import PageStack
from attnviz.gui.run.background import AT_ONCE
from attnviz.gui.theme import Look
from attnviz.gui.widgets.selection import SelectionModel


class HeadChoice(ComboBox):
    """A list of heads with their shares, visible only if several w are learned."""

    chosen = Signal(int)
    """The user wants to see another head, counted from 1; 0 is all."""

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName(self.tr("Head"))
        self.setSizeAdjustPolicy(self.SizeAdjustPolicy.AdjustToContents)
        self.addItem(self.tr("all heads, averaged"))
        self.activated.connect(self.chosen)
        self.hide()

    @property
    def needed(self) -> bool:
        """Whether there are several heads."""
        return self.count() > 2

    @override
    def setVisible(self, visible: bool) -> None:
        super().setVisible(visible and self.needed)

    def show_trace(self, trace: RegressionTrace) -> None:
        """List the heads of a trace with their shares."""
        wanted = 1 + (trace.num_heads if trace.num_heads > 1 else 1)
        while self.count() > wanted:
            self.removeItem(self.count() - 1)
        while self.count() < wanted:
            self.addItem("")
        for head, share in enumerate(trace.shares):
            self.setItemText(head + 1, self.tr("head {0}: share {1}").format(SCREEN.head(head), f"{share:.3f}"))


class RegressionStage(LabStage[RegressionTrace, RegressionViewSettings]):
    """Shows one trace on the chosen page."""

    room = RoomFor(legend=290, read_out=370)
    contrast_field = "full_contrast"

    def __init__(
        self, lab: Lab, look: Look, selection: SelectionModel, current: CurrentView[RegressionViewSettings]
    ) -> None:
        super().__init__(lab, look, selection, current)
        self.heads = HeadChoice()
        self.pages = PageStack(self.make_pages())
        self.views = self.pages.page_of(RegressionFit)
        self.fit, self.heatmap = self.views.plot, self.views.heatmap
        self.loss, self.w = self.views.history.loss, self.views.history.w
        self.learning, self.kernels = self.pages.page_of(LearningPage), self.pages.page_of(KernelGridPage)
        self.errors = self.pages.page_of(WidthErrorsPage)
        self._background.done.connect(self._draw)
        self.heads.chosen.connect(self._choose_head)
        self.heatmap.painted.connect(self.painted)
        self.rows.beside.addWidget(self.heads)
        self.lay_out()

    @property
    @override
    def page(self) -> RegressionPage:
        page: RegressionPage = self.pages.pages[self.view.page]  # type: ignore[assignment]
        return page

    @property
    def shown(self) -> RegressionTrace | None:
        """The trace, or its chosen head as a trace."""
        return None if self.trace is None else self.view.shown_of(self.trace)

    @override
    def show_trace(self, trace: RegressionTrace) -> None:
        self.trace = trace
        self.current_view.value = self.view.within(trace)
        self.heads.show_trace(trace)
        self.offer_pages(trace)
        self.show_widgets()
        self.pages.follow(trace)
        self.show_view()

    @override
    def show_widgets(self) -> None:
        super().show_widgets()
        self.heads.setCurrentIndex(self.view.head)

    @Slot(int)
    def _choose_head(self, head: int) -> None:
        self.current_view.propose(head=head)

    @Slot()
    @override
    def _choose_stage(self) -> None:
        """Show a step of the mechanism, on the first page."""
        self.current_view.propose(stage=self.strip.stage, page="fit")

    @Slot()
    @override
    def show_view(self) -> None:
        """Draw the page; its colours are computed first, in another thread if there are many cells."""
        trace, view = self.shown, self.view
        self.pages.turn_to(view.page, None if trace is None else trace.spec)
        if trace is None or self.trace is None:
            return
        self.heads.setVisible(bool(view.page_stage) and self.trace.num_heads > 1)
        self.views.show_curves(self.trace, trace)
        watched = (view.stage == "weights" and view.contrast_drawn) or view.stage
        if view.page_stage:
            self.watched.emit(self._lab.name, watched)  # the worker then prepares these colours, but not a head's
        of_head = trace is not self.trace and not trace.final
        if not view.page_stage or trace.is_prepared(watched) or trace.weights.size <= AT_ONCE or of_head:
            self._draw((trace, view))
        else:
            self._background.start(lambda: _prepared(trace, view, watched), instead=True)

    @Slot(object)
    def _draw(self, prepared: tuple[RegressionTrace, RegressionViewSettings]) -> None:
        """Draw the page with its prepared colours, unless another one was requested meanwhile."""
        trace, view = prepared
        if (
            trace is not self.shown
            or self.trace is None
            or (view.stage, view.page) != (self.view.stage, self.view.page)
        ):
            return
        self.page.show_data(Fit(self.trace, trace, self.view, self.weight_table))
        self.show_colours(self.page.colour_line())
        header = self.page.header(trace, view.stage)
        self.show_header(header.latex, header.spoken, header.shapes)
        self.select()

    @Slot()
    @override
    def select(self) -> None:
        trace, chosen = self.shown, self._selection.current
        if trace is None or chosen.query is None:
            return
        self.page.select()
        reading = reading_of(trace, self.view.stage, chosen.query, chosen.key if self.view.page_stage else None)
        self.read_out.setText(reading)
        self.say()


def _prepared(
    trace: RegressionTrace, view: RegressionViewSettings, watched: str
) -> tuple[RegressionTrace, RegressionViewSettings]:
    trace.prepare_stage(watched)
    return trace, view
