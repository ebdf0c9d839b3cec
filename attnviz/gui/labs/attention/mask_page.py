"""The mask of a run, clause by clause: pictures, findings, blocks, and whether other softmaxes agree."""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QRectF, Qt, Slot
from PySide6.QtGui import QPainter, QPen, QResizeEvent, QWheelEvent
from PySide6.QtWidgets import QListWidget, QListWidgetItem, QWidget
from typing_extensions import override

from attnviz.definitions.counting import SCREEN, name_at
from attnviz.definitions.text import Text, number_said, percent_said
from attnviz.experiment.attention.findings import BLOCK_SIZES, EMPTY, FULL, PARTIAL, Blocks, Finding, place_said
from attnviz.experiment.attention.mask_study import Convention, MaskStudy, MaskTrace
from attnviz.experiment.attention.own_mask import Clause
from attnviz.experiment.attention.trace import AttentionTrace
from attnviz.experiment.attention.view import AttentionViewSettings
from attnviz.experiment.colours import LOWEST, MASKED
from attnviz.experiment.layers.layer import Layer
from attnviz.experiment.run import Failure
from attnviz.gui.labs.current_view import CurrentView
from attnviz.gui.labs.study_page import StudyPage
from attnviz.gui.layers.heads_view import Picture
from attnviz.gui.layers.words import clause_said
from attnviz.gui.plots.layout import Margins, Rect, in_a_grid
from attnviz.gui.plots.matrix.heatmap import LEAST, Heatmap
from attnviz.gui.plots.matrix.matrix import Cell, Matrix
from attnviz.gui.plots.matrix.tile import ColourTable
from attnviz.gui.theme import Look
from attnviz.gui.widgets.buttons import Segments
from attnviz.gui.widgets.gestures import Gesture
from attnviz.gui.widgets.labels import caption
from attnviz.gui.widgets.layouts import Placed, column_of, row_of, scrolling_tiles
from attnviz.gui.widgets.selection import Selection, SelectionModel
from attnviz.gui.widgets.words import failure_text, translate

_MOST_PICTURES = 12
_WHOLE = 0.55
"""The most of the width, or of the height of a tall page, that the whole mask takes beside its clauses."""
_DECENT = 80
"""The least side at scale 1 of the cells of a clause; more of them than fit scroll."""
_LISTED, _LISTED_PRESENT = 0.25, 0.16
"""The most of the height of the page that its findings take, unless one alone needs more; less before an audience."""
_TRUE = 150
"""The colour level of True, and of a 0 that is added."""
_SIGNS = {"mistake": "✗", "hint": "?", "fact": "·"}
"""The marks of findings, by level."""


@dataclass(frozen=True, slots=True)
class _Drawn:
    """One picture: a clause, or the whole mask, of one item and head."""

    title: str
    clause: Clause


class MaskMap(Heatmap):
    """One mask, with a solid frame around each full block, a dashed one around each partial block, and none else."""

    GESTURES = (Gesture("Wheel", "Scroll the clauses", "Mask"),)
    blocks: NDArray[np.uint8] | None = None
    """(block rows, block columns), kinds of blocks; None: no grid."""
    side = 1
    """The number of cells along a side of a block."""
    scrolls = False
    """Whether the wheel scrolls it with its neighbours instead of zooming."""

    @override
    def wheelEvent(self, event: QWheelEvent) -> None:
        if self.scrolls:
            event.ignore()
        else:
            super().wheelEvent(event)

    @override
    def draw(self, painter: QPainter) -> None:
        super().draw(painter)
        if self.blocks is None or self.matrix is None:
            return
        painter.save()
        painter.setClipRect(self.cells)
        rows, columns = self.matrix.levels.shape
        for kind, style in ((FULL, Qt.PenStyle.SolidLine), (PARTIAL, Qt.PenStyle.DashLine)):
            pen = QPen(self.look.color("k"), 1.5, style)
            painter.setPen(pen)
            for row, column in np.argwhere(self.blocks == kind):
                top, left = int(row) * self.side, int(column) * self.side
                last = min(top + self.side, rows) - 1, min(left + self.side, columns) - 1
                block = QRectF(self.rect_of(top, left)).united(self.rect_of(*last))
                painter.drawRect(block.adjusted(1, 1, -1, -1))
        painter.restore()


