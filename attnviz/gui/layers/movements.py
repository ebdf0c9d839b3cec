"""The movements of cells from a stage's picture to the next one's; the stages' records name their kinds."""

from collections.abc import Callable
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPoint, QPointF, QRectF
from PySide6.QtWidgets import QWidget

from attnviz.definitions.stages.stage import Moves
from attnviz.experiment.colours import DIVERGING, MASKED, quantise, symmetric_scale
from attnviz.experiment.layers.content import Content
from attnviz.experiment.layers.layer import Array, Layer
from attnviz.gui.layers.heads_view import HeadsView, Picture
from attnviz.gui.layers.motion import Block, Movement, Stop, Veil, image_of
from attnviz.gui.plots.matrix.tile import ColourTable, colour_table
from attnviz.gui.plots.tensors.reshape_view import ReshapeView
from attnviz.gui.plots.tensors.tensor_page import TensorPage
from attnviz.gui.run.background import AT_ONCE
from attnviz.gui.theme import Look
from attnviz.gui.widgets.selection import Selection

_LEAST = 3.0
"""Cells of fewer pixels do not move: they are too small to be followed."""
_ARRIVED = 0.45
"""The time at which rows have reached the start of a step."""
_BAR = 24
"""The length of a bar of weight 1 beside a value, at scale 1."""


class Strip(NamedTuple):
    """A row of cells on screen: its rectangle in the page, its colours, and its numbers."""

    place: QRectF
    levels: NDArray[np.uint8]
    table: ColourTable
    values: Array


class Pictures(NamedTuple):
    """The pictures of a page of stages, on which the new stage is drawn."""

    page: QWidget
    heads: HeadsView
    tensors: TensorPage
    folded: ReshapeView

    def place_of(self, part: QWidget, place: QRectF) -> QRectF:
        """Return a rectangle of one of the pictures in the page."""
        return place.translated(QPointF(part.mapTo(self.page, QPoint())))


class Scene(NamedTuple):
    """The inputs of a movement."""

    pictures: Pictures
    data: Picture
    """Of the new stage."""
    chosen: Selection
    before: dict[str, Strip]
    """See `strips_of`, of the previous picture."""
    look: Look

    @property
    def content(self) -> Content:
        """The content of the new stage."""
        return self.data.content

    @property
    def place(self) -> tuple[int, int, int]:
        """The batch item, head and query."""
        assert self.chosen.query is not None
        return self.content.view.item, self.chosen.head, self.chosen.query


def can_move(before: Content, after: Content) -> bool:
    """Return whether a picture follows from the previous one: a later stage of the same numbers, in the same view."""
    stages = after.layer.stage_names
    return (
        before.layer is after.layer
        and bool(after.view.record.moves)
        and replace(before.view, stage=after.view.stage) == after.view
        and stages.index(before.view.stage) < stages.index(after.view.stage)
        and after.layer.weights.size <= AT_ONCE
    )


def chosen_in(layer: Layer, item: int, selection: Selection) -> Selection:
    """Return the locked cell, or for a locked row that of its largest weight."""
    heads, queries, keys = layer.weights.shape[1:]
    head, query = min(selection.head, heads - 1), min(selection.query or 0, queries - 1)
    key = selection.key
    if key is None or key >= keys:
        key = int(np.nan_to_num(layer.weights[item, head, query]).argmax())
    return Selection(head, query, key)


def movement_of(scene: Scene) -> Movement | None:
    """Return the movement to a new picture, once that is laid out; None if it is not visible."""
    moves = scene.content.view.record.moves
    return _WAYS[moves](scene) if moves else None


