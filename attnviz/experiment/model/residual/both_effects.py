"""Attribution beside ablation: what a head adds to a logit by itself, and how much the logit falls without it.

They differ by how later parts respond to the head: those that read what it wrote, and those that make up for its
absence (McGrath et al. 2023, "The Hydra Effect").
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from attnviz.definitions.text import Text, listed
from attnviz.experiment.model.residual.attribution import AttributionTrace
from attnviz.experiment.model.sides import HeadAt, Kind
from attnviz.experiment.model.studies import HeadsInTurnTrace

_FAR = 0.1
"""The least difference that is named, as a share of the largest number of both measures."""


@dataclass(frozen=True, slots=True, eq=False)
class BothEffects:
    """Both measures of the heads of a kind of attention, for the same logit."""

    attribution: AttributionTrace
    ablation: HeadsInTurnTrace
    kind: Kind

    @property
    def adds(self) -> NDArray[np.float64]:
        """(L, h), what each head adds."""
        return self.attribution.of_kind[self.kind]

    @property
    def lost(self) -> NDArray[np.float64]:
        """(L, h), by how much the logit falls without each head."""
        return np.full(self.adds.shape, np.nan) if self.ablation.lost is None else self.ablation.lost

    @property
    def points(self) -> tuple[tuple[HeadAt, float, float], ...]:
        """Every head with both of its finite numbers."""
        places = zip(*np.nonzero(np.isfinite(self.adds) & np.isfinite(self.lost)), strict=True)
        return tuple(
            (HeadAt(self.kind, int(at[0]), int(at[1])), float(self.adds[at]), float(self.lost[at])) for at in places
        )

    def sentence(self) -> Text:
        """Name the heads on which both measures disagree most; empty if there is no head."""
        return listed(self.sentences(), "{first} {rest}") if self.points else Text()

    def sentences(self) -> tuple[Text, ...]:
        """Name the head on which most depends beyond what it adds, and the one that is missed least for what it adds.

        The larger disagreement is first; if both measures agree, there is one sentence that says so.
        """
        if not (points := self.points):
            return ()
        least = _FAR * max(max(abs(adds), abs(lost)) for _, adds, lost in points)
        indirect = max(points, key=lambda point: point[2] - point[1])
        replaced = max(points, key=lambda point: point[1] - point[2])
        found = []
        if (apart := indirect[2] - indirect[1]) > least:
            sentence = "Head {head} adds {adds}, but without it the logit changes by {lost}: later parts depend on it."
            found.append((apart, Text(sentence, self._numbers(*indirect))))
        if (apart := replaced[1] - replaced[2]) > least:
            sentence = (
                "Head {head} adds {adds}, but without it the logit changes by {lost} only: "
                "later parts, and norms that rescale, make up for it."
            )
            found.append((apart, Text(sentence, self._numbers(*replaced))))
        found.sort(key=lambda each: -each[0])
        return tuple(each for _, each in found) or (Text("Attribution and ablation agree on every head."),)

    def _numbers(self, head: HeadAt, adds: float, lost: float) -> dict[str, Any]:
        number = self.attribution.number
        return {"head": head.name, "adds": number(adds), "lost": number(-lost)}
