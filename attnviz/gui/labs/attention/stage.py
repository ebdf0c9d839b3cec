"""The centre of the attention lab: the strip of stages, their formula, and the picture of the chosen stage."""

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QVBoxLayout, QWidget
from typing_extensions import override

from attnviz.experiment.attention.stages import shapes_of, stages_of
from attnviz.experiment.attention.trace import AttentionTrace
from attnviz.experiment.attention.view import AttentionViewSettings, Content, cells_touched, content_of, notes_touched
from attnviz.experiment.colours import DIVERGING
from attnviz.experiment.labs import Lab
from attnviz.gui.labs.attention.formulas import formula_of
from attnviz.gui.labs.attention.heads_page import Picture
from attnviz.gui.labs.attention.pages import AttentionPages
from attnviz.gui.labs.attention.tools import StageTools
from attnviz.gui.labs.attention.words import ReadOut
from attnviz.gui.labs.lab_stage import CurrentView, LabStage
from attnviz.gui.plots.matrix.head_grid import HeadGrid
from attnviz.gui.plots.matrix.heatmap import Heatmap
from attnviz.gui.plots.matrix.tile import ColourTable, colour_table
from attnviz.gui.run.background import AT_ONCE
from attnviz.gui.theme import Look
from attnviz.gui.widgets.labels import as_plain
from attnviz.gui.widgets.layouts import row_of
from attnviz.gui.widgets.selection import SelectionModel


class AttentionStage(LabStage[AttentionTrace, AttentionViewSettings]):
    """Shows one trace: the strip and tools choose the stage, the mouse the head and cell."""

    contrast_field = "contrast"
    pages: AttentionPages

    def __init__(
        self,
        lab: Lab,
        look: Look,
        selection: SelectionModel,
        current: CurrentView[AttentionViewSettings],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(lab, look, selection, current, parent)
        self._content: Content | None = None
        self.tools = StageTools(current)
        self.tools.pages.chosen.connect(self.turn_page)
        self.pages = AttentionPages(look, selection)
        self.read_out = ReadOut()
        self.contrast.setText(self.tr("Contrast per head"))
        self.contrast.setToolTip(self.tr("Colours scale to each head's largest weight instead of 1"))
        self._background.done.connect(self._take)
        self._lay_out()
        self.pages.reshape.which.chosen.connect(self._choose_split)
        self.pages.painted.connect(self.painted)
        self.pages.stages.pointed.connect(self._point)
        self.pages.compare.pinned_changed.connect(self.show_view)

    @property
    def grid(self) -> HeadGrid:
        """The thumbnails of all heads."""
        return self.pages.heads.grid

    @property
    def heatmap(self) -> Heatmap:
        """The chosen head, large."""
        return self.pages.heads.heatmap

    @property
    def compared(self) -> AttentionTrace | None:
        """The pinned run A, if the compare page is shown."""
        return self.pages.compare.pinned if self.view.page == "compare" else None

    @property
    def item(self) -> int:
        """The batch item on screen."""
        return self.view.item

    @property
    def table(self) -> ColourTable:
        """The colours of the stage on screen: diverging for all but weights."""
        return self.weight_table if self.view.shows_weights else colour_table(DIVERGING, self._look.theme)

    @override
    def show_trace(self, trace: AttentionTrace) -> None:
        self.trace = trace
        self.current_view.put(self.view.within(trace))
        self.strip.offer(stages_of(trace.spec))
        self.player.setVisible(len(self.strip.offered) > 1)
        self.tools.offer(items=trace.items, heads=trace.num_heads, given=trace.is_given)
        self.show_widgets()
        self._selection.fit(*trace.weights.shape[1:])
        self.show_view()

    @override
    def show_widgets(self) -> None:
        super().show_widgets()
        self.tools.show_view(self.view)
        self.pages.reshape.which.show_value(self.view.split)

    @override
    def restyle(self, look: Look) -> None:
        super().restyle(look)
        self.pages.restyle(look)
        self.show_view()

    @Slot()
    @override
    def show_view(self) -> None:
        """Draw the trace; work that takes longer than a frame is done in another thread, and drawn when it is ready."""
        trace = self.trace
        if trace is None:
            return
        view, chosen = self.view.content, self._selection.current
        head, query = min(chosen.head, trace.num_heads - 1), chosen.query or 0
        at_once = notes_touched(trace, view) <= AT_ONCE
        if cells_touched(trace, view) <= AT_ONCE:
            # The weights are drawn before their statistics are ready.
            self._take(content_of(trace, view, head, query, notes=at_once))
            if at_once:
                return
        self._background.start(lambda: content_of(trace, view, head, query), instead=True)

    def _lay_out(self) -> None:
        self.header.add(self.tools.item_box)
        self.tools.add(self.pages.reshape.which)
        bottom = row_of(None, self.bar, self.contrast, gap=-1, wide=(self.bar,))
        layout = QVBoxLayout(self)
        layout.setContentsMargins(16, 8, 16, 6)
        layout.setSpacing(4)
        layout.addLayout(row_of(None, self.strip, self.player, wide=(self.strip,)))
        layout.addWidget(self.header)
        layout.addWidget(self.tools)
        layout.addWidget(self.pages, 1)
        layout.addWidget(self.read_out)
        layout.addLayout(bottom)

    @Slot()
    def _choose_split(self) -> None:
        self.current_view.propose(split=self.pages.reshape.which.value)

    @Slot()
    @override
    def _choose_stage(self) -> None:
        """Show the stage chosen in the strip; leave the policies page, which shows weights only."""
        page = "stages" if self.view.page == "policies" else self.view.page
        self.current_view.propose(stage=self.strip.stage, page=page)

    @Slot(object)
    def _take(self, content: Content) -> None:
        """Draw a content on all widgets at once."""
        trace, view = content.trace, content.view
        if trace is not self.trace or view != self.view.content:
            return  # stale: another one was requested meanwhile
        self._content = content
        shapes = shapes_of(trace, view.drawn, view.split)
        ends = shapes if len(shapes) == 1 else (shapes[0], shapes[-1])
        self.header.show_stage(*formula_of(trace, view.drawn, view.split), " → ".join(map(str, ends)))
        self.tools.show_for(view)
        self.pages.reshape.which.setVisible(view.page == "stages" and view.stage == "split")
        self.contrast.setVisible(view.page == "stages" and view.shows_weights)
        page = self.pages.turn_to(view.page, trace.spec)
        page.show_data(Picture(content, self.table, self.weight_table))
        self.show_colours(page.colour_line())
        self.select()

    @Slot()
    @override
    def select(self) -> None:
        """Follow the selection with the page on screen."""
        content = self._content
        if content is None or content.trace is not self.trace:
            return
        self.page.select()
        chosen = self._selection.current
        self.read_out.show_cell(content.trace, content.view.item, chosen, self.compared, self.pages.compare.stage)
        self.heatmap.setToolTip(as_plain(self.read_out.text()) if chosen.key is not None else "")

    @Slot(str)
    def _point(self, said: str) -> None:
        if said:
            self.read_out.setText(said)
        else:
            self.select()