def strips_of(pictures: Pictures, data: Picture, chosen: Selection) -> dict[str, Strip]:
    """Return the rows of the chosen query, key and head that are on screen, by the roles of their tensors.

    That of scores or weights is called "cells". For several tensors of a role it is that of the last, which is computed
    from the first; that of the first is called "given q".
    """
    content = data.content
    item, head, record = content.view.item, chosen.head, content.view.record
    rows = {"queries": chosen.query or 0, "keys": chosen.key or 0}
    if record.folds:
        view, shown = pictures.folded, pictures.folded.picture
        if shown is None:
            return {}
        of_keys = shown.role in ("k", "v")
        row, part = rows["keys" if of_keys else "queries"], content.layer.kv_head(head) if of_keys else head
        count, width = shown.heads.shape[2:]
        if shown.merging:
            tile, levels, columns = view.whole_rect(item), shown.whole[item, row], slice(None)
        else:
            tile, levels = view.tile_rect(item, part), shown.heads[item, part, row]
            columns = slice(part * width, (part + 1) * width)
        if tile is None or shown.values is None:
            return {}
        line, table = pictures.place_of(view, _row_in(tile, row, count)), colour_table(DIVERGING, view.look.theme)
        return {shown.role: Strip(line, levels, table, shown.values[row, columns])}
    if content.view.shows_cells:
        heatmap = pictures.heads.heatmap
        if heatmap.matrix is None:
            return {}
        line = heatmap.rect_of(rows["queries"], None)
        if heatmap.view.visible.width() < heatmap.view.shape[1] or not heatmap.cells.contains(line.center()):
            return {}  # it is zoomed
        levels, values = (array[rows["queries"]] for array in (heatmap.matrix.levels, heatmap.matrix.values))
        return {"cells": Strip(pictures.place_of(heatmap, line), levels, data.table, values)}
    page = pictures.heads.panels if record.shows_heads else pictures.tensors
    found: dict[str, Strip] = {}
    for down, panels in enumerate(page.rows):
        for across, panel in enumerate(panels):
            heatmap = page.panel_at(down, across)
            row = rows.get(panel.row_axis, 0) if len(panel.values) > 1 else 0  # the features have one query
            if (panel.role == "parameter" and len(panel.values) > 1) or row >= len(panel.values):
                continue
            place, columns = heatmap.rect_of(row, None), slice(None)
            if panel.by_head and panel.role != "output":
                width = content.layer.q.shape[3] if panel.role == "q" else content.layer.v.shape[3]
                part = head if panel.role == "q" else content.layer.kv_head(head)
                columns = slice(part * width, (part + 1) * width)
                cells = [heatmap.rect_of(row, column) for column in (columns.start, columns.stop - 1)]
                place = cells[0].united(cells[1])
            table = data.weights if panel.role == "weights" else colour_table(DIVERGING, heatmap.look.theme)
            role = "cells" if panel.role == "weights" else panel.role
            line = pictures.place_of(heatmap, place)
            found[role] = Strip(line, panel.levels[row, columns], table, panel.values[row, columns])
            found.setdefault(f"given {role}", found[role])
    return found


def _meet(scene: Scene) -> Movement | None:
    """Slide a query and a key, or features and their factors, together, number by number, and both into their score."""
    (item, head, query), key, layer = scene.place, scene.chosen.key, scene.content.layer
    heatmap, row = scene.pictures.heads.heatmap, strips_of(*scene[:3]).get("cells")
    if row is None or key is None:
        return None
    features, names, rows = layer.mechanism.features, ("q", "k"), (query, key)
    vectors = layer.q[item, head], layer.k[item, layer.kv_head(head)]
    if features is not None and layer.features is not None:
        names, rows = ("output", "parameter"), (key, 0)
        vectors = layer.features[item, query], layer.parameters[features.factors]
        if not set(names) <= scene.before.keys():
            return None
    if vectors[0].shape[-1] != vectors[1].shape[-1]:
        return None
    cell, size = _cell_in(row.place, key, len(row.levels)), vectors[0].shape[-1]
    if min(cell.width(), cell.height()) < _LEAST:
        return None
    thick = max(cell.height() / 2, float(scene.look.px(10)))
    wide, area = min(size * thick, heatmap.cells.width()), scene.pictures.place_of(heatmap, heatmap.cells)
    met = QRectF(0, 0, wide, 2 * thick)
    met.moveCenter(cell.center())
    met.moveLeft(min(max(met.left(), area.left()), area.right() - wide))
    starts = (
        QRectF(area.left() - wide, cell.center().y() - thick / 2, wide, thick),
        QRectF(cell.center().x() - wide / 2, area.top() - thick, wide, thick),
    )
    score, blocks = image_of(row.levels[None, key : key + 1], row.table), []
    for half, (name, of_all, at) in enumerate(zip(names, vectors, rows, strict=True)):
        strip, opacity = scene.before.get(name), 1.0
        if strip is None or not np.array_equal(strip.values, of_all[at]):  # they are not what this score is made of
            scale, table = symmetric_scale(of_all), colour_table(DIVERGING, scene.look.theme)
            levels, opacity = quantise(of_all[at], None, scale.low, scale.high), 0.0
            strip = Strip(starts[half], levels, table, of_all[at])
        cells = image_of(strip.levels[None], strip.table)
        together, into = (_row_in(whole, half, 2) for whole in (met, cell))
        ways = Stop(0, strip.place, cells, opacity), Stop(0.55, together, cells), Stop(0.8, into, cells)
        blocks.append(Block((*ways, Stop(1, into, score)), "" if name == "parameter" else name))
    return Movement(blocks, (Veil(cell),))


