"""Runs a function in a thread of its own, in turn with the caller's: the loop of a library, one pass at a time."""

import contextvars
import threading
from collections.abc import Callable

import torch

from attnviz.experiment.run import StoppedError

Pause = Callable[[], None]
"""Pauses the function until the next `Stepwise.advance`; raises `StoppedError` after `Stepwise.close`."""


class Stepwise:
    """A function that pauses at points of its choice, and continues when `advance` is called.

    It runs with the context variables and the number of torch's threads of its creator. It and its caller never run at
    the same time.
    """

    def __init__(self, work: Callable[[Pause], None]) -> None:
        self._work = work
        self._may_run, self._has_paused = threading.Semaphore(0), threading.Semaphore(0)
        self._is_closed = self._has_ended = False
        self._error: BaseException | None = None
        self._cores = torch.get_num_threads()
        run_in_context = contextvars.copy_context().run
        self._thread = threading.Thread(target=run_in_context, args=(self._run,), name="stepwise", daemon=True)

    def advance(self) -> bool:
        """Run the function to its next pause; return False if it has returned. Raises what the function raises."""
        if self._has_ended or self._is_closed:
            return False
        if self._thread.ident is None:
            self._thread.start()
        self._may_run.release()
        self._has_paused.acquire()
        if self._error is not None:
            error, self._error = self._error, None
            raise error
        return not self._has_ended

    def close(self) -> None:
        """End the function at its pause, and wait for its thread."""
        self._is_closed = True
        if self._thread.ident is not None and not self._has_ended:
            self._may_run.release()
            self._thread.join()

    def _run(self) -> None:
        torch.set_num_threads(self._cores)  # OpenMP has a number for each thread
        self._may_run.acquire()
        try:
            if not self._is_closed:
                self._work(self._pause)
        except BaseException as error:
            self._error = None if self._is_closed else error
        self._has_ended = True
        self._has_paused.release()

    def _pause(self) -> None:
        self._has_paused.release()
        self._may_run.acquire()
        if self._is_closed:
            raise StoppedError
