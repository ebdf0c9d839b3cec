"""The table of `attnviz.sweep`: one row per run, as a pandas data frame or as columns."""

import importlib.util
import multiprocessing
from collections.abc import Callable
from typing import Any

from attnviz.experiment.sweeps.crossing import Crossing
from attnviz.export.tables.columns import columns_of_rows

_GUARD = (
    "the workers of attnviz.sweep import the script that starts them; write the call below "
    "if __name__ == '__main__':, or use workers=1"
)


def table_of(
    crossing: Crossing, workers: int, scheduler: str, limit: float | None, progress: Callable[[int, int], object]
) -> Any:
    """Return the table of a sweep; see `attnviz.sweep`.

    Raises:
        RuntimeError: called in a worker that imports the script.
        RunError: there are no workers, or their scheduler cannot be reached.
    """
    from attnviz.engine.sweeps.estimate import seconds_of_a_run
    from attnviz.engine.sweeps.rows import Workers, rows_of

    if getattr(multiprocessing.current_process(), "_inheriting", False):
        raise RuntimeError(_GUARD)
    runs = range(len(crossing))
    pool = Workers(min(workers, len(runs)), scheduler)
    seconds = 0.0 if pool == Workers() else seconds_of_a_run(crossing, runs)
    all_rows: list[Any] = []
    for rows in rows_of(crossing, runs, pool, limit=limit, seconds=seconds):
        all_rows += rows
        progress(len(all_rows), len(runs))
    columns = columns_of_rows(all_rows, crossing.columns)
    if importlib.util.find_spec("pandas") is None:
        return columns
    import pandas

    return pandas.DataFrame(columns)
