"""The middle of the attention lab: the strip of stages, their formula, and the picture of the chosen stage."""

from typing import get_args

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QCheckBox, QHBoxLayout, QVBoxLayout, QWidget

from attnviz.experiment.attention.stages import StageName, shapes_of, stages_of
from attnviz.experiment.attention.trace import AttentionTrace
from attnviz.experiment.attention.view import AttentionView
from attnviz.experiment.attention.view_data import Content, cells_touched, content_of, notes_touched
from attnviz.experiment.colours.maps import DIVERGING, MapName
from attnviz.gui.labs.attention.colour_line import ColourLine
from attnviz.gui.labs.attention.formulas import formula_of
from attnviz.gui.labs.attention.pages import AttentionPages
from attnviz.gui.labs.attention.read_out import ReadOut
from attnviz.gui.labs.attention.tools import StageTools
from attnviz.gui.labs.stage_header import StageHeader
from attnviz.gui.labs.stage_player import StagePlayer
from attnviz.gui.labs.stage_strip import StageStrip
from attnviz.gui.plots.matrix.colour_bar import ColourBar
from attnviz.gui.plots.matrix.colour_table import ColourTable, colour_table
from attnviz.gui.plots.matrix.head_grid import HeadGrid
from attnviz.gui.plots.matrix.heatmap import Heatmap
from attnviz.gui.run.background import AT_ONCE, Background
from attnviz.gui.theme import Look
from attnviz.gui.widgets.eliding_label import as_plain
from attnviz.gui.widgets.selection import SelectionModel

STAGES: tuple[StageName, ...] = get_args(StageName)


