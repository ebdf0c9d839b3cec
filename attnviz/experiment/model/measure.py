"""Measures of a model's heads on one text, layer by layer, while its weights are in memory.

Rows are normalised: weights are divided by their sum, which is less than 1 if there is a learned sink. The measures
"weighted by norm" use the weights themselves.

A role is measured without attention sinks (`ReadText.sinks`): their weight is removed and the row divided by the rest;
a row counts if that is at least `LEAST_LEFT`.

Shape letters: L layers, h heads, T tokens, D distances.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from attnviz.definitions.roles import LEAST_LEFT, LEAST_ROWS, ROLES, Role
from attnviz.definitions.statistics import STATISTICS, Rows, mean_of_counted
from attnviz.experiment.arrays import read_only
from attnviz.experiment.layers.statistics import ROUNDING
from attnviz.experiment.model.overview import FURTHER, NORM, NORM_ENTROPY, SINK, WITHIN_A_TEXT, Overview, RoleMeasure
from attnviz.experiment.model.text import ReadText

THUMBNAIL = 48
"""The most rows and columns of a head's thumbnail."""
_AT_ONCE = 1 << 19
"""The number of weights measured at once, which fit into a processor's cache."""
_LEAST_SHARE = 4
"""The largest distance leaves at least a quarter of the tokens with a token so far before them."""
_UNEQUAL = 0.02
"""The largest distance of a row's sum from 1 by rounding, in any precision; beyond it a row has a sink."""
_MOST = 0.5
"""A row agrees with a role if more than this share of it is on the role's keys ..."""
_EVEN = 0.9
"""... or, in the role of even rows, if its entropy is at least this share of the largest possible."""

Weights = NDArray[np.float32]


@dataclass(frozen=True, slots=True, eq=False)
class _Cells:
    """The cells of a role, in the order of the queries that count."""

    queries: NDArray[np.intp]
    keys: NDArray[np.intp]
    begins: NDArray[np.intp]
    """The index of the first cell of each query."""

    @classmethod
    def of(cls, role: Role, ids: tuple[int, ...], sinks: frozenset[int]) -> "_Cells":
        """Return the cells of a role in a text: without attention sinks, unless the role is about these."""
        cells = [
            (query, key)
            for query, keys in enumerate(role.keys(ids, {}, 0))
            if query not in sinks
            for key in keys
            if role.of_first or key not in sinks
        ]
        queries, keys = np.array(cells, np.intp).reshape(-1, 2).T
        return cls(queries, keys, np.flatnonzero(np.diff(queries, prepend=-1)))

    @property
    def rows(self) -> NDArray[np.intp]:
        """The queries, without duplicates."""
        return self.queries[self.begins]


@lru_cache(maxsize=4)
def _cells_of(ids: tuple[int, ...], sinks: frozenset[int]) -> dict[str, _Cells]:
    of_cells = (role for role in ROLES.values() if role.of_rows is None and role.least_distance is None)
    return {role.name: _Cells.of(role, ids, sinks) for role in of_cells}


class _Allowed:
    """The scores of uniform weights on the keys that each query may attend to."""

    def __init__(self, mask: NDArray[np.bool_], sinks: list[int], cells: dict[str, _Cells]) -> None:
        everywhere = mask.sum(axis=-1)
        self.count = everywhere - mask[..., sinks].sum(axis=-1)
        """(1 or h, T), the keys without those where heads rest."""
        self.of_one = 1 / np.maximum(self.count, 1)
        self.chance: dict[str, NDArray[np.float64]] = {}
        """(1 or h, rows) of each role that has cells."""
        for name, of_role in cells.items():
            if len(of_role.begins):
                there = np.add.reduceat(mask[:, of_role.queries, of_role.keys].astype(int), of_role.begins, axis=-1)
                keys = everywhere if ROLES[name].of_first else self.count
                self.chance[name] = there / np.maximum(keys[:, of_role.rows], 1)


