"""The right column of the attention lab: one row, one cell, and every head in numbers."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent
from PySide6.QtWidgets import QWidget

from attnviz.experiment.attention.cell import attention_cell
from attnviz.experiment.attention.head_statistics import HeadStatistics
from attnviz.experiment.attention.row import attention_row
from attnviz.experiment.attention.trace import AttentionTrace, Stage
from attnviz.gui.labs.attention.cell_section import CellSection
from attnviz.gui.labs.attention.heads_table import HeadsTable
from attnviz.gui.labs.attention.mask_words import mask_said
from attnviz.gui.labs.attention.row_section import RowSection
from attnviz.gui.labs.attention.words import compared_said, row_title, spoken_row
from attnviz.gui.plots.matrix.colour_table import ColourTable
from attnviz.gui.theme import Look
from attnviz.gui.widgets.inspector import Inspector
from attnviz.gui.widgets.selection import Selection


class AttentionInspector(Inspector):
    """The selected row and cell in numbers, all taken from the trace."""

    heads_unfolded = Signal()
    """The table of heads was opened; its statistics are computed only then."""

    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.row = RowSection(look)
        self._row_caption = self.add_section("", self.row, self.row.order)
        self._row_caption.setTextFormat(Qt.TextFormat.PlainText)  # a token such as <s> is not markup
        self.cell = CellSection()
        self._cell_caption = self.add_section("", self.cell)
        self.heads = HeadsTable()
        self.heads_fold = self.add_fold(self.tr("Heads"), self.heads)
        self.heads_fold.toggled.connect(self.heads_unfolded)
        self.summary = ""
        """The screen reader's text for the selected row."""

    @property
    def wants_statistics(self) -> bool:
        """Whether the table of heads is open."""
        return self.heads_fold.isExpanded()

    def restyle(self, look: Look) -> None:
        """Apply a theme and type scale."""
        super().restyle(look)
        self.row.restyle(look)
        self.cell.restyle(look)
        self.heads.restyle(look)

    def show_selection(
        self,
        trace: AttentionTrace,
        item: int,
        chosen: Selection,
        table: ColourTable,
        compared: tuple[AttentionTrace, Stage] | None = None,
    ) -> None:
        """Show the selected row and cell of a batch item.

        ``compared`` is the pinned run A and the compared stage, if the trace is shown as B beside it.
        """
        run = "" if compared is None else "B, "
        head = min(chosen.head, trace.num_heads - 1)
        query = min(chosen.query or 0, trace.weights.shape[2] - 1)
        row = attention_row(trace, item, head, query)
        key = chosen.key if chosen.key is not None and chosen.key < len(row.weights) else None
        self._row_caption.setText(run + row_title(trace, head, query))
        self.row.show_row(trace, row, (item, head, query), key, table)
        self._cell_caption.setVisible(key is not None)
        self.cell.setVisible(key is not None)
        if key is not None:
            self._cell_caption.setText(run + self.tr("Cell: query {0}, key {1}").format(query, key).upper())
            place = item, head, query, key
            self.cell.show_compared("" if compared is None else compared_said(compared[0], trace, compared[1], place))
            if trace.is_given:
                self.cell.show_given(float(trace.weights[place]), mask_said(trace, place))
            else:
                cell = attention_cell(trace, *place)
                self.cell.show_cell(cell, mask_said(trace, place), dropout=trace.spec.dropout_acts)
        self.heads_fold.setVisible(trace.num_heads > 1)
        self.heads.choose(head)
        self.summary = run + spoken_row(row, head, key)
        self.setAccessibleDescription(self.summary)

    def show_heads(self, statistics: HeadStatistics, head: int) -> None:
        """Show the heads in numbers."""
        self.heads.show_statistics(statistics, head)

    def announce(self, widget: QWidget) -> None:
        """Announce the summary to screen readers for the widget that has the focus."""
        if QAccessible.isActive():
            QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(widget, self.summary))
