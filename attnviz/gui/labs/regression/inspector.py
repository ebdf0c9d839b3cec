"""The right column of the regression lab: the selected query, the selected cell, the errors, and the loss over w."""

import math
from typing import Any, cast

import numpy as np
from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QGridLayout, QLabel, QPushButton, QVBoxLayout, QWidget
from typing_extensions import override

from attnviz.definitions.counting import SCREEN
from attnviz.definitions.functions.kernels import KERNELS
from attnviz.experiment.labs import Event
from attnviz.experiment.regression.cell import RegressionCell, regression_cell
from attnviz.experiment.regression.data import LEFT_OUT_UP_TO
from attnviz.experiment.regression.spec import MOST_OVERLAYS, RegressionSpec
from attnviz.experiment.regression.studies import LossOverW, LossOverWTrace
from attnviz.experiment.regression.trace import RegressionTrace
from attnviz.experiment.run import Failure
from attnviz.gui.labs.regression.plots.training_plots import MOST_STOPS, LossPlot
from attnviz.gui.labs.regression.study_pages import StudyView
from attnviz.gui.labs.regression.words import coloured, fit_title, overlay_title
from attnviz.gui.plots.curves.marks import overlay_colour, overlay_sign
from attnviz.gui.plots.matrix.matrix import NumberLabels
from attnviz.gui.plots.matrix.tile import ColourTable
from attnviz.gui.plots.tensors.row_bars import BarOrder, Row, RowBars
from attnviz.gui.theme import Look
from attnviz.gui.widgets.explained import explain, place_in_manual
from attnviz.gui.widgets.inspector import Facts, Inspector, StepList
from attnviz.gui.widgets.labels import SteadyLabel, caption
from attnviz.gui.widgets.layouts import column_of
from attnviz.gui.widgets.selection import Selection, SelectionModel
from attnviz.gui.widgets.words import failure_text, number_text, translate

Step = tuple[str, str]
"""A name and a value."""


def steps_of(cell: RegressionCell, kernel: str) -> tuple[Step, ...]:
    """Return the steps of a cell; those of the distance only if the weights depend on it."""
    value = ("yᵢ", _number(cell.y)), (translate("weight × yᵢ"), _number(cell.contribution))
    return (*_distance_steps(cell), *_height_steps(cell, kernel), *value)


def steps_of_heads(trace: RegressionTrace, query: int, key: int) -> tuple[Step, ...]:
    """Return the steps that combine the heads' weights of a cell: each times its share, summed."""
    parts = [
        (
            translate("head {0}: share × weight").format(SCREEN.head(head)),
            f"{_number(share)} × {_number(weights[query, key])}",
        )
        for head, (share, weights) in enumerate(zip(trace.shares, trace.head_weights, strict=True))
    ]
    total = (translate("weight = Σ share × weight"), _number(trace.weights[query, key]))
    contribution = (translate("weight × yᵢ"), _number(trace.contribution(query, key)))
    return (*parts, total, ("yᵢ", _number(trace.y_train[key])), contribution)


def _distance_steps(cell: RegressionCell) -> tuple[Step, ...]:
    if cell.u is None:
        return ()
    factor = f"× {_number(cell.w)}" if cell.w is not None else f"/ {_number(cell.width or 1.0)}"
    return ("x − xᵢ", _number(cell.distance)), (f"u = (x − xᵢ) {factor}", _number(cell.u))


def _height_steps(cell: RegressionCell, kernel: str) -> tuple[Step, ...]:
    record, softmax = KERNELS[kernel], cell.softmax
    if softmax is not None:
        return (
            (translate("score = {0}").format(record.log_text), _number(softmax.score)),
            (translate("K(u) = exp(score)"), _number(cell.kernel_value)),
            (translate("largest score of the row"), _number(softmax.largest)),
            (translate("e = exp(score − largest)"), _number(softmax.exponential)),
            (translate("Σ e of the row"), _number(softmax.normaliser)),
            (translate("weight = e / Σ e"), _number(cell.weight)),
        )
    name, quotient = translate("K, the same for every key"), translate("weight = K / Σ K")
    if cell.u is not None:
        name = f"K(u) = {record.text}"
    total = _number(cell.kernel_sum)
    if not cell.kernel_sum:
        total = translate("0: no point in reach")
        quotient = translate("weight (policy: {0})").format(translate(cell.policy.title))
    return ((name, _number(cell.kernel_value)), (translate("Σ K of the row"), total), (quotient, _number(cell.weight)))


