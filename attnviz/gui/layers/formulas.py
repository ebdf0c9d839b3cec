"""The formula of a stage in the window's language."""

from attnviz.definitions.stages import STAGES
from attnviz.experiment.layers.layer import Layer
from attnviz.gui.widgets.words import translate

Formula = tuple[str, str]
"""LaTeX, and its text for screen readers."""


def formula_of(layer: Layer, stage: str, split: str = "q") -> Formula:
    """Return the formula of a stage of a layer; ``split`` is the one of q, k and v shown at the stage of that name."""
    latex, spoken = STAGES[stage].formula(layer, split)
    return latex, spoken.filled(translate)


def header_of(layer: Layer, stage: str, split: str) -> tuple[str, str, str]:
    """Return the formula of a stage, its text for screen readers, and its shapes in and out as text."""
    shapes = STAGES[stage].shapes(layer, split)
    ends = shapes if len(shapes) == 1 else (shapes[0], shapes[-1])
    return *formula_of(layer, stage, split), " → ".join(map(str, ends)).replace("_", "")
