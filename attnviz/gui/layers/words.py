"""Texts about heads, rows and cells of attention, the line about the selected cell, and the formulas of stages."""

import math
from collections.abc import Sequence
from functools import partial
from typing import NamedTuple

import numpy as np

from attnviz.definitions.counting import SCREEN, name_at, on_screen
from attnviz.definitions.masks.own import OWN
from attnviz.definitions.stages import STAGES, cells_of
from attnviz.definitions.statistics import STATISTICS, Statistic
from attnviz.experiment.layers.cell import AttentionRow, reasons_at
from attnviz.experiment.layers.comparison import Aligned, CellDifference, cell_difference
from attnviz.experiment.layers.layer import Layer
from attnviz.experiment.layers.statistics import HeadStatistics, HeadValues
from attnviz.gui.widgets.selection import Selection
from attnviz.gui.widgets.words import number_text, translate, weight_text, with_patches

_KEYS_NAMED = 3


def statistic_text(statistic: Statistic, value: float, *, unit: bool = True) -> str:
    """Return the value of a statistic as text, with or without its unit; a dash if there is none."""
    if not math.isfinite(value):
        return "–"
    number = statistic.number(value)
    return translate(statistic.unit).format(number) if unit else number


def statistic_columns(statistics: HeadStatistics | None = None) -> tuple[HeadValues, ...]:
    """Return the statistics of a layer's heads as columns of a table; None: of no head."""
    return tuple(
        HeadValues(
            values=np.zeros((1, 0)) if statistics is None else statistics[name][np.newaxis],
            number=partial(statistic_text, statistic, unit=False),
            heading=translate(statistic.heading),
            help=f"{translate(statistic.help)}\n\nPyTorch: {statistic.torch}",
            spoken=f"{translate(statistic.help)}: {translate(statistic.spoken)}",
        )
        for name, statistic in STATISTICS.items()
    )


def row_title(layer: Layer, head: int, query: int, head_name: str = "") -> str:
    """Return the caption over a row; ``head_name`` is the head's name, if not its number."""
    token = with_patches(layer.query_names[query])
    name = token if token == str(SCREEN.number(query)) and not layer.has_words else f"“{token}”"
    if layer.num_heads == 1 and not head_name:
        return translate("QUERY {0}").format(name)
    return translate("QUERY {0}, HEAD {1}").format(name, head_name or SCREEN.head(head))


class Compared(NamedTuple):
    """The pinned run beside the layer on screen."""

    a: Layer
    stage: str
    """The compared stage."""
    aligned: Aligned = Aligned()


def compared_said(compared: Compared, b: Layer, place: tuple[int, int, int, int]) -> str:
    """Return the numbers of A and B in a cell and their difference; only B's if they cannot be compared."""
    a, stage, aligned = compared
    found = cell_difference(a, b, stage, place, aligned)
    if found is None:
        return f"B {number_text(b.shown(stage)[place], '.3f')}"
    return "A {}  B {}  B − A {}".format(*_both_and_difference(found))


def _both_and_difference(found: CellDifference) -> tuple[str, ...]:
    """Return the numbers of A, B and B − A with typographic signs."""
    pairs = (found.a, "z.3f"), (found.b, "z.3f"), (found.value, "+z.3f")
    return tuple(number_text(*pair).replace("-", "−") for pair in pairs)