def roles_of_image(read: ReadText) -> Mapping[str, Role]:
    """Return the roles of heads that read an image: its patches have no order, and not all models a first token."""
    return {name: role for name, role in ROLES.items() if not role.of_order and (read.special[0] or not role.of_first)}


class Measuring:
    """Measures the heads of a model's layers, one layer after the other.

    In cross-attention, where the keys are another text, only what compares no position of one text with one of the
    other is measured; see `attnviz.experiment.model.overview.WITHIN_A_TEXT`.
    """

    def __init__(self, read: ReadText, keys: ReadText | None = None) -> None:
        """``keys``: the text of the keys in cross-attention; None: that of the queries."""
        tokens = len(read)
        self._layers: dict[int, dict[str, NDArray[Any]]] = {}
        """The numbers (h,) of the heads of each layer, by name, and their small pictures."""
        self._crosses = keys is not None
        self._size = min(tokens, THUMBNAIL), min(len(keys or read), THUMBNAIL)
        self._sinks = list((keys or read).sinks)
        if keys is not None:
            return
        self._cells = _cells_of(read.ids, frozenset(read.sinks))
        rests = np.isin(np.arange(tokens), self._sinks)
        self._judged = ~rests & ((np.arange(tokens) > 1) | (read.image is not None))
        """(T,), the queries that are no sinks and, in a text, have a token before them that is none."""
        self._roles = ROLES if read.image is None else roles_of_image(read)
        least = next(role.least_distance for role in ROLES.values() if role.least_distance is not None)
        self._distances = np.arange(least, tokens - -(-tokens // _LEAST_SHARE))
        back = np.arange(tokens)[:, None] - self._distances
        self._pairs = (back >= 0) & ~rests[np.maximum(back, 0)] & self._judged[:, None]
        """(T, D), whether a query has a token so far back that is no sink."""
        self._lower = (np.tri(tokens, dtype=bool) & ~rests & self._judged[:, None]).astype(np.float32)
        """(T, T), 1 where a judged query and a key before it are that is no sink."""
        self._last: tuple[Any, _Allowed] | None = None

    def add(
        self,
        layer: int,
        weights: NDArray[np.floating],
        mask: NDArray[np.bool_],
        value_norms: NDArray[np.floating] | None = None,
        *,
        sinks: bool = False,
    ) -> None:
        """Measure a layer: (h, Q, K) weights, (1 or h, Q, K) allowed cells, (h, K) norms of values.

        ``sinks``: each head has a learned sink, which has the missing weight of each row.
        """
        heads, queries, keys = weights.shape
        at_once = max(1, _AT_ONCE // (queries * keys))
        parts: list[dict[str, NDArray[Any]]] = []
        with np.errstate(divide="ignore", invalid="ignore"):  # what the model computes may not be finite
            for first in range(0, heads, at_once):
                part = slice(first, min(first + at_once, heads))
                norms = None if value_norms is None else np.asarray(value_norms[part], np.float32)
                allowed = None if self._crosses else self._allowed(mask if mask.shape[0] == 1 else mask[part])
                parts.append(self._measured(np.asarray(weights[part], np.float32), norms, allowed, sinks))
        self._layers[layer] = {name: np.concatenate([each[name] for each in parts]) for name in parts[0]}

    def result(self, numbers: Sequence[int] | None = None, num_layers: int | None = None) -> Overview:
        """Return the result.

        ``numbers`` are those of the measured layers in a model of ``num_layers``; None: these are all.
        """
        numbers = range(len(self._layers)) if numbers is None else numbers
        of = partial(self._of, numbers, len(numbers) if num_layers is None else num_layers)
        named = (*STATISTICS, *(each.name for each in FURTHER))
        roles = {
            name: RoleMeasure(
                *(of(f"{name} {suffix}") for suffix in ("score", "chance")),
                *(of(f"{name} {suffix}", np.int64) for suffix in ("rows", "agreeing", "distance")),
            )
            for name in ROLES
        }
        small = of("thumbnail", np.float16, self._size)
        return Overview({name: of(name) for name in named}, roles, small, self._crosses)

    def _of(
        self,
        numbers: Sequence[int],
        num_layers: int,
        name: str,
        kind: type[Any] = np.float64,
        shape: tuple[int, ...] = (),
    ) -> NDArray[Any]:
        """Return (L, h, ...) for all layers; NaN, or 0 for integers, for missing ones."""
        heads = max((len(each["thumbnail"]) for each in self._layers.values()), default=0)
        measures = np.full((num_layers, heads, *shape), 0 if kind is np.int64 else np.nan, kind)
        for number, layer in zip(numbers, sorted(self._layers), strict=True):
            values = self._layers[layer].get(name)
            if values is not None:
                measures[number, : len(values)] = values
        return read_only(measures)

    def _allowed(self, mask: NDArray[np.bool_]) -> _Allowed:
        if self._last is None or not np.array_equal(self._last[0], mask):  # most layers have the same
            self._last = mask, _Allowed(mask, self._sinks, self._cells)
        return self._last[1]

    def _measured(
        self, weights: Weights, norms: Weights | None, allowed: _Allowed | None, sinks: bool
    ) -> dict[str, NDArray[Any]]:
        """Return the measures of some heads, by name."""
        measures: dict[str, NDArray[Any]] = {"thumbnail": _small(weights, self._size).astype(np.float16)}
        sums = np.einsum("hqk->hq", weights, dtype=np.float64)  # faster than sum, as below
        counted = np.isfinite(sums) & (sums != 0)
        unequal = counted & (np.abs(sums - 1) > ROUNDING)
        shares = weights if np.isfinite(sums).all() else np.nan_to_num(weights)
        if unequal.any():
            shares = np.divide(shares, np.where(unequal, sums, 1.0)[..., None], dtype=np.float32)
        logs = shares + np.finfo(np.float32).tiny  # 0 has no logarithm; the effect on other shares is nil
        np.log2(logs, out=logs)
        logs *= shares
        entropies = -np.einsum("hqk->hq", logs) + 0.0
        for name, statistic in STATISTICS.items():
            if self._crosses and name in WITHIN_A_TEXT:
                continue
            measures[name] = statistic.compute(Rows(shares, sums, counted, entropies), np)
        on_sinks = shares[..., self._sinks].sum(axis=-1)
        lacks = counted & (np.abs(sums - 1) > (0 if sinks else _UNEQUAL))
        dropped = np.where(lacks, np.maximum(1 - sums, 0.0), 0.0)  # by a learned sink, which is not a token
        measures[SINK.name] = mean_of_counted(on_sinks * (1 - dropped) + dropped, counted, np)
        if norms is not None:
            written, entropy = _by_norm(shares, logs, norms)
            measures[NORM.name] = mean_of_counted(written * np.where(unequal, sums, 1.0), counted, np)
            measures[NORM_ENTROPY.name] = mean_of_counted(entropy, counted, np)
        if allowed is None:
            return measures
        left = np.maximum(1 - on_sinks, 0.0)
        usable = counted & (left >= LEAST_LEFT)
        over = np.where(usable, 1 / left, 0.0)
        for name, role in self._roles.items():
            if role.of_rows is not None:
                even = -over * (-entropies - logs[..., self._sinks].sum(axis=-1)) + np.log2(np.where(usable, left, 1.0))
                even = np.clip(even / np.log2(np.maximum(allowed.count, 2)), 0.0, 1.0)
                known = usable & self._judged & (allowed.count > 1)
                measures |= _of_role(name, even, known, np.zeros_like(even), int(self._judged.sum()), least=_EVEN)
            elif role.least_distance is not None:
                measures |= self._of_distance(name, shares, over, usable, allowed.of_one)
            elif name in allowed.chance:
                cells = self._cells[name]
                rows = np.add.reduceat(shares[:, cells.queries, cells.keys], cells.begins, axis=-1)
                known = (counted if role.of_first else usable)[:, cells.rows]
                rows = rows if role.of_first else rows * over[:, cells.rows]
                measures |= _of_role(name, rows, known, allowed.chance[name], len(cells.begins))
        return measures

    def _of_distance(self, name: str, shares: Weights, over: Any, usable: Any, of_one: Any) -> dict[str, Any]:
        """Return the measures of a role at the distance with each head's largest score."""
        heads, tokens, _ = shares.shape
        if not len(self._distances):
            return {}
        # Element (i, i - d) of a lower triangle is in column T + 1 - d of the same numbers in rows of T + 1.
        skewed = np.empty((heads, tokens * (tokens + 1)), np.float32)
        skewed[:, tokens * tokens :] = 0
        rest = skewed[:, : tokens * tokens].reshape(heads, tokens, tokens)  # a view into the same memory
        np.multiply(shares, over[..., None].astype(np.float32), out=rest)
        rest *= self._lower
        sums = skewed.reshape(heads, tokens, tokens + 1).sum(axis=1)[:, tokens + 1 - self._distances]
        pairs = self._pairs.sum(axis=0)
        # Not a BLAS product, whose threads would take the cores from those of the model's run.
        known = np.einsum("hq,qd->hd", usable.astype(np.float32), self._pairs.astype(np.float32))
        means = np.where(known >= np.maximum(LEAST_ROWS * pairs, 1), sums / np.maximum(known, 1), -1.0)
        best = means.argmax(axis=-1)
        distance = self._distances[best]
        keys = np.maximum(np.arange(tokens) - distance[:, None], 0)
        values = np.take_along_axis(rest, keys[..., None], axis=-1)[..., 0]
        chance = np.broadcast_to(of_one, values.shape)
        measures = _of_role(name, values, usable & self._pairs[:, best].T, chance, pairs[best])
        return measures | {f"{name} distance": distance}


def _of_role(name: str, values: Any, known: Any, chance: Any, most: Any, *, least: float = _MOST) -> dict[str, Any]:
    """Return the measures of a role from (h, rows) of its values; ``most`` is the number of rows that might count."""
    rows = known.sum(axis=-1)
    count = np.where(rows >= np.maximum(LEAST_ROWS * most, 1), rows, np.nan)
    return {
        f"{name} score": np.where(known, values, 0.0).sum(axis=-1) / count,
        f"{name} chance": np.where(known, chance, 0.0).sum(axis=-1) / count,
        f"{name} rows": rows,
        f"{name} agreeing": ((values > least) & known).sum(axis=-1),
    }


def _by_norm(shares: Weights, logs: Weights, norms: Weights) -> tuple[Any, Any]:
    """Return (h, T) for rows of weights times the (h, T) norms of the values: their sums and entropies.

    Of p_j = a_j n_j / P with P = sum a_j n_j the entropy is log P - sum (n_j a_j log a_j + a_j n_j log n_j) / P.
    """
    of_norms = norms * np.log2(np.maximum(norms, np.finfo(np.float32).tiny))
    sums = np.einsum("hqk,hk->hq", shares, norms).astype(np.float64)
    total = np.einsum("hqk,hk->hq", logs, norms) + np.einsum("hqk,hk->hq", shares, of_norms)
    safe = np.where(sums > 0, sums, 1.0)
    return sums, np.where(sums > 0, np.maximum(np.log2(safe) - total / safe, 0.0), 0.0)


def _small(weights: Weights, size: tuple[int, int]) -> Any:
    """Return (h, *size), the means of blocks of (h, Q, K)."""
    if weights.shape[1:] == size:
        return weights
    rows, columns = (
        np.arange(count + 1) * whole // count for count, whole in zip(size, weights.shape[1:], strict=True)
    )
    heights, widths = np.diff(rows).astype(np.float32), np.diff(columns).astype(np.float32)
    small = np.stack([weights[:, start:end].sum(axis=1) for start, end in pairwise(rows)], axis=1)
    return np.add.reduceat(small, columns[:-1], axis=-1) / (heights[:, None] * widths)
