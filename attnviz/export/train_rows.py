"""The rows of the long table of a training."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from attnviz.definitions.counting import CSV
from attnviz.experiment.train.spec import head_name
from attnviz.experiment.train.trace import TrainTrace

TRAIN_COLUMNS = ("layer_head", "query", "key", "query_token", "key_token", "weight")


def train_rows(trace: TrainTrace, item: int, head: int) -> Iterator[tuple[Any, ...]]:
    """Yield the cells of a head of every layer, row after row."""
    del item
    for layer, weights in enumerate(trace.weights[:, head]):
        for (query, key), weight in np.ndenumerate(weights):
            yield (
                head_name(layer, head),
                CSV.number(query),
                CSV.number(key),
                trace.words[query],
                trace.words[key],
                str(weight),
            )
