"""The pictures of the attention lab, one page for each kind of stage, and the pages of policies and comparison."""

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QStackedWidget, QWidget

from attnviz.experiment.attention.tensor_panels import panels_of
from attnviz.experiment.attention.view import AttentionView
from attnviz.experiment.attention.view_data import Content
from attnviz.gui.labs.attention.compare_page import ComparePage
from attnviz.gui.labs.attention.heads_page import HeadsView
from attnviz.gui.labs.attention.policies_page import PoliciesPage
from attnviz.gui.labs.attention.reshape_page import ReshapePage
from attnviz.gui.plots.matrix.colour_table import ColourTable
from attnviz.gui.plots.tensors.reshape_view import ReshapeCell
from attnviz.gui.plots.tensors.tensor_page import PanelCell, TensorPage
from attnviz.gui.theme import Look
from attnviz.gui.widgets.selection import Selection, SelectionModel


class AttentionPages(QStackedWidget):
    """Draws a content on the page that its view asks for; every page follows one selection."""

    painted = Signal(float)
    """Milliseconds that the last drawing took."""
    pointed = Signal(str)
    """What a number under the mouse is, for a tensor that has no queries and keys; empty when it is none."""

    def __init__(self, look: Look, selection: SelectionModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._selection = selection
        self._content: Content | None = None
        self._weights: ColourTable | None = None
        self._query = 0
        self.heads = HeadsView(look, selection)
        self.tensors = TensorPage(look)
        self.reshape = ReshapePage(look, selection)
        self.policies = PoliciesPage(look, selection)
        self.compare = ComparePage(look, selection)
        for page in (self.heads, self.tensors, self.reshape, self.policies, self.compare):
            self.addWidget(page)
        for part in (self.heads, self.tensors, self.policies, self.compare):
            part.painted.connect(self.painted)
        for tensors in (self.tensors, self.heads.panels):
            tensors.hovered.connect(self._hover_panel)
            tensors.clicked.connect(self._lock_panel)
        self.reshape.pointed.connect(self._point_reshape)

    def show_content(self, content: Content, table: ColourTable, weights: ColourTable) -> None:
        """Draw a content: ``table`` has the colours of its stage, ``weights`` those of weights."""
        self._content, self._weights = content, weights
        page = self._page_of(content.view)
        self.setCurrentWidget(page)
        if page is not self.policies:
            self.policies.forget_stale(content.trace.spec)
        if page is self.compare:
            self.compare.show_trace(content.trace, content.view, table if content.view.shows_cells else weights)
        elif page is self.policies:
            self.policies.set_view(content.trace.spec, content.view.item, weights)
        elif page is self.reshape:
            self.reshape.show_content(content)
        elif page is self.heads:
            self.heads.show_content(content, table, weights)
        else:
            self.tensors.show_panels(content.trace, content.panels, weights)
            self._query = content.query
        self.select()

    def select(self) -> None:
        """Follow the selection."""
        if self._content is None:
            return
        page = self.currentWidget()
        if isinstance(page, HeadsView | ReshapePage | PoliciesPage | ComparePage):
            page.select()
            return
        query = self._selection.current.query or 0
        if self._content.view.stage == "features" and query != self._query and self._weights is not None:
            self._query = query
            trace, view = self._content.trace, self._content.view
            self.tensors.show_panels(trace, panels_of(trace, view.stage, view.item, 0, query), self._weights)
        self.tensors.select(self._selection.current)

    def restyle(self, look: Look) -> None:
        """Take another theme or type scale."""
        for page in (self.heads, self.tensors, self.reshape, self.policies, self.compare):
            page.restyle(look)

    def _page_of(self, view: AttentionView) -> QWidget:
        match view.page:
            case "policies":
                return self.policies
            case "compare":
                return self.compare
            case "stages" if view.stage in ("split", "merge"):
                return self.reshape
            case "stages" if view.shows_cells or view.stage == "heads":
                return self.heads
        return self.tensors

    @Slot(object)
    def _hover_panel(self, cell: PanelCell | None) -> None:
        self._selection.hover(None if cell is None else self._selection_at(cell))
        self.pointed.emit("" if cell is None else _said(cell))

    @Slot(object)
    def _lock_panel(self, cell: PanelCell) -> None:
        self._selection.lock(self._selection_at(cell))
        self.pointed.emit(_said(cell))

    def _selection_at(self, cell: PanelCell) -> Selection:
        """Return the locked selection with the query or key that the row, or the column, stands for."""
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
        name = self.reshape.tensor[0]
        if cell is None:
            self.pointed.emit("")
            return
        index = f"{name}[{cell.item}, {cell.row}, {cell.head * self.reshape.tensor[2].shape[3] + cell.feature}]"
        folded = f"{name}_{cell.head + 1}[{cell.row}, {cell.feature}]"
        self.pointed.emit(f"{index} = {folded} = {self.reshape.value_at(cell):.5g}")


def _said(cell: PanelCell) -> str:
    return f"{cell.panel.name}[{cell.row}, {cell.column}] = {cell.value:.5g}"
