"""Each policy for rows with no valid key, side by side on the current input."""

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QRectF, QSize
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QSizePolicy, QWidget
from typing_extensions import override

from attnviz.definitions.text import Text
from attnviz.experiment.attention.policies import Policy, largest_difference, policies_of
from attnviz.experiment.attention.spec import AttentionSpec
from attnviz.experiment.attention.trace import AttentionTrace
from attnviz.experiment.colours import DIVERGING, NOT_FINITE, quantise, symmetric_scale
from attnviz.experiment.labs import Event
from attnviz.experiment.run import Failure
from attnviz.gui.labs.study_page import StudyPage
from attnviz.gui.layers.heads_view import Picture, cell_matrix, weight_line
from attnviz.gui.plots.layout import Margins, Rect, in_a_grid
from attnviz.gui.plots.matrix.canvas import Canvas
from attnviz.gui.plots.matrix.heatmap import LEAST, Heatmap
from attnviz.gui.plots.matrix.matrix import Cell
from attnviz.gui.plots.matrix.tile import ColourTable, colour_table, cross_brush, draw_tiles
from attnviz.gui.plots.page import ColourLine
from attnviz.gui.theme import Look
from attnviz.gui.widgets.labels import caption
from attnviz.gui.widgets.layouts import column_of
from attnviz.gui.widgets.selection import Selection, SelectionModel
from attnviz.gui.widgets.words import failure_text, number_text, title_of, translate

_HEIGHT = 14
_ROUNDING = 1e-5
"""The tolerance for equal weights in single precision."""


class VectorStrip(Canvas):
    """One row of numbers; cells that are not a number have their own colour and are crossed."""

    def __init__(self, look: Look) -> None:
        super().__init__(look)
        self._levels: NDArray[np.uint8] = np.zeros((1, 0), np.uint8)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(self.tr("Output of the chosen query"))

    def show_vector(self, values: NDArray[np.floating]) -> None:
        """Draw a vector; the colours end at its own largest magnitude."""
        scale = symmetric_scale(values)
        self._levels = quantise(values[None], None, scale.low, scale.high)
        shown = ", ".join(number_text(value, ".3g") for value in values[:8])
        self.setAccessibleDescription(shown + (", ..." if len(values) > 8 else ""))
        self.setToolTip(self.accessibleDescription())
        self.redraw()

    @override
    def sizeHint(self) -> QSize:
        return QSize(120, self.look.px(_HEIGHT))

    @override
    def minimumSizeHint(self) -> QSize:
        return QSize(40, self.look.px(_HEIGHT))

    @override
    def draw(self, painter: QPainter) -> None:
        if not self._levels.size:
            return
        area = QRectF(self.rect()).adjusted(0, 1, 0, -1)
        draw_tiles(painter, [area], self._levels[None], colour_table(DIVERGING, self.look.theme))
        width = area.width() / self._levels.shape[1]
        for column in np.flatnonzero(self._levels[0] == NOT_FINITE):
            cell = QRectF(area.x() + column * width, area.y(), width, area.height())
            painter.fillRect(cell, cross_brush(self.look))


