"""The right column of the training lab: a row and a cell of a layer, the next token, and every head."""

import numpy as np
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QWidget
from typing_extensions import override

from attnviz.experiment.colours import quantise
from attnviz.experiment.train.trace import TrainTrace
from attnviz.gui.labs.train.head_values import score_columns
from attnviz.gui.labs.train.shown import Tested, effect_text
from attnviz.gui.layers.inspector import LayerInspector
from attnviz.gui.plots.heads.heads_table import HeadsTable
from attnviz.gui.plots.matrix.tile import ColourTable
from attnviz.gui.plots.tensors.row_bars import Row, RowBars
from attnviz.gui.theme import Look
from attnviz.gui.widgets.explained import place_in_manual
from attnviz.gui.widgets.inspector import Facts
from attnviz.gui.widgets.labels import as_plain, caption
from attnviz.gui.widgets.layouts import column_of, scroll_to
from attnviz.gui.widgets.selection import Selection

_NEXT, _LOOKED_AT = 5, 6
"""The number of next tokens, and of keys of a row, with a bar."""
_BELOW = 8
"""The visible pixels below the text about ablated heads."""


class TrainInspector(LayerInspector):
    """Below the row and the cell: the next token, and the roles of all heads."""

    @override
    def add_further(self, look: Look) -> None:
        self.of_layer.row.bars.most = _LOOKED_AT
        self.next = RowBars(look)
        self.next.setAccessibleName(self.tr("Most probable next tokens"))
        self.target = Facts((self.tr("right token"),))
        following = QWidget()
        column_of(following, self.next, self.target, gap=4)
        self._next_caption = self.add_section(self.tr("Next token"), following)
        self.roles = HeadsTable(self.tr("Roles of every head"), with_boxes=True)
        self._trace: TrainTrace | None = None
        self.effect = caption(name="problem", wraps=True, plain=True)
        self.effect.hide()
        table = QWidget()
        column_of(table, self.roles, self.effect, gap=6)
        self.add_section(self.tr("Heads"), table)  # its title names no step: a text that changes would move the table
        place_in_manual(following, "train#inspector-next-token")
        place_in_manual(table, "train#inspector-heads")

    @override
    def add_numbers(self, manual: str) -> None:
        self.add_fold(self.tr("Values"), self.of_layer.row.values)
        self.of_layer.add_heads(self.tr("Statistics of the layer's heads"))

    def show_step(self, trace: TrainTrace, layer: int, chosen: Selection, table: ColourTable) -> None:
        """Show the predictions after the token of the selected row, and all heads."""
        self._show_next(trace, min(chosen.query or 0, len(trace.words) - 1), table)
        if trace is not self._trace:
            self._trace = trace
            self.roles.show_values(score_columns(trace))
        self.roles.choose(layer * trace.num_heads + min(chosen.head, trace.num_heads - 1))

    def _show_next(self, trace: TrainTrace, query: int, table: ColourTable) -> None:
        chances = trace.probabilities[query]
        best = np.argsort(-chances, kind="stable")[:_NEXT]
        answer = trace.answers[query]
        words = tuple(trace.vocabulary[place] for place in best)
        lit = next((place for place, token in enumerate(best) if token == answer), None)
        levels = quantise(chances[best], None, 0.0, 1.0)
        self._next_caption.setText(self.tr("NEXT TOKEN AFTER “{0}”").format(trace.words[query]))
        self.next.show_row(Row(words, chances[best], levels, np.ones(len(best), bool), lit, of_one=True), table)
        known = self.tr("cannot be known") if answer is None else trace.vocabulary[answer]
        self.target.show_facts((known,))

    def show_effect(self, event: Tested, off: tuple[str, ...]) -> None:
        """Show the effect of ablated heads on the sequences of a test; None: not known yet."""
        had = 0 if self.effect.isHidden() else self.effect.heightForWidth(self.effect.width())
        self.effect.setVisible(bool(off))
        self.effect.setText(effect_text(event, off, short=True))
        self.effect.setToolTip(as_plain(effect_text(event, off)))
        if off and self.effect.heightForWidth(self.effect.width()) > had:
            QTimer.singleShot(0, self.effect, lambda: scroll_to(self.effect, _BELOW))
