"""The centre of the training lab: the strip of layers, the strip of stages of one layer, and the pages."""

from dataclasses import replace

from PySide6.QtCore import QSignalBlocker, Qt, Signal, Slot
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QCheckBox, QWidget
from typing_extensions import override

from attnviz.definitions.counting import SCREEN, head_name
from attnviz.definitions.decoder.positions import POSITIONS
from attnviz.definitions.roles import Role
from attnviz.definitions.text import Text
from attnviz.experiment.labs import Lab
from attnviz.experiment.layers.layer import Layer
from attnviz.experiment.train.trace import TrainTrace
from attnviz.experiment.train.view_settings import PAGES, TrainViewSettings
from attnviz.gui.forms.editor import ComboBox
from attnviz.gui.labs.lab_stage import CurrentView, LabStage
from attnviz.gui.labs.stage_rows import RoomFor
from attnviz.gui.labs.stage_strip import StageStrip
from attnviz.gui.labs.train.pages import TrainPages
from attnviz.gui.labs.train.shown import Shown, Tested
from attnviz.gui.layers.formulas import Formula, header_of
from attnviz.gui.layers.words import read_out_of
from attnviz.gui.theme import Look
from attnviz.gui.widgets.gestures import Gesture
from attnviz.gui.widgets.selection import Selection, SelectionModel
from attnviz.gui.widgets.words import translate

_MOST_LAYERS = 6
_BEFORE, _AFTER = ("tokens", "embed"), ("prediction",)


def _layer_titles() -> dict[str, Text]:
    layers = {str(layer): Text("layer {n}", {"n": SCREEN.number(layer)}) for layer in range(_MOST_LAYERS)}
    return {name: Text(name) for name in _BEFORE} | layers | {name: Text(name) for name in _AFTER}