class AttentionStage(QWidget):
    """Shows one trace: what of it is chosen above, which head and cell by pointing. It never asks for a run."""

    painted = Signal(float)
    """Milliseconds that the last drawing took."""
    view_changed = Signal()
    """Another stage, page or batch item is shown."""

    def __init__(self, look: Look, selection: SelectionModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("stage")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._look = look
        self.map_name: MapName = "viridis"
        self._selection = selection
        self._content: Content | None = None
        self.trace: AttentionTrace | None = None
        self.strip = StageStrip(STAGES, "weights")
        self.player = StagePlayer(self.strip)
        self.header = StageHeader(look)
        self.tools = StageTools()
        self.pages = AttentionPages(look, selection)
        self.read_out = ReadOut()
        self.scale = ColourLine(look)
        self.contrast = QCheckBox(self.tr("Contrast per head"))
        self.contrast.setToolTip(self.tr("Colours reach to each head's largest weight instead of 1"))
        self._background = Background(self)
        self._background.done.connect(self._take)
        self._lay_out()
        self.strip.changed.connect(self._choose_stage)
        for signal in (self.tools.changed, self.contrast.toggled, self.pages.reshape.changed):
            signal.connect(self._show_other)
        selection.changed.connect(self._select)
        self.pages.painted.connect(self.painted)
        self.pages.pointed.connect(self._point)
        self.pages.compare.pinned_changed.connect(self._show_other)

    @property
    def grid(self) -> HeadGrid:
        """The thumbnails of all heads."""
        return self.pages.heads.grid

    @property
    def heatmap(self) -> Heatmap:
        """The chosen head, large."""
        return self.pages.heads.heatmap

    @property
    def close_up(self) -> QWidget:
        """The chosen head, or the page of a stage that has none."""
        page = self.pages.currentWidget() or self.pages
        return self.heatmap if page is self.pages.heads and self.heatmap.isVisible() else page

    @property
    def bar(self) -> ColourBar:
        """What the colours stand for."""
        return self.scale.bar

    @property
    def view(self) -> AttentionView:
        """What is chosen above the picture."""
        stage: StageName = self.strip.stage  # type: ignore[assignment]
        return self.tools.view(stage, contrast=self.contrast.isChecked(), split=self.pages.reshape.which.value)

    @property
    def compared(self) -> AttentionTrace | None:
        """The pinned run A, while the page that compares it with the trace on screen is shown."""
        return self.pages.compare.pinned if self.view.page == "compare" else None

    @property
    def item(self) -> int:
        """The batch item on screen."""
        return self.view.item

    @property
    def weight_table(self) -> ColourTable:
        """The colours of weights."""
        return colour_table(self.map_name, self._look.theme)

    @property
    def table(self) -> ColourTable:
        """The colours of the stage on screen: diverging for all but weights."""
        return self.weight_table if self.view.shows_weights else colour_table(DIVERGING, self._look.theme)

    def show_trace(self, trace: AttentionTrace) -> None:
        """Draw a trace at the chosen stage, item and head, as far as it has them."""
        self.trace = trace
        self.offer(trace)
        self._selection.fit(*trace.weights.shape[1:])
        self.show_view()

    def offer(self, trace: AttentionTrace) -> None:
        """Offer what a trace has to choose from; a choice that it has not falls back."""
        self.strip.offer(stages_of(trace.spec))
        self.player.setVisible(len(self.strip.offered) > 1)
        self.tools.offer(items=trace.weights.shape[0], heads=trace.num_heads, given=trace.is_given)

    def show_stage(self, stage: StageName) -> None:
        """Show another stage of the mechanism."""
        self.strip.go_to(stage)

    def set_map(self, name: MapName) -> None:
        """Draw weights in another colour map."""
        self.map_name = name
        self.show_view()

    def restyle(self, look: Look) -> None:
        """Take another theme or type scale."""
        self._look = look
        for part in (self.player, self.header, self.pages, self.scale):
            part.restyle(look)
        self.show_view()

    def show_view(self) -> None:
        """Draw what is chosen; what takes longer than a frame is done in another thread, and drawn when it is there."""
        trace = self.trace
        if trace is None:
            return
        view, chosen = self.view, self._selection.current
        head, query = min(chosen.head, trace.num_heads - 1), chosen.query or 0
        at_once = notes_touched(trace, view) <= AT_ONCE
        if cells_touched(trace, view) <= AT_ONCE:
            # The weights do not wait for the notes beside them.
            self._take(content_of(trace, view, head, query, notes=at_once))
            if at_once:
                return
        self._background.start(lambda: content_of(trace, view, head, query), instead=True)

    def _lay_out(self) -> None:
        self.header.add(self.tools.item_box)
        self.tools.add(self.pages.reshape.which)
        top = QHBoxLayout()
        top.setSpacing(8)
        top.addWidget(self.strip, 1)
        top.addWidget(self.player)
        bottom = QHBoxLayout()
        bottom.addWidget(self.scale, 1)
        bottom.addWidget(self.contrast)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(16, 8, 16, 6)
        layout.setSpacing(4)
        layout.addLayout(top)
        layout.addWidget(self.header)
        layout.addWidget(self.tools)
        layout.addWidget(self.pages, 1)
        layout.addWidget(self.read_out)
        layout.addLayout(bottom)

    @Slot()
    def _choose_stage(self) -> None:
        """Show a stage that was chosen above; the policies, which are compared in their weights, give way to it."""
        if self.tools.page == "policies":
            self.tools.pages.press("stages")
        else:
            self._show_other()

    @Slot()
    def _show_other(self) -> None:
        self.show_view()
        self.view_changed.emit()

    @Slot(object)
    def _take(self, content: Content) -> None:
        """Put a content on the screen, all of it at once."""
        trace, view = content.trace, content.view
        if trace is not self.trace or view != self.view:
            return  # another was asked for meanwhile
        self._content = content
        shapes = shapes_of(trace, view.drawn, view.split)
        ends = shapes if len(shapes) == 1 else (shapes[0], shapes[-1])
        self.header.show_stage(*formula_of(trace, view.drawn, view.split), " → ".join(map(str, ends)))
        self.tools.show_for(view)
        self.pages.reshape.which.setVisible(view.page == "stages" and view.stage == "split")
        self.contrast.setVisible(view.page == "stages" and view.shows_weights)
        self.pages.show_content(content, self.table, self.weight_table)
        self.scale.show_content(content, self.pages.compare, self.table, self.weight_table)
        self._select()

    @Slot()
    def _select(self) -> None:
        """Follow the selection with the page on screen."""
        content = self._content
        if content is None or content.trace is not self.trace:
            return
        self.pages.select()
        chosen = self._selection.current
        self.read_out.show_cell(content.trace, content.view.item, chosen, self.compared, self.pages.compare.stage)
        self.heatmap.setToolTip(as_plain(self.read_out.text()) if chosen.key is not None else "")

    @Slot(str)
    def _point(self, said: str) -> None:
        if said:
            self.read_out.setText(said)
        else:
            self._select()
