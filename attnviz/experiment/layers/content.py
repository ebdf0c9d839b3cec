"""The numbers of a layer that a view shows."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from attnviz.definitions.statistics import STATISTICS
from attnviz.experiment.colours import Scale, quantise, stretched, symmetric_scale
from attnviz.experiment.layers.layer import Array, Layer
from attnviz.experiment.layers.panels import Rows, panels_of, shown_of
from attnviz.experiment.layers.settings import LayerSettings
from attnviz.experiment.layers.statistics import HeadStatistics


@dataclass(frozen=True, slots=True, eq=False)
class Content:
    """The numbers of a layer that a view shows. All pictures are drawn from one such value, so that they agree."""

    layer: Layer
    view: LayerSettings
    scale: Scale
    tiles: NDArray[np.uint8]
    """(n, rows, columns) colour levels: the heads in `order`, then mean and maximum if requested."""
    order: tuple[int, ...]
    statistics: HeadStatistics | None
    panels: Rows
    head: int
    query: int
    """The head and the query of the panels, for stages that show one."""
    whole: NDArray[np.uint8] | None = None
    folded: NDArray[np.uint8] | None = None
    """(B, L, D) colour levels before the heads are folded into the batch, and (B, h, L, d) after it."""

    @property
    def has_masked(self) -> bool:
        """Whether the mask of the batch item forbids a cell."""
        layer, item = self.layer, self.view.item
        return not (layer.mask[item] if layer.masks_differ else layer.mask[item, 0]).all()

    @property
    def has_not_finite(self) -> bool:
        """Whether a row of the batch item is not finite."""
        return not np.isfinite(self.layer.row_sums[self.view.item]).all()


def cells_touched(layer: Layer, view: LayerSettings) -> int:
    """Return how many numbers `content_of` must process, apart from those cached in the layer."""
    if view.record.folds:
        return 2 * reshaped(layer, view)[1].size
    if view.stage == "heads" and layer.dropout:
        return int(layer.weights.size)
    if not view.shows_cells:
        return int(sum(x.size for x in (layer.q[view.item], layer.k[view.item], *layer.parameters.values())))
    touched = 0
    if not view.shows_statistics or view.contrast_drawn:  # the plain levels of the weights come with the layer
        touched += layer.weights.size
    if view.ranked:
        touched += notes_touched(layer, view)
    if view.extremes:
        touched += 2 * layer.weights[view.item].size
    return touched


def notes_touched(layer: Layer, view: LayerSettings) -> int:
    """Return how many numbers the notes beside the heads must process, apart from cached ones."""
    wanted = view.shows_statistics and view.statistic and not layer.knows_statistics(view.item)
    return 4 * layer.weights[view.item].size if wanted else 0


def content_of(layer: Layer, view: LayerSettings, head: int, query: int, *, notes: bool = True) -> Content:
    """Return the content of a view; ``head`` and ``query`` are used by stages that show one head or one query.

    Without ``notes`` the statistics are left out, unless the heads are sorted by them.
    """
    everyone = tuple(range(layer.num_heads))
    if view.record.folds:
        _, whole, heads = reshaped(layer, view)
        scale = symmetric_scale(whole)
        before, after = (quantise(tensor, None, scale.low, scale.high) for tensor in (whole, heads))
        return Content(layer, view, scale, _NO_TILES, everyone, None, (), head, query, before, after)
    if not view.shows_cells:
        panels = shown_of(layer, view.stage, view.split, panels_of(layer, view.stage, view.item, head, query))
        of_heads = (layer.after(view.stage)[0] if view.stage in layer.before else layer.heads)[view.item]
        scale = symmetric_scale(of_heads)
        tiles = quantise(of_heads, None, scale.low, scale.high) if view.record.shows_heads else _NO_TILES
        return Content(layer, view, scale, tiles, everyone, None, panels, head, query)
    scale = layer.scale(view.stage, view.contrast_drawn)
    tiles = layer.levels(view.stage, view.contrast_drawn)[view.item]
    shows_notes = notes and view.shows_statistics  # notes are about weights and shown only beside them
    statistics = layer.statistics(view.item) if view.statistic and (view.ranked or shows_notes) else None
    order = everyone
    if view.ranked and statistics is not None:
        values = statistics[view.statistic]
        ranks = np.nan_to_num(-values if STATISTICS[view.statistic].largest_first else values, nan=np.inf)
        order = tuple(int(index) for index in np.argsort(ranks, kind="stable"))
        tiles = tiles[list(order)]
    if view.extremes and layer.num_heads > 1:
        tiles = np.concatenate((tiles, _extremes(layer, view, scale)))
    return Content(layer, view, scale, tiles, order, statistics, (), head, query)


def reshaped(layer: Layer, view: LayerSettings) -> tuple[str, Array, Array]:
    """Return the tensor of a split or merge: its name, the whole (B, L, D), and the heads (B, h, L, d)."""
    if view.stage == "merge":
        return "H", layer.merged, layer.heads
    return view.split.upper(), layer.projected(view.split), layer.split_into_heads(view.split)


def _extremes(layer: Layer, view: LayerSettings, scale: Scale) -> NDArray[np.uint8]:
    """Return the (2, Q, K) levels of the mean and the maximum over all heads."""
    values = layer.shown(view.stage)[view.item]
    both = np.stack((values.mean(axis=0, dtype=np.float64), values.max(axis=0)))
    of_all = layer.mask[view.item].any(axis=0, keepdims=True) if layer.masks_differ else layer.mask[view.item, :1]
    mask = None if layer.coloured(view.stage) is None else of_all | ((both != 0) & view.shows_weights)
    # With a contrast, the scales of these two also end at their own largest weights.
    return stretched(both, mask, scale, view.contrast_drawn)


_NO_TILES = np.zeros((0, 1, 1), np.uint8)
