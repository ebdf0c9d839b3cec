"""What the commands share: how one ends early, what it says, and how it reaches the engine."""

import contextlib
import os
import signal
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NoReturn

if TYPE_CHECKING:
    from attnviz.experiment.labs import Spec, Trace

BAD_INPUT, FAILED = 2, 1


class CommandError(Exception):
    """What ends a command: one sentence, and the exit code that goes with it."""

    def __init__(self, message: str, code: int = BAD_INPUT) -> None:
        super().__init__(message)
        self.code = code


def say(message: str) -> None:
    """Write one line to stderr, where there is one."""
    with contextlib.suppress(OSError):
        print(f"attnviz: {' '.join(message.split())}", file=sys.stderr, flush=True)


def tell(message: str) -> None:
    """Write one line to stdout; where its reader has gone, nobody, and the work goes on."""
    if sys.stdout is None:
        return
    try:
        print(message, flush=True)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


@contextlib.contextmanager
def ending_as_interrupted() -> Iterator[None]:
    """Take the signals to end as Ctrl+C: what is half written is cleared away."""

    def interrupt(*_: object) -> NoReturn:
        raise KeyboardInterrupt

    names = [name for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]
    before = {name: signal.signal(getattr(signal, name), interrupt) for name in names}
    try:
        yield
    finally:
        for name, handler in before.items():
            signal.signal(getattr(signal, name), handler)


def engine_run() -> Any:
    """Return the engine's ``run``.

    Raises:
        CommandError: PyTorch is missing.
    """
    try:
        from attnviz.engine.run import run
    except ImportError as error:
        raise CommandError(f"a run needs PyTorch: {error}; 'attnviz doctor' says what to install", FAILED) from error
    return run


def last_trace(spec: "Spec") -> "Trace":
    """Run a spec and return its last trace.

    Raises:
        CommandError: PyTorch is missing, or the run failed.
    """
    from attnviz.experiment.failure import Failure

    trace: Trace | None = None
    for event in engine_run()(spec):
        if isinstance(event, Failure):
            raise CommandError(event.message, FAILED)
        trace = event
    assert trace is not None, "a run that is not stopped ends in a trace or a failure"
    return trace
