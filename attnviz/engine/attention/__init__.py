"""The run of the attention lab. Its modules are loaded by the first run."""

from typing import Any

from attnviz.engine.single_run import SingleRun
from attnviz.experiment.attention.spec import AttentionSpec
from attnviz.experiment.run import Progress, Run

_LARGE = 32 << 20
"""Bytes that a run of a few long operations moves; below, to share an operation takes longer than to do it."""


def start(spec: AttentionSpec, past: Run | None, progress: Progress) -> Run:
    """Return the run of a spec; it has one step."""
    del past, progress
    from attnviz.engine.attention.run import attention_trace

    return SingleRun(spec, attention_trace)


def takes_all_cores(spec: Any) -> bool:
    """Return whether a run is large.

    Eight heads of 64 tokens take 0.5 ms on one core and 10 on two, twelve of 512 tokens 47 and 29.
    """
    from attnviz.engine.memory import attention_bytes

    return not spec.is_given and attention_bytes(spec) > _LARGE
