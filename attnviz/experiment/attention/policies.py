"""One spec under every mask policy, for rows with no valid key."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import get_args

import numpy as np

from attnviz.definitions.text import Text
from attnviz.experiment.attention.spec import AttentionSpec
from attnviz.experiment.attention.trace import AttentionTrace
from attnviz.experiment.fields.knob import MaskPolicy, title_of_choice


@dataclass(frozen=True, slots=True)
class Policy:
    """A spec that differs from the original only in its policy, or also in half precision without upcasting."""

    spec: AttentionSpec
    is_half: bool


def policies_of(spec: AttentionSpec) -> tuple[Policy, ...]:
    """Return the spec under zero, book and inf, then under book in float16 without upcasting."""
    full = [
        Policy(spec.model_copy(update={"mask_policy": policy, "upcast": True}), False)
        for policy in get_args(MaskPolicy)
    ]
    half = spec.model_copy(update={"mask_policy": "book", "dtype": "float16", "upcast": False})
    return (*full, Policy(half, True))


def policies_titled(spec: AttentionSpec) -> tuple[tuple[Text, AttentionSpec], ...]:
    """Return the specs of all policies, each with the policy's title."""
    field = AttentionSpec.model_fields["mask_policy"]
    titled = []
    for policy in policies_of(spec):
        name = Text(title_of_choice(field, policy.spec.mask_policy))
        titled.append((Text("{name} in float16", {"name": name}) if policy.is_half else name, policy.spec))
    return tuple(titled)


def largest_difference(traces: Sequence[AttentionTrace]) -> float:
    """Return the largest difference between the weights of traces of one input, over rows with a valid key."""
    if len(traces) < 2:
        return 0.0
    valid = ~traces[0].empty_rows
    first = traces[0].weights[valid].astype(np.float64)
    return max(float(np.abs(first - trace.weights[valid]).max(initial=0.0)) for trace in traces[1:])