def pair_said(compared: Compared, b: Layer, item: int, chosen: Selection) -> str:
    """Return the sentence about a cell of A, B and B − A, or about a row of weights of A and B; "" if there is none."""
    a, stage, aligned = compared
    if chosen.query is None or chosen.query >= len(b.query_names) or (chosen.key or 0) >= len(b.key_names):
        return ""  # the selection is of a run to come
    head = min(chosen.head, b.num_heads - 1)
    found = cell_difference(a, b, stage, (item, head, chosen.query, chosen.key or 0), aligned)
    if found is None:
        return ""
    query = _name_in_both(a.query_names, b.query_names, chosen.query, words=b.has_words)
    if chosen.key is not None:
        numbers, what = _both_and_difference(found), translate(cells_of(stage).word)
        key = _name_in_both(a.key_names, b.key_names, chosen.key, words=b.has_words)
        said = translate("Query {0}, key {1}: {2} {3} in A, {4} in B; B − A is {5}.")
        return said.format(query, key, what, *numbers)
    rows = a.weights[item, head, chosen.query], b.weights[item, head, chosen.query]
    if not cells_of(stage).weights or not all(row.any() and math.isfinite(row.max()) for row in rows):
        return ""
    best = [int(row.argmax()) for row in rows]
    most = [
        (with_patches(name_at(layer.key_names, place, words=layer.has_words)), number_text(row[place], ".3f"))
        for place, row, layer in zip(best, rows, (a, b), strict=True)
    ]
    if best[0] == best[1]:
        said = translate("Query {0} gives most to key {1}: {2} in A, {3} in B.")
        key = _name_in_both(a.key_names, b.key_names, best[0], words=b.has_words)
        return said.format(query, key, most[0][1], most[1][1])
    said = translate("Query {0} gives most to key {1} in A, {2}, and to key {3} in B, {4}.")
    return said.format(query, *most[0], *most[1])


def _name_in_both(of_a: Sequence[str], of_b: Sequence[str], place: int, *, words: bool) -> str:
    """Return B's name of a position, and A's if it is another word."""
    name = with_patches(name_at(of_b, place, words=words))
    return name if of_a[place] == of_b[place] else translate("{0} (“{1}” in A)").format(name, of_a[place])


def spoken_row(row: AttentionRow, head: int, key: int | None) -> str:
    """Return the summary of a row for screen readers; with a key, its weight is first."""
    who = translate("Query {0}, head {1}").format(row.token, SCREEN.head(head))
    if not row.shown.any():
        return translate("{0}: no valid key").format(who)
    parts = []
    if key is not None:
        state = "" if row.mask[key] else translate(", masked")
        parts.append(
            translate("key {0}: weight {1}{2}").format(row.key_tokens[key], weight_text(row.weights[key], 3), state)
        )
    best = row.order(by_weight=True)[:_KEYS_NAMED]
    most = ", ".join(f"{row.key_tokens[place]} {weight_text(row.weights[place], 3)}" for place in best)
    parts.append(translate("attends most to {0}").format(most))
    if row.sink is not None:
        parts.append(translate("the sink takes {0}").format(weight_text(row.sink, 3)))
    parts.append(translate("entropy {0} bit").format(number_text(row.entropy, ".2f")))
    parts.append(translate("{0} of {1} keys allowed").format(row.allowed, len(row.mask)))
    return f"{who}: {'; '.join(parts)}"


def spoken_cell(layer: Layer, stage: str, place: tuple[int, int, int, int]) -> str:
    """Return the description of a cell (item, head, query, key) at a stage, to be read or heard cell by cell.

    Its number there comes first, then its weight and its score; if it is masked, why.
    """
    query, key = (
        with_patches(name_at(names, at, words=layer.has_words))
        for names, at in zip((layer.query_names, layer.key_names), place[2:], strict=True)
    )
    cells, weight = cells_of(stage), float(layer.weights[place])
    parts = [] if layer.mask[place] else [mask_said(layer, place)]
    if layer.mask[place] or weight:
        if cells.tensor not in ("scores", "weights"):
            parts.append(f"{translate(cells.name)} {number_text(float(layer.shown(stage)[place]), '.4g')}")
        parts.append(translate("weight {0}").format(number_text(weight, ".4g")))
        parts += [] if layer.is_given else [translate("score {0}").format(number_text(layer.scores[place], ".4g"))]
    if cells.dropped and layer.dropped is not None and layer.dropped[place]:
        parts.append(translate("dropped"))
    return translate("query {query}, key {key}: {told}").format(query=query, key=key, told=", ".join(parts))


