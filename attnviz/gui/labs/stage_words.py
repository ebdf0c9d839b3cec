"""What the strip calls the stages of both labs."""

from attnviz.gui.widgets.words import translate

_TITLES = {
    "project": "Q K V",
    "split": "split",
    "features": "tanh",
    "scores": "scores",
    "masked_scores": "mask",
    "weights": "weights",
    "dropped_weights": "dropout",
    "heads": "heads out",
    "merge": "merge",
    "output": "output",
    "differences": "differences",
    "kernel": "kernel",
    "pooling": "pooling",
}


def stage_title(stage: str) -> str:
    """Return the word for a stage in the window's language."""
    return translate(_TITLES[stage])
