"""How many cores a run takes while a window is open."""

import os

import torch

from attnviz.engine.memory import attention_bytes
from attnviz.experiment.attention.spec import AttentionSpec
from attnviz.experiment.labs import Asked

_LARGE = 32 << 20
"""Bytes that a run of a few long operations moves; below, to share an operation takes longer than to do it."""


def take_cores_for(spec: Asked) -> None:
    """Let torch use all cores for a large run that is over in one step, and all but one for any other.

    A training shares its time with the frames that show it, and on two cores it is even faster on one: its operations
    are small (1 thread: 0 to 0.3 % of frames late, 2 threads: 15 to 26 %). Eight heads of 64 tokens take 0.5 ms on one
    and 10 ms on two, twelve of 512 tokens 47 and 29.
    """
    cores = os.cpu_count() or 2
    large = isinstance(spec, AttentionSpec) and not spec.is_given and attention_bytes(spec) > _LARGE
    torch.set_num_threads(cores if large else max(1, cores - 1))
