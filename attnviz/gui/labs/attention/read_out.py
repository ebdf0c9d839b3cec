"""One line below the attention stage: what the chosen cell says."""

from PySide6.QtWidgets import QWidget

from attnviz.experiment.attention.trace import AttentionTrace
from attnviz.gui.labs.attention.mask_words import mask_said
from attnviz.gui.widgets.eliding_label import ElidingLabel
from attnviz.gui.widgets.number_text import number_text
from attnviz.gui.widgets.selection import Selection


class ReadOut(ElidingLabel):
    """Query, key, score, weight and mask of a cell, every number the trace's; else how to come by them."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("caption")

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
            *([] if trace.is_given else [self.tr("score {0}").format(number_text(trace.scores[place]))]),
            self.tr("weight {0}").format(number_text(trace.weights[place])),
            mask_said(trace, place),
        ]
        self.setText("   ".join(parts))


def _named(tokens: tuple[str, ...], position: int) -> str:
    token = tokens[position]
    return str(position) if token == str(position) else f"{position} “{token}”"
