"""Shared parts of the commands: errors, messages, progress, and access to the engine."""

import argparse
import contextlib
import os
import signal
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from attnviz.definitions.formats import Format, Output, format_for, format_of
from attnviz.definitions.text import Refused
from attnviz.experiment.texts.languages import languages, wrong_language
from attnviz.parent import end_with_parent

if TYPE_CHECKING:
    from attnviz.experiment.extras import Extra
    from attnviz.experiment.files.session import Session
    from attnviz.experiment.labs import Spec, Trace, Trained
    from attnviz.experiment.run import Failure

BAD_INPUT, FAILED = 2, 1
WRITES: Mapping[str, tuple[Output, ...]] = {
    "export": ("figure", "numbers", "session", "animation"),
    "run": ("numbers",),
    "sweep": ("table",),
    "sweep --heads": ("heads", "figure"),
    "code": ("code",),
}
"""The kinds of output that each command writes to the file given by ``-o``."""
_LONGEST = 2000
"""The most characters of a printed line."""


class LateParser(argparse.ArgumentParser):
    """A parser that reports errors in one line, and can add arguments on first use to import late."""

    late: "Callable[[LateParser], None] | None" = None
    """Called to add arguments before the first command line is parsed."""

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Parse as usual, after adding the late arguments."""
        late, self.late = self.late, None
        if late is not None:
            late(self)
        return super().parse_known_args(args, namespace)

    def error(self, message: str) -> NoReturn:
        """Print the error in one line, and exit."""
        say(f"{message}; see '{self.prog} --help'")
        self.exit(BAD_INPUT)


def add_language(parser: argparse.ArgumentParser, about: str) -> None:
    """Add the option for the language of the window or of the output."""
    parser.add_argument("--lang", type=_language, metavar="CODE", help=f"{about}: {', '.join(languages())}")


def _language(code: str) -> str:
    wrong = wrong_language(code[:40])
    if wrong:
        raise argparse.ArgumentTypeError(str(wrong))
    return code


class CommandError(Exception):
    """Ends a command with a message and an exit code."""

    def __init__(self, message: str, code: int = BAD_INPUT) -> None:
        super().__init__(message)
        self.code = code


def check_free(path: Path, *, force: bool) -> None:
    """Check that a file can be written at this path: new, or an existing file with ``force``.

    Raises:
        CommandError: its folder does not exist, it is not a regular file, or it exists and ``force`` is false.
    """
    try:
        if not os.path.isdir(os.path.dirname(os.path.abspath(path))):
            raise CommandError(f"{path}: there is no such folder")
        if path.is_dir():
            raise CommandError(f"{path} is a folder")
        if path.exists() and not path.is_file():
            raise CommandError(f"{path} is a pipe or a device, which cannot be overwritten by a file")
        if os.path.lexists(path) and not force:
            raise CommandError(f"{path} exists; --force overwrites it")
    except OSError as error:
        raise CommandError(f"{path} cannot be written: {error.strerror or error}") from error


def checked_format(path: Path, command: str) -> Format:
    """Return the format of a path's suffix, if the command can write it.

    Raises:
        CommandError: it cannot; names the suffixes that it can write, and the command that writes this one.
    """
    try:
        return format_for(path, *WRITES[command])
    except Refused as error:
        form = format_of(path)
        others = [name for name, held in WRITES.items() if form and not form.writers.keys().isdisjoint(held)]
        hint = f"; 'attnviz {others[0]}' writes {path.suffix}" if others else ""
        raise CommandError(f"{error}{hint}") from error


def say(message: str) -> None:
    """Write one line to stderr, if there is one."""
    if sys.stderr is None:
        return  # print would use stdout, where the output goes
    with contextlib.suppress(OSError):
        print(f"attnviz: {_printable(' '.join(message.split()))}", file=sys.stderr, flush=True)


def _printable(text: str) -> str:
    """Return a text with control characters escaped and, if it is too long, without its middle."""
    shown = "".join(sign if sign.isprintable() else repr(sign)[1:-1] for sign in text)
    half = _LONGEST // 2
    return shown if len(shown) <= _LONGEST else f"{shown[:half]} ... {shown[-half:]}"


def log_defect(error: Exception) -> str:
    """Write the traceback of a bug to the log; return the error and the path of the log."""
    from attnviz.log import first_line, log_file, note_defect

    noted = note_defect("unexpected exception in a command", error)
    kind, message = type(error).__name__, first_line(error)
    defect = kind if message == kind else f"{kind}: {message}"
    where = f"the traceback is in {log_file()}" if noted else f"the traceback could not be written to {log_file()}"
    return f"{defect}; {where}"


def tell(message: str) -> None:
    """Write one line to stdout; if the reader closed the pipe, discard it and continue."""
    if sys.stdout is None:
        return
    try:
        print(_printable(message), flush=True)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


@contextlib.contextmanager
def signals_as_interrupt() -> Iterator[None]:
    """Handle SIGTERM and SIGHUP like Ctrl+C, so that unfinished files are removed; what nohup ignores stays ignored.

    A command of the window ends in the same way once the window is gone.
    """

    def interrupt(*_: object) -> NoReturn:
        raise KeyboardInterrupt

    numbers = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]
    heard = [number for number in numbers if signal.getsignal(number) != signal.SIG_IGN]
    before = {number: signal.signal(number, interrupt) for number in heard}
    end_with_parent()
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def engine() -> Any:
    """Return the module of the engine's runs.

    Raises:
        CommandError: PyTorch is missing or cannot be loaded.
    """
    try:
        import attnviz.engine.run as engine_run
    except (Exception, SystemExit) as error:  # a broken installation raises anything: OSError for a library, ...
        from attnviz.log import first_line

        reason = first_line(error)
        raise CommandError(f"a run needs PyTorch: {reason}; 'attnviz doctor' says what to install", FAILED) from error
    return engine_run


def run_failed(failure: "Failure[Any]", before: str = "") -> CommandError:
    """Return the error for a failed run; the engine has already logged bugs."""
    from attnviz.log import log_file

    where = f"; the traceback is in {log_file()}" if failure.code == "internal" else ""
    return CommandError(f"{before}{failure.message}{where}", FAILED)


def add_allow_code(parser: argparse.ArgumentParser) -> None:
    """Add the option that consents to the Python functions of a document; `main` acts on it."""
    parser.add_argument("--allow-code", action="store_true", help="run the Python functions that SPEC names, if any")


def add_layers(parser: argparse.ArgumentParser) -> None:
    """Add the option that chooses layers of a model."""
    parser.add_argument(
        "--layers",
        type=_layers,
        metavar="3,4",
        help="which layers of a model to write, by the model's own numbers (all)",
    )


def _layers(text: str) -> tuple[int, ...]:
    """Return the layers of "3,4" or "2-4", counted from 0."""
    layers: dict[int, None] = {}
    for part in text.split(","):
        first, _, last = part.strip().partition("-")
        numbers = first, last or first
        if not all(each.isascii() and each.isdecimal() and len(each) < 7 for each in numbers) or int(first) < 1:
            raise argparse.ArgumentTypeError(f"'{text[:40]}' must be counted from 1, such as 3,4 or 2-4; nearest: 1")
        layers |= dict.fromkeys(range(int(first) - 1, int(last or first)))
    return tuple(layers)


def _result_of(spec: "Spec", run: Callable[..., Any], **options: Any) -> Any:
    """Return what a run of the engine ends with, with its progress on stderr.

    Raises:
        CommandError: the run failed.
    """
    from attnviz.engine.run import failure_of
    from attnviz.experiment.run import Failure

    with Progress() as progress:
        try:
            last = run(spec, progress=progress.show, **options)
        except Exception as error:  # a bug is also reported in one line
            last = failure_of(spec, error)
    if isinstance(last, Failure):
        raise run_failed(last)
    return last


def trained_of(spec: "Spec", trained: "Trained | None" = None) -> "tuple[Trace, Trained]":
    """Train a spec, or take its remaining steps after a session's trained model; return the last trace and the model.

    Raises:
        CommandError: PyTorch is missing, or the run failed.
    """
    result: tuple[Trace, Trained] = _result_of(spec, engine().trained_to_end, trained=trained)
    return result


def last_trace(
    spec: "Spec",
    trained: "Trained | None" = None,
    *,
    layer: int | None = None,
    side: str | None = None,
    extras: "Sequence[Extra]" = (),
) -> "Trace":
    """Run a spec, or its remaining steps after a session's trained model, and return the last trace.

    For a run with one trace per layer, return that of ``layer``, or the first; with several sides, that of ``side``.
    The trace has the arrays of ``extras`` as well.

    Raises:
        CommandError: PyTorch is missing, or the run failed.
    """
    runs = engine()
    last: Trace = _result_of(spec, runs.run_to_end, trained=trained, layer=layer, side=side)
    if extras:
        last = _result_of(spec, lambda _, progress: runs.with_extras(last, extras, progress=progress))
    if last.warning:
        say(last.warning.text)
    return last


def say_shown_otherwise(source: object, session: "Session", trace: "Trace") -> None:
    """Report what the version that wrote the session showed differently, if anything."""
    if session.predates:
        for note in trace.shown_otherwise:
            say(f"{source}: {note}")


def place_of(session: "Session") -> dict[str, Any]:
    """Return the layer and the side that a session shows, as arguments of `last_trace`; None without them."""
    cursor = session.shown_view.cursor
    return {} if cursor is None else {"layer": cursor.layer, "side": cursor.side}


def duration(seconds: float) -> str:
    """Return a duration as text: "40 s", "12 min", "3 h 20 min"."""
    if seconds < 120:
        return f"{seconds:.0f} s"
    hours, minutes = divmod(round(seconds / 60), 60)
    return f"{hours} h {minutes} min" if hours else f"{minutes} min"


class Progress:
    """The progress of a training or another long job, on stderr: one line in a terminal, else one every 10 s."""

    def __init__(
        self, unit: str = "step", now: Callable[[], float] = time.monotonic, *, with_rate: bool = False
    ) -> None:
        self._unit, self._now, self._with_rate = unit, now, with_rate
        self._next = now() + 1  # seconds; a shorter job shows no progress
        self._first: tuple[float, int] | None = None  # the time and the steps done at the first report
        self._line_is_open = False

    def __enter__(self) -> "Progress":
        return self

    def __exit__(self, *_: object) -> None:
        if self._line_is_open:
            self._write(f"\r{'':<60}\r")  # clears the line for the next message

    def show(self, done: int, count: int) -> None:
        """Print the steps done and the estimated time left, if the last line is old enough."""
        now = self._now()
        if self._first is None:
            self._first = now, done  # measured from here, since the first step also loads libraries
        start, before = self._first
        if now < self._next or sys.stderr is None or done <= before:
            return
        is_terminal = sys.stderr.isatty()
        if done >= count and not is_terminal:  # no time is left, and the line would only precede an error
            return
        self._next = now + (0.2 if is_terminal else 10)
        seconds = (now - start) / (done - before)
        rate = f", {1 / seconds:.3g} a second" if self._with_rate and seconds else ""
        line = f"{self._unit} {done}/{count}{rate}, {duration(seconds * (count - done))} left"
        self._line_is_open = is_terminal
        self._write(f"\r{line:<40}" if is_terminal else f"{line}\n")

    def _write(self, text: str) -> None:
        with contextlib.suppress(OSError):  # stderr may be closed
            print(text, end="", file=sys.stderr, flush=True)
