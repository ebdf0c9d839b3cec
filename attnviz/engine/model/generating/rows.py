"""The rows that a generation adds to the calls of its prompt, and the call of the whole sequence made of both.

A pass with a key-value cache has the queries of its new tokens alone. Their weights are kept: recomputed with the
queries of other passes they would differ in the last bits.

Shape letters: N tokens so far, Q new tokens, K keys in the cache (fewer than N under a sliding window), h heads, g key
heads, d and e features.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import accumulate

import torch
from torch import Tensor

from attnviz.engine.model.calls import Call, Scoring


@dataclass(frozen=True, slots=True, eq=False)
class Rows:
    """The rows that one pass adds to a layer. Without the cached keys, which other passes have computed."""

    call: Call
    """Reduced to the new tokens: queries, keys, values and outputs (.., Q, ..)."""
    weights: Tensor
    """(h, Q, K), as the model computed them."""
    mask: Tensor | None
    """The keys that a query may attend to, bool (1|h, Q, K); None: all."""
    biases: tuple[Tensor | None, ...]
    """(1|h, Q, K) of each step of the scores that has one."""

    @classmethod
    def of(cls, call: Call, count: int) -> "Rows":
        """Return the rows of the last ``count`` tokens of a call; a model without a cache has computed all again."""
        new = slice(-count, None)
        weights = call.weights()[:, new].clone()
        scoring, mask = call.scoring, call.mask
        cells = weights.shape[1:]
        biases: tuple[Tensor | None, ...] = ()
        if scoring is not None:
            biases = tuple(
                None if step.bias is None else _rows_of(step.bias[call.item if len(step.bias) > 1 else 0], cells)
                for step in scoring.steps
            )
            scoring = replace(
                scoring,
                q=scoring.q[call.item, None, :, new].clone(),
                k=scoring.k[call.item, None, :, new].clone(),
                mask=None,
                steps=tuple(step._replace(bias=None) for step in scoring.steps),
            )
        short = replace(
            call,
            scoring=scoring,
            values=None if call.v is None else call.v[None, :, new].clone(),
            output=call.output[call.item, None, new].clone(),
            items_known=(call.known,),
            recompute=None,
            item=0,
        )
        return cls(short, weights, None if mask is None else _rows_of(mask, cells), biases)

    @property
    def nbytes(self) -> int:
        """The bytes of all tensors."""
        held = (self.weights, self.mask, *self.biases, *self.call.tensors)
        return sum(each.nbytes for each in held if each is not None)


def _rows_of(cells: Tensor, sizes: Sequence[int]) -> Tensor:
    """Return the last rows (1|h, Q, K) of cells (1|h, 1|Q', 1|K)."""
    queries, keys = sizes
    return cells[:, -queries:].expand(-1, queries, keys).clone()


def whole(prompt: Call, rows: Sequence[Rows]) -> Call:
    """Return the call of the prompt's tokens and of those that followed, with the weights as they were recorded.

    A key that a query could not see, because it came later or had left the cache, is masked.
    """
    if not rows:
        return prompt
    own = prompt.weights()
    firsts = [0, *accumulate((each.weights.shape[1] for each in rows), initial=own.shape[1])]
    parts = list(zip(firsts, [own, *(each.weights for each in rows)], strict=False))
    tokens = firsts[-1]
    calls = [prompt, *(each.call for each in rows)]
    heads = [each.output[each.item] for each in calls]
    values = [each.v for each in calls]
    return replace(
        prompt,
        items_known=(all(each.known for each in calls),),
        scoring=_scoring(prompt, rows, firsts, tokens),
        values=None
        if any(each is None for each in values)
        else torch.cat([v for v in values if v is not None], 1)[None],
        output=torch.cat(heads)[None],
        recompute=None,
        item=0,
        kept=_placed(parts, tokens, 0.0),
    )


def _scoring(prompt: Call, rows: Sequence[Rows], firsts: Sequence[int], tokens: int) -> Scoring | None:
    scorings = [prompt.scoring, *(each.call.scoring for each in rows)]
    known = [each for each in scorings if each is not None]
    if len(known) < len(scorings) or len({len(each.steps) for each in known}) > 1:
        return None
    scoring, item = known[0], prompt.item
    count = firsts[1]
    cells = (count, count)
    own_mask = torch.ones((1, *cells), dtype=torch.bool, device=scoring.q.device)
    own_mask = own_mask if prompt.mask is None else _rows_of(prompt.mask, cells)
    masks = [
        torch.ones((1, *each.weights.shape[1:]), dtype=torch.bool, device=own_mask.device)
        if each.mask is None
        else each.mask
        for each in rows
    ]
    steps = []
    for place, step in enumerate(scoring.steps):
        added = [bias for each in rows if (bias := each.biases[place]) is not None]
        if step.bias is not None and len(added) == len(rows):
            own = _rows_of(step.bias[item if len(step.bias) > 1 else 0], cells)
            bias = _placed(list(zip(firsts, [own, *added], strict=False)), tokens, 0.0)[None]
            steps.append(step._replace(bias=bias))
        else:
            steps.append(step)
    return replace(
        scoring,
        q=torch.cat([scoring.q[item], *(each.q[0] for each in known[1:])], 1)[None],
        k=torch.cat([scoring.k[item], *(each.k[0] for each in known[1:])], 1)[None],
        mask=_placed(list(zip(firsts, [own_mask, *masks], strict=False)), tokens, False)[None],
        steps=tuple(steps),
    )


def _placed(parts: Sequence[tuple[int, Tensor]], tokens: int, fill: float | bool) -> Tensor:
    """Return cells (1|h, N, N) from parts (1|h, Q, K), each with the index of its first query.

    The last key of a part is that of its last query.
    """
    heads = max(len(part) for _, part in parts)
    cells = parts[0][1].new_full((heads, tokens, tokens), fill)
    for first, part in parts:
        end = first + part.shape[1]
        cells[:, first:end, end - part.shape[2] : end] = part
    return cells
