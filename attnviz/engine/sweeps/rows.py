"""The rows of a sweep as they are computed: in this process, on workers of this machine, or where a scheduler is."""

from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass

from attnviz.definitions.text import Text
from attnviz.engine.sweeps.cells import Row, one_thread, row_of
from attnviz.experiment.sweeps.crossing import Crossing


@dataclass(frozen=True, slots=True)
class Workers:
    """Who computes the runs."""

    count: int = 1
    """How many processes of this machine; 1: this process itself."""
    scheduler: str = ""
    """The address of a scheduler of Dask, whose workers are used instead: "tcp://10.0.0.1:8786"."""


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
        runs: the numbers of its runs that are wanted.
        workers: who computes them.
        limit: the most seconds of a run; a longer one is a row with a sentence.
        seconds: about how long a run takes; short ones are sent together.
        tell: takes what a person should know meanwhile, such as that there is no worker yet.

    Raises:
        RunError: there are no workers, they have other versions, or the scheduler is gone; the rows so far are good.
    """
    if workers.count == 1 and not workers.scheduler:
        for run in runs:
            with one_thread():
                row = row_of(crossing.base, run, crossing.changes(run), limit)
            yield [row]
        return
    from attnviz.engine.sweeps.cluster import connected, rows_from

    with connected(workers.count, workers.scheduler) as connection:
        yield from rows_from(connection, crossing, runs, limit=limit, seconds=seconds, tell=tell)
