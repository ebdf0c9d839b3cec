"""All heads of a batch item above, and one of them large below: the view of scores, masks, weights and heads out."""

from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QSplitter, QStackedWidget, QWidget

from attnviz.definitions.counting import SCREEN
from attnviz.definitions.statistics import STATISTICS
from attnviz.experiment.attention.stages import panels_of
from attnviz.experiment.attention.trace import AttentionTrace, Stage
from attnviz.experiment.attention.view import Content
from attnviz.experiment.colours import Scale, quantise
from attnviz.gui.labs.attention.words import statistic_text
from attnviz.gui.plots.matrix.head_grid import HeadGrid, Thumbnail
from attnviz.gui.plots.matrix.heatmap import Heatmap
from attnviz.gui.plots.matrix.matrix import Cell, Matrix
from attnviz.gui.plots.matrix.tile import ColourTable
from attnviz.gui.plots.tensors.tensor_page import TensorPage
from attnviz.gui.theme import Look
from attnviz.gui.widgets.selection import Selection, SelectionModel
from attnviz.gui.widgets.words import translate


class Picture(NamedTuple):
    """The data that a page of the lab draws."""

    content: Content
    table: ColourTable
    """The colours of the content's stage."""
    weights: ColourTable
    """The colours of weights."""


class HeadsView(QSplitter):
    """Hovering a cell of either picture previews it, a click locks it."""

    painted = Signal(float)
    """Milliseconds that the last drawing took."""

    def __init__(self, look: Look, selection: SelectionModel, parent: QWidget | None = None) -> None:
        super().__init__(Qt.Orientation.Vertical, parent)
        self._selection = selection
        self._content: Content | None = None
        self._table: ColourTable | None = None
        self._weights: ColourTable | None = None
        self._drawn_head = -1
        self.grid = HeadGrid(look)
        self.heatmap = Heatmap(look, self.tr("Weights of the chosen head"))
        self.panels = TensorPage(look)
        self._below = QStackedWidget()
        self._below.addWidget(self.heatmap)
        self._below.addWidget(self.panels)
        self.setHandleWidth(8)
        self.setChildrenCollapsible(False)
        self.addWidget(self.grid)
        self.addWidget(self._below)
        self.setSizes([400, 600])
        self.setStretchFactor(0, 4)
        self.setStretchFactor(1, 6)
        self._times = {self.grid: 0.0, self.heatmap: 0.0}
        self.grid.hovered.connect(self._hover_tile)
        self.grid.clicked.connect(self._lock_tile)
        self.heatmap.hovered.connect(self._selection.hover_cell)
        self.heatmap.clicked.connect(self._selection.lock_cell)
        self.heatmap.head_stepped.connect(self._step_head)
        self.grid.painted.connect(self._measure)
        self.heatmap.painted.connect(self._measure)

    def show_content(self, content: Content, table: ColourTable, weights: ColourTable) -> None:
        """Draw a content; ``table`` has the colours of its stage, ``weights`` those of weights."""
        self._content, self._table, self._weights = content, table, weights
        view = content.view
        masked = view.shows_cells and view.stage != "scores"
        self.grid.setVisible(len(content.tiles) > 1)
        if len(content.tiles) > 1:
            mask = _masks_of(content) if masked else None
            self.grid.show_heads(content.tiles, mask, table, self._thumbnails(content))
        self._below.setCurrentWidget(self.heatmap if view.shows_cells else self.panels)
        self._show_head()

    def select(self) -> None:
        """Follow the selection; redraw if the head has changed."""
        if self._content is None:
            return
        if self._head == self._drawn_head:
            self._mark()
        else:
            self._show_head()

    def restyle(self, look: Look) -> None:
        """Apply a theme and type scale."""
        for part in (self.grid, self.heatmap, self.panels):
            part.restyle(look)

    @property
    def _head(self) -> int:
        assert self._content is not None
        return min(self._selection.current.head, self._content.trace.num_heads - 1)

    def _thumbnails(self, content: Content) -> tuple[Thumbnail, ...]:
        names = {
            head: (self.tr("head {0}").format(SCREEN.head(head)), str(SCREEN.head(head))) for head in content.order
        }
        notes = dict.fromkeys(content.order, "")
        if content.statistics is not None and content.view.stage == "weights":
            statistic, values = STATISTICS[content.view.statistic], content.statistics[content.view.statistic]
            notes = {head: statistic_text(statistic, values[head]) for head in content.order}
        heads = [Thumbnail(head, *names[head], notes[head]) for head in content.order]
        extremes = [Thumbnail(None, name, name) for name in (self.tr("mean"), self.tr("max"))]
        return tuple(heads + extremes[: len(content.tiles) - len(heads)])

    def _show_head(self) -> None:
        content, head = self._content, self._head
        if content is None or self._table is None or self._weights is None:
            return
        if content.view.shows_cells:
            self.heatmap.show_matrix(matrix_of(content, head, self._title(content, head)), self._table)
            self.heatmap.heads = head, content.trace.num_heads
        else:
            chosen = self._selection.current
            rows = content.panels
            if head != content.head:
                rows = panels_of(content.trace, content.view.stage, content.view.item, head, chosen.query or 0)
            self.panels.show_panels(content.trace, rows, self._weights)
        self._mark()

    def _mark(self) -> None:
        self._drawn_head = self._head
        chosen = self._selection.current
        self.grid.select(self._in_tiles(chosen))
        self.heatmap.select(None if chosen.query is None else Cell(chosen.query, chosen.key))
        self.panels.select(chosen)

    def _title(self, content: Content, head: int) -> str:
        names = {"scores": self.tr("scores"), "masked_scores": self.tr("masked scores")}
        what = names.get(content.view.stage, self.tr("weights"))
        if content.view.stage == "dropped_weights":
            what = self.tr("weights after dropout")
        if content.statistics is not None and content.view.stage == "weights":
            statistic = STATISTICS[content.view.statistic]
            note = statistic_text(statistic, content.statistics[statistic.name][head])
            what = f"{what}, {translate(statistic.title).lower()} {note}"
        if content.trace.num_heads == 1:
            return what
        return self.tr("head {0} of {1}, {2}").format(SCREEN.head(head), content.trace.num_heads, what)

    def _in_tiles(self, chosen: Selection) -> Selection:
        """Return the selection to mark in the tiles; without a key if their columns are features (heads out)."""
        shows_cells = self._content is None or self._content.view.shows_cells
        return chosen if shows_cells else replace(chosen, key=None)

    def _of_tile(self, pointed: Selection) -> Selection:
        """Return the selection for a place in the tiles."""
        shows_cells = self._content is None or self._content.view.shows_cells
        return pointed if shows_cells else replace(pointed, key=self._selection.locked.key)

    @Slot(object)
    def _hover_tile(self, pointed: Selection | None) -> None:
        self._selection.hover(None if pointed is None else self._of_tile(pointed))

    @Slot(object)
    def _lock_tile(self, pointed: Selection) -> None:
        shows_cells = self._content is None or self._content.view.shows_cells
        keep = self._selection.toggle if shows_cells else self._selection.lock
        keep(self._of_tile(pointed))

    @Slot(int)
    def _step_head(self, step: int) -> None:
        self._selection.hover(None)
        locked = self._selection.locked
        self._selection.lock(replace(locked, head=locked.head + step))

    @Slot(float)
    def _measure(self, milliseconds: float) -> None:
        self._times[self.sender()] = milliseconds  # type: ignore[index]
        self.painted.emit(sum(self._times.values()))


