"""What the commands share: how one ends early, what it says, and how it reaches the engine."""

import argparse
import contextlib
import os
import signal
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

if TYPE_CHECKING:
    from attnviz.experiment.failure import Failure
    from attnviz.experiment.labs import Spec, Trace

BAD_INPUT, FAILED = 2, 1
_LONGEST = 2000
"""How many characters of a line are said."""


class LateParser(argparse.ArgumentParser):
    """A parser whose complaint is one line. What its arguments need may be imported when it is first used."""

    late: "Callable[[LateParser], None] | None" = None
    """Adds arguments before the first command line is parsed."""

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Parse as every parser does, once the late arguments are added."""
        late, self.late = self.late, None
        if late is not None:
            late(self)
        return super().parse_known_args(args, namespace)

    def error(self, message: str) -> NoReturn:
        """Say what is wrong in one line, and end."""
        say(f"{message}; see '{self.prog} --help'")
        self.exit(BAD_INPUT)


class CommandError(Exception):
    """What ends a command: one sentence, and the exit code that goes with it."""

    def __init__(self, message: str, code: int = BAD_INPUT) -> None:
        super().__init__(message)
        self.code = code


def check_free(path: Path, *, force: bool) -> None:
    """Refuse a path that cannot be written, or an existing file unless ``force`` is set.

    Raises:
        CommandError: there is no such folder, the path is not a regular file, or it exists and ``force`` is off.
    """
    try:
        if not os.path.isdir(os.path.dirname(os.path.abspath(path))):
            raise CommandError(f"{path}: there is no such folder")
        if path.is_dir():
            raise CommandError(f"{path} is a folder")
        if path.exists() and not path.is_file():
            raise CommandError(f"{path} is a pipe or a device, which a file cannot take the place of")
        if os.path.lexists(path) and not force:
            raise CommandError(f"{path} exists; --force overwrites it")
    except OSError as error:
        raise CommandError(f"{path} cannot be written: {error.strerror or error}") from error


def say(message: str) -> None:
    """Write one line to stderr, where there is one."""
    if sys.stderr is None:
        return  # print would take stdout instead, where the answer goes
    with contextlib.suppress(OSError):
        print(f"attnviz: {_printable(' '.join(message.split()))}", file=sys.stderr, flush=True)


def _printable(text: str) -> str:
    """Return a text for a terminal: control characters escaped, a long text cut in the middle."""
    shown = "".join(sign if sign.isprintable() else repr(sign)[1:-1] for sign in text)
    half = _LONGEST // 2
    return shown if len(shown) <= _LONGEST else f"{shown[:half]} ... {shown[-half:]}"


def what_is_kept(error: Exception) -> str:
    """Write the traceback of a defect to the log; return a sentence about it and the place of the log."""
    from attnviz.log import first_line, log_file, note_defect

    noted = note_defect("an unexpected exception ended a command", error)
    kind, said = type(error).__name__, first_line(error)
    what = kind if said == kind else f"{kind}: {said}"
    place = f"the traceback is in {log_file()}" if noted else f"the traceback could not be kept in {log_file()}"
    return f"{what}; {place}"


def tell(message: str) -> None:
    """Write one line to stdout; a closed pipe is ignored."""
    if sys.stdout is None:
        return
    try:
        print(_printable(message), flush=True)
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


def engine() -> Any:
    """Return the module of the engine's runs.

    Raises:
        CommandError: PyTorch is missing, or is there and cannot be loaded.
    """
    try:
        import attnviz.engine.run as engine_run
    except (Exception, SystemExit) as error:  # a broken installation raises anything: OSError for a library, ...
        from attnviz.log import first_line

        reason = first_line(error)
        raise CommandError(f"a run needs PyTorch: {reason}; 'attnviz doctor' says what to install", FAILED) from error
    return engine_run


def _end_by(failure: "Failure[Any]") -> CommandError:
    """Return a failure as the end of a command; the engine has noted what is a defect of ours."""
    from attnviz.log import log_file

    place = f"; the traceback is in {log_file()}" if failure.code == "internal" else ""
    return CommandError(f"{failure.message}{place}", FAILED)


def last_trace(spec: "Spec") -> "Trace":
    """Run a spec and return its last trace.

    Raises:
        CommandError: PyTorch is missing, or the run failed.
    """
    from attnviz.experiment.failure import Failure

    runs = engine()
    from attnviz.engine.failures import failure_of

    with Progress() as progress:
        try:
            last: Trace | Failure[Spec] = runs.run_to_end(spec, progress=progress.show)
        except Exception as error:  # a defect of ours is one line too
            last = failure_of(spec, error)
    if isinstance(last, Failure):
        raise _end_by(last)
    return last


class Progress:
    """How far a long training is, on stderr: one line written over in a terminal, else a line now and then."""

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._start = now()
        self._next = self._start + 1  # seconds; what is over sooner needs no word
        self._line_is_open = False

    def __enter__(self) -> "Progress":
        return self

    def __exit__(self, *_: object) -> None:
        if self._line_is_open:
            self._write("\n")

    def show(self, done: int, count: int) -> None:
        """Say how many steps have been taken, and how long the others may take, if it is time to."""
        now = self._now()
        if now < self._next or sys.stderr is None:
            return
        is_terminal = sys.stderr.isatty()
        self._next = now + (0.2 if is_terminal else 10)
        left = (now - self._start) / done * (count - done)
        line = f"step {done}/{count}, {left:.0f} s left"
        self._line_is_open = is_terminal
        self._write(f"\r{line:<40}" if is_terminal else f"{line}\n")

    def _write(self, text: str) -> None:
        with contextlib.suppress(OSError):  # the reader of the output may be gone
            print(text, end="", file=sys.stderr, flush=True)
