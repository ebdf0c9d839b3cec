"""A stand-in for `attnviz.engine.run.run`: it counts runs, holds them back, lets them end late or badly."""

import threading
from collections.abc import Callable, Iterator
from typing import Any

from attnviz.engine.run import run
from attnviz.experiment.failure import Failure
from attnviz.experiment.labs import Event, Spec

_PATIENCE_S = 30.0


class FakeEngine:
    """Runs the true engine, unless told otherwise, and remembers what was asked of it and by which thread."""

    def __init__(self) -> None:
        self.asked: list[Spec] = []
        self.threads: set[int] = set()
        self.deaf = False
        """Whether a run that is held back goes on to deliver its trace though it was asked to stop."""
        self.wrong: Callable[[Spec], Exception | Failure[Spec] | None] = lambda _spec: None
        """What goes wrong with a spec: an exception to raise, a failure to yield."""
        self._open = threading.Event()
        self._open.set()
        self.began = threading.Event()
        """Set when a run has begun."""

    def hold(self) -> None:
        """Hold every run back from now on, before its first event."""
        self.began.clear()
        self._open.clear()

    def let_go(self) -> None:
        """Let the runs go on."""
        self._open.set()

    def __call__(
        self, spec: Spec, *, should_stop: Callable[[], bool], untrained_first: bool = False
    ) -> Iterator[Event]:
        self.asked.append(spec)
        self.threads.add(threading.get_ident())
        self.began.set()
        self._wait(should_stop)
        match self.wrong(spec):
            case Exception() as error:
                raise error
            case Failure() as failure:
                yield failure
            case None:
                answers: Any = (lambda: False) if self.deaf else should_stop
                yield from run(spec, should_stop=answers, untrained_first=untrained_first)

    def _wait(self, should_stop: Callable[[], bool]) -> None:
        for _ in range(round(_PATIENCE_S / 0.005)):
            if self._open.wait(0.005) or (should_stop() and not self.deaf):
                return
        raise TimeoutError("nobody let this run go")
