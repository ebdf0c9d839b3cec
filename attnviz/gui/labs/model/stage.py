"""The stage of the model lab: that of a layer, with all heads, the text, and words instead of their pieces."""

from dataclasses import replace

from PySide6.QtWidgets import QCheckBox, QWidget
from typing_extensions import override

from attnviz.experiment.labs import Lab
from attnviz.experiment.layers.content import Content
from attnviz.experiment.layers.layer import Layer
from attnviz.experiment.layers.source import Layers
from attnviz.experiment.model.sides import SIDES, HeadAt
from attnviz.experiment.model.text import Group
from attnviz.experiment.model.trace import ModelTrace
from attnviz.experiment.model.view import ModelViewSettings
from attnviz.experiment.run import Cursor
from attnviz.gui.labs.current_view import CurrentView
from attnviz.gui.labs.layered.stage import LayerStage
from attnviz.gui.labs.model.image_page import ImagePage
from attnviz.gui.labs.model.lens_page import LensPage
from attnviz.gui.labs.model.overview_page import OverviewPage
from attnviz.gui.labs.model.rollout_page import RolloutPage
from attnviz.gui.labs.model.text_page import TextPage
from attnviz.gui.theme import Look
from attnviz.gui.widgets.buttons import Segments
from attnviz.gui.widgets.gestures import Gesture
from attnviz.gui.widgets.selection import Selection, SelectionModel
from attnviz.gui.widgets.words import translate

_SENTENCE, _NOTED, _CHANGED = 1040, 1500, 1700
"""The widths, at scale 1, in which a sentence fits into one line; with a note about joined words; and with the
prediction without interventions."""


