"""The stage of the model lab: that of a layer, with all heads, the text, and words instead of their pieces."""

from dataclasses import replace

from PySide6.QtWidgets import QCheckBox, QWidget
from typing_extensions import override

from attnviz.experiment.labs import Lab
from attnviz.experiment.layers.layer import Layer
from attnviz.experiment.model.text import Group
from attnviz.experiment.model.trace import ModelTrace
from attnviz.experiment.model.view import ModelViewSettings
from attnviz.gui.labs.current_view import CurrentView
from attnviz.gui.labs.layered.stage import LayerStage
from attnviz.gui.labs.model.image_page import ImagePage
from attnviz.gui.labs.model.overview_page import OverviewPage
from attnviz.gui.labs.model.text_page import TextPage
from attnviz.gui.theme import Look
from attnviz.gui.widgets.gestures import Gesture
from attnviz.gui.widgets.selection import Selection, SelectionModel

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
        self.image = self.pages.page_of(ImagePage)
        self.joined = QCheckBox(self.tr("Join the pieces of a word"))
        self.hide_special = QCheckBox(self.tr("Leave out special tokens"))
        joins = self.tr("A word's weight as a key is the sum of its pieces', as a query their mean")
        self.view_panel.add("", self.joined, joins)
        self.view_panel.add("", self.hide_special, self.tr("Such as [CLS]; the rows then no longer sum to 1"))
        for field in ("joined", "hide_special"):
            current.bind(field, getattr(self, field))
        self.overview.head_chosen.connect(self.choose_head)
        self.overview.pointed.connect(self.point)

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
        if held.query is None and trace.prediction is not None:
            self._selection.begin_with(replace(held, query=trace.prediction.position))
        super().show_trace(trace)

    @override
    def show_widgets(self) -> None:
        if self.trace is not None:
            self._count_groups(self.view.groups_of(self.trace.read))
            self.view_panel.offer(self.hide_special, any(self.trace.read.special))
        super().show_widgets()

    @property
    @override
    def paints(self) -> bool:
        return self.trace is not None and len(self._groups) == len(
            self.trace.read
        )  # else words are no cells of the mask

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
        return self.several and self.view.page != "overview"  # its map has the layers

    @override
    def _show_missing(self) -> None:
        super()._show_missing()
        if self.view.page == "overview" and self.trace is not None:
            self.pages.setCurrentWidget(self.overview)
            self.overview.show_missing(self.trace, self.weight_table, self.missing.text())

    def tokens_at(self, place: int | None) -> tuple[int, ...]:
        """Return the tokens at a shown position: several if they are pieces of a word."""
        return () if place is None or place >= len(self._groups) else self._groups[place].tokens
