"""One spec under every policy for rows with no valid key, and under half precision, where the textbook's fill fails."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import get_args

import numpy as np

from attnviz.experiment.attention.fields import MaskPolicy
from attnviz.experiment.attention.spec import AttentionSpec
from attnviz.experiment.attention.trace import AttentionTrace


@dataclass(frozen=True, slots=True)
class Policy:
    """A spec that differs from the asked one in its policy alone, or also in running in plain half precision."""

    spec: AttentionSpec
    is_half: bool


def policies_of(spec: AttentionSpec) -> tuple[Policy, ...]:
    """Return the spec under zero, book and inf; then under book in float16 without upcasting, as careless code runs."""
    full = [
        Policy(spec.model_copy(update={"mask_policy": policy, "upcast": True}), False)
        for policy in get_args(MaskPolicy)
    ]
    half = spec.model_copy(update={"mask_policy": "book", "dtype": "float16", "upcast": False})
    return (*full, Policy(half, True))


def largest_difference(traces: Sequence[AttentionTrace]) -> float:
    """Return how far the weights of traces of one input are apart at most, over the rows that have a valid key."""
    if len(traces) < 2:
        return 0.0
    valid = ~traces[0].empty_rows
    first = traces[0].weights[valid].astype(np.float64)
    return max(float(np.abs(first - trace.weights[valid]).max(initial=0.0)) for trace in traces[1:])
