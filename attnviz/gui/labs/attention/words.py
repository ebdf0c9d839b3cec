"""Texts about heads, rows and cells of attention: titles, summaries for screen readers, comparisons of two runs."""

import math

from attnviz.definitions.statistics import Statistic
from attnviz.experiment.attention.comparison import cell_difference
from attnviz.experiment.attention.row import AttentionRow
from attnviz.experiment.attention.trace import AttentionTrace, Stage
from attnviz.gui.widgets.words import number_text, translate

_NAMED = 3


def statistic_text(statistic: Statistic, value: float, *, unit: bool = True) -> str:
    """Return the value of a statistic as text, with or without its unit; a dash if there is none."""
    if not math.isfinite(value):
        return "–"
    number = statistic.number(value)
    return translate(statistic.unit).format(number) if unit else number


def row_title(trace: AttentionTrace, head: int, query: int) -> str:
    """Return the caption over a row."""
    token = trace.query_tokens[query]
    name = token if token == str(query) else f"“{token}”"
    if trace.num_heads == 1:
        return translate("QUERY {0}").format(name)
    return translate("QUERY {0}, HEAD {1}").format(name, head + 1)


def compared_said(a: AttentionTrace, b: AttentionTrace, stage: Stage, place: tuple[int, int, int, int]) -> str:
    """Return the numbers of A and B in a cell and their difference; B's alone if they cannot be compared."""
    found = cell_difference(a, b, stage, place)
    if found is None:
        return f"B {number_text(b.shown(stage)[place], '.3f')}"
    numbers = number_text(found.a, ".3f"), number_text(found.b, ".3f"), number_text(found.value, "+.3f")
    return "A {}  B {}  B - A {}".format(*numbers)


def spoken_row(row: AttentionRow, head: int, key: int | None) -> str:
    """Return the summary of a row for screen readers; with a key, its weight is first."""
    who = translate("Query {0}, head {1}").format(row.token, head + 1)
    if not row.shown.any():
        return translate("{0}: no valid key").format(who)
    parts = []
    if key is not None:
        state = "" if row.mask[key] else translate(", masked")
        parts.append(
            translate("key {0}: weight {1}{2}").format(row.key_tokens[key], number_text(row.weights[key], ".3f"), state)
        )
    best = row.order(by_weight=True)[:_NAMED]
    most = ", ".join(f"{row.key_tokens[place]} {number_text(row.weights[place], '.3f')}" for place in best)
    parts.append(translate("attends most to {0}").format(most))
    parts.append(translate("entropy {0} bit").format(number_text(row.entropy, ".2f")))
    parts.append(translate("{0} of {1} keys allowed").format(row.allowed, len(row.mask)))
    return f"{who}: {'; '.join(parts)}"
