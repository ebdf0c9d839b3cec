"""The statistics of layers as scalars of a trace."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from attnviz.definitions.statistics import STATISTICS, Statistic
from attnviz.definitions.text import Text
from attnviz.experiment.layers.layer import Layer
from attnviz.experiment.scalars import Scalar, summed_up


def statistics_of_layers(layers: Callable[[Any], Sequence[Layer]]) -> tuple[Scalar, ...]:
    """Return every statistic as a scalar; ``layers`` returns those of a trace. Several batch items are summed up."""
    return tuple(
        Scalar(
            name=each.name,
            title=Text(each.title),
            help=Text(each.help),
            of=partial(_of_heads, each, layers),
            per_head=True,
            summary=each.summary,
            number=each.number,
        )
        for each in STATISTICS.values()
    )


def _of_heads(statistic: Statistic, layers: Callable[[Any], Sequence[Layer]], trace: Any) -> NDArray[np.float64]:
    of_layers = [
        summed_up(np.array([layer.statistics(item)[statistic.name] for item in range(layer.items)]), statistic.summary)
        for layer in layers(trace)
    ]
    return np.concatenate(of_layers)