class _Findings(QListWidget):
    """A list as high as its first items, each with all of its lines."""

    most = 0.0
    """The height in pixels for all but the first item."""

    def fit(self) -> None:
        """Take the height of the items that fit."""
        self.doItemsLayout()
        bottoms = [self.visualItemRect(self.item(row)).bottom() for row in range(self.count())]
        if bottoms:
            offset = self.verticalOffset() + 2 * self.frameWidth() + 2
            self.setFixedHeight(offset + max([bottom for bottom in bottoms if bottom < self.most] or bottoms[:1]))

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.fit()


class MaskPage(StudyPage[Picture]):
    """Draws the whole mask and each clause of it, for the item and the head on screen."""

    sentence_room = 900

    def __init__(self, look: Look, selection: SelectionModel, current: CurrentView[AttentionViewSettings]) -> None:
        super().__init__(look, selection, current)
        self._spec: MaskStudy | None = None
        self._picture: Picture | None = None
        self._drawn: object = None
        self.conventions = Segments(
            self.tr("What a mask holds"),
            (
                ("allowed", self.tr("True = may attend"), self.tr("As in FlexAttention and SDPA")),
                ("masked", self.tr("True = masked"), self.tr("As in nn.MultiheadAttention and Megatron")),
                ("additive", self.tr("0 or −∞"), self.tr("The number that is added to the score")),
            ),
        )
        sizes = tuple(
            (str(size), str(size), self.tr("Blocks of {0} by {0} cells").format(size)) for size in BLOCK_SIZES
        )
        self.sizes = Segments(self.tr("Blocks"), (("", self.tr("No blocks"), self.tr("Draw no blocks")), *sizes))
        current.bind("mask_convention", self.conventions)
        current.bind("mask_blocks", self.sizes)
        self.maps = _Maps(look, self._selection)
        self.cell = caption(wraps=True, plain=True)
        self.badge = caption(wraps=True, plain=True)
        self.sparsity = caption(wraps=True, plain=True)
        self.list = _Findings()
        self.list.setAccessibleName(self.tr("Findings about the mask"))
        self.list.setWordWrap(True)
        self.list.itemClicked.connect(self._go_to)
        self.list.itemActivated.connect(self._go_to)
        bar, self._switches = QWidget(), QWidget()
        row_of(self._switches, self.conventions, self.sizes, None, gap=look.px(12))
        column_of(bar, self.cell, self.badge, self.sparsity, self.list, gap=2)
        column_of(self, self._switches, self.maps, bar, wide=(self.maps,), gap=look.px(6))

    @override
    def restyle(self, look: Look) -> None:
        super().restyle(look)
        self.maps.look = look
        self._drawn = None
        for part in (self._switches, self.badge, self.sparsity):  # before an audience the pictures get their room
            part.setVisible(not look.present)
        self._place()

    @override
    def _place(self) -> None:
        self.list.most = (_LISTED_PRESENT if self._look.present else _LISTED) * self.height()
        self.list.fit()

    @override
    def follow(self, trace: AttentionTrace) -> None:
        self._spec = None if trace.is_given else MaskStudy(of=trace.spec)

    @override
    def studies(self) -> tuple[MaskStudy, ...]:
        return () if self._spec is None else (self._spec,)

    @property
    def shown(self) -> MaskTrace | None:
        """The result on screen: that of the trace, or the last one before it."""
        found = [event for event in self._results if isinstance(event, MaskTrace)]
        return found[-1] if found else None

    @override
    def show_data(self, data: Picture) -> None:
        self._picture = data
        self.draw_results()

    @override
    def draw_results(self) -> None:
        self._draw()
        failure = self.result(self.study)
        if isinstance(failure, Failure):
            self.say(failure_text(failure))
        elif self.wanted() or self.shown is None:
            self.say(self.tr("Computing. These pictures show the previous settings.") if self.shown else "")
        else:
            item = 0 if self._picture is None else self._picture.content.view.item
            self.say(self._sentence(self.shown, min(item, self.shown.whole.allowed.shape[0] - 1)))

    @override
    def leave(self, spec: object) -> None:
        self._results = ()

    def _draw(self) -> None:
        shown, picture = self.shown, self._picture
        if shown is None or picture is None:
            return
        layer, item = picture.content.layer, picture.content.view.item
        if shown.whole.allowed.shape[2:] != layer.weights.shape[2:]:
            return  # the result of the run before, of other sizes
        view, head = self._current.value, min(self._selection.current.head, layer.num_heads - 1)
        key = shown, layer, item, head, view.mask_convention, view.mask_blocks, picture.weights
        if self._drawn != key:
            self._drawn = key
            drawn = [_Drawn(self.tr("The whole mask"), shown.whole)]
            if len(shown.parts) > 1:
                drawn += [_Drawn(_title(title), clause) for title, clause in shown.parts[: _MOST_PICTURES - 1]]
            longest = max(shown.whole.allowed.shape[2:])
            for side in BLOCK_SIZES:
                self.sizes.offer(str(side), side < longest)
            self.sizes.setVisible(longest > BLOCK_SIZES[0])
            size = int(view.mask_blocks or 0)
            blocks = shown.blocks[size] if 0 < size < longest else None
            self.maps.show_maps(drawn, layer, (item, head), view.mask_convention, blocks, picture.weights)
            self._list(shown)
            self.badge.setText(self._agreement(shown))
            self.sparsity.setText(self._sparsity(shown, longest, 0 if blocks is None else size))
            self.sparsity.setVisible(bool(self.sparsity.text()) and not self._look.present)
        self.select()

    @override
    def select(self) -> None:
        if self._picture is not None and self._drawn is not None:
            if self._selection.current.head != self.maps.head and self.shown is not None:
                self.draw_results()
                return
            self.maps.select(self._selection.current.cell)
        self.cell.setText(self._cell_said())

    def _cell_said(self) -> str:
        """Return what each clause says about the selected cell: "document: yes, window_4: no"."""
        shown, picture, cell = self.shown, self._picture, self._selection.current.cell
        if shown is None or picture is None or cell is None:
            return self.tr("Select a cell to see which clauses allow it.")
        layer, item = picture.content.layer, picture.content.view.item
        queries, keys = shown.whole.allowed.shape[2:]
        if cell.row >= queries or (cell.column or 0) >= keys:
            return ""
        if cell.column is None:
            return self._row_said(shown, layer, (min(item, layer.items - 1), self.maps.head, cell.row))
        place = min(item, layer.items - 1), self.maps.head, cell.row, cell.column
        said = [(_title(title), bool(clause.at(*place))) for title, clause in shown.parts]
        whole = value_said(bool(shown.whole.at(*place)), self._current.value.mask_convention)
        places = (layer.query_names, cell.row), (layer.key_names, cell.column)
        names = (name_at(labels, at, words=layer.has_words) for labels, at in places)
        words = self.tr("Query {0}, key {1}: {2}").format(*names, whole)
        if self._current.value.mask_convention == "masked":  # a "yes" could mean either
            by = (", ".join(title for title, allowed in said if allowed is which) for which in (False, True))
            texts = self.tr("masked by {0}"), self.tr("allowed by {0}")
            return "; ".join((words, *(text.format(each) for text, each in zip(texts, by, strict=True) if each)))
        return f"{words}. {', '.join(clause_said(*each) for each in said)}" if said else words

    def _row_said(self, shown: MaskTrace, layer: Layer, row: tuple[int, int, int]) -> str:
        """Return how many keys each clause allows the selected query: "causal 9, window 4"."""
        keys = shown.whole.allowed.shape[3]
        counts = [(title, int(np.count_nonzero(clause.at(*row, np.arange(keys))))) for title, clause in shown.parts]
        allowed = int(np.count_nonzero(shown.whole.at(*row, np.arange(keys))))
        words = self.tr("Query {0} may attend to {1} of {2} keys")
        said = words.format(name_at(layer.query_names, row[2], words=layer.has_words), allowed, keys)
        return f"{said}: {', '.join(f'{_title(title)} {count}' for title, count in counts)}" if counts else said

    def _list(self, shown: MaskTrace) -> None:
        self.list.clear()
        for finding in shown.findings:
            item = QListWidgetItem(f"{_SIGNS[finding.level]} {_title(shown.said(finding))}")
            item.setData(Qt.ItemDataRole.UserRole, finding)
            self.list.addItem(item)
        if not shown.findings:
            self.list.addItem(self.tr("Nothing unusual was found."))
        self.list.setAccessibleDescription("; ".join(self.list.item(row).text() for row in range(self.list.count())))
        self.list.fit()

    @Slot(QListWidgetItem)
    def _go_to(self, item: QListWidgetItem) -> None:
        """Select the row of a finding, in its item and head."""
        finding = item.data(Qt.ItemDataRole.UserRole)
        if isinstance(finding, Finding) and finding.place is not None:
            number, head, query = finding.place
            whole = self.shown.whole.allowed if self.shown is not None else None
            if whole is not None and whole.shape[0] > 1:
                self._current.propose(item=number)
            chosen = head if whole is not None and whole.shape[1] > 1 else self._selection.locked.head
            self._selection.lock(Selection(chosen, query, None))

    def _agreement(self, shown: MaskTrace) -> str:
        found = shown.agreement
        said = []
        for name, difference in (("SDPA", found.with_sdpa), (self.tr("a softmax in float64"), found.with_dense)):
            if difference is None:
                said.append(self.tr("{0} has no form of this").format(name))
            elif difference <= found.tolerance:
                said.append(self.tr("✓ agrees with {0} (largest difference {1})").format(name, number_said(difference)))
            else:
                said.append(self.tr("✗ differs from {0} by up to {1}").format(name, number_said(difference)))
        return "; ".join(said)

    def _sparsity(self, shown: MaskTrace, longest: int, size: int) -> str:
        """Return the kinds of blocks of a size, 0 for none, and the share of cells that is skipped with each size.

        Only sizes of which at least two blocks fit beside each other are said.
        """
        shares = [f"{percent_said(each.sparsity)} ({side})" for side, each in shown.blocks.items() if side < longest]
        said = [self.tr("Cells that can be skipped, by the side of the blocks: {0}").format(", ".join(shares))]
        if size:
            blocks = shown.blocks[size]
            counts = (blocks.count(FULL), blocks.count(PARTIAL), blocks.count(EMPTY))
            said.insert(0, self.tr("Blocks of {0}: {1} full, {2} partial, {3} empty.").format(size, *counts))
        return " ".join(said) if shares else ""

    def _sentence(self, shown: MaskTrace, item: int) -> str:
        """Return which share of the cells the mask on screen allows, that of an item and a head if they differ."""
        whole = shown.whole
        if not whole.name and not whole.clauses:
            return self.tr("There is no mask.")
        items, heads = whole.allowed.shape[:2]
        item, head = item if items > 1 else 0, self.maps.head if heads > 1 else 0
        share = percent_said(float(np.mean(whole.allowed[item, head])))
        values = {"share": share, "where": place_said(whole.allowed.shape, item, head), "count": len(shown.parts)}
        if not shown.parts:
            return _title(Text("The mask allows {share} of its cells{where}.", values))
        one = "The mask allows {share} of its cells{where}; it has one clause."
        return _title(Text("The mask allows {share} of its cells{where}; it has {count} clauses.", values, one))


