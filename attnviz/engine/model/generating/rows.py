"""The rows that a generation adds to the calls of its prompt, and the call of the whole sequence made of both.

A pass with a key-value cache has the queries of its new tokens alone. Their weights are kept: recomputed with the
queries of other passes they would differ in the last bits.

Shape letters: N tokens so far, Q new tokens, K keys in the cache (fewer than N under a sliding window), h heads, g key
heads, d and e features.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import torch
from torch import Tensor

from attnviz.engine.model.calls import Call


@dataclass(frozen=True, slots=True, eq=False)
class Rows:
    """The rows that one pass adds to a layer. Without the cached keys, which other passes have computed."""

    known: bool
    """See `Call.known`."""
    steps: tuple[str, ...] | None
    """The names of the steps of the scores; None if these are not known."""
    weights: Tensor
    """(h, Q, K), as the model computed them."""
    cells: dict[str | int, Tensor]
    """(1|h, Q, K): the ``mask``, bool, and the bias of each step of the scores that has one, by its place."""
    vectors: dict[str, Tensor]
    """(Q, h|g, d|e): the queries ``q``, keys ``k``, values ``v`` and outputs, as far as they are known."""

    @classmethod
    def of(cls, call: Call, weights: Tensor, count: int) -> "Rows":
        """Return the rows of the last ``count`` tokens of a call with ``weights`` (h, Q, K).

        A model without a cache has computed those of all tokens again.
        """
        new = slice(-count, None)
        weights, scoring, mask = weights[:, new], call.scoring, call.mask
        sizes = weights.shape[1:]
        cells: dict[str | int, Tensor] = {}
        vectors = {"output": call.output[call.item, new]}
        if call.v is not None:
            vectors["v"] = call.v[:, new].transpose(0, 1)
        if scoring is not None:
            vectors["q"] = scoring.q[call.item, :, new].transpose(0, 1)
            vectors["k"] = scoring.k[call.item, :, new].transpose(0, 1)
            cells["mask"] = weights.new_ones((1, *sizes), dtype=torch.bool) if mask is None else _rows_of(mask, sizes)
            for place, step in enumerate(scoring.steps):
                if step.bias is not None:
                    cells[place] = _rows_of(step.bias[call.item if len(step.bias) > 1 else 0], sizes)
        return cls(
            call.known,
            None if scoring is None else tuple(step.does for step in scoring.steps),
            _alone(weights),
            {name: _alone(each) for name, each in cells.items()},
            {name: _alone(each) for name, each in vectors.items()},
        )

    @property
    def nbytes(self) -> int:
        """The bytes of all tensors."""
        return sum(each.nbytes for each in (self.weights, *self.cells.values(), *self.vectors.values()))


def _rows_of(cells: Tensor, sizes: Sequence[int]) -> Tensor:
    """Return the last rows (1|h, Q, K) of cells (1|h, 1|Q', 1|K)."""
    queries, keys = sizes
    return cells[:, -queries:].expand(-1, queries, keys)


def _alone(part: Tensor) -> Tensor:
    """Return a part of a tensor that keeps no more than itself alive."""
    return part if part.untyped_storage().nbytes() <= part.nbytes else part.clone()


class Growing:
    """The call of a layer as passes add rows to it, in memory that is allocated once.

    A cell or row that was filled never changes, so that the calls of earlier steps are views of the same memory.
    """

    def __init__(self, prompt: Call, most: int) -> None:
        """Begin with the call of the prompt, for at most ``most`` tokens."""
        self._prompt, self._most = prompt, most
        self._ends: list[int] = []
        """The number of tokens with the prompt, and with each pass."""
        self._all_known: list[bool] = []
        """Whether the stages of all tokens so far are known."""
        self._held: list[frozenset[str | int]] = []
        """The names of the cells and vectors that all parts so far have; of none of the scores if steps differ."""
        self._steps: tuple[str, ...] | None = None
        self._cells: dict[str | int, Tensor] = {}
        self._vectors: dict[str | int, Tensor] = {}

    def call(self, rows: Sequence[Rows]) -> Call:
        """Return the call of the prompt's tokens and of those that followed, with the weights as they were recorded.

        ``rows`` are those of all passes up to a step. A key that a query could not see, because it came later or had
        left the cache, is masked.
        """
        if not rows:
            return self._prompt
        if not self._ends:
            own = self._prompt.weights()
            self._add(Rows.of(self._prompt, own, own.shape[1]))
        for each in rows[len(self._ends) - 1 :]:
            self._add(each)
        tokens, held = self._ends[len(rows)], self._held[len(rows)]
        cells = {name: each[:, :tokens, :tokens] for name, each in self._cells.items() if name in held}
        vectors = {name: each[None, :tokens] for name, each in self._vectors.items() if name in held}
        scoring = self._prompt.scoring if "mask" in held else None
        if scoring is not None:
            steps = enumerate(scoring.steps)
            scoring = replace(
                scoring,
                q=vectors["q"].transpose(1, 2),
                k=vectors["k"].transpose(1, 2),
                mask=cells["mask"][None],
                steps=tuple(step._replace(bias=cells[at][None]) if at in cells else step for at, step in steps),
            )
        return replace(
            self._prompt,
            items_known=(self._all_known[len(rows)],),
            scoring=scoring,
            values=vectors["v"].transpose(1, 2) if "v" in vectors else None,
            output=vectors["output"],
            recompute=None,
            item=0,
            kept=cells["weights"],
        )

    @property
    def nbytes(self) -> int:
        """The bytes that it holds beside those of the prompt and the rows."""
        return sum(each.nbytes for each in (*self._cells.values(), *self._vectors.values()))

    def _add(self, rows: Rows) -> None:
        first = self._ends[-1] if self._ends else 0
        end = first + rows.weights.shape[1]
        cells: dict[str | int, Tensor] = {"weights": rows.weights, **rows.cells}
        held = frozenset([*cells, *rows.vectors])
        if self._ends:
            same = rows.steps == self._steps and held - {"v"} == self._held[0] - {"v"}
            held &= self._held[-1] if same else self._held[-1] & {"weights", "output", "v"}
        else:
            self._steps = rows.steps
        for name, part in cells.items():
            room = self._cells.get(name)
            if room is None or len(room) < len(part):
                wider = part.new_zeros((len(part), self._most, self._most))
                self._cells[name] = room = wider if room is None else wider.copy_(room)
            # The last key of a part is that of its last query.
            room[:, first:end, end - part.shape[2] : end] = part
        for name, part in rows.vectors.items():
            if name not in self._vectors:
                self._vectors[name] = part.new_empty((self._most, *part.shape[1:]))
            self._vectors[name][first:end] = part
        self._ends.append(end)
        self._all_known.append(rows.known and all(self._all_known[-1:]))
        self._held.append(held)
