"""The stage of a lab whose traces have layers: layers, stages, their formula, and the picture of the chosen stage."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, ClassVar, TypeVar

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QApplication, QLabel
from typing_extensions import override

from attnviz.definitions.counting import SCREEN, head_name
from attnviz.definitions.text import Text
from attnviz.experiment.colours import DIVERGING
from attnviz.experiment.labs import Lab
from attnviz.experiment.layers.content import Content, cells_touched, content_of, notes_touched
from attnviz.experiment.layers.layer import Layer
from attnviz.experiment.layers.source import Layers
from attnviz.experiment.layers.view import ViewOfLayers
from attnviz.experiment.run import Cursor
from attnviz.gui.labs.current_view import CurrentView
from attnviz.gui.labs.lab_stage import LabStage, TraceT
from attnviz.gui.labs.layered.pages import LayerPages
from attnviz.gui.labs.layered.tools import StageTools
from attnviz.gui.labs.stage_strip import StageStrip
from attnviz.gui.layers.heads_view import Picture
from attnviz.gui.layers.words import Compared, header_of, read_out_of
from attnviz.gui.plots.matrix.head_grid import HeadGrid
from attnviz.gui.plots.matrix.heatmap import Heatmap
from attnviz.gui.plots.matrix.tile import ColourTable, colour_table
from attnviz.gui.run.background import AT_ONCE
from attnviz.gui.theme import Look
from attnviz.gui.widgets.selection import SelectionModel
from attnviz.gui.widgets.words import translate

LayerViewT = TypeVar("LayerViewT", bound=ViewOfLayers)


class LayerStage(LabStage[TraceT, LayerViewT]):
    """Shows one layer of a trace: the strips and tools choose layer and stage, the mouse the head and cell.

    A layer that has not arrived is requested, and nothing is drawn until it arrives.
    """

    cursor_asked = Signal(object)
    """The `Cursor` of a layer that has not arrived."""
    paints_by_head: ClassVar[bool] = False
    """Whether each head has a mask of its own."""
    kind_of_pages: ClassVar[type[LayerPages]] = LayerPages
    pages: LayerPages
    outer: StageStrip

    def __init__(self, lab: Lab, look: Look, selection: SelectionModel, current: CurrentView[LayerViewT]) -> None:
        super().__init__(lab, look, selection, current)
        self._content: Content | None = None
        self._failed: tuple[object, int | None, Text] | None = None  # the trace, a layer (None: any), why it is missing
        self.outer = self.rows.outer = StageStrip(self.places((0,)), "0", self)
        self.outer.setAccessibleName(self.tr("Layers"))
        QShortcut(QKeySequence("Alt+Up"), self, self.outer.go_back)
        QShortcut(QKeySequence("Alt+Down"), self, self.outer.go_on)
        self.setTabOrder(self.page_box, self.outer)
        self.outer.hide()
        self.tools = StageTools(lab, current, self.view_panel, self, by_head=self.paints_by_head)
        self.pages = self.kind_of_pages(self.make_pages())
        self.missing = QLabel()
        self.missing.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.missing.setWordWrap(True)
        self.missing.setTextFormat(Qt.TextFormat.PlainText)
        self.pages.addWidget(self.missing)
        self._background.done.connect(self._take)
        self.rows.beside.addWidget(self.tools.item_box)
        self.rows.beside.addWidget(self.pages.stages.which)
        self.lay_out()
        self.outer.changed.connect(self._choose_layer)
        self.tools.brush_changed.connect(self.select)
        current.bind("split", self.pages.stages.which)
        self.pages.heads.item_chosen.connect(self._choose_item)
        self.pages.heads.items_changed.connect(self._offer_items)
        self.pages.stages.pointed.connect(self.point)
        self.pages.stages.lit.connect(self.formula.light)

    @property
    def number(self) -> int:
        """The number of the layer on screen: that of the chosen one."""
        return self.view.layer

    @property
    def layer(self) -> Layer | None:
        """The layer on screen; None if it has not arrived."""
        return None if self.trace is None else self.layers_of(self.trace).layer(self.number)

    def layers_of(self, trace: Any) -> Layers:
        """Return the source of a trace's layers."""
        layers: Layers = trace.layers
        return layers

    @property
    def several(self) -> bool:
        """Whether layers are chosen, and heads named after theirs: "2.3"."""
        return self.trace is not None and self.layers_of(self.trace).num_layers > 1

    def head_name(self, head: int) -> str:
        """Return the name of a head if there are several layers: "2.3"; else ""."""
        return head_name(self.number, head) if self.several else ""

    @property
    def grid(self) -> HeadGrid:
        """The thumbnails of all heads."""
        return self.pages.heads.grid

    @property
    def heatmap(self) -> Heatmap:
        """The chosen head, large."""
        return self.pages.heads.heatmap

    @property
    def compared(self) -> Compared | None:
        """The pinned run A, if the compare page is shown."""
        return self.pages.compare.compared if self.view.page == "compare" else None

    @property
    def item(self) -> int:
        """The batch item under the mouse, or the chosen one."""
        pointed = self.pages.heads.pointed_item
        return self.view.batch_item if pointed is None else pointed

    @property
    def table(self) -> ColourTable:
        """The colours of the stage on screen: diverging for all but weights."""
        return self.weight_table if self.view.of_layer.shows_weights else colour_table(DIVERGING, self.look.theme)

    @override
    def show_trace(self, trace: TraceT) -> None:
        self.trace = trace
        self.offer_pages(trace)
        self.current_view.value = self.view.within(trace)
        self.outer.offer_all(self.places(self.layers_of(trace).numbers))
        self.show_widgets()
        self.pages.follow(trace)
        self.show_view()

    def fail(self, why: Text, *, over: bool = False) -> None:
        """Report why the requested layer has not arrived; ``over``: no other layer of the trace will arrive either."""
        if self.trace is not None and (over or self.layer is None):
            self._failed = self.trace, None if over else self.view.layer, why
            if self.layer is None:
                self.show_view()

    @override
    def show_widgets(self) -> None:
        layer = self.layer
        if layer is not None:
            self.strip.offer(layer.stage_names)
            self.tools.offer(items=layer.items, heads=layer.num_heads, given=not self.paints)
            _, heads, queries, keys = layer.weights.shape
            self._selection.fit(heads, queries, keys, self.first_query)
        if self.place in self.outer.offered:
            self.outer.press(self.place)
        super().show_widgets()

    @Slot()
    @override
    def show_view(self) -> None:
        """Draw the trace; work that takes longer than a frame is done in another thread, and drawn when it is ready."""
        if self.trace is None:
            return
        self.rows.staged = self.has_stages
        self.rows.headed = self.has_stages or self.view.page == self.view.stages_page
        self.outer.setVisible(self.has_outer)
        layer, chosen = self.layer, self._selection.current
        if layer is None:
            self._show_missing()
            return
        self.current_view.value = self.view.within(self.trace)  # each layer has stages of its own
        view = self.view.of_layer
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
        """Offer the choice of a batch item if not all of them are side by side."""
        several = self.layer is not None and self.layer.items > 1
        beside = self.view.draws_cells and self.pages.heads.shows_all_items
        was_hidden = self.tools.item_box.isHidden()
        self.tools.item_box.setVisible(several and not beside)
        if self.tools.item_box.isHidden() is not was_hidden:
            self._place()

    @Slot()
    @override
    def _choose_stage(self) -> None:
        """Show the stage chosen in the strip; leave a page that does not draw it, but not a comparison."""
        chosen = self.view.changed(stage=self.strip.stage)
        stays = chosen.page_stage == "chosen" and (chosen.page == "compare" or chosen.drawn == chosen.stage)
        self.current_view.propose(stage=chosen.stage, page=chosen.page if stays else chosen.stages_page)

    @Slot(int)
    def _choose_item(self, item: int) -> None:
        self.current_view.propose(item=item)

    @Slot()
    def _choose_layer(self) -> None:
        self.current_view.propose(layer=int(self.outer.stage))

    @Slot(int, int)
    def choose_head(self, layer: int, head: int) -> None:
        """Select a head of any layer; the chosen row and cell stay."""
        if (layer, head) != (self.view.layer, self._selection.locked.head):
            self._selection.begin_with(self._selection.locked)  # the mouse is over another head
        if layer != self.view.layer:
            self.current_view.propose(layer=layer)
        self._selection.lock(replace(self._selection.locked, head=head))

    def show_nothing(self) -> None:
        """Hide the choices among pictures: there is none yet."""
        self.rows.staged = self.rows.headed = False
        self._place()

    def _show_missing(self) -> None:
        """Request the layer, once, and report that it has not arrived, or why it will not."""
        layer = self.view.layer
        self._content = None
        why = Text()
        if self._failed is not None and self._failed[0] is self.trace and self._failed[1] in (None, layer):
            why = self._failed[2]
        words = {"layer": SCREEN.number(layer), "why": why}
        said = Text(
            "Layer {layer} cannot be shown: {why}" if why.template else "Layer {layer} has not come yet.", words
        )
        self.missing.setText(said.filled(translate))
        self.pages.setCurrentWidget(self.missing)
        self.show_header("", "", "")
        self.show_colours(None)
        self.read_out.setText("")
        self.say()
        if not why.template:
            self.cursor_asked.emit(self.cursor_at(layer))

    @Slot(object)
    def _take(self, content: Content) -> None:
        """Draw a content on all widgets at once."""
        layer, view, page_name = content.layer, content.view, self.view.page
        if self.trace is None or layer is not self.layer or view != self.view.of_layer:
            return  # stale: another one was requested meanwhile
        self._content = content
        self.tools.show_for(self.view)
        chooses = self.rows.staged and page_name == self.view.stages_page and view.record.chooses(layer)
        self.pages.stages.which.setVisible(chooses)
        focused = QApplication.focusWidget()
        page = self.pages.turn_to(page_name, self.trace.spec)
        page.show_data(self.picture_of(content))
        if focused is not None and self.pages.isAncestorOf(focused) and not focused.isVisible():
            self.take_focus()
        self._offer_items()
        self.show_header(*self.header_of(content))
        self.show_colours(page.colour_line())
        self.select()

    @Slot()
    @override
    def select(self) -> None:
        """Follow the selection with the page on screen."""
        content = self._content
        if content is None or content.layer is not self.layer:
            return
        self.page.select()
        self.say()
        reading, held = self.reading_of(content), self._selection.current == self._selection.locked
        hint = self.page.hint or self.tr("Point to read a cell, click to hold it. The wheel zooms.")
        hint = self.tools.hint if self.view.draws_cells and self.tools.brush else hint
        self.read_out.setText(self.tr("held: {0}").format(reading) if reading and held else reading or hint)

    @Slot(str)
    def point(self, said: str) -> None:
        """Show a text about the item under the mouse in the read-out; "" shows the selection again."""
        if said:
            self.read_out.setText(said)
        else:
            self.select()

    # Reimplemented by labs.

    def cursor_at(self, layer: int) -> Cursor:
        """Return the cursor of a layer."""
        return Cursor(layer=layer)

    @property
    def paints(self) -> bool:
        """Whether a brush can paint the mask, in a lab with one: given weights are not computed."""
        return self.layer is not None and not self.layer.is_given

    def places(self, numbers: Sequence[int]) -> dict[str, Text]:
        """Return the titles of the entries in the outer strip: layers, by number."""
        return {str(number): Text("layer {n}", {"n": SCREEN.number(number)}) for number in numbers}

    @property
    def has_stages(self) -> bool:
        """Whether the page on screen has the strip of stages."""
        return bool(self.view.page_stage)

    @property
    def has_outer(self) -> bool:
        """Whether the page on screen has the outer strip."""
        return self.several

    @property
    def place(self) -> str:
        """The pressed entry of the outer strip: the chosen layer."""
        return str(self.view.layer)

    @property
    def first_query(self) -> int | None:
        """The initially chosen row of a trace; None: the last."""
        return None

    def picture_of(self, content: Content) -> Picture:
        """Return the data of the page on screen."""
        return Picture(content, self.table, self.weight_table, self.trace)

    def header_of(self, content: Content) -> tuple[str, str, str]:
        """Return the formula, its text for screen readers, and the shapes in and out."""
        return header_of(content.layer, content.view.stage, content.view.split)

    def reading_of(self, content: Content) -> str:
        """Return the text about the selected row and cell; "" where no cells are on screen."""
        chosen = self._selection.current
        return read_out_of(content.layer, self.item, chosen, self.compared, self.head_name(chosen.head))
