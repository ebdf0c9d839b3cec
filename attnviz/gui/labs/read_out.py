"""One line below the attention stage: what the chosen cell says."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget
from superqt import QElidingLabel

from attnviz.experiment.attention_trace import AttentionTrace
from attnviz.gui.figure import figure
from attnviz.gui.labs.mask_words import mask_said
from attnviz.gui.selection import Selection


class ReadOut(QElidingLabel):
    """Query, key, score, weight and mask of a cell, every number the trace's; else how to come by them."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("caption")
        self.setMinimumWidth(1)
        self.setTextFormat(Qt.TextFormat.PlainText)  # a token such as <s> is no markup

    def show_cell(self, trace: AttentionTrace, item: int, chosen: Selection) -> None:
        """Show the chosen cell of a batch item."""
        if chosen.query is None or chosen.key is None:
            self.setText(self.tr("Point at a cell to read it, click to hold it, Esc lets go; the wheel zooms."))
            return
        place = item, min(chosen.head, trace.num_heads - 1), chosen.query, chosen.key
        parts = [
            self.tr("head {0}").format(place[1] + 1),
            self.tr("query {0}").format(_named(trace.query_tokens, chosen.query)),
            self.tr("key {0}").format(_named(trace.key_tokens, chosen.key)),
            *([] if trace.is_given else [self.tr("score {0}").format(figure(trace.scores[place]))]),
            self.tr("weight {0}").format(figure(trace.weights[place])),
            mask_said(trace, place),
        ]
        self.setText("   ".join(parts))


def _named(tokens: tuple[str, ...], position: int) -> str:
    token = tokens[position]
    return str(position) if token == str(position) else f"{position} “{token}”"
