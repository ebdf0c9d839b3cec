"""The mask of a run: the logical and of all masks that are on."""

import operator
from functools import reduce
from typing import Any

import numpy as np
import torch
from torch import Tensor

from attnviz.attention.array_functions import TORCH
from attnviz.definitions.masks import made_beside_module
from attnviz.experiment.array_functions import NUMPY
from attnviz.experiment.attention.spec import AttentionSpec


def make_mask(spec: AttentionSpec, device: torch.device) -> Tensor | None:
    """Return the logical and of all masks of the spec, (Q, K) or (B, Q, K); None if there is none.

    Masks built into the module are left to it.
    """
    masks = made_beside_module(spec)
    if not masks:
        return None
    sizes = spec.batch_size, spec.num_queries, spec.num_kvpairs
    # On the CPU numpy compares int16 ten times as fast as torch.
    on_cpu = device.type == "cpu"
    b, i, j = (_places(size, None if on_cpu else device) for size in sizes)
    b, i, xp = b[:, None, None], i[:, None], NUMPY if on_cpu else TORCH
    mask = torch.as_tensor(reduce(operator.and_, (mask.allows(state, b, i, j, xp) for mask, state in masks)))
    return mask.expand(sizes[-max(mask.dim(), 2) :])


def _places(size: int, device: torch.device | None) -> Any:
    if device is None:
        return np.arange(size, dtype=np.int16)
    return torch.arange(size, dtype=torch.int16, device=device)
