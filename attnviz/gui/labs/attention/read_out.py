"""The line below the attention stage: the numbers of the selected cell."""

from PySide6.QtWidgets import QWidget

from attnviz.experiment.attention.trace import AttentionTrace, Stage
from attnviz.gui.labs.attention.mask_words import mask_said
from attnviz.gui.labs.attention.words import compared_said
from attnviz.gui.widgets.labels import ElidingLabel
from attnviz.gui.widgets.selection import Selection
from attnviz.gui.widgets.words import number_text


class ReadOut(ElidingLabel):
    """Query, key, score, weight and mask of a cell, taken from the trace; a hint if no cell is selected."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("caption")

    def show_cell(
        self,
        trace: AttentionTrace,
        item: int,
        chosen: Selection,
        pinned: AttentionTrace | None = None,
        stage: Stage = "weights",
    ) -> None:
        """Show the selected cell of a batch item; with a ``pinned`` run, both runs' numbers at the compared stage."""
        if chosen.query is None or chosen.key is None:
            self.setText(self.tr("Hover a cell to read it, click to lock it, Esc to release it; the wheel zooms."))
            return
        place = item, min(chosen.head, trace.num_heads - 1), chosen.query, chosen.key
        parts = [
            self.tr("head {0}").format(place[1] + 1),
            self.tr("query {0}").format(_named(trace.query_tokens, chosen.query)),
            self.tr("key {0}").format(_named(trace.key_tokens, chosen.key)),
        ]
        if pinned is not None:
            what = self.tr("score") if stage in ("scores", "masked_scores") else self.tr("weight")
            parts.append(f"{what}: {compared_said(pinned, trace, stage, place)}")
        else:
            parts += [] if trace.is_given else [self.tr("score {0}").format(number_text(trace.scores[place]))]
            parts.append(self.tr("weight {0}").format(number_text(trace.weights[place])))
            if trace.dropped is not None:
                after = number_text(trace.dropped_weights[place])
                parts.append(self.tr("dropped") if trace.dropped[place] else self.tr("after dropout {0}").format(after))
        if pinned is not None and pinned.mask.shape == trace.mask.shape and pinned.mask[place] != trace.mask[place]:
            parts.append(f"A {mask_said(pinned, place)}, B {mask_said(trace, place)}")
        else:
            parts.append(mask_said(trace, place))
        self.setText("   ".join(parts))


def _named(tokens: tuple[str, ...], position: int) -> str:
    token = tokens[position]
    return str(position) if token == str(position) else f"{position} “{token}”"
