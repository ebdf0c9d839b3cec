"""Several matrices in rows, with the signs of a formula between them: inputs, parameters, results."""

from dataclasses import dataclass

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QLabel, QWidget
from typing_extensions import override

from attnviz.definitions.counting import numbers
from attnviz.experiment.colours import DIVERGING
from attnviz.experiment.layers.layer import Layer
from attnviz.experiment.layers.panels import Panel, Rows, dot_at, product_of
from attnviz.gui.plots.layout import Rect
from attnviz.gui.plots.matrix.heatmap import LEAST, Heatmap
from attnviz.gui.plots.matrix.matrix import Cell, Matrix
from attnviz.gui.plots.matrix.tile import ColourTable, colour_table
from attnviz.gui.plots.tensors.dot_line import DotLine
from attnviz.gui.plots.tensors.tensor_layout import Tensor, product_layout, tensors_layout
from attnviz.gui.theme import Look
from attnviz.gui.widgets.layouts import Placed
from attnviz.gui.widgets.selection import Selection

_MOST_ROWS, _MOST_COLUMNS = 4, 3
_SIGN, _SIGN_OF_PRODUCT = 24, 16
"""The width of a sign, and of one in a product, where numbers need the room."""
_LINE, _LINE_FROM = 28, 220
"""The height of the line below the matrices of a product, and the least height of a page that has it."""


@dataclass(frozen=True, slots=True)
class PanelCell:
    """A cell in one of the matrices."""

    panel: Panel
    row: int
    column: int

    @property
    def value(self) -> float:
        """Its number."""
        return float(self.panel.values[self.row, self.column])