def mask_said(layer: Layer, place: tuple[int, int, int, int]) -> str:
    """Return "may attend" for a cell (item, head, query, key), or "masked" with every mask that forbids it."""
    clauses = clauses_said(layer, place)
    if layer.mask[place]:
        return f"{translate('may attend')} ({clauses})" if clauses else translate("may attend")
    reasons = reasons_at(layer.masks, *place)
    said = ", ".join(translate(each.template).format(**on_screen(each.numbers)) for each in reasons)
    return f"{translate('masked')}: {said}" + (f" ({clauses})" if clauses else "")


def clauses_said(layer: Layer, place: tuple[int, int, int, int]) -> str:
    """Return what each clause of the user's own mask says about a cell: "document: yes, window_4: no"; "" for one."""
    own = next((state for mask, state in layer.masks or () if mask is OWN), None)
    if own is None or len(own.parts()) < 2:
        return ""
    return ", ".join(clause_said(clause.name, bool(clause.at(*place))) for clause in own.parts())


def clause_said(title: str, allowed: bool) -> str:
    """Return what a clause says about a cell: "document: yes"."""
    return translate("{0}: yes").format(title) if allowed else translate("{0}: no").format(title)


def read_out_of(
    layer: Layer, item: int, chosen: Selection, compared: Compared | None = None, head_name: str = ""
) -> str:
    """Return query, key, score, weight and mask of the selected cell of a batch item; "" if none is selected.

    With a pinned run, it has both runs' numbers at the compared stage; ``head_name`` is as in `row_title`.
    """
    if chosen.query is None or chosen.key is None:
        return ""
    place = item, min(chosen.head, layer.num_heads - 1), chosen.query, chosen.key
    parts = [
        translate("head {0}").format(head_name or SCREEN.head(place[1])),
        translate("query {0}").format(with_patches(name_at(layer.query_names, chosen.query, words=layer.has_words))),
        translate("key {0}").format(with_patches(name_at(layer.key_names, chosen.key, words=layer.has_words))),
    ]
    pinned = None if compared is None else compared.a
    if compared is not None:
        parts.append(f"{translate(cells_of(compared.stage).word)}: {compared_said(compared, layer, place)}")
    else:
        parts += [] if layer.is_given else [translate("score {0}").format(number_text(layer.scores[place]))]
        if layer.changed_scores:
            parts.append(f"{translate(layer.score_name)} {number_text(layer.unmasked_scores[place])}")
        parts.append(translate("weight {0}").format(weight_text(layer.weights[place], 4)))
        if layer.dropped is not None:
            after = translate("after dropout {0}").format(weight_text(layer.dropped_weights[place], 4))
            parts.append(translate("dropped") if layer.dropped[place] else after)
    if pinned is not None and pinned.mask.shape == layer.mask.shape and pinned.mask[place] != layer.mask[place]:
        parts.append(f"A {mask_said(pinned, place)}, B {mask_said(layer, place)}")
    else:
        parts.append(mask_said(layer, place))
    return " · ".join(parts)


def formula_of(layer: Layer, stage: str, split: str = "q") -> tuple[str, str]:
    """Return the formula of a stage of a layer in LaTeX, and its text for screen readers.

    ``split`` is the one of q, k and v shown at the stage of that name.
    """
    latex, spoken = STAGES[stage].formula(layer, split)
    return latex, spoken.filled(translate)


def header_of(layer: Layer, stage: str, split: str) -> tuple[str, str, str]:
    """Return the formula of a stage, its text for screen readers, and its shapes in and out as text."""
    shapes = STAGES[stage].shapes(layer, split)
    ends = shapes if len(shapes) == 1 else (shapes[0], shapes[-1])
    return *formula_of(layer, stage, split), " → ".join(map(str, ends)).replace("_", "")
