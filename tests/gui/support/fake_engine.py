"""A fake of `attnviz.engine.run.start` that counts runs, delays them, and makes them late or fail."""

import threading
from collections.abc import Callable
from typing import Any, TypeVar

from pytestqt.qtbot import QtBot

from attnviz.engine.machine import RunError
from attnviz.engine.run import start
from attnviz.experiment.labs import Spec
from attnviz.experiment.run import Cursor, Failure, Run

_PATIENCE_S = 30.0
T = TypeVar("T")


ShouldStop = Callable[[], bool]
Before = Callable[[ShouldStop], ShouldStop]
"""Called before a step; returns the ``should_stop`` of that step."""


class WrappedRun:
    """A run with a hook before each of its steps."""

    def __init__(self, run: Run, before: Before) -> None:
        self.run, self.before = run, before
        self.spec = run.spec

    @property
    def known(self) -> Cursor | None:
        """As the run's."""
        return self.run.known

    @property
    def final(self) -> bool:
        """As the run's."""
        return self.run.final

    @property
    def nbytes(self) -> int:
        """As the run's."""
        return self.run.nbytes

    def advance(self, should_stop: ShouldStop) -> bool:
        """Take a step."""
        return self.run.advance(self.before(should_stop))

    def at(self, cursor: Cursor) -> Any:
        """As the run's."""
        return self.run.at(cursor)

    def rest(self) -> None:
        """As the run's."""
        self.run.rest()


def start_wrapped(asked: Any, past: Any, before: Before, **options: Any) -> WrappedRun:
    """Return the real engine's run with a hook before each of its steps."""
    return WrappedRun(start(asked, past.run if isinstance(past, WrappedRun) else past, **options), before)


class FakeEngine:
    """Runs the real engine by default, and records the requested specs and threads."""

    def __init__(self) -> None:
        self.asked: list[Spec] = []
        self.threads: set[int] = set()
        self.deaf = False
        """Whether a delayed run delivers its trace although it should stop."""
        self.wrong: Callable[[Spec], Exception | Failure[Spec] | None] = lambda _spec: None
        """The error of a spec: an exception, or the failure of its run."""
        self._open = threading.Event()
        self._open.set()
        self.began = threading.Event()
        """Set when a run has begun."""

    def hold(self) -> None:
        """Delay every run from now on, before its first event."""
        self.began.clear()
        self._open.clear()

    def hold_run_of(self, act: Callable[[], T], qtbot: QtBot, *, deaf: bool = False) -> T:
        """Request a run and wait until it has begun; it is delayed."""
        self.deaf = self.deaf or deaf
        self.hold()
        done = act()
        qtbot.waitUntil(self.began.is_set)
        return done

    def let_go(self) -> None:
        """Let the delayed runs continue."""
        self._open.set()

    def __call__(self, spec: Spec, past: Any = None, **options: Any) -> Run:
        if threading.current_thread() is threading.main_thread():
            return start(spec, past, **options)  # it is the test that asks, for what it compares with
        self.asked.append(spec)
        begun: list[Spec] = []

        def before(should_stop: ShouldStop) -> ShouldStop:
            if not begun:
                begun.append(spec)
                self.threads.add(threading.get_ident())
                self.began.set()
                self._wait(should_stop)
                self._go_wrong(spec)
            return (lambda: False) if self.deaf else should_stop

        return start_wrapped(spec, past, before, **options)

    def _go_wrong(self, spec: Spec) -> None:
        match self.wrong(spec):
            case Exception() as error:
                raise error
            case Failure(code=code, text=text):
                raise RunError(code, text)

    def _wait(self, should_stop: ShouldStop) -> None:
        for _ in range(round(_PATIENCE_S / 0.005)):
            if self._open.wait(0.005) or (should_stop() and not self.deaf):
                return
        raise TimeoutError("nobody let this run go")
