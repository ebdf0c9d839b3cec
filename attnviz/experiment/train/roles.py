"""Measurement of roles: the weights of every head on a fixed batch of the task's sequences, and their scores.

In a single sequence that repeats after a number of tokens, a head that attends so far back cannot be distinguished from
an induction head. In the batch every lag that the task allows occurs equally often.

Shape letters: N sequences, n of them that are measured at once, T tokens, L layers, h heads, H = L h, R roles, and C
columns: each role, or each distance of a role with distances.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from attnviz.definitions.roles import LEAST_LEFT, LEAST_ROWS, Places, Role
from attnviz.experiment.arrays import read_only
from attnviz.experiment.train.spec import TrainSpec

Array = NDArray[np.float64]
WeightsOf = Callable[[NDArray[np.int64]], NDArray[np.floating]]
"""From sequences (n, T) to the weights (n, L, h, T, T) of a model."""

_AT_ONCE = 1 << 21
"""The number of weights measured at once, at least those of one sequence."""
_LEAST_SHARE = 4
"""The largest distance leaves at least a quarter of the tokens with a token so far before them."""


@dataclass(frozen=True, slots=True, eq=False)
class RoleScores:
    """The role scores of a model's heads; the arrays are read-only."""

    scores: Array
    """(L, h, R), the mean over the sequences; NaN if too few rows count."""
    lowest: Array
    """(L, h, R), in the sequence where it is lowest; NaN where the score is."""
    distances: NDArray[np.int64]
    """(L, h), the distance of each head, in the role of a fixed distance."""


class _Cells(NamedTuple):
    """The cells of some columns in sequences, ordered by sequence and column."""

    sequences: NDArray[np.intp]
    queries: NDArray[np.intp]
    keys: NDArray[np.intp]
    begins: NDArray[np.intp]
    """The index of the first cell of each sequence and column with cells."""
    at: tuple[NDArray[np.intp], NDArray[np.intp]]
    """The sequence and the column of each."""

    @classmethod
    def of(cls, attended: Sequence[Sequence[Places]], columns: Sequence[int]) -> "_Cells":
        """Return the cells of these columns; ``attended`` are the keys of each sequence and each column."""
        cells = [
            (number, query, key, column)
            for number, of_columns in enumerate(attended)
            for column in columns
            for query, keys in enumerate(of_columns[column])
            for key in keys
        ]
        sequences, queries, keys, column = np.array(cells, np.intp).reshape(-1, 4).T
        changes = np.flatnonzero((np.diff(sequences) != 0) | (np.diff(column) != 0)) + 1
        begins = np.concatenate([np.zeros(min(1, len(cells)), np.intp), changes])
        return cls(sequences, queries, keys, begins, (sequences[begins], column[begins]))

    def add_to(self, sums: Array, rows: Array) -> None:
        """Add the sums over the cells of rows (n, H, T, T) to sums (n, C, H)."""
        if len(self.begins):
            sums[self.at] = np.add.reduceat(rows[self.sequences, :, self.queries, self.keys], self.begins)


class _Part(NamedTuple):
    """Sequences that are measured at once."""

    tokens: NDArray[np.int64]
    """(n, T)."""
    whole: _Cells
    """The cells measured before the first key is removed."""
    rest: _Cells
    counted: Array
    """(n, C, T), 1 for counted queries, else 0."""


