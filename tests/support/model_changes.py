"""Interventions of a recorded run, from the values that their effects take."""

from collections.abc import Iterable, Mapping
from typing import Any

import torch

from attnviz.engine.model.changes import Changes
from attnviz.experiment.model.interventions.heads_off import HEADS_OFF, OffHeads
from attnviz.experiment.model.interventions.painted import PAINTED
from attnviz.experiment.model.interventions.patch import PATCH
from attnviz.experiment.model.interventions.temperature import TEMPERATURE
from attnviz.experiment.model.interventions.tokens_hidden import TOKENS_HIDDEN
from attnviz.experiment.model.sides import HeadAt, Kind


def changes(
    *,
    heads_off: Iterable[tuple[int, int]] = (),
    ablation: str = "zero",
    hidden: Iterable[int] = (),
    temperature: float = 1.0,
    patches: Mapping[tuple[int, int, int], Any] | None = None,
    painted: Mapping[int, Any] | None = None,
    kind: Kind = "self",
) -> Changes:
    """Return changes: heads (layer, head) off, hidden tokens, vectors by (layer, head, token), cells by layer.

    Heads and cells are those of a kind of attention.
    """
    values = {
        HEADS_OFF: OffHeads((HeadAt(kind, *each) for each in heads_off), ablation),
        TOKENS_HIDDEN: tuple(hidden),
        TEMPERATURE: temperature,
        PATCH: {(HeadAt(kind, *at), token): torch.as_tensor(each) for (*at, token), each in (patches or {}).items()},
        PAINTED: {(kind, layer): cells for layer, cells in (painted or {}).items()},
    }
    return {each: value for each, value in values.items() if value and value != 1}
