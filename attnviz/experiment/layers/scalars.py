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

Layers = Callable[[Any], Sequence[Layer] | Layer]
"""Returns the layers of a trace, or its only one in a lab without layers."""


def statistics_of_layers(layers: Layers) -> tuple[Scalar, ...]:
    """Return every statistic as a scalar. The numbers of several batch items are summarised."""
    return tuple(
        Scalar(
            name=each.name,
            title=Text(each.title),
            help=Text(each.help),
            unit=Text(each.unit_name),
            of=partial(_of_heads, each, layers),
            per_head=True,
            summary=each.summary,
            number=each.number,
        )
        for each in STATISTICS.values()
    )


def _of_heads(statistic: Statistic, layers: Layers, trace: Any) -> NDArray[np.float64]:
    shown = layers(trace)
    return (
        _of_layer(statistic, shown)
        if isinstance(shown, Layer)
        else np.array([_of_layer(statistic, each) for each in shown])
    )


def _of_layer(statistic: Statistic, layer: Layer) -> NDArray[np.float64]:
    of_items = np.array([layer.statistics(item)[statistic.name] for item in range(layer.items)])
    return summed_up(of_items, statistic.summary)