class RoleBatch:
    """The fixed sequences of a task, and their counted cells."""

    def __init__(self, spec: TrainSpec) -> None:
        self._heads = spec.num_layers, spec.num_heads
        self._columns = tuple(_columns(spec.roles, spec.num_tokens))
        self._of_role = [[c for c, (each, _) in enumerate(self._columns) if each is role] for role in spec.roles]
        at_once = max(1, _AT_ONCE // (spec.num_layers * spec.num_heads * spec.num_tokens**2))
        sequences = spec.role_sequences
        self._parts = [self._part(spec, sequences[at : at + at_once]) for at in range(0, len(sequences), at_once)]
        self._most = sum(part.counted.sum(axis=(0, 2)) for part in self._parts)

    def _part(self, spec: TrainSpec, sequences: tuple[tuple[int, ...], ...]) -> _Part:
        cells = [[role.keys(tokens, spec.knobs, distance) for role, distance in self._columns] for tokens in sequences]
        first = [column for column, (role, _) in enumerate(self._columns) if role.of_first]
        others = [column for column, (role, _) in enumerate(self._columns) if not role.of_first]
        counted = np.array([[[float(bool(keys)) for keys in each] for each in of_columns] for of_columns in cells])
        return _Part(np.array(sequences), _Cells.of(cells, first), _Cells.of(cells, others), counted)

    def measure(self, weights_of: WeightsOf) -> RoleScores:
        """Return the scores of all heads of a model."""
        with np.errstate(all="ignore"):  # what the model computes may not be finite
            measured = [self._sums(part, weights_of(part.tokens)) for part in self._parts]
            sums, counts = (np.concatenate(each) for each in zip(*measured, strict=True))
            of_each = sums / np.where(counts > 0, counts, np.nan)  # (N, C, H)
            there = ~np.isnan(of_each)
            enough = counts.sum(axis=0) >= np.maximum(LEAST_ROWS * self._most[:, None], 1)
            mean = np.where(enough, np.where(there, of_each, 0.0).sum(axis=0) / there.sum(axis=0), np.nan)
            lowest = np.where(enough, np.where(there, of_each, np.inf).min(axis=0), np.nan)
        return self._best(mean, lowest)

    def _sums(self, part: _Part, weights: NDArray[np.floating]) -> tuple[Array, Array]:
        """Return the sums over counted rows, and their number: each (n, C, H)."""
        whole = weights.astype(np.float64).reshape(len(part.tokens), -1, *weights.shape[-2:])
        left = whole[..., 1:].sum(axis=-1)  # (n, H, T)
        counts = left >= LEAST_LEFT
        rest = whole / np.where(counts, left, np.inf)[..., None]  # 0 where a row does not count
        rest[..., 0] = 0.0
        sums = np.zeros((len(whole), len(self._columns), whole.shape[1]))
        part.whole.add_to(sums, whole)
        part.rest.add_to(sums, rest)
        known = part.counted @ counts.swapaxes(1, 2)
        for column, (role, _) in enumerate(self._columns):
            if role.of_rows is not None:
                sums[:, column] = (role.of_rows(rest, np) * part.counted[:, column, None]).sum(axis=-1)
            if role.of_first:
                known[:, column] = part.counted[:, column].sum(axis=-1)[:, None]
        return sums, known

    def _best(self, mean: Array, lowest: Array) -> RoleScores:
        """Return the scores from those of all columns (C, H): for a role with distances, those of the best one."""
        scores, least = [], []
        distances = np.zeros(mean.shape[1], np.int64)
        for columns in self._of_role:
            best = np.where(np.isnan(mean[columns]), -1.0, mean[columns]).argmax(axis=0)
            chosen = np.array(columns)[best], np.arange(mean.shape[1])
            scores.append(mean[chosen])
            least.append(lowest[chosen])
            if len(columns) > 1:
                distances = np.array([self._columns[column][1] for column in chosen[0]])
        shape = *self._heads, len(scores)
        return RoleScores(
            read_only(np.stack(scores, axis=-1).reshape(shape)),
            read_only(np.stack(least, axis=-1).reshape(shape)),
            read_only(distances.reshape(self._heads)),
        )


def _columns(roles: Sequence[Role], num_tokens: int) -> list[tuple[Role, int]]:
    """Return each role with each of its distances, or with 0."""
    end = num_tokens - -(-num_tokens // _LEAST_SHARE)
    return [
        (role, distance)
        for role in roles
        for distance in ((0,) if role.least_distance is None else range(role.least_distance, end))
    ]


def batch_of(spec: TrainSpec) -> RoleBatch:
    """Return the batch of a spec; it is cached for all specs with the same `TrainSpec.past`."""
    return _made(spec.past, spec.roles)


@lru_cache(maxsize=4)
def _made(past: TrainSpec, _roles: tuple[Role, ...]) -> RoleBatch:
    return RoleBatch(past)
