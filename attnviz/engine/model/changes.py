"""The interventions in a model's attention, each with its prepared value.

All of them act on the arguments and results of attention calls, so they work for every model family. Layers, heads and
tokens count from 0. Hidden tokens and painted masks follow one rule: a row left without any key attends to its own
token, so that no row looks ahead.
"""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import torch
from torch import Tensor

from attnviz.engine.machine import RunError
from attnviz.experiment.model.interventions.intervention import At, ChangesOutputs, Divides, Forbids, Intervention

Changes = Mapping[Intervention, Any]
"""The interventions of a run, in the order in which they act, each with the value of `Intervention.prepared`."""
NO_CHANGES: Changes = {}


class ChangedCall:
    """The interventions in one call of attention: one set for the whole batch, or one per item.

    ``rows`` and ``columns`` are the queries and keys of the call among those of ``at``, if a generation has more.
    """

    def __init__(
        self, changes: Sequence[Changes], at: At, rows: slice = slice(None), columns: slice = slice(None)
    ) -> None:
        self._changes = changes
        self._at = at
        self._rows, self._columns = rows, columns

    @property
    def temperature(self) -> float:
        """The divisor of the scores; the same for all items of a batch."""
        effects = ((each.effect, value) for each, value in self._changes[0].items())
        return math.prod((effect.divisor(value) for effect, value in effects if isinstance(effect, Divides)), start=1.0)

    def allowed(self, own: Tensor | None, device: torch.device) -> Tensor | None:
        """Return the allowed keys among ``own`` (None: all), bool (1|B, 1|h, Q, K); ``own`` if unchanged."""
        queries, keys = self._at.queries, self._at.keys
        forbidden = [[cells for _, _, cells in forbidding(each, self._at)] for each in self._changes]
        if not any(forbidden):
            return own
        heads = max(len(cells) for item in forbidden for cells in item)
        allowed = torch.ones((len(self._changes), heads, queries, keys), dtype=torch.bool, device=device)
        for item, masks in zip(allowed, forbidden, strict=True):
            for cells in masks:
                shape, needed = tuple(cells.shape[1:]), (queries, keys)
                if any(size not in (1, whole) for size, whole in zip(shape, needed, strict=True)):
                    sentence = "the painted mask is {shape}; the model has {needed} cells"
                    raise RunError("painted_shape", sentence, shape=shape, needed=needed)
                mask = cells if isinstance(cells, Tensor) else torch.tensor(cells)  # an array may be read-only
                item.logical_and_(mask.to(device, torch.bool))
        allowed = allowed[..., self._rows, self._columns]
        before = torch.ones_like(allowed) if own is None else own
        after = before & allowed
        emptied = before.any(-1, keepdim=True) & ~after.any(-1, keepdim=True)
        own_token = torch.eye(queries, keys, dtype=torch.bool, device=device)[self._rows, self._columns]
        return after | (emptied & (own_token if queries == keys and self._at.kind != "cross" else before))

    def asks(self, device: torch.device) -> bool:
        """Return whether the weights of the call change."""
        return self.temperature != 1 or self.allowed(None, device) is not None

    def output(self, output: Tensor) -> Tensor:
        """Return the heads' outputs (B, Q, h, e) to pass on; the same tensor if unchanged."""
        acts = [list(_acts(each, self._at)) for each in self._changes]
        if not any(acts):
            return output
        changed = output.clone(memory_format=torch.contiguous_format)
        for item, of_item in enumerate(acts):
            out = changed if len(acts) == 1 else changed[item]  # not by iteration: such views take no gradient
            for act in of_item:
                act(out, self._rows.start or 0)
        return changed


def forbidding(changes: Changes, at: At) -> Iterator[tuple[Forbids, Any, Any]]:
    """Yield the effects that forbid keys in a call, with their values and the cells that they leave."""
    for intervention, value in changes.items():
        if isinstance(intervention.effect, Forbids) and (cells := intervention.effect.allowed(value, at)) is not None:
            yield intervention.effect, value, cells


def _acts(changes: Changes, at: At) -> Iterator[Callable[[Tensor, int], None]]:
    """Yield the functions that change the outputs of the heads of a call."""
    for each, value in changes.items():
        if isinstance(each.effect, ChangesOutputs) and (act := each.effect.of_call(value, at)) is not None:
            yield act