class PoliciesPage(StudyPage[Picture]):
    """Four runs of one spec, one per policy: zeros, -1e6 (Zhang et al.), -inf, and -1e6 in half precision."""

    sentence_room = 1180

    def __init__(self, look: Look, selection: SelectionModel, current: Any) -> None:
        super().__init__(look, selection, current)
        self._spec = AttentionSpec()
        self._item = 0
        self._apart = 0.0
        self._traces: tuple[Event, ...] = ()  # of the last spec with all four runs
        self._picture: Picture | None = None
        self.columns = tuple(_Column(look, policy) for policy in policies_of(AttentionSpec()))
        for column in self.columns:
            column.setParent(self)
            column.heatmap.hovered.connect(self._selection.hover_cell)
            column.heatmap.clicked.connect(self._selection.lock_cell)
            column.heatmap.painted.connect(self.painted)

    @override
    def _place(self) -> None:
        """Place the four columns, which have one size."""
        found = [event for event in self._traces if isinstance(event, AttentionTrace)]
        if not found:
            shape, margins = (1, 1), Margins(0, 0, 0, 0)
        else:
            shape = found[0].weights.shape[2], found[0].weights.shape[3]
            each = (column.margins for column in self.columns)
            margins = Margins(*map(max, zip(*each, strict=True)))
        room = Rect(0, 0, self.width(), self.height())
        look = self.columns[0].look
        places = in_a_grid(len(self.columns), shape, margins, room, gap=look.px(12), least=look.px(LEAST))
        for column, place in zip(self.columns, places, strict=True):
            column.setGeometry(*map(round, place))

    @override
    def follow(self, trace: AttentionTrace) -> None:
        self._spec = trace.spec

    @override
    def studies(self) -> tuple[AttentionSpec, ...]:
        return tuple(policy.spec for policy in policies_of(self._spec))

    @override
    def show_data(self, data: Picture) -> None:
        self._picture = data
        self._item = data.content.view.item
        self.select()
        self.said.emit()

    @override
    def colour_line(self) -> ColourLine | None:
        if self._picture is None:
            return None
        content = self._picture.content
        empty = bool(content.layer.empty_rows[self._item].any())
        line = weight_line(content.layer, content.view.contrast, self._picture.weights, self._item)
        return line._replace(caption=self.tr("weight"), masked=content.has_masked, not_finite=empty)

    @override
    def draw_results(self) -> None:
        if not self.wanted():
            self._show(tuple(self.result(study) for study in self.studies()))

    def _show(self, events: tuple[Event, ...]) -> None:
        """Draw the traces of the four runs; a failed one shows its reason instead."""
        self._traces = events
        exact = [event for event in events[:3] if isinstance(event, AttentionTrace)]
        self._apart = largest_difference(exact)
        for column in self.columns:
            column.setVisible(bool(events))
        self.select()
        self.said.emit()

    @override
    def leave(self, spec: AttentionSpec) -> None:
        if self._traces and self.wanted():
            self._results = ()
            self._show(())

    @property
    @override
    def words(self) -> str:
        traces = [event for event in self._traces if isinstance(event, AttentionTrace)]
        if traces and self.wanted():
            return self.tr("Computing. These pictures show the previous settings.")
        return self._sentence(traces)

    @override
    def select(self) -> None:
        chosen = self._selection.current
        contrast = "" if self._picture is None else self._picture.content.view.contrast
        for column, event in zip(self.columns, self._traces, strict=False):
            if self._picture is not None:
                column.show_event(event, self._item, chosen, self._picture.weights, contrast)
        self._place()

    def _sentence(self, traces: list[AttentionTrace]) -> str:
        if not traces:
            return ""
        empty = int(traces[0].empty_rows[min(self._item, len(traces[0].weights) - 1), 0].sum())
        rows = traces[0].empty_rows.shape[-1]
        apart = self.tr("In rows with a valid key the first three agree: the largest difference is {0}.")
        if self._apart > _ROUNDING:
            apart = self.tr(
                "In rows with a valid key the first three differ by up to {0}: a fill of −1e6 is not far below their "
                "scores."
            )
        said = apart.format(f"{self._apart:.1g}")
        if not empty:
            hint = self.tr("Every query has a valid key. To see a difference, set a valid length to 0 or paint a row.")
            return f"{hint} {said}"
        words = {"empty": empty, "count": rows}
        without = Text("{empty} of {count} rows have no valid key.", words, "The one row has no valid key.")
        return f"{without.translated(translate)} {said}"


class _Column(QWidget):
    """One policy: its weights with row sums, and the output of the chosen query."""

    def __init__(self, look: Look, policy: Policy) -> None:
        super().__init__()
        name = title_of(policy.spec.mask_policy, AttentionSpec.model_fields["mask_policy"])
        self._name = self.tr("{0} in float16").format(name) if policy.is_half else name
        self.heatmap = Heatmap(look, self.tr("Weights under the policy {0}").format(self._name))
        self.strip = VectorStrip(look)
        self.said = caption(wraps=True, plain=True)
        self._drawn: object = None
        self.look = look
        column_of(self, self.heatmap, self.strip, self.said, gap=2, wide=(self.heatmap,))

    @property
    def margins(self) -> Margins:
        """The margins of the cells: for labels, and below them for the output and a line about the query."""
        below = self.strip.sizeHint().height() + self.said.sizeHint().height() + 4
        inner = self.heatmap.margins
        return inner._replace(bottom=inner.bottom + below)

    def restyle(self, look: Look) -> None:
        """Apply a theme and type scale."""
        self.look = look
        self._drawn = None

    def show_event(self, event: Event, item: int, chosen: Selection, table: ColourTable, contrast: str) -> None:
        """Draw a trace, or show why there is none."""
        found = isinstance(event, AttentionTrace)
        self.heatmap.setVisible(found)
        self.strip.setVisible(found)
        if isinstance(event, Failure):
            self.said.setText(f"{self._name}: {failure_text(event)}")
        if not isinstance(event, AttentionTrace):
            return
        item = min(item, len(event.weights) - 1)
        head = min(chosen.head, event.num_heads - 1)
        query = min(chosen.query or 0, event.weights.shape[2] - 1)
        if self._drawn != (event, item, head, table, contrast):
            self._drawn = (event, item, head, table, contrast)
            matrix = cell_matrix(event.layer, "weights", item, head, self._name, contrast=contrast)
            # Labels without positions leave the cells of four matrices side by side a tenth more room.
            self.heatmap.show_matrix(replace(matrix, row_labels=event.layer.query_names), table)
        self.heatmap.select(Cell(query, chosen.key))
        output = event.heads[item, head, query]
        self.strip.show_vector(output)
        sums = f"Σ {number_text(event.row_sums[item, head, query], '.3f')}"
        self.said.setText(self.tr("query {0}: {1}, output above").format(event.layer.query_names[query], sums))