class ModelStage(LayerStage[ModelTrace, ModelViewSettings]):
    """A layer is drawn as the view requires: words may replace their pieces, special tokens may be left out."""

    GESTURES = (
        Gesture("Alt+Up, Alt+Down", "Previous or next layer", "Model"),
        Gesture("X", "Turn the chosen head off or on", "Model"),
        Gesture("H", "Hide the chosen token, or show it again", "Model"),
        Gesture("Ctrl+L", "Go to the text", "Model"),
        Gesture("Ctrl+Left, Ctrl+Right", "Show the new token before or after", "Model"),
        Gesture("1 to 9", "Continue with another of the most probable tokens", "Model"),
    )

    paints_by_head = True

    def __init__(
        self, lab: Lab, look: Look, selection: SelectionModel, current: CurrentView[ModelViewSettings]
    ) -> None:
        self._groups: tuple[Group, ...] = ()  # what the selection counts
        super().__init__(lab, look, selection, current)
        self.overview, self.text = self.pages.page_of(OverviewPage), self.pages.page_of(TextPage)
        self.image, self.lens = self.pages.page_of(ImagePage), self.pages.page_of(LensPage)
        self.joined = QCheckBox(self.tr("Join the pieces of a word"))
        self.hide_special = QCheckBox(self.tr("Leave out special tokens"))
        joins = self.tr("A word's weight as a key is the sum of its pieces', as a query their mean")
        self.view_panel.add("", self.joined, joins)
        self.view_panel.add("", self.hide_special, self.tr("Such as [CLS]; the rows then no longer sum to 1"))
        for field in ("joined", "hide_special"):
            current.bind(field, getattr(self, field))
        sides = tuple((each.name, translate(each.title), translate(each.help)) for each in SIDES.values())
        self.sides = Segments(self.tr("Side"), sides, self)
        self.rows.sides = self.sides
        self.sides.hide()
        current.bind("side", self.sides)
        self.overview.head_chosen.connect(self.choose_head)
        for page in (self.overview, self.lens):
            page.pointed.connect(self.point)

    @property
    @override
    def layer(self) -> Layer | None:
        if self.trace is None or super().layer is None:
            return None
        return self.trace.layer_shown(joined=self.view.joined, hide_special=self.view.hide_special)

    @property
    @override
    def focus_strip(self) -> QWidget:
        return self.overview.cells if self.view.page == "overview" else super().focus_strip

    @override
    def show_trace(self, trace: ModelTrace) -> None:
        if self.trace is None or self.trace.read.ids != trace.read.ids:
            self._groups = ()
        held = self._selection.locked
        if held.query is None and trace.prediction is not None and trace.read is trace.written:
            self._selection.begin_with(replace(held, query=trace.prediction.position))
        super().show_trace(trace)

    @override
    def show_widgets(self) -> None:
        if self.trace is not None:
            self.sides.setVisible(bool(self.trace.sides))
            self._count_groups(self.view.groups_of(self.trace.read))
            self.view_panel.offer(self.hide_special, any((*self.trace.read.special, *self.trace.read_of_keys.special)))
        super().show_widgets()

    @property
    @override
    def paints(self) -> bool:
        texts = () if self.trace is None else (self.trace.read, self.trace.read_of_keys)
        # Words of several pieces are no cells of the mask.
        return bool(texts) and all(len(self.view.groups_of(each)) == len(each) for each in texts)

    def _count_groups(self, groups: tuple[Group, ...]) -> None:
        """Keep the chosen tokens when words replace their pieces, or special tokens are left out."""
        before, self._groups = self._groups, groups
        if not before or len(before) == len(groups):
            return

        def moved(place: int | None) -> int | None:
            if place is None or place >= len(before):
                return None
            token = before[place].tokens[0]
            return next((at for at, group in enumerate(groups) if group.tokens[-1] >= token), len(groups) - 1)

        held = self._selection.locked
        self._selection.begin_with(Selection(held.head, moved(held.query), moved(held.key)))

    @property
    @override
    def sentence_room(self) -> int:
        if self.view.page == "overview" and self.trace is not None and self.trace.prediction is not None:
            return _CHANGED  # also without interventions, so that nothing moves
        return _SENTENCE if self.trace is None or len(self._groups) == len(self.trace.read) else _NOTED

    @property
    @override
    def has_outer(self) -> bool:
        return self.several and self.view.page not in ("overview", "lens", "rollout")  # these have the layers

    @override
    def _show_missing(self) -> None:
        if self.trace is not None and self.awaits_side(self.trace):
            self.cursor_asked.emit(self.cursor_at(self.view.layer))  # the picture stays until it has come
            return
        super()._show_missing()
        if self.view.page == "overview" and self.trace is not None:
            self.pages.setCurrentWidget(self.overview)
            self.overview.show_missing(self.trace, self.weight_table, self.missing.text())

    def awaits_side(self, trace: ModelTrace) -> bool:
        """Return whether the chosen side of an encoder-decoder is not that of a trace."""
        return bool(trace.sides) and trace.side != self.view.side

    @override
    def layers_of(self, trace: ModelTrace) -> Layers:
        if not self.awaits_side(trace):
            return trace.layers
        of = trace.sides[self.view.side]
        return Layers(of.num_layers, {}, of.others)

    @override
    def cursor_at(self, layer: int) -> Cursor:
        sided = self.trace is not None and bool(self.trace.sides)
        return Cursor(layer=layer, side=self.view.side if sided else None)

    @override
    def reading_of(self, content: Content) -> str:
        page = self.page
        return page.reading if isinstance(page, RolloutPage) else super().reading_of(content)

    @override
    def head_name(self, head: int) -> str:
        if self.trace is None or not self.several:
            return ""
        return HeadAt(self.trace.kind, self.number, head).name

    @property
    def held_source(self) -> tuple[int, ...]:
        """The tokens of the text, which can be hidden, at the selection: in cross-attention those of its key."""
        held, trace = self._selection.locked, self.trace
        if trace is None or trace.side == "decoder":
            return ()  # its tokens are others
        return self.key_tokens_at(held.key) if trace.crosses else self.tokens_at(held.query)

    def key_tokens_at(self, place: int | None) -> tuple[int, ...]:
        """Return the tokens at a shown position of the keys."""
        if self.trace is None or place is None:
            return ()
        groups = self.view.groups_of(self.trace.read_of_keys)
        return groups[place].tokens if place < len(groups) else ()

    def tokens_at(self, place: int | None) -> tuple[int, ...]:
        """Return the tokens at a shown position: several if they are pieces of a word."""
        return () if place is None or place >= len(self._groups) else self._groups[place].tokens