class _Maps(Placed):
    """The whole mask, with labels, and beside it its clauses; those that have no room scroll."""

    def __init__(self, look: Look, selection: SelectionModel) -> None:
        super().__init__()
        self.look = look
        self.head = 0
        self._selection = selection
        self._shape = (1, 1)
        self.maps: list[MaskMap] = []
        """The pictures on screen."""
        self._all: list[MaskMap] = []
        self._clauses = QWidget()
        self.area = scrolling_tiles(self._clauses, self)

    def show_maps(
        self,
        drawn: list[_Drawn],
        layer: Layer,
        place: tuple[int, int],
        convention: Convention,
        blocks: Blocks | None,
        table: ColourTable,
    ) -> None:
        """Draw clauses of an item and a head; blocks are those of the first one, the whole mask."""
        self.head = place[1]
        while len(self._all) < len(drawn):
            each = MaskMap(self.look, translate("Mask"), self._clauses if self._all else self)
            each.hovered.connect(self._selection.hover_cell)
            each.clicked.connect(self._selection.lock_cell)
            self._all.append(each)
        self.maps = self._all[: len(drawn)]
        for number, each in enumerate(self._all):
            each.setVisible(number < len(drawn))
        for number, (each, one) in enumerate(zip(self.maps, drawn, strict=True)):
            items, heads = one.clause.allowed.shape[:2]
            item, head = place[0] if items > 1 else 0, place[1] if heads > 1 else 0
            each.look = self.look
            each.setAccessibleName(one.title)
            each.blocks = None if blocks is None or number else blocks.kinds[item, head]
            each.side = 1 if blocks is None else blocks.size
            matrix = mask_matrix(one.clause.allowed[item, head], layer, one.title, convention, with_labels=not number)
            each.show_matrix(matrix, table)
            self._shape = matrix.levels.shape
        self._place()

    def select(self, cell: Cell | None) -> None:
        """Mark a cell in every picture."""
        for each in self.maps:
            each.select(cell)

    @override
    def _place(self) -> None:
        if not self.maps:
            return
        gap, width, height = self.look.px(12), self.width(), self.height()
        whole, clauses = self.maps[0], self.maps[1:]
        self.area.setVisible(bool(clauses))
        if not clauses:
            self._lay([whole], Rect(0, 0, width, height), gap)
            return
        if upright := height > width:
            self._lay([whole], Rect(0, 0, width, _WHOLE * height), gap)
            beside = Rect(0, whole.geometry().bottom() + gap, width, 0)
        else:
            self._lay([whole], Rect(0, 0, _WHOLE * width, height), gap, left=True)
            beside = Rect(whole.geometry().right() + gap, 0, 0, height)
        room = Rect(beside.x, beside.y, width - beside.x, height - beside.y)
        self.area.setGeometry(*map(round, room))
        inner = Rect(0, 0, room.width, room.height if upright else whole.height())
        self._lay(clauses, inner, gap)
        (rows, columns), decent = self._shape, self.look.px(_DECENT)
        scrolls = max(clauses[0].cells.width(), clauses[0].cells.height()) < decent
        if scrolls:
            margins = clauses[0].margins
            scale = decent / max(rows, columns)
            inner = inner._replace(width=room.width - self.area.verticalScrollBar().sizeHint().width())
            across = max(1, int((inner.width + gap) // (columns * scale + margins.left + margins.right + gap)))
            down = math.ceil(len(clauses) / across)
            tall = down * (rows * scale + margins.top + margins.bottom + gap) - gap
            inner = inner._replace(height=max(inner.height, tall))
            self._lay(clauses, inner, gap, across=across)
        self._clauses.resize(round(inner.width), round(inner.height))
        for each in clauses:
            each.scrolls = scrolls

    def _lay(self, maps: list[MaskMap], room: Rect, gap: int, *, across: int | None = None, left: bool = False) -> None:
        """Place pictures in a grid."""
        margins = Margins(*map(max, zip(*(each.margins for each in maps), strict=True)))
        places = in_a_grid(len(maps), self._shape, margins, room, gap=gap, least=self.look.px(LEAST), across=across)
        for each, place in zip(maps, places, strict=True):
            each.setGeometry(*map(round, place.moved(room.x - places[0].x, 0) if left else place))


def mask_matrix(
    allowed: NDArray[np.bool_], layer: Layer, title: str, convention: Convention, *, with_labels: bool = True
) -> Matrix:
    """Return the matrix of a mask (Q, K) under a convention.

    Where True is "may attend", masked cells are hatched as everywhere; else each cell has the colour of its number.
    """
    true = allowed if convention != "masked" else ~allowed
    values = np.where(allowed, 0.0, -np.inf) if convention == "additive" else true.astype(np.float64)
    levels = np.where(true, _TRUE, MASKED if convention == "allowed" else LOWEST).astype(np.uint8)

    def told(query: int, key: int) -> str:
        names = layer.query_labels[query], layer.key_labels[key]
        said = value_said(bool(allowed[query, key]), convention)
        return translate("query {query}, key {key}: {told}").format(query=names[0], key=names[1], told=said)

    return Matrix(
        levels=levels,
        values=values,
        mask=allowed if convention == "allowed" else None,
        row_labels=layer.query_names if with_labels else ("",) * len(layer.query_names),
        column_labels=layer.key_names if with_labels else ("",) * len(layer.key_names),
        row_sums=None,
        title=title,
        row_title=translate("queries"),
        column_title=translate("keys"),
        decimals=0,
        told=told,
    )


def value_said(allowed: bool, convention: Convention) -> str:
    """Return the value of a cell under a convention, and what it means: "True (may attend)"."""
    meaning = translate("may attend") if allowed else translate("masked")
    if convention == "additive":
        return f"{'0' if allowed else '−∞'} ({meaning})"
    return f"{allowed if convention == 'allowed' else not allowed} ({meaning})"


def _title(title: Text) -> str:
    return title.filled(translate, SCREEN)  # not as a sentence: names of functions keep their first letter
