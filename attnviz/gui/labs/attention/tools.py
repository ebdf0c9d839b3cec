"""The row of tools above the attention picture: which page, brush, statistic, order of heads, and batch item."""

from PySide6.QtCore import QSignalBlocker, Qt, Signal, Slot
from PySide6.QtWidgets import QCheckBox, QHBoxLayout, QLabel, QWidget

from attnviz.experiment.attention.head_statistics import STATISTICS
from attnviz.experiment.attention.stages import StageName
from attnviz.experiment.attention.view import AttentionView, Page
from attnviz.gui.forms.choice_editors import ComboBox
from attnviz.gui.labs.attention.statistic_words import help_of_statistic, title_of_statistic
from attnviz.gui.widgets.flow_layout import FlowLayout
from attnviz.gui.widgets.segments import Segments


class StageTools(QWidget):
    """Says what is to be shown of the trace; nothing here changes the spec."""

    changed = Signal()
    """Another page, statistic, order or item was chosen."""
    brush_changed = Signal(str)
    """"forbid", "allow", or empty for the pointer."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.pages = self._page_buttons()
        self.brushes = self._brush_buttons()
        self.statistic = self._statistic_box()
        self.ranked = QCheckBox(self.tr("Sort"))
        self.ranked.setToolTip(self.tr("Heads in the order of what is noted beside them, the largest first"))
        self.extremes = QCheckBox(self.tr("Mean/max"))
        self.extremes.setToolTip(self.tr("The mean and the maximum over all heads as further pictures"))
        self.items = ComboBox()
        self.items.setAccessibleName(self.tr("Batch item"))
        self.items.setMinimumContentsLength(2)
        self.item_box = _labelled(self.tr("Item"), self.items)
        """Stands where the stage has room for it."""
        self._heads = _row_of(self.statistic, self.ranked, self.extremes)
        layout = FlowLayout(self, gap=8, line_gap=4)
        for part in (self.pages, self.brushes, self._heads):
            layout.addWidget(part)
        self._connect()
        self.offer(items=1, heads=1)

    def add(self, widget: QWidget) -> None:
        """Put a further tool beside the others."""
        layout = self.layout()
        assert layout is not None
        layout.addWidget(widget)

    def view(self, stage: StageName, *, contrast: bool, split: str) -> AttentionView:
        """Return everything that is chosen above the picture."""
        statistic = self.statistic.currentData()
        return AttentionView(
            stage=stage,
            page=self.page,
            item=max(0, self.items.currentIndex()),
            contrast=contrast,
            statistic=statistic,
            ranked=self.ranked.isChecked() and bool(statistic),
            extremes=self.extremes.isChecked(),
            split=split,
        )

    @property
    def page(self) -> Page:
        """The page that is chosen."""
        return self.pages.value  # type: ignore[return-value]

    @property
    def brush(self) -> str:
        """The brush that is chosen, empty for the pointer."""
        return self.brushes.value

    def offer(self, *, items: int, heads: int, given: bool = False) -> None:
        """Offer what a trace has; an item that it has not falls back to the last.

        Weights that were ``given`` have no policy to compare and no mask to paint: nothing computes them again.
        """
        if self.items.count() != items:
            chosen = min(max(0, self.items.currentIndex()), items - 1)
            with QSignalBlocker(self.items):
                self.items.clear()
                self.items.addItems([str(item) for item in range(items)])
                self.items.setCurrentIndex(chosen)
        self.item_box.setVisible(items > 1)
        self._several, self._given = heads > 1, given
        self.pages.offer("policies", not given)
        if given and self.brush:
            self.brushes.press("")

    def show_for(self, view: AttentionView) -> None:
        """Show the tools that act on what is shown."""
        on_cells = view.page == "stages" and view.shows_cells
        self.brushes.setVisible(on_cells and not self._given)
        self._heads.setVisible(on_cells and self._several)
        self.ranked.setEnabled(bool(view.statistic))

    def _page_buttons(self) -> Segments:
        return Segments(
            self.tr("Page"),
            (
                ("stages", self.tr("Stages"), self.tr("Every step of the mechanism")),
                ("policies", self.tr("Policies"), self.tr("What becomes of a row with no valid key, side by side")),
                ("compare", self.tr("Compare"), self.tr("Pin a run as A and compare what follows as B")),
            ),
        )

    def _brush_buttons(self) -> Segments:
        return Segments(
            self.tr("Brush"),
            (
                ("", self.tr("Point"), self.tr("Point at cells, click to hold one")),
                (
                    "forbid",
                    self.tr("Forbid"),
                    self.tr("Drag over cells to forbid them in every head and batch item (Space: the held cell)"),
                ),
                ("allow", self.tr("Allow"), self.tr("Drag over painted cells to allow them again")),
            ),
        )

    def _statistic_box(self) -> ComboBox:
        box = ComboBox()
        box.setAccessibleName(self.tr("Beside each head"))
        box.setToolTip(self.tr("What is noted beside each head"))
        box.setMinimumContentsLength(6)
        box.addItem(self.tr("No note"), "")
        for name in STATISTICS:
            box.addItem(title_of_statistic(name), name)
            box.setItemData(box.count() - 1, help_of_statistic(name), Qt.ItemDataRole.ToolTipRole)
        box.setCurrentIndex(1)
        return box

    def _connect(self) -> None:
        self.pages.chosen.connect(self._change)
        self.brushes.chosen.connect(self._change_brush)
        for signal in (
            self.statistic.currentIndexChanged,
            self.ranked.toggled,
            self.extremes.toggled,
            self.items.currentIndexChanged,
        ):
            signal.connect(self.changed)

    @Slot()
    def _change(self) -> None:
        self.changed.emit()

    @Slot()
    def _change_brush(self) -> None:
        self.brush_changed.emit(self.brush)


def _labelled(text: str, widget: QWidget) -> QWidget:
    label = QLabel(text)
    label.setObjectName("caption")
    return _row_of(label, widget)


def _row_of(*widgets: QWidget) -> QWidget:
    row = QWidget()
    layout = QHBoxLayout(row)
    layout.setContentsMargins(0, 0, 0, 0)
    layout.setSpacing(6)
    for widget in widgets:
        layout.addWidget(widget)
    return row
