"""The split of Q, K or V into heads, and the merge of the heads: one reshape, drawn."""

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QVBoxLayout, QWidget

from attnviz.experiment.attention.trace import Array
from attnviz.experiment.attention.view_data import Content, reshaped
from attnviz.experiment.colours.maps import DIVERGING
from attnviz.gui.plots.matrix.colour_table import colour_table
from attnviz.gui.plots.tensors.reshape_view import Reshape, ReshapeCell, ReshapeView
from attnviz.gui.theme import Look
from attnviz.gui.widgets.segments import Segments
from attnviz.gui.widgets.selection import Selection, SelectionModel


class ReshapePage(QWidget):
    """Hovering a number shows it before and after the reshape; its row and head become the selection."""

    pointed = Signal(object)
    """`ReshapeCell` under the mouse, or None."""
    changed = Signal()
    """The user chose another of Q, K and V."""

    def __init__(self, look: Look, selection: SelectionModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._look = look
        self._selection = selection
        self._content: Content | None = None
        self.which = Segments(
            self.tr("What is split"),
            (
                ("q", "Q", self.tr("The queries' split")),
                ("k", "K", self.tr("The keys' split")),
                ("v", "V", self.tr("The values' split")),
            ),
        )
        """Which of the three is shown; the stage puts it among its tools."""
        self.which.chosen.connect(self.changed)
        self.picture = ReshapeView(look)
        self.picture.hovered.connect(self._hover)
        self.picture.clicked.connect(self._lock)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.picture, 1)

    @property
    def tensor(self) -> tuple[str, Array, Array]:
        """The tensor shown: its name, the whole (B, L, D), and the heads (B, h, L, d)."""
        assert self._content is not None
        return reshaped(self._content.trace, self._content.view)

    def show_content(self, content: Content) -> None:
        """Draw a split or a merge."""
        assert content.whole is not None
        assert content.folded is not None
        self._content = content
        trace, view = content.trace, content.view
        merging = view.stage == "merge"
        name = self.tensor[0]
        role = "output" if merging else name.lower()
        rows = trace.query_tokens if role in ("q", "output") else trace.key_tokens
        picture = Reshape(
            whole=content.whole,
            heads=content.folded,
            item=view.item,
            name=name,
            role=role,
            row_labels=rows,
            merging=merging,
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
        shown = row is not None and row < rows and chosen.head < heads
        feature = self._feature if self._feature < self.picture.picture.heads.shape[3] else 0
        self.picture.select(
            ReshapeCell(self._content.view.item, chosen.head, row, feature) if shown and row is not None else None
        )

    def restyle(self, look: Look) -> None:
        """Apply a theme and type scale."""
        self._look = look
        self.picture.restyle(look)
        if self._content is not None:
            self.show_content(self._content)

    def value_at(self, cell: ReshapeCell) -> float:
        """Return the number in a cell."""
        return float(self.tensor[2][cell.item, cell.head, cell.row, cell.feature])

    def _selection_at(self, cell: ReshapeCell) -> Selection:
        self._feature = cell.feature
        locked = self._selection.locked
        assert self.picture.picture is not None
        if self.picture.picture.role in ("k", "v"):
            return Selection(cell.head, locked.query, cell.row)
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
