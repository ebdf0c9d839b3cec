"""The command line in a process forked with torch and Qt loaded, for tests that need no cold start."""

import multiprocessing
import os
import signal
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import TextIO

PATIENCE_S = 100
COMMAND_LINE = "import sys; from attnviz.__main__ import main; sys.exit(main())"


def run_forked(
    arguments: tuple[str, ...], *, cwd: Path, env: Mapping[str, str], folder: Path, stdin: bytes = b"", code: str = ""
) -> tuple[int, str, str]:
    """Call the command line, or Python code with these arguments; return its exit code, its output and its errors.

    ``folder`` holds the streams of the process.
    """
    streams = [folder / name for name in ("stdin", "stdout", "stderr")]
    streams[0].write_bytes(stdin)
    process = _begin(arguments, cwd, env, streams, code)
    code_of_end = _end_of(process, PATIENCE_S)
    return code_of_end, *(path.read_text(encoding="utf-8") for path in streams[1:])


@dataclass(frozen=True)
class Spoken:
    """A running process that the test communicates with."""

    process: BaseProcess
    stdin: TextIO
    stdout: TextIO

    def send_signal(self, number: int) -> None:
        """Send it a signal."""
        assert self.process.pid is not None
        os.kill(self.process.pid, number)

    def wait(self, seconds: float) -> int:
        """Return its exit code, negative after a signal; fail after ``seconds``."""
        return _end_of(self.process, seconds)


@contextmanager
def spoken_to(code: str, *arguments: str, cwd: Path, env: Mapping[str, str]) -> Iterator[Spoken]:
    """Run Python code with these arguments in a forked process and yield it with its streams.

    If it still runs at the end, it is killed.
    """
    (its_in, our_out), (our_in, its_out) = (multiprocessing.Pipe(duplex=False) for _ in range(2))
    process = _begin(arguments, cwd, env, (its_in, its_out), code)
    stdin = os.fdopen(os.dup(our_out.fileno()), "w", encoding="utf-8")
    stdout = os.fdopen(os.dup(our_in.fileno()), encoding="utf-8")
    for end in (its_in, its_out, our_in, our_out):
        end.close()  # when a test closes its stream, no other handle may keep it open
    try:
        with stdin, stdout:
            yield Spoken(process, stdin, stdout)
    finally:
        process.kill()
        process.join()


def forget(*packages: str) -> None:
    """Let a forked process import packages again, possibly finding replacements, or none."""
    for name in list(sys.modules):
        if any(name == package or name.startswith(f"{package}.") for package in packages):
            del sys.modules[name]
    for package in packages:
        parent, _, last = package.rpartition(".")
        if parent in sys.modules:
            vars(sys.modules[parent]).pop(last, None)  # where `from parent import last` looks first


def _begin(
    arguments: tuple[str, ...], cwd: Path, env: Mapping[str, str], streams: Sequence[Path | Connection], code: str
) -> BaseProcess:
    method = "forkserver" if "forkserver" in multiprocessing.get_all_start_methods() else "spawn"
    context = multiprocessing.get_context(method)
    process = context.Process(target=_call, args=(arguments, cwd, dict(env), streams, code))
    process.start()
    return process


def _end_of(process: BaseProcess, seconds: float) -> int:
    process.join(seconds)
    if process.exitcode is None:
        process.kill()
    assert process.exitcode is not None, "the process does not end"
    return process.exitcode


def _call(
    arguments: tuple[str, ...], cwd: Path, env: dict[str, str], streams: Sequence[Path | Connection], code: str
) -> None:
    os.chdir(cwd)
    os.environ.clear()
    os.environ.update(env)
    for number, stream in enumerate(streams):
        given = os.open(stream, os.O_RDWR | os.O_CREAT) if isinstance(stream, Path) else stream.fileno()
        os.dup2(given, number)
    sys.stdin, sys.stdout, sys.stderr = (os.fdopen(number, mode, encoding="utf-8") for number, mode in enumerate("rww"))
    sys.argv = ["attnviz", *arguments]
    signal.signal(signal.SIGINT, signal.default_int_handler)  # the tests may run with SIGINT ignored (nohup)
    for name in ("SIGTERM", "SIGHUP"):
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), signal.SIG_DFL)
    exec(compile(code or COMMAND_LINE, "<forked>", "exec"), {"__name__": "__main__"})