def _masks_of(content: Content) -> NDArray[np.bool_]:
    """Return the (Q, K) mask of all tiles, or (n, Q, K) if the masks differ between heads."""
    mask: NDArray[np.bool_] = content.trace.mask[content.view.item]
    if not content.trace.masks_differ:
        shared: NDArray[np.bool_] = mask[0]
        return shared
    further = len(content.tiles) - len(content.order)  # mean and maximum: masked where all heads are
    of_all = np.broadcast_to(mask.any(axis=0), (further, *mask.shape[1:]))
    masks: NDArray[np.bool_] = np.concatenate((mask[list(content.order)], of_all))
    return masks


def matrix_of(content: Content, head: int, title: str) -> Matrix:
    """Return the matrix of one head at a content's stage."""
    trace, view = content.trace, content.view
    return cell_matrix(trace, view.stage, view.item, head, title, per_head=view.per_head)  # type: ignore[arg-type]


def cell_matrix(
    trace: AttentionTrace,
    stage: Stage,
    item: int,
    head: int,
    title: str,
    *,
    per_head: bool = False,
    scale: Scale | None = None,
) -> Matrix:
    """Return the matrix of one head at a stage that has one number for each query and key.

    ``scale`` is its colour scale; None is the trace's own scale of the stage.
    """
    is_weights = stage in ("weights", "dropped_weights")
    values = trace.shown(stage)[item, head]
    sums = None
    if is_weights:
        sums = (trace.dropped_row_sums if stage == "dropped_weights" else trace.row_sums)[item, head]
    mask = None if stage == "scores" else trace.mask[item, head]
    if scale is None or scale == trace.scale(stage):
        levels = trace.levels(stage, per_head)[item, head]
    else:
        coloured = trace.coloured(stage)
        levels = quantise(values, None if coloured is None else coloured[item, head], scale.low, scale.high)
    return Matrix(
        levels=levels,
        values=values,
        mask=mask,
        row_labels=trace.query_names,
        column_labels=trace.key_names,
        row_sums=sums,
        title=title,
        row_title=translate("queries"),
        column_title=translate("keys"),
        empty_rows=trace.empty_rows[item, head] if is_weights else None,
        dropped=trace.dropped[item, head] if stage == "dropped_weights" and trace.dropped is not None else None,
    )
