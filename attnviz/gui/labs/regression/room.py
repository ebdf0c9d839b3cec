"""The kernel-regression lab's room."""

from typing import Any

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QWidget
from typing_extensions import override

from attnviz.experiment.labs import Asked, Event, Spec
from attnviz.experiment.regression.data import PointsData, written_out
from attnviz.experiment.regression.spec import RegressionSpec
from attnviz.experiment.regression.trace import RegressionTrace
from attnviz.experiment.regression.view_settings import RegressionViewSettings
from attnviz.gui.labs.regression.editors import EDITORS
from attnviz.gui.labs.regression.inspector import RegressionInspector
from attnviz.gui.labs.regression.plots.error_plot import ErrorPlot
from attnviz.gui.labs.regression.plots.fit_plot import FitPlot
from attnviz.gui.labs.regression.plots.inputs_plot import InputsPlot
from attnviz.gui.labs.regression.plots.kernel_grid import KernelGridView
from attnviz.gui.labs.regression.plots.point_drag import Edit
from attnviz.gui.labs.regression.plots.training_plots import HistoryPlot
from attnviz.gui.labs.regression.stage import RegressionStage
from attnviz.gui.labs.regression.words import reading_of
from attnviz.gui.labs.room import BaseRoom
from attnviz.gui.theme import Look
from attnviz.gui.widgets.selection import Selection


class RegressionRoom(BaseRoom[RegressionTrace, RegressionViewSettings]):
    """The fit, its weights, the history of a training, and the selected query."""

    lab_name = "regression"
    editors = EDITORS
    with_gestures = (FitPlot, HistoryPlot, KernelGridView, ErrorPlot)
    trains = True
    first_pace = 15  # 60 steps in 4 s: long enough to see the curve bend
    beside_while_running = True
    stage: RegressionStage
    inspector: RegressionInspector

    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(look, parent)
        self.inspector.order.changed.connect(self.inspect)
        self.inspector.loss.wanted_changed.connect(self.beside_changed)
        self._edit: tuple[PointsData, Edit] | None = None
        self._inputs: InputsPlot | None = None
        self.stage.views.edited.connect(self._take_points)
        self.stage.views.history_taken.connect(self._take_history)
        self.stage.fit.hand.refused.connect(self.form.editor("data").refused)
        self.form.shown.connect(self._await_fit)
        for history in (self.stage.views.history, self.stage.learning.history):
            history.looked.connect(self.ask_step)
        self.stage.kernels.taken.connect(self._take_kernel)
        self.stage.errors.taken.connect(self._take_width)
        self.form.editor("data").save_asked.connect(self.points_asked)  # type: ignore[attr-defined]

    @override
    def make_stage(self, look: Look) -> RegressionStage:
        return RegressionStage(self.lab, look, self.selection, self.current_view)

    @override
    def make_inspector(self, look: Look) -> RegressionInspector:
        return RegressionInspector(look, self.selection, self.current_view)

    @override
    def show_trace(self, trace: RegressionTrace) -> None:
        if self.current_view.awaited is not None:
            self.stage.views.forget_query()
        self.inspector.show_trace(trace)
        super().show_trace(trace)
        self.current_view.note(step=None if trace.final else trace.step)

    @override
    def inputs_of(self, trace: RegressionTrace, view: RegressionViewSettings) -> QWidget:
        if self._inputs is None:
            self._inputs = InputsPlot(self.stage.fit.look)
        self._inputs.show_inputs(trace, view.query)
        return self._inputs

    @override
    def selection_of(self, view: RegressionViewSettings) -> Selection:
        return Selection(0, view.query, view.key)

    @override
    def noted(self, selection: Selection) -> dict[str, Any]:
        return {"query": selection.query, "key": selection.key}

    @override
    def show_choice(self, trace: RegressionTrace) -> None:
        shown, chosen = self.view.shown_of(trace), self.selection.current
        self.inspector.show_selection(shown, chosen, self.stage.weight_table, self.view.contrast_drawn)
        if chosen.query is not None and chosen.query < len(shown.x_test):
            self.tell(reading_of(shown, self.view.stage, chosen.query, chosen.key), self.stage.fit, self.stage.heatmap)

    @override
    def specs_beside(self, spec: Spec) -> tuple[Asked, ...]:
        return (*super().specs_beside(spec), *self.inspector.loss.wanted())

    @override
    def show_beside(self, events: tuple[Event, ...]) -> None:
        super().show_beside(events)
        self.inspector.loss.show_events(events)

    @override
    def beside_stopped(self) -> None:
        super().beside_stopped()
        self.inspector.loss.say_stopped()

    @Slot(object)
    def _take_points(self, edit: Edit) -> None:
        """Write edited points into the spec; one drag is one undo step."""
        spec, trace = self.form.spec, self.stage.trace
        if isinstance(spec, RegressionSpec) and trace is not None:
            # The true function is that of the edited points, also if the spec has changed meanwhile.
            before = self._edit[0] if self._edit is not None and spec.data is self._edit[0] else trace.spec.data
            data = written_out(before, edit.x, edit.y)
            self._edit = data, edit
            self.form.propose(spec.model_copy(update={"data": data}), f"data#{edit.stroke}")

    @Slot(object)
    def _await_fit(self, spec: RegressionSpec) -> None:
        """Show edited points before their fit has arrived, so that the next edit starts from them."""
        data, edit = self._edit or (None, None)
        trace = self.stage.trace
        known = trace is not None and trace.spec.data is data
        self.stage.fit.await_fit(edit if spec.data is data and not known else None)

    @Slot(bool)
    def _take_history(self, taken: bool) -> None:
        """Show the curves of the training in the inspector, or leave them to the page."""
        history = self.stage.views.history
        if taken:
            self.inspector.hold_curves(history, round(history.least_sizes[0][1]))
        else:
            self.inspector.release_curves()

    @Slot(str, float)
    def _take_kernel(self, kernel: str, width: float) -> None:
        self._propose(estimator="nonparametric", kernel=kernel, width=width)

    @Slot(float)
    def _take_width(self, width: float) -> None:
        if isinstance(self.form.spec, RegressionSpec):
            kernel = self.stage.errors.kernel_of(self.form.spec)
            self._propose(estimator="nonparametric", kernel=kernel, width=width)

    def _propose(self, **values: Any) -> None:
        """Propose the spec with other values, which must be legal."""
        if self.form.spec is not None:
            self.form.propose(self.form.spec.model_copy(update=values), "")