class TrainStage(LabStage[TrainTrace, TrainViewSettings]):
    """Shows one trace of a training on the chosen page."""

    GESTURES = (
        Gesture("Alt+Up, Alt+Down", "Previous or next layer", "Training"),
        Gesture("X", "Turn the chosen head off or on", "Training"),
    )

    room = RoomFor(sentence=1240, legend=290)
    head_switched = Signal()
    """The user turns the chosen head off, or on again."""
    pages: TrainPages
    outer: StageStrip

    def __init__(
        self,
        lab: Lab,
        look: Look,
        selection: SelectionModel,
        current: CurrentView[TrainViewSettings],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(lab, look, selection, current, PAGES, parent)
        self._pointed_layer: int | None = None
        self.outer = self.make_outer(_layer_titles())
        self.pages = TrainPages(look, selection)
        self.train, self.layer_page = self.pages.train, self.pages.layer
        self.roles = ComboBox()
        self._offered: tuple[Role, ...] = ()
        self._tested: Tested = None
        self.which = self.layer_page.stages.which
        self.add_beside(self.which)
        self.view_panel.add(self.tr("Curves of heads"), self.roles)
        self.every_query = QCheckBox(self.tr("Lines of every query"))
        self.view_panel.add("", self.every_query)
        self.lay_out()
        self._connect()

    def _connect(self) -> None:
        self.outer.changed.connect(self._choose_layer)
        for field, widget in (("split", self.which), ("role", self.roles), ("every_query", self.every_query)):
            self.current_view.bind(field, widget)
        self.current_view.bind("pairs_of_head", self.pages.effect.roles.pairs)
        for page in (self.train, self.pages.learning, self.pages.compare):
            page.heads.pointed.connect(self._point_head)
            page.heads.chosen.connect(self.choose_head)
        self.layer_page.drawn.connect(self._finish)
        self.layer_page.stages.pointed.connect(self.point)
        self.layer_page.stages.lit.connect(self.formula.light)
        QShortcut(QKeySequence("X"), self, self._switch_head)

    @property
    def layer(self) -> int:
        """The layer under the mouse, or the chosen one."""
        return self.view.layer if self._pointed_layer is None else self._pointed_layer

    @property
    def layer_trace(self) -> Layer | None:
        """The trace of the layer under the mouse, or of the chosen one."""
        return None if self.trace is None else self.trace.layers[min(self.layer, len(self.trace.layers) - 1)]

    @property
    @override
    def view_on_screen(self) -> TrainViewSettings:
        if self._pointed_layer is None:
            return self.view
        return self.view.model_copy(update={"layer": self._pointed_layer})

    @property
    def compared(self) -> tuple[Layer, str] | None:
        """The layer of the pinned run beside that of the trace, and the stage; None on other pages."""
        return self.pages.compare.compared if self.view.page == "compare" else None

    @property
    @override
    def focus_strip(self) -> QWidget:
        return self.pages.learning.roles.plot if self.view.page == "learning" else super().focus_strip

    @override
    def show_trace(self, trace: TrainTrace) -> None:
        self.trace = trace
        view = self.view.within(trace)
        self.current_view.put(view if view.page in self.pages.pages else view.model_copy(update={"page": "train"}))
        layers = tuple(str(layer) for layer in range(len(trace.layers)))
        if self._pointed_layer is not None and self._pointed_layer >= len(layers):
            self._pointed_layer = None
        self.outer.offer((*_BEFORE, *layers, *_AFTER))
        self.strip.offer(trace.layers[view.layer].stage_names)
        self.offer_page("write", trace.spec.task.record.reads_text)
        self._offer_roles(trace.spec.roles)
        self.show_widgets()
        self.pages.follow(trace)
        _, heads, queries, keys = trace.weights.shape
        self._selection.fit(heads, queries, keys, trace.first_query)
        self.show_view()

    def _offer_roles(self, roles: tuple[Role, ...]) -> None:
        """Offer the curves of a task's roles."""
        if roles == self._offered:
            return
        self._offered = roles
        with QSignalBlocker(self.roles):
            self.roles.clear()
            self.roles.addItem(self.tr("its own role"), "")
            for role in roles:
                self.roles.addItem(translate(role.title), role.name)
                self.roles.setItemData(self.roles.count() - 1, translate(role.help), Qt.ItemDataRole.ToolTipRole)

    @override
    def show_widgets(self) -> None:
        super().show_widgets()
        view = self.view
        place = str(view.layer) if view.page != "layer" or view.place == "layer" else view.place
        if place in self.outer.offered:
            self.outer.press(place)

    @Slot()
    @override
    def show_view(self) -> None:
        trace, layer = self.trace, self.layer_trace
        if trace is None or layer is None:
            return
        if self.view.page not in ("train", "learning", "compare"):
            self._pointed_layer = None  # the mouse was over a tile that is gone
            layer = trace.layers[self.view.layer]
        view = self.view_on_screen
        staged = self.page.with_stages and (view.page != "layer" or view.place == "layer")
        self.rows.staged, self.rows.headed = staged, staged or view.page == "layer"
        # less is said of a picture without cells
        self.rows.room = self.room if view.of_layer.shows_cells else self.room._replace(read_out=370)
        if view.page == "learning" and self.outer.hasFocus():
            self.focus_strip.setFocus(Qt.FocusReason.OtherFocusReason)
        self.outer.setVisible(view.page != "learning")  # which is of all layers, and needs the height
        self.which.setVisible(staged and view.page == "layer" and view.of_layer.record.chooses(layer))
        self.view_panel.offer(self.roles, view.page in ("train", "learning"))
        self.view_panel.offer(self.every_query, view.page == "lines")
        self.watched.emit(str(view.layer) if view.page == "layer" else "")  # other pages show every head
        page = self.pages.turn_to(view.page, trace.spec)
        self._show_formula(trace, layer, view)
        page.show_data(Shown(trace, view, self.weight_table, self._tested))
        self._finish()

    def show_tested(self, tested: Tested) -> None:
        """Show what the heads that are off change; None: all are on, or it is not known yet."""
        if tested is not self._tested:
            self._tested = tested
            self.show_view()

    def _show_formula(self, trace: TrainTrace, layer: Layer, view: TrainViewSettings) -> None:
        """Show the formula of the stage, or of what is before or after the layers; other pages have none."""
        if self.rows.staged:
            stage = view.drawn if view.page == "layer" or view.of_layer.shows_cells else "weights"
            self.show_header(*header_of(layer, stage, view.split))
        elif view.page == "layer":
            sizes = {
                "tokens": f"(T) = ({len(trace.words)})",
                "embed": f"(T, D) = {trace.embedded.shape}",
                "prediction": f"(T, V) = {trace.probabilities.shape}",
            }
            self.show_header(*_around(trace, view.place), sizes[view.place])
        else:
            self._placed_for = None  # the rows are without a header: the page after this one may have that of before
            self._place()

    @Slot()
    def _finish(self) -> None:
        self.show_colours(self.page.colour_line())
        self.select()

    @Slot()
    @override
    def select(self) -> None:
        """Follow the selection with the page on screen."""
        layer = self.layer_trace
        if self.trace is None or layer is None:
            return
        self.page.select()
        self.say()
        chosen = self._selection.current
        around = self.view.page == "layer" and self.view.place != "layer"
        if around:
            text = self.layer_page.read_out()
        elif self.view.page in ("learning", "effect", "write"):
            text = ""  # no cells are on screen
        else:
            pinned, stage = self.compared or (None, "weights")
            text = read_out_of(layer, 0, chosen, pinned, stage, head_name(self.layer, chosen.head))
        self.read(text, self.page.hint or self.tr("Point to read a cell, click to hold it. The wheel zooms."))

    @Slot(int, int)
    def choose_head(self, layer: int, head: int) -> None:
        """Hold a head of any layer; the chosen row and cell stay."""
        self._pointed_layer = None
        if (layer, head) != (self.view.layer, self._selection.locked.head):
            self._selection.begin_with(self._selection.locked)  # what the mouse shows is of another head
        if layer != self.view.layer:
            self.current_view.propose(layer=layer)
        self._selection.lock(replace(self._selection.locked, head=head))

    @Slot(object)
    def _point_head(self, pointed: tuple[int, Selection] | None) -> None:
        """Preview a head of any layer."""
        layer = None if pointed is None or pointed[0] == self.view.layer else pointed[0]
        changed = layer != self._pointed_layer
        self._pointed_layer = layer
        if changed:
            self.show_view()
        before = self._selection.current
        self._selection.hover(None if pointed is None else pointed[1])
        if changed and self._selection.current == before:
            self._selection.changed.emit()  # the same head and cell, of another layer

    @Slot()
    def _choose_layer(self) -> None:
        place = self.outer.stage
        if place.isdigit():
            self.current_view.propose(layer=int(place), place="layer")
        else:
            self.current_view.propose(place=place, page="layer")

    @Slot()
    @override
    def _choose_stage(self) -> None:
        """Show a stage of the chosen layer."""
        page = self.view.page if self.page.with_stages and not self.page.weights_only else "layer"
        self.current_view.propose(stage=self.strip.stage, page=page, place="layer")

    @Slot()
    def _switch_head(self) -> None:
        self.head_switched.emit()


def _around(trace: TrainTrace, place: str) -> Formula:
    """Return the formula of what is before or after the layers."""
    last = len(trace.layers)
    if place == "tokens":
        return r"x_1, \ldots, x_T", translate("the tokens of the sequence")
    if place == "embed":
        positions = POSITIONS[trace.spec.positions]
        spoken = translate("a row of the embedding for each token")
        if positions.is_learned or positions.vectors is not None:
            return r"\mathbf{X} = \mathbf{E}_{x} + \mathbf{P}", translate("{0}, plus its position").format(spoken)
        return r"\mathbf{X} = \mathbf{E}_{x}", spoken
    read = r"\mathrm{norm}(\mathbf{X})" if trace.spec.norm else r"\mathbf{X}"
    spoken = translate("softmax of the stream after layer {0} times the unembedding").format(last)
    return rf"\mathbf{{p}} = \mathrm{{softmax}}({read}\,\mathbf{{U}})", spoken
