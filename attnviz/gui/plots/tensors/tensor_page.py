"""Several matrices in rows, with the signs of a formula between them: what goes in, what it meets, what comes out."""

from dataclasses import dataclass

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QLabel, QWidget
from typing_extensions import override

from attnviz.definitions.counting import numbers
from attnviz.experiment.colours import DIVERGING
from attnviz.experiment.layers.layer import Layer
from attnviz.experiment.layers.panels import Panel, Rows
from attnviz.gui.plots.layout import Rect, Tensor, tensors_layout
from attnviz.gui.plots.matrix.heatmap import LEAST, Heatmap
from attnviz.gui.plots.matrix.matrix import Cell, Matrix
from attnviz.gui.plots.matrix.tile import ColourTable, colour_table
from attnviz.gui.theme import Look
from attnviz.gui.widgets.layouts import Placed
from attnviz.gui.widgets.selection import Selection

_MOST_ROWS, _MOST_COLUMNS = 4, 3
_SIGN = 24
"""The width of a sign."""


@dataclass(frozen=True, slots=True)
class PanelCell:
    """A place in one of the matrices."""

    panel: Panel
    row: int
    column: int

    @property
    def value(self) -> float:
        """The number there."""
        return float(self.panel.values[self.row, self.column])


class TensorPage(Placed):
    """Draws panels; the heatmaps are built once and used for every stage."""

    hovered = Signal(object)
    """`PanelCell` under the mouse, or None."""
    clicked = Signal(object)
    """`PanelCell` under the mouse."""
    painted = Signal(float)

    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._look = look
        self._rows: Rows = ()
        self._selection = Selection()
        self._features: dict[tuple[int, int], int] = {}
        self._feature_rows: dict[tuple[int, int], int] = {}
        self._heatmaps: dict[tuple[int, int], Heatmap] = {}
        self._signs: dict[tuple[int, int], QLabel] = {}

    def panel_at(self, row: int, column: int) -> Heatmap:
        """Return the heatmap in a place; it is made when it is first needed."""
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

    @property
    def rows(self) -> Rows:
        """What is shown."""
        return self._rows

    def show_panels(self, layer: Layer, rows: Rows, weights: ColourTable) -> None:
        """Draw rows of panels; ``weights`` are the colours of those that hold weights."""
        # A heatmap that hides lets go of the mouse at once, and with it of what is selected: so first the places, with
        # what was shown before still whole, and then what is in them.
        self._make_room(rows)
        self._rows = rows
        for row, panels in enumerate(rows):
            for column, panel in enumerate(panels):
                self._show_panel(layer, row, column, panel, weights)
        self._place()
        self.select(self._selection)

    @override
    def _place(self) -> None:
        """Place the panels with one scale: a cell is as large in all of them."""
        px = self._look.px
        tensors = [
            [
                Tensor(
                    panel.values.shape,
                    self._heatmaps[row, column].margins,
                    px(_SIGN) if panel.sign else 0,
                    self._heatmaps[row, column].title_width,
                )
                for column, panel in enumerate(panels)
            ]
            for row, panels in enumerate(self._rows)
        ]
        room = Rect(0, 0, self.width(), self.height())
        for row, places in enumerate(tensors_layout(tensors, room, gap=px(8), least=px(LEAST))):
            for column, place in enumerate(places):
                heatmap, margins = self._heatmaps[row, column], tensors[row][column].margins
                titled = max(place.width, margins.left + tensors[row][column].title)
                heatmap.spare = titled - place.width
                heatmap.setGeometry(*map(round, place._replace(width=titled)))
                cells = place.within(margins)
                self._signs[row, column].setGeometry(
                    round(place.x - px(_SIGN)), round(cells.y + cells.height / 2 - px(12)), px(_SIGN), px(24)
                )

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
        places = {"queries": selection.query, "keys": selection.key, "features": None}
        for row, panels in enumerate(self._rows):
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

    def restyle(self, look: Look) -> None:
        """Take another theme or type scale."""
        self._look = look
        for heatmap in self._heatmaps.values():
            heatmap.restyle(look)
        self._place()

    def _show_panel(self, layer: Layer, row: int, column: int, panel: Panel, weights: ColourTable) -> None:
        heatmap = self.panel_at(row, column)
        sign = self._signs[row, column]
        sign.setText(panel.sign)
        rows, columns = panel.values.shape
        reach = "" if panel.role == "weights" else f",  ±{panel.scale.high:.3g}"
        word = self._axis_title(panel.word) if panel.word else ""
        spoken = ", ".join(filter(None, (panel.name, word)))
        heatmap.setAccessibleName(f"{spoken}, {self.tr('{0} rows, {1} columns').format(rows, columns)}")
        heatmap.show_matrix(
            Matrix(
                levels=panel.levels,
                values=panel.values,
                mask=panel.mask,
                row_labels=_labels(layer, panel.row_axis, rows),
                column_labels=_labels(layer, panel.column_axis, columns),
                row_sums=None,
                title=panel.name,
                note=f"{f'{word},  ' if word else ''}{rows} × {columns}{reach}",
                row_title=self._axis_title(panel.row_axis),
                column_title=self._axis_title(panel.column_axis),
                square=False,
                row_role=_AXIS_ROLES[panel.row_axis],
                column_role=_AXIS_ROLES[panel.column_axis],
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
        return PanelCell(self._rows[row][column], cell.row, cell.column)

    @Slot(object)
    def _hover(self, cell: Cell | None) -> None:
        self.hovered.emit(self._cell(cell))

    @Slot(object)
    def _click(self, cell: Cell) -> None:
        place = self.sender().property("place")
        if cell.column is not None:
            # The selection knows no features; each panel remembers its own, so that arrows go on from there.
            self._features = {place: cell.column}
            self._feature_rows = {place: cell.row}
        self.clicked.emit(self._cell(cell))


_AXIS_ROLES = {"queries": "q", "keys": "k", "features": "muted"}


def _labels(layer: Layer, axis: str, count: int) -> tuple[str, ...]:
    tokens = {"queries": layer.query_names, "keys": layer.key_names}.get(axis, ())
    return tokens if len(tokens) == count else numbers(count)