def _number(value: float) -> str:
    """Return a number with five significant digits, enough to check the arithmetic."""
    return f"{value:.5g}"


_RIGHT = Qt.AlignmentFlag.AlignRight


class ErrorsTable(QWidget):
    """The lines are created once; one is visible for each curve."""

    def __init__(self, look: Look) -> None:
        super().__init__()
        self._look = look
        self._trace: RegressionTrace | None = None
        layout = QGridLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setVerticalSpacing(3)
        layout.setHorizontalSpacing(12)
        layout.setColumnStretch(0, 1)
        abouts = (
            self.tr("Estimator"),
            self.tr("Mean squared error of the curve against the function without noise, over the queries in reach"),
            self.tr("Mean squared error at each training point, predicted from all the others"),
        )
        for column, heading in enumerate(("", self.tr("to truth"), self.tr("leave-one-out"))):
            label = caption(heading)
            label.setToolTip(abouts[column])
            layout.addWidget(label, 0, column, _RIGHT if column else Qt.AlignmentFlag.AlignLeft)
        self._lines = [(QLabel(), SteadyLabel(), SteadyLabel()) for _ in range(MOST_OVERLAYS + 1)]
        for row, line in enumerate(self._lines):
            for column, label in enumerate(line):
                label.setObjectName("number")
                layout.addWidget(label, row + 1, column, _RIGHT if column else Qt.AlignmentFlag.AlignLeft)

    def restyle(self, look: Look) -> None:
        """Apply a theme and type scale."""
        self._look = look
        if self._trace is not None:
            self.show_trace(self._trace)

    def show_trace(self, trace: RegressionTrace) -> None:
        """Show the errors of a fit and of its overlays."""
        self._trace = trace
        theme = self._look.theme
        lines = [("━", theme.accent, fit_title(trace), trace.error_to_truth, trace.left_out_error)]
        for place, curve in enumerate(trace.curves):
            sign, colour = overlay_sign(place), overlay_colour(self._look, place)
            lines.append((sign, colour, overlay_title(curve.overlay), curve.error_to_truth, curve.left_out_error))
        for row, labels in enumerate(self._lines):
            for label in labels:
                label.setVisible(row < len(lines))
            if row < len(lines):
                sign, colour, title, to_truth, left_out = lines[row]
                labels[0].setText(coloured(sign, colour, title))
                for label, error in zip(labels[1:], (to_truth, left_out), strict=True):
                    label.setText("-" if math.isnan(error) else number_text(error, ".4f"))

    def texts(self) -> list[tuple[str, ...]]:
        """Return the visible numbers, line by line."""
        return [tuple(label.text() for label in line[1:]) for line in self._lines if not line[1].isHidden()]


_LEAST_REACH = 5.0
_AIR = 1.15


