"""The role of each head and its importance: heads and roles ablated in turn, on sequences of a test."""

from typing import Any

from PySide6.QtCore import Signal, Slot
from typing_extensions import override

from attnviz.definitions.counting import head_name
from attnviz.definitions.text import Text
from attnviz.experiment.labs import Asked
from attnviz.experiment.run import Failure
from attnviz.experiment.train.effects import (
    change_said,
    computing_sentence,
    effect_sentence,
    effects_of,
    loss_said,
    old_study_sentence,
)
from attnviz.experiment.train.role_effects import (
    PairEffect,
    RoleEffect,
    backup_sentence,
    pair_effects,
    pairs_with,
    role_effects,
    role_off_sentence,
    spare_heads_sentence,
)
from attnviz.experiment.train.studies import HeadsInTurn, HeadsInTurnTrace, RolesInTurn, RolesInTurnTrace
from attnviz.gui.labs.study_page import StudyPage
from attnviz.gui.labs.train.head_values import lost_values, pictures_of
from attnviz.gui.labs.train.role_switches import RoleSwitches
from attnviz.gui.labs.train.shown import Shown
from attnviz.gui.layers.heads_view import weight_line
from attnviz.gui.plots.heads.head_map import HeadMap
from attnviz.gui.plots.heads.ranked_list import Ranked, Ranking
from attnviz.gui.plots.page import ColourLine
from attnviz.gui.theme import Look
from attnviz.gui.widgets.gestures import Gesture
from attnviz.gui.widgets.layouts import column_of
from attnviz.gui.widgets.selection import SelectionModel
from attnviz.gui.widgets.words import failure_text, translate


