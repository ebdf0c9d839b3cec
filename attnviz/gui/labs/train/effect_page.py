"""What each head looks at and what it is needed for: heads and roles turned off in turn, on sequences of a test."""

import numpy as np
from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QWidget
from typing_extensions import override

from attnviz.definitions.text import Text
from attnviz.experiment.labs import Asked
from attnviz.experiment.run import Failure
from attnviz.experiment.train.effects import computing_sentence, effect_sentence, effects_of, old_study_sentence
from attnviz.experiment.train.role_effects import (
    RoleEffect,
    pair_effects,
    role_effects,
    role_off_sentence,
    spare_heads_sentence,
)
from attnviz.experiment.train.studies import HeadsInTurn, HeadsInTurnTrace, RolesInTurn, RolesInTurnTrace
from attnviz.gui.labs.study_page import StudyPage
from attnviz.gui.labs.train.effect_picture import EffectPicture
from attnviz.gui.labs.train.role_switches import RoleSwitches
from attnviz.gui.labs.train.shown import Shown
from attnviz.gui.layers.heads_view import weight_line
from attnviz.gui.plots.page import ColourLine
from attnviz.gui.theme import Look
from attnviz.gui.widgets.layouts import column_of
from attnviz.gui.widgets.selection import SelectionModel
from attnviz.gui.widgets.words import failure_text, translate


class EffectPage(StudyPage[Shown]):
    """Asks for the study of the step on screen; until it is there, the last result is dimmed and said to be old."""

    with_stages = False
    head_chosen = Signal(int, int)
    """The layer and the head that the user clicked."""
    switched = Signal(object)
    """The heads, each with its layer, that the user turns off together, or on again."""

    def __init__(self, look: Look, selection: SelectionModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.hint = self.tr("Click a head to choose it. X turns it off.")
        self._selection = selection
        self._shown: Shown | None = None
        self._drawn: HeadsInTurnTrace | None = None
        self._part: tuple[Asked, int, int] | None = None  # of a study under way: how many of its heads are done
        self.picture = EffectPicture(look)
        self.picture.chosen.connect(self._choose)
        self.picture.painted.connect(self.painted)
        self.roles = RoleSwitches()
        self.roles.restyle(look)
        self.roles.switched.connect(self.switched)
        self._of_roles: RolesInTurnTrace | None = None  # what the lines show
        column_of(self, self.picture, self.roles, wide=(self.picture,))

    @property
    def study(self) -> HeadsInTurn | None:
        """The study of the step on screen."""
        return None if self._shown is None else HeadsInTurn(of=self._shown.trace.spec, step=self._shown.trace.step)

    @override
    def studies(self) -> tuple[HeadsInTurn | RolesInTurn, ...]:
        """Return that of the heads first, and then those of the roles of the model with every head on."""
        study = self.study
        if study is None:
            return ()
        of = {"of": study.of.model_copy(update={"heads_off": ()}), "step": study.step}
        return tuple(dict.fromkeys((study, HeadsInTurn(**of), RolesInTurn(**of))))

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
            chosen = self._shown.view.layer, self._selection.current.head
            self.picture.select(None if self._is_of_another else chosen)

    @override
    def restyle(self, look: Look) -> None:
        self.picture.restyle(look)
        self.roles.restyle(look)

    @property
    def _is_of_another(self) -> bool:
        """Whether the picture is that of another model than the one on screen."""
        drawn, study = self._drawn, self.study
        return drawn is not None and study is not None and drawn.spec.is_of_another_training(study)

    @override
    def draw_results(self) -> None:
        if self._shown is None:
            return
        event, trace = self.result(self.study), self._shown.trace
        roles = self._draw_roles()
        if isinstance(event, HeadsInTurnTrace):
            effects = effects_of(trace, event)
            contrast = self._shown.view.contrast_drawn
            levels = np.concatenate([layer.levels("weights", contrast) for layer in trace.layers])
            first, self._drawn, self._part = self._drawn is None, event, None
            if first:  # the colour bar comes with the first picture
                self.redraw_asked.emit()
            off = trace.spec.pairs_off
            said = role_off_sentence(roles, off) or effect_sentence(
                effects, event, Text() if off else spare_heads_sentence(roles)
            )
            # Roles and pairs are those of the model with every head on.
            pairs = pair_effects(self._of_roles) if roles and self._of_roles is not None and not off else ()
            self.picture.show_effects(effects, levels, self._shown.weights, pairs)
            words = {
                "effect": said,
                "sequences": event.spec.tested_on(event.sequences),
            }
            self.say(Text("{effect} On {sequences}.", words).translated(translate))
        elif isinstance(event, Failure):
            self._say_beside_old(failure_text(event))
        elif self._part is not None and self._part[0] == self.study:
            self._say_beside_old(computing_sentence(*self._part[1:]).translated(translate))
        else:
            self._say_beside_old(
                self.tr("Each head is turned off in turn where the training is paused, and at its end.")
            )
        self.select()

    def _draw_roles(self) -> tuple[RoleEffect, ...]:
        """Draw a line for each role, and return them; none where their studies are not there yet."""
        assert self._shown is not None
        *_, alone, together = self.studies()
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
        """Say why the study on screen is not there, and whose the picture is in its place."""
        study, drawn = self.study, self._drawn
        old = Text() if study is None or drawn is None else old_study_sentence(drawn.spec, study)
        said = old.translated(translate)
        self.picture.dim(said)
        self.say(f"{words} {said}".strip())

    @Slot(int, int)
    def _choose(self, layer: int, head: int) -> None:
        if not self._is_of_another:
            self.head_chosen.emit(layer, head)
