"""The effects of heads in the right column: attribution against ablation, and ablation against other heads."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from PySide6.QtWidgets import QWidget

from attnviz.definitions.counting import SCREEN
from attnviz.definitions.text import Text
from attnviz.experiment.model.residual.attribution import IGNORED
from attnviz.experiment.model.residual.both_effects import BothEffects
from attnviz.experiment.model.studies import MOST_SETS, HeadsInTurnTrace, RandomSetsTrace
from attnviz.gui.forms.editor import ComboBox
from attnviz.gui.plots.heads.effect_bands import EffectBand, EffectBands
from attnviz.gui.plots.heads.head_points import HeadPoint, HeadPoints
from attnviz.gui.theme import Look
from attnviz.gui.widgets.labels import caption
from attnviz.gui.widgets.layouts import column_of
from attnviz.gui.widgets.words import translate

_COUNTS = (0, 20, 50, 100, MOST_SETS)
"""The numbers of random sets to choose from."""
_MOST_LAYERS = 8
"""The most layers with a band."""


@dataclass(frozen=True, slots=True, eq=False)
class Effects:
    """The results of studies beside the trace on screen; None while they are not known, or not wanted."""

    both: BothEffects | None = None
    ablation: HeadsInTurnTrace | None = None
    sets: RandomSetsTrace | None = None
    off: bool = False
    """Whether heads are turned off, whose effect can be compared with that of random ones."""


class EffectsPart(QWidget):
    """Empty parts are hidden."""

    def __init__(self, look: Look) -> None:
        super().__init__()
        self.points = HeadPoints(look, self.tr("Attribution and ablation of every head"))
        self.of_points, self.of_layers, self.of_sets = (caption(wraps=True, plain=True) for _ in range(3))
        self.layers = EffectBands(look, self.tr("Heads of each layer, turned off in turn"))
        self.counts = ComboBox()
        """The number of random sets."""
        self.counts.setAccessibleName(self.tr("Random sets of heads"))
        for count in _COUNTS:
            several = translate(Text("compare with {count} random sets", {"count": count}))
            self.counts.addItem(several if count else self.tr("not compared with random heads"), count)
        self.counts.setToolTip(
            self.tr(
                "Random sets of as many heads in each of the same layers are turned off instead, "
                "so that the effect can be compared with something"
            )
        )
        self.sets = EffectBands(look, self.tr("The chosen heads beside random ones"))
        parts = self.points, self.of_points, self.layers, self.of_layers, self.counts, self.sets, self.of_sets
        column_of(self, *parts, gap=4)

    def show_effects(self, effects: Effects, layer: int, head: int) -> bool:
        """Show effects, with the chosen head marked; return whether there are any."""
        self._show_points(effects.both, layer, head)
        self._show_layers(effects.ablation, layer, head)
        self._show_sets(effects.sets)
        self.counts.setVisible(effects.off)
        return effects.both is not None or effects.ablation is not None or effects.off

    def _show_points(self, both: BothEffects | None, layer: int, head: int) -> None:
        for part in (self.points, self.of_points):
            part.setVisible(both is not None)
        if both is None:
            return
        number, heads = both.attribution.number, both.adds.shape[1]
        points = []
        for at, adds, lost in both.points:
            words = {"head": at.name, "adds": number(adds), "lost": number(-lost)}
            tip = translate(Text("head {head} adds {adds}; without it the logit changes by {lost}", words))
            points.append(HeadPoint(at.name, adds, lost, at.layer * heads + at.head, tip))
        self.points.show_points(tuple(points), self.tr("adds to the logit"), self.tr("lost without it"))
        self.points.select(layer * heads + head)
        self.of_points.setText(f"{translate(both.sentence())} {IGNORED.translated(translate)}")

    def _show_layers(self, found: HeadsInTurnTrace | None, layer: int, head: int) -> None:
        for part in (self.layers, self.of_layers):
            part.setVisible(found is not None)
        if found is None:
            return
        count = len(found.effect)
        first = min(max(0, layer - _MOST_LAYERS // 2), max(0, count - _MOST_LAYERS))
        bands = []
        for number in range(first, min(first + _MOST_LAYERS, count)):
            effects = found.of_single[number]
            here = number == layer and head < len(effects)
            others = np.delete(effects, head) if here else effects
            name = translate(Text("layer {n}", {"n": SCREEN.number(number)}))
            words: dict[str, Any] = {"layer": name, "low": "–", "high": "–"}
            if np.isfinite(effects).any():
                words |= {"low": found.number(float(np.nanmin(effects)))}
                words |= {"high": found.number(float(np.nanmax(effects)))}
            tip = translate(Text("{layer}: turning one head off costs {low} to {high}", words))
            bands.append(EffectBand(name, others, float(effects[head]) if here else np.nan, tip))
        self.layers.show_bands(tuple(bands))
        here = layer < count and head < found.effect.shape[1]
        self.of_layers.setText(translate(found.beside_layer(layer, head)) if here else "")

    def _show_sets(self, found: RandomSetsTrace | None) -> None:
        for part in (self.sets, self.of_sets):
            part.setVisible(found is not None)
        if found is not None:
            said = translate(found.sentence())
            self.sets.show_bands((EffectBand(self.tr("chosen"), found.lost, found.chosen, said),))
            self.of_sets.setText(said)
