"""The inspector's part on one row: its weights as bars, its facts, the values it pools and what comes out."""

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QToolButton, QVBoxLayout, QWidget

from attnviz.experiment.attention_row import AttentionRow
from attnviz.experiment.attention_trace import AttentionTrace
from attnviz.gui.inspector import Facts
from attnviz.gui.plots.colour_table import ColourTable
from attnviz.gui.plots.pooled_values import PooledValues
from attnviz.gui.plots.row_bars import Row, RowBars
from attnviz.gui.theme import Look


class RowSection(QWidget):
    """Everything about the chosen query of the chosen head."""

    order_changed = Signal()
    """Bars by weight, or by position."""

    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.bars = RowBars(look)
        self.facts = Facts((self.tr("sum"), self.tr("entropy"), self.tr("keys")))
        self.pooled = PooledValues(look)
        self.order = QToolButton()
        self.order.setObjectName("tiny")
        self.order.setCheckable(True)
        self.order.setToolTip(self.tr("Bars by weight, or as the keys stand in the sequence"))
        self.order.toggled.connect(self._change_order)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(4)
        layout.addWidget(self.bars)
        layout.addWidget(self.facts)
        layout.addWidget(self.pooled)
        self._name_order()

    def restyle(self, look: Look) -> None:
        """Take another theme or type scale."""
        self.bars.restyle(look)
        self.pooled.restyle(look)

    def show_row(
        self, trace: AttentionTrace, row: AttentionRow, place: tuple[int, int, int], lit: int | None, table: ColourTable
    ) -> None:
        """Show a row at (item, head, query); the bar of a lit key stands out."""
        levels = trace.levels()[place]
        by_weight = not self.order.isChecked()
        self.bars.show_row(
            Row(row.key_tokens, row.weights, levels, row.shown, lit, scores=row.scores, by_weight=by_weight), table
        )
        self.facts.show_facts(
            (
                f"{row.row_sum:.4f}",
                self.tr("{0} bit").format(f"{row.entropy:.3f}"),
                self.tr("{0} of {1} allowed").format(row.allowed, len(row.mask)),
            )
        )
        self.pooled.show_row(row)

    @Slot()
    def _change_order(self) -> None:
        self._name_order()
        self.order_changed.emit()

    def _name_order(self) -> None:
        text = self.tr("by position") if self.order.isChecked() else self.tr("by weight")
        self.order.setText(text)
        self.order.setAccessibleName(self.tr("Order of the bars: {0}").format(text))
