"""One layer of a transformer as a trace of attention, so that all stages and inspectors of attention show it."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from typing_extensions import override

from attnviz.definitions.text import Text
from attnviz.experiment.attention.trace import AttentionTrace


@dataclass(frozen=True, eq=False, kw_only=True)
class LayerTrace(AttentionTrace):
    """The attention of one layer on one sequence (batch of 1), with the residual stream around it.

    Shape letters: T tokens, D hidden.
    """

    untrained: Text
    """That the parameters are random; empty after the first step of a training."""
    off: tuple[int, ...]
    """The heads that are off: their pooled values are 0."""
    stream: NDArray[np.floating]
    """(T, D), the residual stream before the layer."""
    fed_forward: NDArray[np.floating] | None
    """(T, D), what the feed-forward network adds; None without one."""
    stream_after: NDArray[np.floating]
    """(T, D), the residual stream after the layer."""

    @property
    @override
    def untrained_note(self) -> Text:
        return self.untrained

    @property
    @override
    def has_words(self) -> bool:
        return True

    @property
    @override
    def inputs_said(self) -> str:
        return "Learned weights"
