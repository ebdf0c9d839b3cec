"""The runs of a sweep on Dask workers: `connected` finds or starts them, `rows_from` keeps them busy.

Orders are a function of attnviz by name, and JSON; answers are JSON. Dask's own messages are pickles: anyone who
reaches a scheduler can run code as its user. So only the given address is ever connected to.
"""

import contextlib
import json
import logging
import os
import queue
import tempfile
import time
import uuid
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from attnviz.definitions.text import Text
from attnviz.engine.machine import RunError
from attnviz.engine.sweeps.cells import Row, order_of, versions
from attnviz.engine.sweeps.worker import compute_or_exit
from attnviz.experiment.sweeps.crossing import FAILURE, RUN, SPEC, Crossing
from attnviz.log import first_line

_SHORT = 0.3
"""Runs below this duration, in seconds, are sent in batches."""
_TOGETHER = 0.5
"""The target duration of a batch, in seconds."""
_MOST_TOGETHER = 500
_IN_FLIGHT = 2
"""Batches in flight per worker thread: one being computed and one waiting."""
_ANSWER = 10
"""The timeout of a scheduler's answer, in seconds."""
_LOOK = 0.2
"""The interval, in seconds, between checks that the scheduler is alive."""
_COUNT = 2.0
"""The interval, in seconds, between counts of the workers."""
_SETTINGS: dict[str, Any] = {
    # Dask would also set its workers' variables in this process, and in all its later children.
    "distributed.nanny.pre-spawn-environ": {},
    # A worker that has not come back by itself after this time is restarted.
    "distributed.deploy.lost-worker-timeout": "10s",
    # The web servers of a scheduler and a worker cannot be disabled; they serve nothing.
    "distributed.scheduler.http.routes": [],
    "distributed.worker.http.routes": [],
    # The profile that each worker takes every 10 ms is unused.
    "distributed.worker.profile.enabled": False,
}
_ONE_THREAD = {"OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
_CRITICAL = logging.getLevelName(logging.CRITICAL).lower()


def _library() -> Any:
    """Return `distributed`, logging only fatal errors.

    Raises:
        RunError: it is not installed.
    """
    try:
        import dask.config

        # Also asyncio's: when a worker dies, Dask leaves a task whose exception is never retrieved.
        names = ("distributed", "distributed.client", "asyncio")
        dask.config.set({"logging": dict.fromkeys(names, _CRITICAL)})
        import distributed
    except ImportError as error:
        values = {"why": first_line(error)}
        sentence = "several workers need Dask ({why}): pip install 'attnviz[cluster]'; nearest: one worker"
        raise RunError("no_cluster", sentence, **values) from error
    return distributed


@dataclass(frozen=True, slots=True)
class Connection:
    """A connection to workers."""

    client: Any
    cluster: Any = None
    """The cluster started here; None if the workers were already there."""
    count: int = 0
    """The number of workers started."""

    def threads(self, before: int, tell: Callable[[Text], object]) -> int:
        """Return the current number of worker threads, and restart workers that Dask could not."""
        try:
            threads: int = sum(self.client.nthreads().values())
        except Exception:
            self.check()
            return before
        if self.cluster is not None:
            if threads < self.count:
                self.cluster.scale(self.count)  # Dask restarts a dead worker, but not one that died while starting
            return self.count
        if before and not threads:
            tell(Text("the scheduler has no worker now; the sweep waits for one"))
        return threads

    def check(self) -> None:
        """Raise a RunError if the scheduler is gone."""
        if self.client.status != "running":
            sentence = "the scheduler is gone; the same command resumes with the remaining runs"
            raise RunError("scheduler_gone", sentence)


@contextlib.contextmanager
def connected(count: int, scheduler: str) -> Iterator[Connection]:
    """Connect to the scheduler at an address, or ("") start ``count`` workers on this machine.

    Raises:
        RunError: Dask is missing, the scheduler does not answer, or the workers cannot be started.
    """
    distributed = _library()
    with contextlib.ExitStack() as held:
        cluster = None if scheduler else held.enter_context(_own_workers(distributed, count))
        address = scheduler if cluster is None else cluster.scheduler_address
        try:
            client = distributed.Client(address, timeout=_ANSWER, set_as_default=False, name="attnviz")
        except (OSError, ValueError, TypeError, RuntimeError) as error:
            values = {"address": scheduler, "why": first_line(error)}
            sentence = "no scheduler of Dask answers at {address}: {why}"
            raise RunError("no_scheduler", sentence, **values) from error
        held.callback(_close_quietly, client)
        yield Connection(client, cluster, count)


def _close_quietly(client: Any) -> None:
    with contextlib.suppress(Exception):  # the scheduler may be gone; computed rows are still written
        client.close(timeout=_ANSWER)


@contextlib.contextmanager
def _own_workers(distributed: Any, count: int) -> Iterator[Any]:
    """Start workers, each a process with one thread."""
    import dask.config

    environment = dict(os.environ)
    with (
        tempfile.TemporaryDirectory(prefix="attnviz-sweep-", ignore_cleanup_errors=True) as folder,
        dask.config.set({**_SETTINGS, "temporary-directory": folder}),
    ):
        try:
            cluster = distributed.LocalCluster(
                n_workers=count,
                threads_per_worker=1,
                processes=True,
                host="127.0.0.1",
                dashboard_address=None,
                worker_dashboard_address=None,
                memory_limit=0,
                local_directory=folder,
                silence_logs=logging.CRITICAL,
                preload=["attnviz.engine.sweeps.worker"],
                env=_ONE_THREAD,
                scheduler_kwargs={"allowed_failures": 1, "dashboard_address": "127.0.0.1:0"},
            )
        except (OSError, RuntimeError, TimeoutError) as error:
            values = {"count": count, "why": first_line(error)}
            sentence = "the workers cannot be started: {why}; nearest: one worker, which is this process"
            raise RunError("no_workers", sentence, **values) from error
        try:
            yield cluster
        finally:
            with contextlib.suppress(Exception):
                cluster.close(timeout=_ANSWER)
            os.environ.clear()
            os.environ.update(environment)


def rows_from(
    connection: Connection,
    crossing: Crossing,
    runs: Sequence[int],
    *,
    limit: float | None,
    seconds: float,
    tell: Callable[[Text], object],
) -> Iterator[list[Row]]:
    """Yield the rows of some runs as they arrive, and send as many new ones: few are in memory at any time.

    Runs whose workers died more often than the scheduler allows are repeated, each with nothing else in flight: so the
    run that kills its worker is identified, and no other fails with it.

    Raises:
        RunError: the scheduler is gone, or a worker's versions differ.
    """
    batches = _Batches(runs, seconds)
    back: queue.SimpleQueue[Any] = queue.SimpleQueue()
    flying: dict[str, list[int]] = {}
    client, threads, counted = connection.client, 1, float("-inf")
    while True:
        if time.monotonic() - counted > _COUNT:
            threads, counted = connection.threads(threads, tell), time.monotonic()
        while len(flying) < _IN_FLIGHT * max(1, threads) and (numbers := batches.following(threads, len(flying))):
            key = f"attnviz-{crossing.digest}-{uuid.uuid4().hex}"  # cannot collide with any text that is sent
            future = client.submit(compute_or_exit, order_of(crossing, numbers, limit), key=key, pure=False)
            flying[key] = numbers
            future.add_done_callback(back.put)
        if not flying:
            return
        try:
            future = back.get(timeout=_LOOK)
        except queue.Empty:
            connection.check()
            continue
        numbers = flying.pop(future.key)
        answer = _answer(connection, future)
        future.release()
        if answer is not None:
            batches.took(answer["seconds"], len(numbers))
            yield answer["rows"]
        elif not batches.do_again(numbers):
            why = Text("the run repeatedly killed its worker: it needs too much memory, or it does not stop")
            yield [{RUN: numbers[0], **crossing.changes(numbers[0]), FAILURE: str(why), SPEC: None}]


class _Batches:
    """The runs that remain to be sent."""

    def __init__(self, runs: Sequence[int], seconds: float) -> None:
        self._runs, self._sent = runs, 0
        self._seconds = seconds
        self._alone: deque[int] = deque()
        self._is_alone = False
        """Whether what is on the way is a single run, sent alone."""

    def following(self, threads: int, flying: int) -> list[int]:
        """Return the runs of the next batch; empty if none remain, or it has to wait for those in flight."""
        left = len(self._runs) - self._sent
        if not left:
            if flying or not self._alone:
                return []
            self._is_alone = True
            return [self._alone.popleft()]
        count = 1
        if self._seconds < _SHORT:
            fair = -(-left // (_IN_FLIGHT * max(1, threads)))  # the last batches are small, so that all end together
            count = max(1, min(round(_TOGETHER / max(self._seconds, 1e-4)), _MOST_TOGETHER, fair))
        begin, self._sent = self._sent, self._sent + count
        return list(self._runs[begin : self._sent])

    def took(self, seconds: float, count: int) -> None:
        """Note the duration of a batch of ``count`` runs."""
        self._seconds += 0.3 * (seconds / count - self._seconds)

    def do_again(self, numbers: list[int]) -> bool:
        """Repeat the runs of a batch whose workers died; return False if it was a single run, alone in flight."""
        if self._is_alone:
            return False
        self._alone.extend(numbers)
        return True


def _answer(connection: Connection, future: Any) -> dict[str, Any] | None:
    """Return the answer to a batch; None if its workers died.

    Raises:
        RunError: the scheduler is gone, or a worker's versions differ or attnviz is missing there.
    """
    if future.status == "finished":
        try:
            answer: dict[str, Any] = json.loads(future.result(timeout=_ANSWER))
        except Exception:  # the worker died with its answer
            connection.check()
            return None
        if "rows" not in answer:
            raise RunError("other_versions", _other_versions(answer["versions"]))
        return answer
    if future.status == "error":
        error = future.exception(timeout=_ANSWER)
        if type(error).__name__ == "KilledWorker":
            return None
        sentence = "a worker cannot compute runs of attnviz {version}: {why}"
        raise RunError("no_attnviz", sentence, version=versions()["attnviz"], why=first_line(error))
    connection.check()
    return None


def _other_versions(theirs: dict[str, str]) -> Text:
    differ = [f"{name} {theirs.get(name)}" for name, version in versions().items() if theirs.get(name) != version]
    ours = [f"{name} {version}" for name, version in versions().items() if theirs.get(name) != version]
    sentence = "a worker has {theirs} and this machine {ours}; the numbers of one table need the same versions"
    return Text(sentence, {"theirs": ", ".join(differ), "ours": ", ".join(ours)})