def _carry(scene: Scene) -> Movement | None:
    """Slide rows to where the new stage has them before its step, and on to their result.

    The result unfolds from the end of its row; if two rows make one, both slide on to it.
    """
    strips = strips_of(*scene[:3])
    blocks, veils, made_of_both = [], [], strips.get("output") if "q" in strips else None
    for half, role in enumerate(("q", "k") if "q" in strips else ("output",)):
        given, made, before = strips.get(f"given {role}"), strips.get(role), scene.before.get(role)
        if given is None or made is None or given.place.height() < _LEAST:
            return None
        cells, result = image_of(given.levels[None], given.table), image_of(made.levels[None], made.table)
        if before is not None and np.array_equal(before.values, given.values):
            blocks.append(Block((Stop(0, before.place, cells), Stop(_ARRIVED, given.place, cells)), role))
            veils.append(Veil(given.place))
        if made_of_both is not None:
            end = _row_in(made_of_both.place, half, 2)
            blocks.append(Block((Stop(_ARRIVED, given.place, cells), Stop(1, end, cells))))
            continue
        place = given.place
        out = QRectF(place.right(), place.y(), 0, place.height())
        blocks.append(Block((Stop(_ARRIVED, out, result), Stop(1, made.place, result))))
        veils.append(Veil(made.place))
    return Movement(blocks, (*veils, Veil(made_of_both.place)) if made_of_both is not None else veils)


def _weigh(scene: Scene) -> Movement | None:
    """Let a row of scores grow into bars as high as the weights, and these become the row of weights."""
    (item, head, query), layer = scene.place, scene.content.layer
    row, stages = strips_of(*scene[:3]).get("cells"), layer.stage_names
    before = stages[stages.index(scene.content.view.stage) - 1]
    if row is None or row.place.width() < _LEAST * len(row.levels) or not np.isfinite(row.values).all():
        return None
    heatmap, scale, coloured = scene.pictures.heads.heatmap, layer.scale(before), layer.coloured(before)
    mask = None if coloured is None else coloured[item, head, query]
    scores = quantise(layer.shown(before)[item, head, query], mask, scale.low, scale.high)
    start = scene.before["cells"].place if "cells" in scene.before else row.place
    area, table = scene.pictures.place_of(heatmap, heatmap.cells), colour_table(DIVERGING, scene.look.theme)
    full = min(area.height(), max(0.5 * area.height(), 5 * row.place.height()))  # of a bar of weight 1
    ground = max(row.place.bottom(), area.top() + full)
    blocks: list[Block] = []
    for key in range(len(row.levels)):
        if MASKED in (scores[key], row.levels[key]):
            continue
        score, weight = (image_of(levels[None, key : key + 1], of) for levels, of in ((scores, table), row[1:3]))
        end = _cell_in(row.place, key, len(row.levels))
        height = full * float(row.values[key])
        bar = QRectF(end.x(), ground - height, end.width(), height).adjusted(0.5, 0, -0.5, 0)
        blocks.append(
            Block(
                (
                    Stop(0, _cell_in(start, key, len(row.levels)), score),
                    Stop(0.5, bar, weight),
                    Stop(0.7, bar, weight),
                    Stop(1, end, weight),
                )
            )
        )
    paper = QRectF(area.left(), ground - full, area.width(), full)
    return Movement(blocks, (Veil(paper, (0, 0.3, 0.7, 1), (0, 0.9, 0.9, 0)), Veil(row.place)))


