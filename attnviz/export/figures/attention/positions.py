"""The attention lab's figure and table of positions: a score over distance, and the plane of a pair of features."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from attnviz.definitions.counting import CSV, SCREEN
from attnviz.definitions.text import Text
from attnviz.experiment.attention.positions import Plane, PositionFacts, chosen_cell, position_facts
from attnviz.experiment.attention.trace import AttentionTrace
from attnviz.export.figures.parts import CAPTION_ROW, add_axes, draw_caption, new_page
from attnviz.export.figures.settings import FigureSettings
from attnviz.export.figures.type_style import SMALL_TYPE, TYPE

_LEFT, _RIGHT, _TOP, _BOTTOM = 0.5, 0.12, 0.22, 0.38
_CURVE, _CIRCLE, _BETWEEN, _LINE = 1.5, 1.35, 0.16, 0.14
"""Heights in inches: of the curve, of the circle, and of the room between them; and of a second line of the title."""


def facts_of(trace: AttentionTrace, settings: FigureSettings) -> PositionFacts:
    """Return the facts about the cell that settings choose; of the first head if they choose none."""
    chosen = settings.cell or (settings.heads_of(trace.num_heads)[0], None, None)
    cell = chosen_cell(trace, settings.item, *chosen)
    return position_facts(trace, settings.item, cell, settings.pair, settings.shift)


def position_rows(trace: AttentionTrace, settings: FigureSettings) -> Iterator[dict[str, Any]]:
    """Yield a row for each distance, key − query: the score there, and the run's score of the key that is there.

    The latter is NaN where the query has no key. ``shift`` and ``largest_difference`` are those of a shift of the
    whole sentence, in every row.
    """
    facts = facts_of(trace, settings)
    head, query, key = facts.cell
    of_run = dict(zip(facts.row[0].tolist(), facts.row[1].tolist(), strict=True))
    cell = {"batch": CSV.number(settings.item), "head": CSV.head(head)}
    cell |= {"query": CSV.number(query), "key": CSV.number(key)}
    shift = {"shift": facts.shifted_by, "largest_difference": facts.largest}
    for distance, score in zip(facts.distances.tolist(), facts.scores.tolist(), strict=True):
        yield {
            **cell,
            "distance": int(distance),
            "score": score,
            "score_of_run": of_run.get(distance, float("nan")),
            **shift,
        }


def draw_positions(trace: AttentionTrace, settings: FigureSettings) -> Any:
    """Return a matplotlib figure: the score of a query and a key over their distance, and below it a plane if any."""
    facts = facts_of(trace, settings)
    cell = facts.cell
    theme, below = settings.palette, 0.0 if facts.plane is None else _BETWEEN + _CIRCLE
    caption, above = CAPTION_ROW * bool(settings.caption), _TOP + _LINE * bool(facts.shifted_by)
    height = above + _CURVE + _BOTTOM + below + caption if settings.height is None else settings.height
    share = (height - above - _BOTTOM - caption) / (_CURVE + below)
    figure = new_page(settings.width, height, settings)
    axes = add_axes(figure, (_LEFT, above, settings.width - _LEFT - _RIGHT, _CURVE * share))
    axes.set_facecolor("none")
    axes.plot(facts.distances, facts.scores, color=theme.accent, lw=1.2)
    axes.plot(*facts.row, "o", ms=2.5, mew=0, color=theme.k)
    axes.plot([cell[2] - cell[1]], [facts.score], "o", ms=4.5, mew=0, color=theme.q)
    names = {"head": SCREEN.head(cell[0]), "query": SCREEN.number(cell[1]), "key": SCREEN.number(cell[2])}
    title = settings.tr(Text("head {head}, query {query}, key {key}", names))
    if facts.shifted_by:
        shifted = {"shift": facts.shifted_by, "largest": f"{facts.largest:.1g}"}
        title += "\n" + settings.tr(Text("shifted by {shift}: largest difference {largest}", shifted))
    axes.set_title(title, fontsize=SMALL_TYPE, pad=3, loc="left", color=theme.text)
    axes.set_xlabel(settings.tr("distance (key − query)"), fontsize=TYPE, labelpad=1)
    axes.set_ylabel(settings.tr("score"), fontsize=TYPE, labelpad=2)
    axes.tick_params(labelsize=SMALL_TYPE, length=2, width=0.5, pad=2)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    if facts.plane is not None:
        tall = _CIRCLE * share
        top = above + (_CURVE + _BETWEEN) * share + _BOTTOM
        wide = min(tall, settings.width - _LEFT - _RIGHT)
        box = ((settings.width - wide) / 2, top, wide, tall)
        _draw_plane(add_axes(figure, box), facts.plane, settings)
    draw_caption(figure, settings.caption, theme)
    return figure


def _draw_plane(axes: Any, plane: Plane, settings: FigureSettings) -> None:
    theme = settings.palette
    reach = max(float(np.linalg.norm(each)) for each in (*plane.query, *plane.key)) or 1.0
    turn = np.linspace(0, 2 * np.pi, 181)
    axes.set_facecolor("none")
    axes.plot(reach * np.cos(turn), reach * np.sin(turn), color=theme.edge, lw=0.6)
    for name, (before, after), colour in (("q", plane.query, theme.q), ("k", plane.key, theme.k)):
        axes.plot([0, before[0]], [0, before[1]], "--", color=colour, lw=0.8)
        axes.plot([0, after[0]], [0, after[1]], color=colour, lw=1.6)
        axes.plot([after[0]], [after[1]], "o", ms=3, mew=0, color=colour)
        axes.annotate(name, 1.12 * after, fontsize=TYPE, color=colour, ha="center", va="center")
    axes.set_aspect("equal")
    axes.set_xlim(-1.25 * reach, 1.25 * reach)
    axes.set_ylim(-1.25 * reach, 1.25 * reach)
    axes.set_axis_off()
    names = {"first": SCREEN.number(plane.features[0]), "second": SCREEN.number(plane.features[1])}
    title = settings.tr(Text("features {first} and {second}", names))
    axes.set_title(title, fontsize=SMALL_TYPE, pad=2, color=theme.text)
