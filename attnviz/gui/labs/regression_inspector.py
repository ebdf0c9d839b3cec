"""The right column of the regression lab: the chosen query's keys, its prediction, the chosen cell and the error."""

import numpy as np
from PySide6.QtWidgets import QWidget
from typing_extensions import override

from attnviz.experiment.regression_cell import regression_cell
from attnviz.experiment.regression_trace import RegressionTrace
from attnviz.gui.inspector import Facts, Inspector
from attnviz.gui.labs.bar_order import BarOrder
from attnviz.gui.labs.regression_steps import steps_of
from attnviz.gui.labs.step_list import StepList
from attnviz.gui.plots.colour_table import ColourTable
from attnviz.gui.plots.row_bars import Row, RowBars
from attnviz.gui.selection import Selection
from attnviz.gui.theme import Look


class RegressionInspector(Inspector):
    """Everything about the chosen query and, while a key is chosen too, their cell; the numbers are the trace's."""

    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.bars = RowBars(look)
        self.order = BarOrder()
        self._caption = self.add_section("", self.bars, self.order)
        self.prediction = Facts((self.tr("Σ weight × y"), self.tr("truth"), self.tr("sum of weights")))
        self.add_section(self.tr("Prediction"), self.prediction)
        self.cell = StepList()
        self._cell_caption = self.add_section("", self.cell)
        self.error = Facts((self.tr("mean square to truth"), self.tr("training points"), self.tr("queries")))
        self.add_section(self.tr("Fit"), self.error)
        self.training = Facts((self.tr("step"), self.tr("loss"), self.tr("w"), self.tr("width 1/w")))
        self._training_caption = self.add_section(self.tr("Training"), self.training)

    @override
    def restyle(self, look: Look) -> None:
        super().restyle(look)
        self.bars.restyle(look)

    def show_selection(self, trace: RegressionTrace, chosen: Selection, table: ColourTable) -> None:
        """Show the chosen query of a trace."""
        query = min(chosen.query or 0, len(trace.x_test) - 1)
        self._caption.setText(self.tr("QUERY x = {0}").format(f"{trace.x_test[query]:.4g}"))
        weights = trace.weights[query]
        row = Row(
            labels=tuple(f"{x:.3g}" for x in trace.x_train),
            weights=weights,
            levels=trace.contrast_levels[query],
            mask=weights > 0,
            lit=chosen.key,
            extra=tuple(f"y {y:.2f}" for y in trace.y_train),
            by_weight=self.order.by_weight,
        )
        self.bars.show_row(row, table)
        self.prediction.show_facts(
            (
                _number(trace.y_hat[query], self.tr("no point in reach")),
                _number(trace.y_truth[query], self.tr("unknown")),
                f"{trace.row_sums[query]:.4f}",
            )
        )
        self.error.show_facts(
            (_number(trace.error_to_truth, self.tr("unknown")), str(len(trace.x_train)), str(len(trace.x_test)))
        )
        self._show_cell(trace, query, chosen.key)
        self._show_training(trace)

    def _show_cell(self, trace: RegressionTrace, query: int, key: int | None) -> None:
        chosen = key is not None and key < len(trace.x_train)
        self.cell.setVisible(chosen)
        self._cell_caption.setVisible(chosen)
        if key is None or not chosen:
            return
        cell = regression_cell(trace, query, key)
        self._cell_caption.setText(self.tr("CELL x = {0}, xᵢ = {1}").format(f"{cell.x:.5g}", f"{cell.x_i:.5g}"))
        self.cell.show_steps(steps_of(cell, trace.spec.kernel))

    def _show_training(self, trace: RegressionTrace) -> None:
        w = trace.w_now
        self.training.setVisible(w is not None)
        self._training_caption.setVisible(w is not None)
        if w is None:
            return
        self.training.show_facts(
            (
                self.tr("{0} of {1}").format(trace.step, trace.spec.epochs),
                f"{trace.loss[-1]:.4f}" if trace.step else "-",
                f"{w:.4f}",
                f"{1 / abs(w):.4f}" if w else "∞",
            )
        )


def _number(value: float, unknown: str) -> str:
    return f"{value:.4f}" if np.isfinite(value) else unknown
