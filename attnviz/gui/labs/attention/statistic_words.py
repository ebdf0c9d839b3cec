"""What the statistics of a head are called, and how their values are written."""

import math

from attnviz.gui.widgets.words import translate

TITLES = {
    "entropy": "Entropy",
    "diagonal": "On itself",
    "previous": "On previous",
    "first": "On first",
    "distance": "Distance",
    "sum_error": "Row sums",
}
HELPS = {
    "entropy": "How spread the rows are, in bits: 0 where each looks at one key",
    "diagonal": "Share of the weight on the key with the query's own position",
    "previous": "Share of the weight on the key before the query",
    "first": "Share of the weight on the first key",
    "distance": "How far away the keys are that the rows look at",
    "sum_error": "How far a row's sum is from 1 at most",
}


def title_of_statistic(name: str) -> str:
    """Return what a statistic is called."""
    return translate(TITLES[name])


def help_of_statistic(name: str) -> str:
    """Return what a statistic means."""
    return translate(HELPS[name])


def said(name: str, value: float) -> str:
    """Return the value of a statistic as a note beside a head."""
    if not math.isfinite(value):
        return "–"
    match name:
        case "entropy":
            return translate("{0} bit").format(f"{value:.2f}")
        case "distance":
            return f"{value:.2f}"
        case "sum_error":
            return f"{value:.0e}" if value else "0"
        case _:
            return f"{100 * value:.0f} %"
