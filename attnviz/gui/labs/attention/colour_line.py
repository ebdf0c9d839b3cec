"""The line below the attention picture: what its colours stand for, whichever page is shown."""

import numpy as np
from PySide6.QtWidgets import QHBoxLayout, QWidget

from attnviz.experiment.attention.view_data import Content
from attnviz.experiment.colours.levels import WEIGHT_SCALE, Scale
from attnviz.experiment.colours.maps import DIVERGING
from attnviz.gui.labs.attention.compare_page import ComparePage
from attnviz.gui.plots.matrix.colour_bar import ColourBar
from attnviz.gui.plots.matrix.colour_table import ColourTable, colour_table
from attnviz.gui.theme import Look

_TO_REACH = Scale(-1.0, 1.0, diverging=True)


class ColourLine(QWidget):
    """One colour bar; what its ends mean hangs on the page."""

    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._look = look
        self.bar = ColourBar(look)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.bar)

    def restyle(self, look: Look) -> None:
        """Take another theme or type scale."""
        self._look = look
        self.bar.restyle(look)

    def show_content(self, content: Content, compare: ComparePage, table: ColourTable, weights: ColourTable) -> None:
        """Say what the colours of a content stand for."""
        trace, view = content.trace, content.view
        mask = trace.mask[view.item] if trace.masks_differ else trace.mask[view.item, 0]
        finite = bool(np.isfinite(trace.row_sums[view.item]).all())
        if view.page == "policies":
            empty = bool(trace.empty_rows[view.item].any())
            self.bar.show_scale(WEIGHT_SCALE, weights, self.tr("weight"), masked=not mask.all(), not_finite=empty)
        elif view.page == "compare":
            scale = compare.scale
            caption = self.tr("weight, A and B") if view.shows_weights or not view.shows_cells else self.tr("score")
            table = table if view.shows_cells else weights
            masked, not_finite = compare.signs
            signs = {"masked": masked, "not_finite": not_finite, "dropped": compare.drops}
            self.bar.show_scale(scale, table, caption, **signs)
        elif not view.shows_cells:
            diverging = colour_table(DIVERGING, self._look.theme)
            caption = self.tr("× the ± beside each name")
            if view.stage in ("split", "merge"):
                caption = self.tr("× the largest size")
            self.bar.show_scale(_TO_REACH, diverging, caption, masked=False, not_finite=False)
        else:
            shows_mask = view.stage != "scores" and not mask.all()
            not_finite = view.shows_weights and not finite
            dropped = view.stage == "dropped_weights" and trace.spec.dropout_acts
            signs = {"masked": shows_mask, "not_finite": not_finite, "dropped": dropped}
            self.bar.show_scale(content.scale, table, self._caption(content), **signs)

    def _caption(self, content: Content) -> str:
        view = content.view
        if view.per_head:
            return self.tr("each head to its largest weight")
        if not view.shows_weights:
            return self.tr("score, all heads")
        return self.tr("weight, all heads") if content.trace.num_heads > 1 else self.tr("weight")