class LossSection(StudyView):
    """Requests the study of its training, and draws it."""

    study_type = LossOverW
    wanted_changed = Signal()
    """The result of `wanted` may have changed."""

    def __init__(self, look: Look, selection: SelectionModel, current: Any) -> None:
        super().__init__(look, selection, current)
        self._trace: RegressionTrace | None = None
        self._asked_for: RegressionSpec | None = None
        self.plot = LossPlot(look)
        self.sentence = caption(wraps=True, plain=True)
        self.compute = QPushButton(self.tr("Compute"))
        self.compute.clicked.connect(self._compute)
        column_of(self, self.plot, self.sentence, self.compute, gap=4)

    @override
    def restyle(self, look: Look) -> None:
        super().restyle(look)
        self.plot.setFixedHeight(look.px(132))

    @override
    def study_of(self, spec: RegressionSpec) -> LossOverW | None:
        """Return the study of the training on screen; None if it is slow and the user has not requested it."""
        trace = self._trace
        if trace is None or not trace.w_path.size:
            return None
        of = _canonical(spec)
        if len(trace.x_train) > LEFT_OUT_UP_TO and of != self._asked_for:
            return None
        low, high = _reach(trace.w_path)
        return LossOverW(of=of, low=low, high=high)

    @override
    def follow(self, trace: RegressionTrace) -> None:
        """Show a training."""
        self._trace, self._spec = trace, trace.spec_written_out
        if isinstance(self._event, LossOverWTrace) and self._event.spec.of != _canonical(self._spec):
            self._results = ()
            self.plot.show_study(None)
        self.plot.show_trace(trace)
        self.tell()

    @override
    def draw_outcome(self, event: Event) -> None:
        self.plot.show_study(event if isinstance(event, LossOverWTrace) else None)

    @override
    def say(self, words: str) -> None:
        super().say(words)
        self.sentence.setText(words)

    @override
    def in_words_stopped(self) -> str:
        return self.tr("Stopped.")

    @override
    def tell(self) -> None:
        trace = self._trace
        many = trace is not None and self._event is None and not self.wanted()
        self.plot.setVisible(not many)
        self.compute.setVisible(many)
        if isinstance(self._event, Failure):
            self.say(failure_text(self._event))
        elif many:
            self.say(self.tr("This takes a while for more than {0} points.").format(LEFT_OUT_UP_TO))
        else:
            self.say(self.in_words(self._event))

    @override
    def in_words(self, outcome: Any) -> str:
        trace = self._trace
        if trace is not None and trace.num_heads > 1:
            return self.tr("The loss if all heads had the same w; lines mark each head's w.")
        many_steps = trace is not None and trace.step > MOST_STOPS
        dots = self.tr("Dots are the last {0} steps, ★ is the least.").format(MOST_STOPS)
        return dots if many_steps else self.tr("Dots are the steps so far, ★ is the least.")

    @Slot()
    def _compute(self) -> None:
        if self._trace is not None:
            self._asked_for = _canonical(self._spec)
            self.tell()
            self.wanted_changed.emit()


def _canonical(spec: RegressionSpec) -> RegressionSpec:
    """Return a spec that is equal for all trainings on the same points: the loss does not depend on rate or steps."""
    return RegressionSpec(data=spec.data, leave_one_out=spec.leave_one_out, device=spec.device)


def _reach(w_path: np.ndarray) -> tuple[float, float]:
    """Return a range of w that contains the whole path, in round numbers, so that it seldom changes."""
    known = w_path[np.isfinite(w_path)]
    farthest = max(_LEAST_REACH, float(np.abs(known).max(initial=0.0)) * _AIR)
    decade = 10.0 ** math.floor(math.log10(farthest))
    high = next(decade * each for each in (1, 2, 5, 10) if decade * each >= farthest)
    return (-high if (known < 0).any() else 0.0), high


_FEW = 500  # up to so many training points, three digits distinguish their x