class TensorPage(Placed):
    """Draws panels; the heatmaps are created once and reused for every stage."""

    hovered = Signal(object)
    """`PanelCell` under the mouse, or None."""
    clicked = Signal(object)
    """`PanelCell` under the mouse."""
    painted = Signal(float)

    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._look = look
        self.rows: Rows = ()
        """The panels on screen."""
        self._selection = Selection()
        self._features: dict[tuple[int, int], int] = {}
        self._feature_rows: dict[tuple[int, int], int] = {}
        self._heatmaps: dict[tuple[int, int], Heatmap] = {}
        self._signs: dict[tuple[int, int], QLabel] = {}
        self._layer: Layer | None = None
        self._weights: ColourTable | None = None
        self._pointed: PanelCell | None = None
        self._column = 0  # the selected column of a product
        self._inner: int | None = None  # and the index within the row and column that it sums over
        self.line = DotLine(look, self)
        """How the chosen number of a product is made."""

    def panel_at(self, row: int, column: int) -> Heatmap:
        """Return the heatmap at a position, created on first use."""
        place = row, column
        if place not in self._heatmaps:
            heatmap = Heatmap(self._look, "", self)
            heatmap.setProperty("place", place)
            heatmap.hovered.connect(self._hover)
            heatmap.clicked.connect(self._click)
            heatmap.painted.connect(self.painted)
            sign = QLabel(self)
            sign.setObjectName("sign")
            sign.setAlignment(Qt.AlignmentFlag.AlignCenter)
            self._heatmaps[place], self._signs[place] = heatmap, sign
        return self._heatmaps[place]

    def show_panels(self, layer: Layer, rows: Rows, weights: ColourTable) -> None:
        """Draw rows of panels; ``weights`` are the colours of those that hold weights."""
        # A heatmap that is hidden releases the mouse at once, and with it the selection: so the layout comes first,
        # with the previous content still complete, and then the new content.
        self._make_room(rows)
        self._layer, self.rows, self._weights = layer, rows, weights
        self.line.setVisible(product_of(rows) is not None)
        for row, panels in enumerate(rows):
            for column, panel in enumerate(panels):
                self._show_panel(layer, row, column, panel, weights)
        self._place()
        self.select(self._selection)

    @override
    def _place(self) -> None:
        """Place the panels with one scale: all have cells of the same size."""
        px, product = self._look.px, product_of(self.rows) is not None
        sign = px(_SIGN_OF_PRODUCT if product else _SIGN)
        tensors = [
            [
                Tensor(
                    panel.values.shape,
                    self._heatmaps[row, column].margins,
                    sign if panel.sign else 0,
                    self._heatmaps[row, column].title_width,
                )
                for column, panel in enumerate(panels)
            ]
            for row, panels in enumerate(self.rows)
        ]
        room, gap, least = Rect(0, 0, self.width(), self.height()), px(4), px(LEAST)
        if not product:
            layout, in_line = tensors_layout(tensors, room, gap=gap, least=least), True
        else:
            room = self._room_beside_line(room)
            wanted = max(self._heatmaps[0, column].number_width for column in range(len(tensors[0])))
            one_row, in_line = product_layout(tensors[0], room, gap=0, least=least, wanted=wanted)
            layout = (one_row,)
            self.line.setGeometry(0, round(max(place.bottom for place in one_row)), self.width(), px(_LINE))
        for row, places in enumerate(layout):
            for column, place in enumerate(places):
                heatmap, margins = self._heatmaps[row, column], tensors[row][column].margins
                titled = max(place.width, margins.left + tensors[row][column].title)
                heatmap.spare = titled - place.width
                heatmap.setGeometry(*map(round, place._replace(width=titled)))
                cells = place.within(margins)
                self._signs[row, column].setVisible(in_line and bool(self.rows[row][column].sign))
                self._signs[row, column].setGeometry(
                    round(place.x - sign), round(cells.y + cells.height / 2 - px(12)), sign, px(24)
                )

    def _room_beside_line(self, room: Rect) -> Rect:
        """Return the room beside the line of a product, and show the line if there is room and numbers are shown."""
        shown = self._look.numbers and room.height >= self._look.px(_LINE_FROM)
        self.line.setVisible(shown)
        return room._replace(height=room.height - self._look.px(_LINE)) if shown else room

    def _make_room(self, rows: Rows) -> None:
        for row in range(_MOST_ROWS):
            panels = rows[row] if row < len(rows) else ()
            for column in range(_MOST_COLUMNS):
                shown = column < len(panels)
                if shown or (row, column) in self._heatmaps:
                    self.panel_at(row, column).setVisible(shown)
                    self._signs[row, column].setVisible(shown and bool(panels[column].sign))

    def select(self, selection: Selection) -> None:
        """Mark the chosen query and key in every matrix that has a row or column for them."""
        self._selection = selection
        if product_of(self.rows) is not None:
            self._select_product()
            return
        places = {"queries": selection.query, "keys": selection.key, "features": None}
        for row, panels in enumerate(self.rows):
            for column, panel in enumerate(panels):
                at, across = places[panel.row_axis], places[panel.column_axis]
                single = len(panel.values) == 1
                if panel.column_axis == "features":
                    across = self._features.get((row, column))
                    across = None if across is None or across >= panel.values.shape[1] else across
                if panel.row_axis == "features" and across is not None:
                    at = min(self._feature_rows.get((row, column), 0), len(panel.values) - 1)
                cell = None if at is None else Cell(0 if single else at, across)
                self._heatmaps[row, column].select(cell)

    def _select_product(self) -> None:
        """Mark a row, its column, and the number that they produce; and show the computation."""
        product, layer = product_of(self.rows), self._layer
        assert product is not None
        assert layer is not None
        left, matrix, made = product
        pointed = self._pointed
        column, inner = self._column, self._inner
        if pointed is not None:
            column = pointed.column if pointed.panel in (matrix, made) else column
            inner = {left: pointed.column, matrix: pointed.row}.get(pointed.panel, inner)
        row, column = self._row_of(made), min(column, made.values.shape[1] - 1)
        of_keys = left.column_axis == "keys"
        inner = self._selection.key if of_keys else inner
        inner = None if inner is None else min(inner, len(matrix.values) - 1)
        term = of_keys and inner is not None  # that of the chosen key, which the selection holds
        self._heatmaps[0, 0].select(Cell(row, inner), "cell" if term else "row")
        self._heatmaps[0, 1].select(Cell(inner or 0, column), "cell" if term else "column")
        self._heatmaps[0, 2].select(Cell(row, column))
        names = layer.query_names if made.row_axis == "queries" else layer.key_names
        table = colour_table(DIVERGING, self._look.theme)
        tables = self._weights if left.role == "weights" and self._weights is not None else table, table
        self.line.show_dot(dot_at(product, row, column), names[row], column, made.role, tables)

    def _row_of(self, panel: Panel) -> int:
        """Return the chosen row of a product; for keys without a chosen one, that at the position of the query."""
        chosen, last = self._selection, len(panel.values) - 1
        key = chosen.key if panel.row_axis == "keys" else None
        row = chosen.query if key is None else key
        return last if row is None else min(row, last)

    def restyle(self, look: Look) -> None:
        """Apply a theme and type scale."""
        self._look = look
        self._place()

    def _show_panel(self, layer: Layer, row: int, column: int, panel: Panel, weights: ColourTable) -> None:
        heatmap = self.panel_at(row, column)
        sign = self._signs[row, column]
        sign.setText(panel.sign)
        rows, columns = panel.values.shape
        product = product_of(self.rows)
        again = product is not None and (panel is product[2] or (column and panel.row_axis == "features"))
        reach = "" if panel.role == "weights" else f",  ±{panel.scale.high:.3g}"
        word = self._axis_title(panel.word) if panel.word else ""
        spoken = ", ".join(filter(None, (panel.name, word)))
        heatmap.setAccessibleName(f"{spoken}, {self.tr('{0} rows, {1} columns').format(rows, columns)}")
        heatmap.show_matrix(
            Matrix(
                levels=panel.levels,
                values=panel.values,
                mask=panel.mask,
                # In a product, row names are beside the first matrix, and feature names above it.
                row_labels=("",) * rows if again else _labels(layer, panel.row_axis, rows),
                column_labels=_labels(layer, panel.column_axis, columns),
                row_sums=None,
                title=panel.name,
                note=f"{f'{word},  ' if word else ''}{rows} × {columns}{reach}",
                row_title=self._axis_title(panel.row_axis),
                column_title=self._axis_title(panel.column_axis),
                square=False,
                row_role=panel.role if panel.role in ("q", "k", "v") else _AXIS_ROLES[panel.row_axis],
                column_role="text" if product and panel.column_axis == "features" else _AXIS_ROLES[panel.column_axis],
                title_role=panel.role if panel.role in ("q", "k", "v", "output") else "text",
                slices=layer.num_heads if panel.by_head else 1,
            ),
            weights if panel.role == "weights" else colour_table(DIVERGING, self._look.theme),
        )

    def _axis_title(self, axis: str) -> str:
        words = {"queries": self.tr("queries"), "keys": self.tr("keys"), "values": self.tr("values")}
        return words.get(axis, self.tr("features"))

    def _cell(self, cell: Cell | None) -> PanelCell | None:
        row, column = self.sender().property("place")
        if cell is None or cell.column is None:
            return None
        return PanelCell(self.rows[row][column], cell.row, cell.column)

    @Slot(object)
    def _hover(self, cell: Cell | None) -> None:
        self._pointed = self._cell(cell)
        self.hovered.emit(self._pointed)
        if product_of(self.rows) is not None:
            self._select_product()  # the selection has no columns of it

    @Slot(object)
    def _click(self, cell: Cell) -> None:
        place = self.sender().property("place")
        if cell.column is not None:
            # The selection has no features; each panel remembers its own, so that arrow keys continue from there.
            self._features = {place: cell.column}
            self._feature_rows = {place: cell.row}
            if product_of(self.rows) is not None:
                self._column = self._column if place[1] == 0 else cell.column
                self._inner = (cell.column, cell.row, self._inner)[place[1]]
        self.clicked.emit(self._cell(cell))


_AXIS_ROLES = {"queries": "q", "keys": "k", "features": "muted"}


def _labels(layer: Layer, axis: str, count: int) -> tuple[str, ...]:
    tokens = {"queries": layer.query_names, "keys": layer.key_names}.get(axis, ())
    return tokens if len(tokens) == count else numbers(count)
