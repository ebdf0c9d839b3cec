"""The scalars of the attention lab: the statistics of each head."""

from typing import Any

from attnviz.experiment.layers.scalars import statistics_of_layers
from attnviz.experiment.scalars import Scalar

_STATISTICS = statistics_of_layers(lambda trace: trace.layer)


def scalars_of(spec: Any) -> tuple[Scalar, ...]:
    """Return the scalars of a spec's trace."""
    del spec
    return _STATISTICS
