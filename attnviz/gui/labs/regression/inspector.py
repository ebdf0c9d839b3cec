"""The right column of the regression lab: the selected query's keys and prediction, the selected cell, the errors."""

import numpy as np
from PySide6.QtWidgets import QWidget
from typing_extensions import override

from attnviz.experiment.colours.levels import quantise
from attnviz.experiment.regression.cell import regression_cell
from attnviz.experiment.regression.trace import RegressionTrace
from attnviz.gui.labs.regression.errors_table import ErrorsTable
from attnviz.gui.labs.regression.loss_section import LossSection
from attnviz.gui.labs.regression.steps import steps_of, steps_of_heads
from attnviz.gui.plots.matrix.colour_table import ColourTable
from attnviz.gui.plots.matrix.matrix import NumberLabels
from attnviz.gui.plots.tensors.row_bars import BarOrder, Row, RowBars
from attnviz.gui.theme import Look
from attnviz.gui.widgets.inspector import Facts, Inspector, StepList
from attnviz.gui.widgets.selection import Selection
from attnviz.gui.widgets.words import number_text

_FEW = 500  # up to so many training points, three digits distinguish their x


class RegressionInspector(Inspector):
    """The selected query and, if a key is selected, their cell in numbers, all taken from the trace."""

    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(parent)
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
        self._training_caption = self.add_section(self.tr("Training"), self.training)
        self.heads = StepList()
        self._heads_caption = self.add_section(self.tr("Heads: w and share"), self.heads)
        self.loss = LossSection(look)
        self._loss_caption = self.add_section(self.tr("Loss over w"), self.loss)

    @override
    def restyle(self, look: Look) -> None:
        super().restyle(look)
        for part in (self.bars, self.errors, self.loss):
            part.restyle(look)

    def show_trace(self, trace: RegressionTrace) -> None:
        """Show what depends only on the trace, not on the selected query or head."""
        self.errors.show_trace(trace)
        self._show_training(trace)

    def show_selection(self, trace: RegressionTrace, chosen: Selection, table: ColourTable) -> None:
        """Show the selected query of a trace, or of one of its heads."""
        query = min(chosen.query or 0, len(trace.x_test) - 1)
        self._caption.setText(self.tr("QUERY x = {0}").format(f"{trace.x_test[query]:.4g}"))
        weights = trace.weights[query]
        row = Row(
            labels=NumberLabels(trace.x_train, ".3g" if len(weights) <= _FEW else ".5g"),
            weights=weights,
            levels=quantise(weights, None, 0.0, trace.contrast_scale.high),
            mask=~(weights == 0),
            zeros=int(np.count_nonzero(weights == 0)),
            lit=chosen.key,
            extra=NumberLabels(trace.y_train, ".2f" if _are_small(trace.y_train) else ".3g", "y "),
            by_weight=self.order.by_weight,
        )
        self.bars.show_row(row, table)
        self.prediction.show_facts(
            (
                _number(trace.y_hat[query], self.tr("no point in reach")),
                _number(trace.y_truth[query], self.tr("unknown")),
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
                    (self.tr("head {0}").format(head + 1), f"{w:.4f}   {share:.3f}")
                    for head, (w, share) in enumerate(numbers)
                ]
            )
        self.loss.follow(trace)


def _set_visible(parts: tuple[QWidget, ...], on: bool) -> None:
    for part in parts:
        part.setVisible(on)


def _are_small(values: np.ndarray) -> bool:
    return bool(np.abs(values).max() < 1e5)


def _number(value: float, unknown: str) -> str:
    return number_text(value, ".4f") if np.isfinite(value) else unknown
