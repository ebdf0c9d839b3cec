"""The rows of a sweep as they are computed: in this process, on workers of this machine, or through a scheduler."""

from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass

from attnviz.definitions.text import Text
from attnviz.engine.machine import one_thread
from attnviz.engine.sweeps.cells import Row, row_of
from attnviz.experiment.extras import extras_of_sweep
from attnviz.experiment.sweeps.crossing import Crossing


@dataclass(frozen=True, slots=True)
class Workers:
    """The workers that compute the runs."""

    count: int = 1
    """The number of processes on this machine; 1: only this process."""
    scheduler: str = ""
    """The address of a Dask scheduler whose workers are used instead: "tcp://10.0.0.1:8786"."""


def rows_of(
    crossing: Crossing,
    runs: Sequence[int],
    workers: Workers,
    *,
    limit: float | None = None,
    seconds: float = 1.0,
    tell: Callable[[Text], object] = lambda _: None,
) -> Generator[list[Row], None, None]:
    """Yield the rows of some runs as they are computed, in any order.

    Args:
        crossing: the sweep.
        runs: the numbers of the runs to compute.
        workers: the workers that compute them.
        limit: the timeout of a run in seconds; a longer one is a row with a message.
        seconds: the approximate duration of a run; short ones are sent in batches.
        tell: called with messages for the user, such as that there is no worker yet.

    Raises:
        RunError: there are no workers, their versions differ, or the scheduler is gone; the rows so far are valid.
    """
    if workers.count == 1 and not workers.scheduler:
        extras = extras_of_sweep(crossing.base.lab, crossing.extras)
        for run in runs:
            with one_thread():
                row = row_of(crossing.base, run, crossing.changes(run), limit, extras)
            yield [row]
        return
    from attnviz.engine.sweeps.cluster import connected, rows_from

    with connected(workers.count, workers.scheduler) as connection:
        yield from rows_from(connection, crossing, runs, limit=limit, seconds=seconds, tell=tell)
