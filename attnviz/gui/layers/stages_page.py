"""The page of the stages of a layer: one picture for each kind of stage."""

from typing import Any

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QStackedWidget, QWidget
from typing_extensions import override

from attnviz.definitions.counting import SCREEN
from attnviz.experiment.colours import DIVERGING, Scale
from attnviz.experiment.layers.content import Content, reshaped
from attnviz.experiment.layers.layer import Array
from attnviz.experiment.layers.panels import panels_of
from attnviz.gui.layers.heads_view import HeadsView, Picture, PictureT, colours_of_cells
from attnviz.gui.layers.motion import Motion
from attnviz.gui.layers.movements import Pictures, Scene, can_move, chosen_in, movement_of, strips_of
from attnviz.gui.plots.matrix.tile import colour_table
from attnviz.gui.plots.page import ColourLine, Page
from attnviz.gui.plots.tensors.reshape_view import Reshape, ReshapeCell, ReshapeView
from attnviz.gui.plots.tensors.tensor_page import PanelCell, TensorPage
from attnviz.gui.theme import Look
from attnviz.gui.widgets.buttons import Segments
from attnviz.gui.widgets.layouts import column_of
from attnviz.gui.widgets.selection import Selection, SelectionModel


class ReshapePage(QWidget):
    """Hovering a number shows it before and after the reshape; its row and head become the selection."""

    pointed = Signal(object)
    """`ReshapeCell` under the mouse, or None."""

    def __init__(self, look: Look, selection: SelectionModel) -> None:
        super().__init__()
        self._look = look
        self._selection = selection
        self._content: Content | None = None
        self.picture = ReshapeView(look)
        self.picture.hovered.connect(self._hover)
        self.picture.clicked.connect(self._lock)
        column_of(self, self.picture, gap=-1, wide=(self.picture,))

    @property
    def tensor(self) -> tuple[str, Array, Array]:
        """The tensor shown: its name, the whole (B, L, D), and the heads (B, h, L, d)."""
        assert self._content is not None
        return reshaped(self._content.layer, self._content.view)

    def show_content(self, content: Content) -> None:
        """Draw a split or a merge."""
        assert content.whole is not None
        assert content.folded is not None
        self._content = content
        layer, view = content.layer, content.view
        merging = view.stage == "merge"
        name = self.tensor[0]
        role = "output" if merging else name.lower()
        rows = layer.query_names if role in ("q", "output") else layer.key_names
        picture = Reshape(
            whole=content.whole,
            heads=content.folded,
            item=view.item,
            name=name,
            role=role,
            row_labels=rows,
            merging=merging,
            values=self.tensor[1][view.item],
            serves=layer.num_heads // content.folded.shape[1],
        )
        self.picture.show_split(picture, colour_table(DIVERGING, self._look.theme))
        self.select()

    def select(self) -> None:
        """Clip the marked cell to the shapes."""
        if self.picture.picture is None or self._content is None:
            return
        chosen = self._selection.current
        is_key = self.picture.picture.role in ("k", "v")
        row = chosen.key if is_key else chosen.query
        heads, rows = self.picture.picture.heads.shape[1:3]
        head = chosen.head // self.picture.picture.serves
        shown = row is not None and row < rows and head < heads
        feature = self._feature if self._feature < self.picture.picture.heads.shape[3] else 0
        self.picture.select(
            ReshapeCell(self._content.view.item, head, row, feature) if shown and row is not None else None
        )

    def restyle(self, look: Look) -> None:
        """Apply a theme and type scale."""
        self._look = look
        if self._content is not None:
            self.show_content(self._content)

    def _selection_at(self, cell: ReshapeCell) -> Selection:
        self._feature = cell.feature
        locked = self._selection.locked
        assert self.picture.picture is not None
        if self.picture.picture.role in ("k", "v"):
            each = self.picture.picture.serves
            head = locked.head if locked.head // each == cell.head else cell.head * each
            return Selection(head, locked.query, cell.row)
        return Selection(cell.head, cell.row, locked.key)

    @Slot(object)
    def _hover(self, cell: ReshapeCell | None) -> None:
        self._selection.hover(None if cell is None else self._selection_at(cell))
        self.picture.select(cell) if cell is not None else self.select()
        self.pointed.emit(cell)

    @Slot(object)
    def _lock(self, cell: ReshapeCell) -> None:
        self._selection.lock(self._selection_at(cell))
        self.picture.select(cell)
        self.pointed.emit(cell)

    _feature = 0


_TO_REACH = Scale(-1.0, 1.0, diverging=True)


