"""The formula of a stage in the window's language."""

from typing import Any

from attnviz.definitions.stages import STAGES
from attnviz.gui.widgets.words import translate

Formula = tuple[str, str]
"""LaTeX, and its text for screen readers."""


def formula_of(trace: Any, stage: str, split: str = "q") -> Formula:
    """Return the formula of a stage of a trace; ``split`` is which of q, k and v the stage of that name shows."""
    latex, spoken = STAGES[stage].formula(trace, split)
    return latex, spoken.filled(translate)
