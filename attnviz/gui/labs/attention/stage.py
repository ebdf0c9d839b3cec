"""The centre of the attention lab: the strip of stages, their formula, and the picture of the chosen stage."""

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import QApplication, QWidget
from typing_extensions import override

from attnviz.experiment.attention.trace import AttentionTrace
from attnviz.experiment.attention.view import PAGES, AttentionViewSettings
from attnviz.experiment.colours import DIVERGING
from attnviz.experiment.labs import Lab
from attnviz.experiment.layers.content import Content, cells_touched, content_of, notes_touched
from attnviz.experiment.layers.layer import Layer
from attnviz.gui.labs.attention.pages import AttentionPages
from attnviz.gui.labs.attention.tools import StageTools
from attnviz.gui.labs.lab_stage import CurrentView, LabStage
from attnviz.gui.layers.formulas import formula_of
from attnviz.gui.layers.heads_view import Picture
from attnviz.gui.layers.words import read_out_of
from attnviz.gui.plots.matrix.head_grid import HeadGrid
from attnviz.gui.plots.matrix.heatmap import Heatmap
from attnviz.gui.plots.matrix.tile import ColourTable, colour_table
from attnviz.gui.run.background import AT_ONCE
from attnviz.gui.theme import Look
from attnviz.gui.widgets.selection import SelectionModel


class AttentionStage(LabStage[AttentionTrace, AttentionViewSettings]):
    """Shows one trace: the strip and tools choose the stage, the mouse the head and cell."""

    pages: AttentionPages

    def __init__(
        self,
        lab: Lab,
        look: Look,
        selection: SelectionModel,
        current: CurrentView[AttentionViewSettings],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(lab, look, selection, current, PAGES, parent)
        self._content: Content | None = None
        self.tools = StageTools(current, self.view_panel, self)
        self.pages = AttentionPages(look, selection)
        self._background.done.connect(self._take)
        self.add_beside(self.tools.item_box)
        self.add_beside(self.pages.reshape.which)
        self.lay_out()
        self.pages.reshape.which.chosen.connect(self._choose_split)
        self.pages.heads.item_chosen.connect(self._choose_item)
        self.pages.heads.items_changed.connect(self._offer_items)
        self.pages.stages.pointed.connect(self._point)
        self.pages.stages.lit.connect(self.formula.light)

    @property
    def grid(self) -> HeadGrid:
        """The thumbnails of all heads."""
        return self.pages.heads.grid

    @property
    def heatmap(self) -> Heatmap:
        """The chosen head, large."""
        return self.pages.heads.heatmap

    @property
    def compared(self) -> tuple[Layer, str] | None:
        """The pinned run A and the compared stage, if the compare page is shown."""
        return self.pages.compare.compared if self.view.page == "compare" else None

    @property
    def item(self) -> int:
        """The batch item under the mouse, or the chosen one."""
        pointed = self.pages.heads.pointed_item
        return self.view.item if pointed is None else pointed

    @property
    @override
    def stretches(self) -> bool:
        return True

    @property
    def table(self) -> ColourTable:
        """The colours of the stage on screen: diverging for all but weights."""
        return self.weight_table if self.view.of_layer.shows_weights else colour_table(DIVERGING, self._look.theme)

    @override
    def show_trace(self, trace: AttentionTrace) -> None:
        self.trace = trace
        self.current_view.put(self.view.within(trace))
        self.strip.offer(trace.layer.stage_names)
        self.player.setVisible(len(self.strip.offered) > 1)
        self.tools.offer(items=trace.items, heads=trace.num_heads, given=trace.is_given)
        self.offer_page("policies", not trace.is_given)
        self.show_widgets()
        self.pages.follow(trace)
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
        layer, view, chosen = trace.layer, self.view.of_layer, self._selection.current
        head, query = min(chosen.head, layer.num_heads - 1), chosen.query or 0
        at_once = notes_touched(layer, view) <= AT_ONCE
        if cells_touched(layer, view) <= AT_ONCE:
            # The weights are drawn before their statistics are ready.
            self._take(content_of(layer, view, head, query, notes=at_once))
            if at_once:
                return
        self._background.start(lambda: content_of(layer, view, head, query), instead=True)

    @Slot()
    def _offer_items(self) -> None:
        """Offer the choice of a batch item where not all of them are side by side."""
        several = self.trace is not None and self.trace.items > 1
        beside = self.view.page == "stages" and self.view.shows_cells and self.pages.heads.shows_all_items
        was_hidden = self.tools.item_box.isHidden()
        self.tools.item_box.setVisible(several and not beside)
        if self.tools.item_box.isHidden() is not was_hidden:
            self._place()

    @Slot()
    def _choose_split(self) -> None:
        self.current_view.propose(split=self.pages.reshape.which.value)

    @Slot(int)
    def _choose_item(self, item: int) -> None:
        self.current_view.propose(item=item)

    @Slot()
    @override
    def _choose_stage(self) -> None:
        """Show the stage chosen in the strip; leave the policies page, which shows weights only."""
        page = "stages" if self.view.page == "policies" else self.view.page
        self.current_view.propose(stage=self.strip.stage, page=page)

    @Slot(object)
    def _take(self, content: Content) -> None:
        """Draw a content on all widgets at once."""
        layer, view, page_name = content.layer, content.view, self.view.page
        if self.trace is None or layer is not self.trace.layer or view != self.view.of_layer:
            return  # stale: another one was requested meanwhile
        self._content = content
        shapes = view.record.shapes(layer, view.split)
        ends = shapes if len(shapes) == 1 else (shapes[0], shapes[-1])
        self.tools.show_for(self.view)
        self.pages.reshape.which.setVisible(page_name == "stages" and view.stage == "split")
        self.view_panel.offer(self.contrast, page_name == "stages" and view.shows_weights)
        focused = QApplication.focusWidget()
        page = self.pages.turn_to(page_name, self.trace.spec)
        page.show_data(Picture(content, self.table, self.weight_table, self.trace))
        if focused is not None and self.pages.isAncestorOf(focused) and not focused.isVisible():
            self.strip.setFocus(
                Qt.FocusReason.OtherFocusReason
            )  # Qt would give the keyboard to a part beside the stage
        self._offer_items()
        self.show_header(*formula_of(layer, view.stage, view.split), " → ".join(map(str, ends)).replace("_", ""))
        self.show_colours(page.colour_line())
        self.select()

    @Slot()
    @override
    def select(self) -> None:
        """Follow the selection with the page on screen."""
        content = self._content
        if content is None or self.trace is None or content.layer is not self.trace.layer:
            return
        self.page.select()
        self.say()
        chosen = self._selection.current
        text = read_out_of(content.layer, self.item, chosen, *(self.compared or (None,)))
        held = bool(text) and chosen == self._selection.locked
        self.read_out.setText(self.tr("held: {0}").format(text) if held else text or self._hint())

    def _hint(self) -> str:
        """Return what the mouse does."""
        if self.view.page == "stages" and self.view.shows_cells and self.tools.brush:
            forbid, allow = self.tr("Drag over cells to forbid them."), self.tr("Drag over cells to allow them again.")
            return forbid if self.tools.brush == "forbid" else allow
        return self.tr("Point to read a cell, click to hold it. The wheel zooms.")

    @Slot(str)
    def _point(self, said: str) -> None:
        if said:
            self.read_out.setText(said)
        else:
            self.select()