def _pool(scene: Scene) -> Movement | None:
    """Slide each value into the output row, as high a part of it as its weight; heads' rows into their product."""
    strips = strips_of(*scene[:3])
    if "cells" not in strips:
        return _carry(scene)
    page = scene.pictures.heads.panels if scene.content.view.record.shows_heads else scene.pictures.tensors
    places = [
        (down, across) for down, row in enumerate(page.rows) for across, panel in enumerate(row) if panel.role == "v"
    ]
    if not {"cells", "v", "output"} <= strips.keys() or not places:
        return None
    weights, output = strips["cells"], strips["output"]
    panel, heatmap = page.rows[places[0][0]][places[0][1]], page.panel_at(*places[0])
    shares = np.maximum(weights.values.astype(np.float64), 0)
    if not np.isfinite(shares).all() or heatmap.rect_of(0, 0).height() < _LEAST or not shares.any():
        return None
    ends = output.place.y() + output.place.height() * np.cumsum(shares) / max(1.0, shares.sum())
    full = float(scene.look.px(_BAR))
    start = scene.before.get("cells", weights)
    blocks: list[Block] = []
    for key in np.flatnonzero(shares):
        value = scene.pictures.place_of(heatmap, heatmap.rect_of(int(key), None))
        row = image_of(panel.levels[key][None], strips["v"].table)
        top = float(ends[key - 1]) if key else output.place.y()
        part = QRectF(output.place.x(), top, output.place.width(), float(ends[key]) - top)
        ways = Stop(0.3, value, row, 0), Stop(0.4, value, row), Stop(0.85, part, row), Stop(1, part, row, 0)
        blocks.append(Block(ways))
        cell = image_of(weights.levels[None, key : key + 1], weights.table)
        bar = QRectF(value.right() + 2, value.y() + 1, full * float(shares[key]), value.height() - 2)
        at = _cell_in(start.place, int(key), len(weights.levels))
        ways = Stop(0, at, cell), Stop(0.4, bar, cell), Stop(0.75, bar, cell), Stop(0.85, bar, cell, 0)
        blocks.append(Block(ways))
    return Movement(blocks, (Veil(output.place, (0, 0.85, 1), (1, 1, 0)),))


def _fold(scene: Scene) -> Movement | None:
    """Slide each head's columns of the wide tensor to its tile, or its tile to them."""
    view, shown = scene.pictures.folded, scene.pictures.folded.picture
    layout = view.places
    if shown is None or layout is None:
        return None
    table = colour_table(DIVERGING, scene.look.theme)
    blocks: list[Block] = []
    veils = []
    for (item, head), tile in layout.tiles.items():
        part = layout.slice_rect(item, head)
        if part is None:
            continue
        ways = [scene.pictures.place_of(view, place) for place in (part, tile)]
        start, end = reversed(ways) if shown.merging else ways
        cells = image_of(shown.heads[item, head], table)
        # Its cells are in the picture where they start from.
        blocks.append(Block((Stop(0.1, start, cells, 0), Stop(0.2, start, cells), Stop(1, end, cells))))
        veils.append(Veil(end))
    return Movement(blocks, veils) if blocks else None


_WAYS: dict[Moves, Callable[[Scene], Movement | None]] = {
    "meet": _meet,
    "carry": _carry,
    "weigh": _weigh,
    "pool": _pool,
    "fold": _fold,
}


def _row_in(place: QRectF, row: int, rows: int) -> QRectF:
    height = place.height() / rows
    return QRectF(place.x(), place.y() + row * height, place.width(), height)


def _cell_in(place: QRectF, column: int, columns: int) -> QRectF:
    width = place.width() / columns
    return QRectF(place.x() + column * width, place.y(), width, place.height())
