"""The inspector's section on one row: its weights as bars, its facts, the values it pools, and its output."""

from PySide6.QtWidgets import QVBoxLayout, QWidget

from attnviz.experiment.attention.row import AttentionRow
from attnviz.experiment.attention.trace import AttentionTrace
from attnviz.gui.plots.matrix.colour_table import ColourTable
from attnviz.gui.plots.tensors.pooled_values import PooledValues
from attnviz.gui.plots.tensors.row_bars import BarOrder, Row, RowBars
from attnviz.gui.theme import Look
from attnviz.gui.widgets.inspector import Facts
from attnviz.gui.widgets.words import number_text


class RowSection(QWidget):
    """The selected query of the selected head in numbers."""

    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.bars = RowBars(look)
        self.facts = Facts((self.tr("sum"), self.tr("entropy"), self.tr("keys")))
        self.pooled = PooledValues(look)
        self.order = BarOrder()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(4)
        layout.addWidget(self.bars)
        layout.addWidget(self.facts)
        layout.addWidget(self.pooled)

    def restyle(self, look: Look) -> None:
        """Apply a theme and type scale."""
        self.bars.restyle(look)
        self.pooled.restyle(look)

    def show_row(
        self, trace: AttentionTrace, row: AttentionRow, place: tuple[int, int, int], lit: int | None, table: ColourTable
    ) -> None:
        """Show the row at (item, head, query), with the bar of the ``lit`` key highlighted."""
        levels = trace.levels()[place]
        by_weight = self.order.by_weight
        shown = Row(
            row.key_tokens,
            row.weights,
            levels,
            row.shown,
            lit,
            scores=None if trace.is_given else row.scores,
            after=None if row.dropped is None else row.dropped_weights,
            dropped=row.dropped,
            by_weight=by_weight,
        )
        self.bars.show_row(shown, table)
        total = number_text(row.row_sum)
        if row.dropped is not None:
            after = number_text(trace.dropped_row_sums[place])
            total = self.tr("{0}, after dropout {1}").format(total, after)
        self.facts.show_facts(
            (
                total,
                self.tr("{0} bit").format(number_text(row.entropy, ".3f")),
                self.tr("{0} of {1} allowed").format(row.allowed, len(row.mask)),
            )
        )
        self.pooled.setVisible(not trace.is_given)
        if not trace.is_given:
            self.pooled.show_row(row)