class StagesPage(Page[PictureT]):
    """Draws the chosen stage; every picture follows the same selection."""

    pointed = Signal(str)
    """The number under the mouse as text, in a tensor that is not (queries, keys); "" if there is none."""
    lit = Signal(str)
    """The colour of the tensor under the mouse by name, "" if there is none."""

    def __init__(self, look: Look, selection: SelectionModel, current: Any) -> None:
        super().__init__(look, selection, current)
        self._picture: PictureT | None = None
        self._query = 0
        self.which = Segments(
            self.tr("Q, K or V"),
            (
                ("q", "Q", self.tr("Queries: what is looked for")),
                ("k", "K", self.tr("Keys: what they are compared with")),
                ("v", "V", self.tr("Values: what is taken in")),
            ),
        )
        """Which of the three is shown, see `Stage.chooses`; the stage puts it among its tools."""
        self.heads = HeadsView(look, selection)
        self.tensors = TensorPage(look)
        self.reshape = ReshapePage(look, selection)
        self._stack = QStackedWidget()
        column_of(self, self._stack, gap=-1)
        for part in (self.heads, self.tensors, self.reshape):
            self._stack.addWidget(part)
        for drawn in (self.heads, self.tensors):
            drawn.painted.connect(self.painted)
        for tensors in (self.tensors, self.heads.panels):
            tensors.hovered.connect(self._hover_panel)
            tensors.clicked.connect(self._lock_panel)
        self.reshape.pointed.connect(self._point_reshape)
        self._pictures = Pictures(self, self.heads, self.tensors, self.reshape.picture)
        self.motion = Motion(look, self)
        """What moves to the stage on screen from the one before."""
        self._moved_for = selection.current

    @property
    def shown(self) -> QWidget:
        """The picture on screen."""
        return self._stack.currentWidget() or self._stack

    @property
    @override
    def close_up(self) -> QWidget:
        """The chosen head, or the picture of a stage without heads."""
        return self.heads.heatmap if self.shown is self.heads and self.heads.heatmap.isVisible() else self.shown

    @override
    def show_data(self, data: PictureT) -> None:
        before, self._picture = self._picture, data
        moves = self._look.motion and self.isVisible() and before is not None
        scene = self._scene(before, data) if moves and before is not None else None
        still = self.grab() if scene is not None else None
        if before is None or before.content.layer is not data.content.layer or before.content.view != data.content.view:
            self.motion.end()
        self._draw(data)
        if scene is not None and still is not None:
            self._moved_for = self._selection.current
            self.motion.begin(still, lambda: movement_of(scene))

    def _scene(self, before: Picture, data: Picture) -> Scene | None:
        """Return the movement's inputs if a picture follows from the one on screen."""
        content = data.content
        if not can_move(before.content, content):
            return None
        chosen = chosen_in(content.layer, content.view.item, self._selection.current)
        return Scene(self._pictures, data, chosen, strips_of(self._pictures, before, chosen), self._look)

    def _draw(self, data: Picture) -> None:
        content, view = data.content, data.content.view
        if view.record.folds:
            self._stack.setCurrentWidget(self.reshape)
            self.reshape.show_content(content)
        elif view.record.shows_heads:
            self._stack.setCurrentWidget(self.heads)
            self.heads.show_picture(data)
        else:
            self._stack.setCurrentWidget(self.tensors)
            self.tensors.show_panels(content.layer, content.panels, data.weights)
            self._query = content.query

    @override
    def select(self) -> None:
        if self._picture is None:
            return
        if self._selection.current != self._moved_for:
            self.motion.end()
        if self.shown is self.heads:
            self.heads.select()
        elif self.shown is self.reshape:
            self.reshape.select()
        else:
            self._select_panels(self._picture.content)

    def _select_panels(self, content: Content) -> None:
        assert self._picture is not None
        query, layer, view = self._selection.current.query or 0, content.layer, content.view
        if view.stage == "features" and query != self._query:
            self._query = query
            panels = panels_of(layer, view.stage, view.item, 0, query)
            self.tensors.show_panels(layer, panels, self._picture.weights)
        self.tensors.select(self._selection.current)

    @override
    def restyle(self, look: Look) -> None:
        super().restyle(look)
        self.motion.look = look
        self.motion.end()

    @override
    def colour_line(self) -> ColourLine | None:
        if self._picture is None:
            return None
        table, record = self._picture.table, self._picture.content.view.record
        if record.cells is None:
            folded = record.folds
            caption = self.tr("of the largest magnitude") if folded else self.tr("each on its own ± scale")
            return ColourLine(_TO_REACH, table, caption)
        return colours_of_cells(self._picture)

    @Slot(object)
    def _hover_panel(self, cell: PanelCell | None) -> None:
        self._selection.hover(None if cell is None else self._selection_at(cell))
        self.pointed.emit("" if cell is None else _said(cell))
        role = "" if cell is None else cell.panel.role
        self.lit.emit(role if role in ("q", "k", "v", "output") else "")

    @Slot(object)
    def _lock_panel(self, cell: PanelCell) -> None:
        self._selection.lock(self._selection_at(cell))
        self.pointed.emit(_said(cell))

    def _selection_at(self, cell: PanelCell) -> Selection:
        """Return the locked selection with the query or key of the cell's row or column."""
        locked = self._selection.locked
        query, key = locked.query, locked.key
        many = len(cell.panel.values) > 1
        if many and cell.panel.row_axis == "queries":
            query = cell.row
        if many and cell.panel.row_axis == "keys":
            key = cell.row
        if cell.panel.column_axis == "keys":
            key = cell.column
        return Selection(locked.head, query, key)

    @Slot(object)
    def _point_reshape(self, cell: ReshapeCell | None) -> None:
        if cell is None:
            self.pointed.emit("")
            return
        name, _, heads = self.reshape.tensor
        value = float(heads[cell.item, cell.head, cell.row, cell.feature])
        feature = cell.head * heads.shape[3] + cell.feature
        index = f"{name}{_place(cell.item, cell.row, feature)}"
        folded = f"{name}_{SCREEN.head(cell.head)}{_place(cell.row, cell.feature)}"
        self.pointed.emit(f"{index} = {folded} = {value:.5g}")


def _said(cell: PanelCell) -> str:
    return f"{cell.panel.name}{_place(cell.row, cell.column)} = {cell.value:.5g}"


def _place(*positions: int) -> str:
    return f"[{', '.join(str(SCREEN.number(position)) for position in positions)}]"