class RegressionInspector(Inspector):
    """The selected query and, if a key is selected, their cell in numbers, all taken from the trace."""

    def __init__(self, look: Look, selection: SelectionModel, current: Any) -> None:
        super().__init__()
        self.bars = RowBars(look)
        self.order = BarOrder()
        self._caption = self.add_section("", self.bars, self.order)
        self.prediction = Facts((self.tr("Σ weight × y"), self.tr("truth"), self.tr("sum of weights")))
        self.add_section(self.tr("Prediction"), self.prediction)
        self.cell = StepList()
        self._cell_caption = self.add_section("", self.cell)
        self.errors = ErrorsTable(look)
        self.add_section(self.tr("Mean squared error"), self.errors)
        self.training = Facts((self.tr("step"), self.tr("loss"), self.tr("w"), self.tr("width 1/w")))
        self._curves = QWidget()
        column_of(self._curves)
        self._curves.hide()
        self._training_caption = self.add_section(self.tr("Training"), self.training)
        self._curves_caption = self.add_section(self.tr("Loss and w"), self._curves)
        self._curves_caption.hide()
        self.heads = StepList()
        self._heads_caption = self.add_section(self.tr("Heads: w and share"), self.heads)
        self.loss = LossSection(look, selection, current)
        self._loss_caption = self.add_section(self.tr("Loss over w"), self.loss)
        explain(self._caption, self.tr("Query"))
        explain(self._cell_caption, self.tr("Query, key"))
        places: dict[str, tuple[QWidget, ...]] = {
            "row": (self.bars, self.order),
            "cell": (self.cell,),
            "errors": (self.errors,),
            "training": (self.training, self.heads, self.loss),
        }
        for anchor, parts in places.items():
            for part in parts:
                place_in_manual(part, f"regression#inspector-{anchor}")

    def show_trace(self, trace: RegressionTrace) -> None:
        """Show what depends only on the trace, not on the selected query or head."""
        self.errors.show_trace(trace)
        self._show_training(trace)

    def hold_curves(self, curves: QWidget, height: int) -> None:
        """Take the curves of a training, for which the page has no room, at this height."""
        curves.setMinimumHeight(height)
        cast("QVBoxLayout", self._curves.layout()).addWidget(curves)
        _set_visible((self._curves_caption, self._curves, curves), True)

    def release_curves(self) -> None:
        """Release the curves of a training, which are on the page."""
        _set_visible((self._curves_caption, self._curves), False)

    def show_selection(self, trace: RegressionTrace, chosen: Selection, table: ColourTable, contrast: str) -> None:
        """Show the selected query of a trace, or of one of its heads, in the colours that the matrix has."""
        query = min(chosen.query or 0, len(trace.x_test) - 1)
        self._caption.setText(self.tr("QUERY x = {0}").format(f"{trace.x_test[query]:.4g}"))
        weights = trace.weights[query]
        row = Row(
            labels=NumberLabels(trace.x_train, ".3g" if len(weights) <= _FEW else ".5g"),
            weights=weights,
            levels=trace.row_levels(query, contrast),
            mask=~(weights == 0),
            zeros=int(np.count_nonzero(weights == 0)),
            lit=chosen.key,
            extra=NumberLabels(trace.y_train, ".2f" if np.abs(trace.y_train).max() < 1e5 else ".3g", "y "),
            by_weight=self.order.by_weight,
        )
        self.bars.show_row(row, table)
        self.prediction.show_facts(
            (
                _or_unknown(trace.y_hat[query], self.tr("no point in reach")),
                _or_unknown(trace.y_truth[query], self.tr("unknown")),
                number_text(trace.row_sums[query], ".4f"),
            )
        )
        self._show_cell(trace, query, chosen.key)

    def _show_cell(self, trace: RegressionTrace, query: int, key: int | None) -> None:
        chosen = key is not None and key < len(trace.x_train)
        self.cell.setVisible(chosen)
        self._cell_caption.setVisible(chosen)
        if key is None or not chosen:
            return
        x, x_i = trace.x_test[query], trace.x_train[key]
        self._cell_caption.setText(self.tr("CELL x = {0}, xᵢ = {1}").format(f"{x:.5g}", f"{x_i:.5g}"))
        if trace.num_heads > 1:
            self.cell.show_steps(steps_of_heads(trace, query, key))
        else:
            self.cell.show_steps(steps_of(regression_cell(trace, query, key), trace.spec.kernel))

    def _show_training(self, trace: RegressionTrace) -> None:
        w, width = trace.w_now, trace.width_now
        several = trace.num_heads > 1
        of_training = (self.training, self._training_caption, self.loss, self._loss_caption)
        _set_visible(of_training, w is not None)
        _set_visible((self.heads, self._heads_caption), several)
        if w is None or width is None:
            return
        here = trace.w_path[trace.step]
        self.training.show_facts(
            (
                self.tr("{0} of {1}").format(trace.step, trace.spec.epochs),
                number_text(trace.loss[trace.step - 1], ".4f") if trace.step else "-",
                number_text(w, ".4f") if not several else self.tr("{0} heads").format(trace.num_heads),
                "-" if several else number_text(width, ".4f"),
            )
        )
        if several:
            numbers = zip(here, trace.shares, strict=True)
            self.heads.show_steps(
                [
                    (self.tr("head {0}").format(SCREEN.head(head)), f"{w:.4f}   {share:.3f}")
                    for head, (w, share) in enumerate(numbers)
                ]
            )
        self.loss.follow(trace)


def _set_visible(parts: tuple[QWidget, ...], on: bool) -> None:
    for part in parts:
        part.setVisible(on)


def _or_unknown(value: float, unknown: str) -> str:
    return number_text(value, ".4f") if np.isfinite(value) else unknown
