"""Why a cell is masked: the masks of a spec that forbid it, as codes with their numbers."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from attnviz.definitions.masks import in_force
from attnviz.experiment.array_functions import NUMPY
from attnviz.experiment.attention.spec import AttentionSpec


@dataclass(frozen=True, slots=True)
class Reason:
    """One mask that forbids a cell, in English with its numbers in braces."""

    code: str
    template: str
    numbers: Mapping[str, Any]

    @property
    def sentence(self) -> str:
        """The reason in English."""
        return self.template.format(**self.numbers)


GIVEN = Reason("given", "by the mask that was given", {})


def reasons_at(spec: AttentionSpec, item: int, query: int, key: int) -> tuple[Reason, ...]:
    """Return every mask of a spec that forbids a cell of a batch item; empty if the query may attend to the key.

    For given weights only the mask is known, not its reasons: call this for masked cells only.
    """
    if spec.is_given:
        return (GIVEN,)
    b, i, j = (np.array(place, np.int16) for place in ([[[item]]], [[query]], [key]))
    return tuple(
        Reason(mask.reason_code or mask.name, mask.reason, mask.reason_numbers(state, item, query, key))
        for mask, state in in_force(spec)
        if not mask.allows(state, b, i, j, NUMPY).item()
    )
