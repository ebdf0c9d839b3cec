"""The stage of the training lab: that of a layer, with the parts around the layers, and pages of all heads."""

from collections.abc import Mapping, Sequence
from typing import Any

from PySide6.QtCore import QSignalBlocker, Qt, Slot
from PySide6.QtWidgets import QWidget
from typing_extensions import override

from attnviz.definitions.decoder.positions import POSITIONS
from attnviz.definitions.roles import Role
from attnviz.definitions.stages import STAGES
from attnviz.definitions.text import Text
from attnviz.experiment.labs import Lab
from attnviz.experiment.layers.content import Content
from attnviz.experiment.layers.source import Layers
from attnviz.experiment.train.trace import TrainTrace
from attnviz.experiment.train.view_settings import TrainViewSettings
from attnviz.gui.forms.editor import ComboBox
from attnviz.gui.labs.current_view import CurrentView
from attnviz.gui.labs.layered.pages import LayerPages
from attnviz.gui.labs.layered.stage import LayerStage
from attnviz.gui.labs.stage_rows import RoomFor
from attnviz.gui.labs.train.compare_steps import CompareSteps
from attnviz.gui.labs.train.effect_page import EffectPage
from attnviz.gui.labs.train.layer_page import LayerPage
from attnviz.gui.labs.train.learning_page import LearningPage
from attnviz.gui.labs.train.shown import Shown, Tested
from attnviz.gui.labs.train.train_page import TrainPage
from attnviz.gui.labs.train.write_page import WritePage
from attnviz.gui.plots.matrix.heatmap import Heatmap
from attnviz.gui.plots.page import Page
from attnviz.gui.theme import Look
from attnviz.gui.widgets.gestures import Gesture
from attnviz.gui.widgets.selection import Selection, SelectionModel
from attnviz.gui.widgets.words import translate


class TrainPages(LayerPages):
    """The pages of the lab."""

    def __init__(self, pages: Mapping[str, Page[Any]]) -> None:
        super().__init__(pages)
        self.train = self.page_of(TrainPage)
        self.learning = self.page_of(LearningPage)
        self.layer = self.page_of(LayerPage)
        self.compare: CompareSteps = self.page_of(CompareSteps)
        self.effect = self.page_of(EffectPage)
        self.write = self.page_of(WritePage)


