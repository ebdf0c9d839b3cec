"""The choices of a lab of layers in the panel of the view: brush, statistic, and order of heads; and the item."""

from typing import Any

from PySide6.QtCore import QObject, QSignalBlocker, Qt, Signal, Slot
from PySide6.QtWidgets import QCheckBox, QWidget

from attnviz.definitions.counting import numbers
from attnviz.definitions.statistics import STATISTICS
from attnviz.experiment.labs import Lab
from attnviz.experiment.layers.view import ViewOfLayers
from attnviz.gui.forms.editor import ComboBox
from attnviz.gui.labs.current_view import CurrentView, ViewPanel
from attnviz.gui.widgets.buttons import Segments
from attnviz.gui.widgets.labels import caption
from attnviz.gui.widgets.layouts import row_of
from attnviz.gui.widgets.words import translate

_TIP = Qt.ItemDataRole.ToolTipRole
_FIELDS = ("statistic", "ranked", "extremes", "sums", "every_query")
"""Fields of the view settings with a tool of the same name."""


class StageTools(QObject):
    """Chooses what is shown of the trace; a lab has the tools that its view settings have a field for.

    The brush, which paints the field ``painted`` of the spec, is for labs that have one.
    """

    brush_changed = Signal(str)
    """"forbid", "allow", or empty for the pointer."""

    def __init__(
        self,
        lab: Lab,
        current_view: CurrentView[Any],
        panel: ViewPanel,
        parent: QObject | None = None,
        *,
        by_head: bool = False,
    ) -> None:
        """``by_head``: the brush paints the chosen head, or all heads of its layer; else it always paints all."""
        super().__init__(parent)
        self._panel, self._by_head = panel, by_head
        self._has_brush = "painted" in lab.spec_type.model_fields
        self._fields = type(current_view.value).model_fields.keys() & {"item", *_FIELDS}
        self.brushes = self._brush_buttons()
        self.all_heads = QCheckBox(self.tr("All heads of the layer"))
        self.statistic = self._statistic_box()
        self.ranked = QCheckBox(self.tr("Sort the heads by it"))
        self.extremes = QCheckBox(self.tr("Mean and maximum of all heads"))
        self.items = ComboBox()
        self.items.setAccessibleName(self.tr("Batch item"))
        self.items.setMinimumContentsLength(2)
        self.item_box = _labelled(self.tr("Item"), self.items)
        """The choice of a batch item; the stage places it."""
        panel.add(self.tr("Mouse"), self.brushes)
        panel.add("", self.all_heads, self.tr("The brush paints every head of the layer, not the chosen one alone"))
        panel.add(self.tr("Beside each head"), self.statistic)
        panel.add("", self.ranked, self.tr("Sort the heads by the number beside them, largest first"))
        panel.add("", self.extremes, self.tr("Also show the mean and the maximum over all heads"))
        self.sums = QCheckBox(self.tr("Sum of each row"))
        self.every_query = QCheckBox(self.tr("Lines of every query"))
        panel.add("", self.every_query, self.tr("Draw the lines of every query as strongly as those of the chosen one"))
        panel.add("", self.sums, self.tr("Also show the sum of each row's weights"))
        self.brushes.chosen.connect(self._change_brush)
        self.all_heads.toggled.connect(self._change_brush)
        for field in self._fields:
            current_view.bind(field, self.items if field == "item" else getattr(self, field))
        self.offer(items=1, heads=1)

    @property
    def brush(self) -> str:
        """The chosen brush, "" for the pointer."""
        return self.brushes.value

    def offer(self, *, items: int, heads: int, given: bool = False) -> None:
        """Offer a trace's items and heads; an item that it lacks becomes the last.

        ``given`` weights are not computed: there are no policies to compare and no mask to paint.
        """
        if self.items.count() != items:
            chosen = min(max(0, self.items.currentIndex()), items - 1)
            with QSignalBlocker(self.items):
                self.items.clear()
                for item, number in enumerate(numbers(items)):
                    self.items.addItem(number, item)
                self.items.setCurrentIndex(chosen)
        self._several, self._given = heads > 1, given
        if given and self.brush:
            self.brushes.press("")

    def show_for(self, view: ViewOfLayers) -> None:
        """Show the tools that have an effect on the current picture."""
        on_cells = view.draws_cells
        paints = on_cells and self._has_brush and not self._given
        self._panel.offer(self.brushes, paints)
        self._panel.offer(self.all_heads, paints and self._several and self._by_head)
        useful = dict.fromkeys(("statistic", "ranked", "extremes"), on_cells and self._several)
        useful |= {"every_query": view.page == "lines", "sums": on_cells and view.of_layer.shows_weights}
        for field, on in useful.items():
            self._panel.offer(getattr(self, field), on and field in self._fields)
        self.ranked.setEnabled(bool(self.statistic.currentData()))

    @property
    def hint(self) -> str:
        """A hint on the brush, as a sentence."""
        if self.all_heads.isChecked():
            forbid = self.tr("Drag over cells to forbid them in all heads of the layer.")
            allow = self.tr("Drag over cells to allow them again in all heads of the layer.")
        else:
            forbid, allow = self.tr("Drag over cells to forbid them."), self.tr("Drag over cells to allow them again.")
        return forbid if self.brush == "forbid" else allow

    def _brush_buttons(self) -> Segments:
        forbid = self.tr("Drag over cells to forbid them in every head and batch item (Space: the locked cell)")
        if self._by_head:
            forbid = self.tr("Drag over cells of the chosen head to forbid them (Space: the locked cell)")
        return Segments(
            self.tr("Brush"),
            (
                ("", self.tr("Point"), self.tr("Hover cells, click to lock one")),
                ("forbid", self.tr("Forbid"), forbid),
                ("allow", self.tr("Allow"), self.tr("Drag over painted cells to allow them again")),
            ),
        )

    def _statistic_box(self) -> ComboBox:
        box = ComboBox()
        box.setAccessibleName(self.tr("Beside each head"))
        box.setToolTip(self.tr("The number shown beside each head"))
        box.setMinimumContentsLength(6)
        box.addItem(self.tr("No note"), "")
        for name, statistic in STATISTICS.items():
            box.addItem(translate(statistic.title), name)
            box.setItemData(box.count() - 1, translate(statistic.help), _TIP)
        box.setCurrentIndex(1)
        return box

    @Slot()
    def _change_brush(self) -> None:
        self.brush_changed.emit(self.brush)


def _labelled(text: str, widget: QWidget) -> QWidget:
    row = QWidget()
    row_of(row, caption(text), widget, gap=6)
    return row
