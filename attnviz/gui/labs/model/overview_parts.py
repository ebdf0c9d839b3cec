"""Parts of the model lab's overview: the choices above the map of heads, and what the map shows."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QObject, QRect, Qt, Slot
from PySide6.QtWidgets import QCheckBox, QWidget

from attnviz.definitions.text import Text
from attnviz.experiment.colours import Scale, symmetric_scale
from attnviz.experiment.layers.statistics import HeadValues
from attnviz.experiment.model.overview import OF_ROLES, OVERVIEW
from attnviz.experiment.model.residual.attribution import IGNORED, AttributionTrace
from attnviz.experiment.model.residual.both_effects import BothEffects
from attnviz.experiment.model.sentences import role_said
from attnviz.experiment.model.studies import HeadsInTurnTrace
from attnviz.experiment.model.trace import ModelTrace
from attnviz.experiment.model.view import ModelViewSettings
from attnviz.experiment.sweeps.roles import RolesOverRuns
from attnviz.gui.forms.editor import ComboBox
from attnviz.gui.labs.current_view import CurrentView
from attnviz.gui.labs.model.corpus_box import CorpusBox
from attnviz.gui.labs.model.editors.token_edit import TokenEdit
from attnviz.gui.plots.heads.head_map import head_said, off_said
from attnviz.gui.widgets.labels import caption
from attnviz.gui.widgets.layouts import row_of
from attnviz.gui.widgets.words import translate

_TOKEN = 14
"""The characters of a token that have room in its choice."""


class OverviewChoices(QObject):
    """What the map shows of every head: a row above it, and a second one for the logit that heads add to."""

    def __init__(self, current: CurrentView[ModelViewSettings], page: QWidget) -> None:
        super().__init__(page)
        self._current = current
        self.number = _numbers_box()
        self.pictures = QCheckBox(self.tr("Small pictures"))
        self.effect = QCheckBox(self.tr("Turn each off in turn"))
        self.effect.setToolTip(
            self.tr(
                "Run the model once without each head (ablation). The colour is how much probability the top token "
                "loses, unless it is what each head adds; then that is on the right."
            )
        )
        self.adds = QCheckBox(self.tr("What each head adds"))
        self.adds.setToolTip(
            self.tr("The colour is what each head adds to a logit by itself (direct logit attribution).")
            + " "
            + IGNORED.translated(translate)
        )
        self.of_token = TokenEdit(self.tr("top prediction"), takes_text=True)
        self.minus = TokenEdit(self.tr("nothing"), takes_text=True)
        self.over_texts = CorpusBox()
        self.row, self._of_logit = QWidget(page), QWidget(page)
        row_of(self.row, self.number, self.pictures, self.effect, self.adds, self.over_texts, gap=8)
        names = self.tr("Logit of"), self.tr("minus that of")
        about = self.tr("One of the most probable tokens, or any other: type its text, or #7 for its number")
        for edit, name in zip((self.of_token, self.minus), names, strict=True):
            edit.box.setSizeAdjustPolicy(ComboBox.SizeAdjustPolicy.AdjustToContents)
            edit.box.setMinimumContentsLength(_TOKEN)
            edit.box.setAccessibleName(name)
            edit.setToolTip(about)
            edit.edited.connect(self._choose_tokens)
        row_of(self._of_logit, caption(names[0]), self.of_token, caption(names[1]), self.minus, gap=8)
        self._of_logit.hide()
        current.bind("overview", self.number)
        current.bind("over_texts", self.over_texts)
        for field, box in (("thumbnails", self.pictures), ("by_effect", self.effect), ("by_attribution", self.adds)):
            current.bind(field, box)

    def show_heads(self, heads: "MappedHeads") -> None:
        """Offer the most probable tokens, and those of the attribution on screen."""
        trace, view, found = heads.trace, heads.view, heads.attribution
        now = trace.prediction
        named = {} if now is None else dict(zip(now.ids, now.tokens, strict=True))
        if found is not None:
            named |= {found.token_id: found.token} | ({} if found.minus_id is None else {found.minus_id: found.minus})
        for edit, value in ((self.of_token, view.attributed), (self.minus, view.minus)):
            edit.show_named(tuple(named.items()))
            edit.set_value(value)
        self._of_logit.setVisible(view.by_attribution and trace.side != "encoder")
        self.over_texts.show_corpus(view.corpus_of(trace))
        self.number.setEnabled(heads.study is None)
        self.number.setToolTip(translate(OVERVIEW[view.overview].help))

    def place(self, width: int, height: int) -> QRect:
        """Place the rows, each of a height, at the top of a page; return the rectangle of the last one."""
        for at, row in enumerate((self.row, self._of_logit)):
            row.setGeometry(0, at * height, min(row.sizeHint().width(), width), height)
        return (self.row if self._of_logit.isHidden() else self._of_logit).geometry()

    @Slot()
    def _choose_tokens(self) -> None:
        self._current.propose(attributed=self.of_token.value(), minus=self.minus.value())


def _numbers_box() -> ComboBox:
    """Return the choice of the heads' measure: statistics first, then roles."""
    box = ComboBox()
    box.setAccessibleName(translate("The number of each head"))
    box.setSizeAdjustPolicy(ComboBox.SizeAdjustPolicy.AdjustToContents)
    for record in OVERVIEW.values():
        if record is OF_ROLES[0]:
            box.add_heading(translate("Roles"))
        box.addItem(translate(record.title), record.name)
        box.setItemData(box.count() - 1, translate(record.help), Qt.ItemDataRole.ToolTipRole)
    return box