class TrainStage(LayerStage[TrainTrace, TrainViewSettings]):
    """Every layer arrives with the step; the mouse previews the heads of all layers."""

    GESTURES = (
        Gesture("Alt+Up, Alt+Down", "Previous or next layer", "Training"),
        Gesture("X", "Turn the chosen head off or on", "Training"),
    )

    room = RoomFor(sentence=1240, legend=290)
    several = True
    kind_of_pages = TrainPages
    pages: TrainPages

    def __init__(
        self, lab: Lab, look: Look, selection: SelectionModel, current: CurrentView[TrainViewSettings]
    ) -> None:
        self._pointed_layer: int | None = None
        self._offered: tuple[Role, ...] = ()
        self._tested: Tested = None
        super().__init__(lab, look, selection, current)
        current.bind("role", self.roles)
        current.bind("pairs_of_head", self.pages.effect.roles.pairs)
        for page in (self.pages.train, self.pages.learning, self.pages.compare):
            page.heads.pointed.connect(self._point_head)
            page.heads.chosen.connect(self.choose_head)

    @override
    def lay_out(self) -> None:
        self.roles = ComboBox()
        self.view_panel.add(self.tr("Curves of heads"), self.roles)
        super().lay_out()

    @property
    @override
    def number(self) -> int:
        """The number of the layer under the mouse, or of the chosen one."""
        return self.view.layer if self._pointed_layer is None else self._pointed_layer

    @override
    def layers_of(self, trace: TrainTrace) -> Layers:
        return Layers.of(trace.layers)

    @property
    @override
    def view_on_screen(self) -> TrainViewSettings:
        return self.view.changed(layer=self.number)

    @property
    @override
    def heatmap(self) -> Heatmap:
        """The chosen head, large, on the first page."""
        return self.pages.train.heatmap

    @property
    @override
    def focus_strip(self) -> QWidget:
        return self.pages.learning.roles.plot if self.view.page == "learning" else super().focus_strip

    @property
    @override
    def first_query(self) -> int | None:
        return None if self.trace is None else self.trace.first_query

    @override
    def places(self, numbers: Sequence[int]) -> dict[str, Text]:
        before, after = ({name: Text(name) for name in names} for names in (("tokens", "embed"), ("prediction",)))
        return before | super().places(numbers) | after

    @property
    @override
    def place(self) -> str:
        around = self.view.page == "layer" and self.view.place != "layer"
        return self.view.place if around else super().place

    @override
    def show_trace(self, trace: TrainTrace) -> None:
        if self._pointed_layer is not None and self._pointed_layer >= len(trace.layers):
            self._pointed_layer = None
        self._offer_roles(trace.spec.roles)
        super().show_trace(trace)

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

    @Slot()
    @override
    def show_view(self) -> None:
        view = self.view
        if view.page not in ("train", "learning", "compare"):
            self._pointed_layer = None  # the mouse was over a tile that is gone
        # less is said of a picture without cells
        self.rows.room = self.room if STAGES[view.drawn].cells else self.room._replace(read_out=370)
        if self.outer.hasFocus() and not self.has_outer:
            self.take_focus()
        self.view_panel.offer(self.roles, view.page in ("train", "learning"))
        self.watched.emit(self._lab.name, str(view.layer) if view.page == "layer" else "")  # others show every head
        super().show_view()

    @property
    @override
    def has_stages(self) -> bool:
        return super().has_stages and (self.view.page != "layer" or self.view.place == "layer")

    @property
    @override
    def has_outer(self) -> bool:
        return self.view.page != "learning"  # which is of all layers, and needs the height

    def show_tested(self, tested: Tested) -> None:
        """Show the effect of ablated heads; None: all are on, or it is not known yet."""
        if tested is not self._tested:
            self._tested = tested
            self.show_view()

    @override
    def picture_of(self, content: Content) -> Shown:
        assert self.trace is not None
        return Shown(content, self.table, self.weight_table, self.trace, self.view_on_screen, self._tested)

    @override
    def header_of(self, content: Content) -> tuple[str, str, str]:
        if self.place.isdigit() or self.trace is None:
            return super().header_of(content)
        return _header_around(self.trace, self.place)

    @override
    def reading_of(self, content: Content) -> str:
        if not self.place.isdigit():
            return self.pages.layer.reading
        return "" if self.view.page in ("learning", "effect", "write") else super().reading_of(content)

    @Slot(int, int)
    @override
    def choose_head(self, layer: int, head: int) -> None:
        self._pointed_layer = None
        super().choose_head(layer, head)

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
    @override
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
        page = self.view.page if self.view.page_stage == "chosen" else "layer"
        self.current_view.propose(stage=self.strip.stage, page=page, place="layer")


def _header_around(trace: TrainTrace, place: str) -> tuple[str, str, str]:
    """Return the formula of the part before or after the layers, and its shape."""
    if place == "tokens":
        return r"x_1, \ldots, x_T", translate("the tokens of the sequence"), f"(T) = ({len(trace.words)})"
    if place == "embed":
        positions, shape = POSITIONS[trace.spec.positions], f"(T, D) = {trace.embedded.shape}"
        latex, spoken = r"\mathbf{X} = \mathbf{E}_{x}", translate("a row of the embedding for each token")
        if positions.is_learned or positions.vectors is not None:
            latex, spoken = rf"{latex} + \mathbf{{P}}", translate("{0}, plus its position").format(spoken)
        return latex, spoken, shape
    read = r"\mathrm{norm}(\mathbf{X})" if trace.spec.norm else r"\mathbf{X}"
    spoken = translate("softmax of the stream after layer {0} times the unembedding").format(len(trace.layers))
    shape = f"(T, V) = {trace.probabilities.shape}"
    return rf"\mathbf{{p}} = \mathrm{{softmax}}({read}\,\mathbf{{U}})", spoken, shape