class EffectPage(StudyPage[Shown]):
    """Requests the study of the current step; until it is there, the last result is dimmed and marked as old."""

    GESTURES = (
        Gesture("Click", "Choose a head", "Effect of heads"),
        Gesture("Up, Down, Left, Right", "Choose the next head", "Effect of heads"),
    )

    head_chosen = Signal(int, int)
    """The layer and the head that the user clicked."""
    switched = Signal(object)
    """The heads, each with its layer, that the user ablates together, or turns on again."""

    asked = Signal()
    """`wanted` has changed: other pairs are to be shown."""

    def __init__(self, look: Look, selection: SelectionModel, current: Any) -> None:
        super().__init__(look, selection, current)
        self.hint = self.tr("Click a head to choose it. X turns it off.")
        self._shown: Shown | None = None
        self._drawn: HeadsInTurnTrace | None = None
        self._paired: tuple[bool, tuple[int, int]] | None = None  # whether pairs of a head are drawn, and which
        self._part: tuple[Asked, int, int] | None = None  # the progress of a study's heads
        self.picture = HeadMap(look, self.tr("What each head attends to, and what is lost without it"))
        self.picture.clicked.connect(self._choose)
        self.picture.painted.connect(self.painted)
        self.roles = RoleSwitches()
        self.roles.switched.connect(self.switched)
        self._of_roles: RolesInTurnTrace | None = None  # what the lines show
        column_of(self, self.picture, self.roles, wide=(self.picture,))

    @property
    @override
    def study(self) -> HeadsInTurn | None:
        """The study of the step on screen."""
        return None if self._shown is None else HeadsInTurn(of=self._shown.trace.spec, step=self._shown.trace.step)

    @property
    def _chosen(self) -> tuple[int, int]:
        assert self._shown is not None
        return self._shown.view.layer, min(self._selection.locked.head, self._shown.trace.num_heads - 1)

    @property
    def _pairs_study(self) -> HeadsInTurn | None:
        """The study of the chosen head with each other one; None if those pairs are not shown, or it is ablated."""
        study, shown = self.study, self._shown
        if study is None or shown is None or not shown.view.pairs_of_head or self._chosen in study.of.pairs_off:
            return None
        off = tuple(head_name(*head) for head in sorted((*study.of.pairs_off, self._chosen)))
        return HeadsInTurn(of=study.of.model_copy(update={"heads_off": off}), step=study.step)

    @property
    def _of_all_on(self) -> tuple[HeadsInTurn, RolesInTurn]:
        """The studies of the roles of the model with every head on."""
        study = self.study
        assert study is not None
        of = {"of": study.of.model_copy(update={"heads_off": ()}), "step": study.step}
        return HeadsInTurn(**of), RolesInTurn(**of)

    @override
    def studies(self) -> tuple[HeadsInTurn | RolesInTurn, ...]:
        study, pairs = self.study, self._pairs_study
        if study is None:
            return ()
        return tuple(dict.fromkeys((study, *(() if pairs is None else (pairs,)), *self._of_all_on)))

    @override
    def wanted(self) -> tuple[Asked, ...]:
        wanted = super().wanted()
        return wanted[:1] if self.study in wanted else wanted

    @override
    def show_data(self, data: Shown) -> None:
        self._shown = data
        self.draw_results()

    @override
    def show_part(self, asked: Asked, done: int, count: int) -> None:
        if asked in self.wanted():
            self._part = asked, done, count
            self.draw_results()

    @override
    def colour_line(self) -> ColourLine | None:
        shown = self._shown
        if shown is None:
            return None  # but not until the study is there: the row would then move what the mouse is on
        line = weight_line(shown.trace.layers[shown.view.layer], shown.view.contrast_drawn, shown.weights)
        return line._replace(masked=True)

    @override
    def say_stopped(self) -> None:
        if self.wanted():
            self._part = None
            self._say_beside_old(self.tr("Stopped. Choose the page again to turn each head off in turn."))

    @override
    def select(self) -> None:
        if self._shown is not None:
            chosen = self._shown.in_model(self._selection.current).head
            self.picture.select(None if self._is_of_another else chosen)
            if self._paired != (self._shown.view.pairs_of_head, self._chosen):
                self.draw_results()

    @property
    def _is_of_another(self) -> bool:
        """Whether the picture belongs to another model than the one on screen."""
        drawn, study = self._drawn, self.study
        return drawn is not None and study is not None and drawn.spec.is_of_another_training(study)

    @override
    def draw_results(self) -> None:
        if self._shown is None:
            return
        event, trace = self.result(self.study), self._shown.trace
        roles = self._draw_roles()
        paired = self._shown.view.pairs_of_head, self._chosen
        if paired != self._paired:
            self._paired = paired
            self.roles.pairs.setText(translate(Text("Pairs with {head}", {"head": head_name(*self._chosen)})))
            self.asked.emit()
        if isinstance(event, HeadsInTurnTrace):
            effects = effects_of(trace, event)
            levels, _ = pictures_of(trace, self._shown.view.contrast_drawn)
            first, self._drawn, self._part = self._drawn is None, event, None
            if first:  # the colour bar comes with the first picture
                self.redraw_asked.emit()
            off = trace.spec.pairs_off
            said = role_off_sentence(roles, off) or effect_sentence(
                effects, event, Text() if off else spare_heads_sentence(roles)
            )
            pairs, no_pairs = self._pairs(event, bool(roles))
            if paired[0] and not no_pairs:
                said = backup_sentence(pairs)
            order = self.tr("sorted by loss beyond each alone") if paired[0] else self.tr("sorted by accuracy lost")
            lost, loss = lost_values(trace, event, effects)
            ranking = Ranking(
                translate("without both: accuracy"),
                translate("loss"),
                tuple(map(_ranked, pairs)),
                order,
                translate("each alone, added"),
                no_pairs,
            )
            self.picture.show_values(lost, None, (levels, self._shown.weights), loss, ranking)
            words = {"effect": said, "sequences": event.spec.tested_on(event.sequences)}
            self.say(Text("{effect} On {sequences}.", words).translated(translate))
        elif isinstance(event, Failure):
            self._say_beside_old(failure_text(event))
        elif self._part is not None and self._part[0] == self.study:
            self._say_beside_old(computing_sentence(*self._part[1:]).translated(translate))
        else:
            self._say_beside_old(self.tr("Each head is measured once the training is paused or ends."))
        self.select()

    def _pairs(self, alone: HeadsInTurnTrace, with_roles: bool) -> tuple[tuple[PairEffect, ...], str]:
        """Return the shown pairs, or why there are none."""
        assert self._shown is not None
        study, head = self._pairs_study, {"head": head_name(*self._chosen)}
        found = None if study is None else self.result(study)
        if isinstance(found, HeadsInTurnTrace):
            return pairs_with(self._chosen, found, alone), ""
        if isinstance(found, Failure):
            return (), failure_text(found)
        if study is not None:
            return (), translate(Text("Computing pairs with {head}", head))
        if self._shown.view.pairs_of_head:
            return (), translate(Text("{head} is off: it has no pairs", head))
        # Pairs of a role are those of the model with every head on.
        roles = self._of_roles if with_roles and not alone.spec.of.heads_off else None
        return () if roles is None else pair_effects(roles, alone), ""

    def _draw_roles(self) -> tuple[RoleEffect, ...]:
        """Draw a line for each role, and return them; empty if their studies are not ready."""
        assert self._shown is not None
        alone, together = self._of_all_on
        found, of_heads = self.result(together), self.result(alone)
        self.roles.show_off(self._shown.trace.spec.pairs_off)
        if isinstance(found, RolesInTurnTrace) and isinstance(of_heads, HeadsInTurnTrace):
            self._of_roles, effects = found, role_effects(found, of_heads)
            self.roles.show_roles(effects)
            self.roles.say(self.tr("Accuracy without all heads of a role, every other head on"), old=False)
            return effects
        if isinstance(found, Failure):
            said = failure_text(found)
        elif self._part is not None and self._part[0] == together:
            said = computing_sentence(*self._part[1:], together=True).translated(translate)
        else:
            said = self.tr("Roles are turned off in turn after the heads.")
        drawn = self._of_roles
        old = Text() if drawn is None else old_study_sentence(drawn.spec, together)
        self.roles.say(f"{said} {old.translated(translate)}".strip(), old=True)
        return ()

    def _say_beside_old(self, words: str) -> None:
        """Show why the current study is not ready, and the origin of the picture."""
        study, drawn = self.study, self._drawn
        old = Text() if study is None or drawn is None else old_study_sentence(drawn.spec, study)
        said = old.translated(translate)
        self.picture.dim(said)
        self.say(f"{words} {said}".strip())

    @Slot(int)
    def _choose(self, place: int) -> None:
        if not self._is_of_another and self._shown is not None:
            self.head_chosen.emit(*divmod(place, self._shown.trace.num_heads))


def _ranked(pair: PairEffect) -> Ranked:
    """Return the line of a pair of heads; the mark in its bar is the sum of the single losses."""
    return Ranked(pair.name, pair.lost, change_said(pair.lost), loss_said(pair.loss_gained), mark=pair.apart)