@dataclass(frozen=True, eq=False)
class MappedHeads:
    """What the map shows of every head: the chosen measure, or the result of a study, and its role."""

    trace: ModelTrace
    view: ModelViewSettings
    attribution: AttributionTrace | None
    ablation: HeadsInTurnTrace | None

    @property
    def key(self) -> tuple[object, ...]:
        """Equal for the same map."""
        view = self.view
        drawn = view.overview, view.thumbnails, view.contrast_drawn, self.is_grouped, self._corpus
        return self.trace.overview, set(self.trace.pairs_off), drawn, self.attribution, self.ablation

    @property
    def is_grouped(self) -> bool:
        """Whether the pictures have groups of tokens, whose measures are nevertheless those of all tokens."""
        return len(self.view.groups_of(self.trace.read)) != len(self.trace.read)

    @property
    def study(self) -> AttributionTrace | HeadsInTurnTrace | None:
        """The study whose numbers are shown in place of the chosen measure."""
        return self.ablation if self.attribution is None else self.attribution

    @property
    def both(self) -> BothEffects | None:
        """Both measures of the heads, once both are known."""
        adds, lost = self.attribution, self.ablation
        if adds is None or lost is None or lost.lost is None:
            return None
        return BothEffects(adds, lost, self.trace.kind)

    @property
    def _corpus(self) -> RolesOverRuns | None:
        """The roles over many texts that name the heads; None: the text on screen names them."""
        return self.view.corpus_of(self.trace) if self.view.over_texts else None

    @property
    def _stack(self) -> str:
        """The stack of the heads, as in the columns of a sweep."""
        return "" if self.trace.kind == "self" else self.trace.side

    @property
    def title(self) -> Text:
        """The title of the numbers."""
        return OVERVIEW[self.view.overview].title if self.study is None else self.study.title

    @property
    def _numbers(self) -> NDArray[np.float64]:
        study, overview = self.study, self.trace.overview
        if study is None:
            return overview.of(self.view.overview)
        return study.of_kind[self.trace.kind] if isinstance(study, AttributionTrace) else study.effect

    @property
    def scale(self) -> Scale:
        """The scale of the numbers."""
        shown = self.view.overview
        return self.trace.overview.scale(shown) if self.study is None else symmetric_scale(self._numbers)

    @cached_property
    def values(self) -> HeadValues:
        """The numbers and roles of all heads."""
        trace, study, corpus = self.trace, self.study, self._corpus
        alike = len(trace.model.kv_heads) == 1  # else there is no group of columns that is one in every layer
        return HeadValues(
            values=self._numbers,
            number=OVERVIEW[self.view.overview].number if study is None else study.number,
            title=translate(self.title),
            scale=self.scale,
            roles=trace.overview.head_roles if corpus is None else corpus.head_roles(self._stack),
            off=set(trace.pairs_off),
            others={layer: translate(what) for layer, what in trace.model.others.items()},
            shared=max(1, trace.model.num_heads // trace.model.kv_heads[0]) if alike else 1,
            told=self._told,
        )

    def _told(self, layer: int, head: int) -> str:
        """Return what is said of a head: its number, what its ablation costs if that is another one, and its role."""
        heads, trace, corpus, both = self.values, self.trace, self._corpus, self.both
        number = f"{heads.title}: {heads.number(float(heads.values[layer, head]))}"
        off = off_said(layer, head) if (layer, head) in heads.off else ""
        if corpus is None:
            role = translate(role_said(trace.overview, layer, head, trace.kind))
        else:
            named = corpus.of_stack(self._stack).get((layer, head))
            role = translate(Text("no role in most texts") if named is None else named.said)
        ablated = ""
        if both is not None:
            words = {"lost": both.attribution.number(-float(both.lost[layer, head]))}
            ablated = translate(Text("without it the logit changes by {lost}", words))
        said = head_said(layer, head), number, ablated, role, off
        return " · ".join(filter(None, said))
