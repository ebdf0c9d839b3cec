"""The frames of a regression's training, each with a caption."""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from attnviz.experiment.regression.trace import RegressionTrace


def training_frames(traces: Iterable[RegressionTrace], shown: frozenset[int]) -> Iterator[tuple[RegressionTrace, str]]:
    """Yield the traces of the shown steps, each with its caption and with the overlays."""
    early: RegressionTrace | None = None
    for trace in traces:
        if trace.incomplete:
            early = trace  # the slow overlays come with the next trace
            continue
        if early is not None and early.step in shown and early.step != trace.step:
            whole = replace(early, curves=trace.curves)
            yield whole, _caption(whole)
        early = None
        if trace.step in shown:
            yield trace, _caption(trace)


def _caption(trace: RegressionTrace) -> str:
    w = ", ".join(f"{each:.3g}" for each in trace.w_path[trace.step])
    place = f"step {trace.step} of {trace.spec.epochs}"
    if not trace.step:
        return f"{place}: untrained, w {w}"
    # The loss of a step is that of the fit before it.
    return f"{place}: loss before it {trace.loss[trace.step - 1]:.4g}, w {w}"
