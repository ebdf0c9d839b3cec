"""The page of the text, large: each token shaded by how much the chosen one looks at it."""

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QWidget
from typing_extensions import override

from attnviz.gui.labs.lab_stage import CurrentView
from attnviz.gui.labs.model.shown import tokens_of
from attnviz.gui.labs.model.token_text import TokenText
from attnviz.gui.layers.heads_view import Picture, weight_line
from attnviz.gui.plots.matrix.matrix import Cell
from attnviz.gui.plots.page import ColourLine, Page
from attnviz.gui.theme import Look
from attnviz.gui.widgets.layouts import column_of, scrolling
from attnviz.gui.widgets.selection import SelectionModel


class TextPage(Page[Picture]):
    """Reads like the text itself; what a token looks at is seen without going to the matrix."""

    with_stages = False
    weights_only = True
    token_asked = Signal(int)
    """The user asks what can be done with a token, counted as it is shown."""

    def __init__(
        self, look: Look, selection: SelectionModel, current: CurrentView, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._selection, self._current = selection, current
        self._shown: Picture | None = None
        self.hint = self.tr("Point at a word to see what it looks at, click to hold it.")
        self.text = TokenText(look, self.tr("The text, shaded by what the chosen token looks at"))
        self.text.type_size = "large"
        column_of(self, scrolling(self.text))
        self.text.hovered.connect(self._point)
        self.text.clicked.connect(self._hold)
        self.text.menu_asked.connect(self.token_asked)
        self.text.painted.connect(self.painted)

    @override
    def show_data(self, data: Picture) -> None:
        self._shown = data
        self.text.show_tokens(tokens_of(data.trace, self._current.value))
        self.select()

    @override
    def select(self) -> None:
        data, chosen = self._shown, self._selection.current
        if data is None or chosen.query is None:
            return
        layer = data.content.layer
        if chosen.query < layer.weights.shape[2]:
            head = min(chosen.head, layer.num_heads - 1)
            levels = layer.row_levels((0, head, chosen.query), data.content.view.contrast)
            self.text.shade(levels, data.weights, chosen.query, chosen.key)

    @override
    def restyle(self, look: Look) -> None:
        self.text.restyle(look)

    @override
    def colour_line(self) -> ColourLine | None:
        if self._shown is None:
            return None
        content = self._shown.content
        return weight_line(content.layer, content.view.contrast, self._shown.weights)._replace(
            masked=content.has_masked
        )

    @Slot(object)
    def _point(self, place: int | None) -> None:
        self._selection.hover_cell(None if place is None else Cell(place, None))

    @Slot(object)
    def _hold(self, place: int) -> None:
        self._selection.lock_cell(Cell(place, None))
