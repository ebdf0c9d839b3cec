"""What a run changes in a model's attention: heads off, hidden tokens, temperature, painted masks, patched outputs.

All of it acts on what a call of attention gets and returns, so every family of models obeys in the same way. Layers,
heads and tokens count from 0. A rule holds for hidden tokens and painted masks alike: a row that is left without any
key sees its own token alone, so that no row looks ahead.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import torch
from torch import Tensor

from attnviz.engine.machine import RunError


@dataclass(frozen=True, slots=True, eq=False)
class Changes:
    """The changes of a run, all at layers, heads and tokens that are there.

    Attributes:
        heads_off: the (layer, head) whose output is replaced, as ``ablation`` says.
        hidden: the tokens that no token sees as a key; they keep their own rows.
        temperature: divides the scores of all heads, after scale, soft cap and biases; learned sinks are not divided.
        patches: the output (e,) of (layer, head, token), in place of its own.
        painted: the cells (1 or h, Q, K) that the heads of a layer may see, beside the model's own mask.
        ablation: ``zero``, or ``mean``: the head's mean output over the tokens of the run.
    """

    heads_off: frozenset[tuple[int, int]] = frozenset()
    hidden: frozenset[int] = frozenset()
    temperature: float = 1.0
    patches: Mapping[tuple[int, int, int], Any] = field(default_factory=dict)
    painted: Mapping[int, Any] = field(default_factory=dict)
    ablation: Literal["zero", "mean"] = "zero"

    def __bool__(self) -> bool:
        """Return whether anything is changed."""
        return bool(self.heads_off or self.hidden or self.temperature != 1 or self.patches or self.painted)


NO_CHANGES = Changes()


class ChangedCall:
    """The changes of one call of attention, of so many queries and keys: one for the whole batch, or one per item."""

    def __init__(self, changes: Sequence[Changes], layer: int, kind: str, sizes: tuple[int, int]) -> None:
        self._changes = changes
        self._layer = layer
        self._sizes = sizes
        self._shown = kind == "self"  # heads are named in the attention that is shown
        self._hides = kind != "decoder"  # a decoder's own tokens are others

    @property
    def temperature(self) -> float:
        """What divides the scores; it is the same for all items of a batch."""
        return self._changes[0].temperature

    def allowed(self, own: Tensor | None, device: torch.device) -> Tensor | None:
        """Return which of its ``own`` keys (None: all) a query may see, bool (1|B, 1|h, Q, K); ``own`` if unchanged."""
        queries, keys = self._sizes
        painted = [each.painted.get(self._layer) if self._shown else None for each in self._changes]
        hidden = [each.hidden if self._hides else () for each in self._changes]
        if not any(hidden) and all(each is None for each in painted):
            return own
        heads = max(1 if each is None else len(each) for each in painted)
        left = torch.ones((len(self._changes), heads, queries, keys), dtype=torch.bool, device=device)
        for cells, tokens, mask in zip(left, hidden, painted, strict=True):
            cells[..., list(tokens)] = False
            if mask is not None:
                if tuple(mask.shape[1:]) != self._sizes:
                    sentence = "the painted mask is {shape}; the model has {needed} cells"
                    raise RunError("painted_shape", sentence, shape=tuple(mask.shape[1:]), needed=self._sizes)
                cells.logical_and_(_tensor(mask, torch.bool, device))
        before = torch.ones_like(left) if own is None else own
        after = before & left
        emptied = before.any(-1, keepdim=True) & ~after.any(-1, keepdim=True)
        own_token = torch.eye(queries, keys, dtype=torch.bool, device=device)
        return after | (emptied & (own_token if queries == keys else before))

    def asks(self, device: torch.device) -> bool:
        """Return whether the weights of the call are to be others."""
        return self.temperature != 1 or self.allowed(None, device) is not None

    def output(self, output: Tensor) -> Tensor:
        """Return the heads' outputs (B, Q, h, e) as they go on; the same tensor if nothing changes them."""
        places = (place for each in self._changes for place in (*each.heads_off, *each.patches))
        if not self._shown or all(place[0] != self._layer for place in places):
            return output
        changed = output.clone(memory_format=torch.contiguous_format)
        for changes, out in zip(self._changes, changed[None] if len(self._changes) == 1 else changed, strict=True):
            # Heads off first, so that a patch may act in a head that is off.
            if off := [head for layer, head in sorted(changes.heads_off) if layer == self._layer]:
                chosen = out[..., off, :]
                off_output = chosen.mean(-3, keepdim=True) if changes.ablation == "mean" else torch.zeros_like(chosen)
                out[..., off, :] = off_output.expand_as(chosen)
            for (layer, head, token), vector in changes.patches.items():
                if layer == self._layer:
                    out[..., token, head, :] = _tensor(vector, out.dtype, out.device)
        return changed


def _tensor(values: Any, dtype: torch.dtype, device: torch.device) -> Tensor:
    """Return a tensor or an array, which may be read-only, as a tensor of a run."""
    return values.to(device, dtype) if isinstance(values, Tensor) else torch.tensor(values, dtype=dtype, device=device)
