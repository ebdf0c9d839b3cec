"""The rows that a generation adds to cross-attention: queries alone, for its keys are those of the encoder.

Shape letters: Q new tokens, K keys, h heads, g key heads, d and e features.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import torch
from torch import Tensor

from attnviz.engine.model.calls import Call


@dataclass(frozen=True, slots=True, eq=False)
class CrossRows:
    """The rows that one pass adds to a layer."""

    q: Tensor | None
    """(h, Q, d); None if they were not seen."""
    weights: Tensor
    """(h, Q, K), as the model computed them."""
    output: Tensor
    """(Q, h, e)."""
    known: bool

    @classmethod
    def of(cls, call: Call, weights: Tensor, count: int) -> "CrossRows":
        """Return the rows of the last ``count`` tokens of a call with ``weights`` (h, Q, K).

        A model without a cache has computed those of all tokens again.
        """
        new = slice(-count, None)
        q = None if call.q is None else call.q[:, new].clone()
        return cls(q, weights[:, new].clone(), call.output[call.item, new].clone(), call.known)

    @property
    def nbytes(self) -> int:
        """The bytes of all tensors."""
        return sum(each.nbytes for each in (self.q, self.weights, self.output) if each is not None)


def whole_cross(prompt: Call, rows: Sequence[CrossRows]) -> Call:
    """Return the call of the first pass and of the tokens that followed, with the weights as they were recorded.

    The mask and a bias do not depend on the query: they are those of the first pass's last row.
    """
    if not rows:
        return prompt
    weights = torch.cat([prompt.weights(), *(each.weights for each in rows)], 1)
    queries, keys = weights.shape[1:]
    own, item = prompt.scoring, prompt.item
    scoring = None
    queries_known = [each.q for each in rows if each.q is not None]
    if own is not None and len(queries_known) == len(rows):

        def grown(cells: Tensor) -> Tensor:
            return cells[item if len(cells) > 1 else 0, :, -1:].expand(-1, queries, keys)[None]

        scoring = replace(
            own,
            q=torch.cat([own.q[item], *queries_known], 1)[None],
            k=own.k[item][None],
            mask=None if own.mask is None else grown(own.mask),
            steps=tuple(step if step.bias is None else step._replace(bias=grown(step.bias)) for step in own.steps),
        )
    return replace(
        prompt,
        items_known=(prompt.known and all(each.known for each in rows),),
        scoring=scoring,
        values=None if prompt.v is None else prompt.v[None],
        output=torch.cat([prompt.output[item], *(each.output for each in rows)])[None],
        recompute=None,
        item=0,
        kept=weights,
    )
