"""A child process that runs what this process cannot interrupt, with limits of time and memory; ended by Stop.

Requests and answers are one line of JSON each. Its "bytes", if it has any, is the number of raw bytes that follow the
line. Nothing from the child is trusted: it may run code of a user.
"""

import contextlib
import json
import os
import queue
import signal
import subprocess
import sys
import tempfile
import threading
import time
import weakref
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, Literal

import psutil

from attnviz.definitions.text import Text
from attnviz.engine.memory import readable
from attnviz.experiment.run import ShouldStop, StoppedError, never_stop

_LOOK = 0.02
"""Seconds between two looks at Stop and the limits."""
_LOOKS_AT_CHILDREN = 10
"""The number of looks between two at the processes that it has started, which takes milliseconds."""
_MOST_CHILDREN = 64
"""The most processes that it may start at a time."""
_FITS_INTO_PIPE = 16_384 if os.name == "posix" else 2_048
"""The bytes that an empty pipe takes at once; more are written by a thread."""
_MOST_LINE = 256 << 20
"""The longest answer, in bytes."""
_MOST_TRACE = 50_000
"""The most bytes read of a trace."""
_GRACE = 1.0
"""Seconds that a process which has closed its pipe has to end."""
_ROUNDS = 20
"""The most attempts at killing processes that start further ones."""

Limit = Literal["ended", "memory", "seconds", "processes"]


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of one answer."""

    seconds: float
    """Of processor time."""
    wall_seconds: float
    """Of time on the clock, which also ends a process that waits for something."""
    bytes: int
    """The memory of the process and of those that it has started."""
    answer_bytes: int = 0
    """The most raw bytes that an answer may have."""


def encoded(request: Mapping[str, Any], data: bytes = b"") -> bytes:
    """Return a request with raw bytes as it is sent."""
    header = dict(request) | ({"bytes": len(data)} if data else {})
    return json.dumps(header).encode() + b"\n" + data


class LimitError(Exception):
    """The process ended, sent nonsense, or exceeded a limit; ``why`` continues a sentence about it: "it needs ..."."""

    def __init__(self, limit: Limit, why: Text, code: int | None = None, trace: str = "") -> None:
        super().__init__(str(why))
        self.limit = limit
        self.why = why
        self.code = code
        """The exit code of a process that ended; the negative signal that killed it, as in `subprocess`."""
        self.trace = trace
        """Where it was, innermost frame first, if its `faulthandler` writes that to the standard error output."""


class Child:
    """A started process, with the processes that it starts itself; all of them end with this object."""

    def __init__(self, script: Path, environment: Mapping[str, str]) -> None:
        """Start ``script`` as a program of its own; its environment variables are added to those of this process."""
        self._trace = tempfile.TemporaryFile()  # noqa: SIM115 - open as long as the process
        self._process: subprocess.Popen[bytes] = subprocess.Popen(
            [sys.executable, "-P", str(script)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._trace,
            env=os.environ | environment,
            start_new_session=True,  # keeps Ctrl+C away from it; this process ends it
            creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
        )
        self._owner = os.getpid()
        self._answers: queue.SimpleQueue[tuple[dict[str, Any], bytes] | None] = queue.SimpleQueue()
        self._requests: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._most = [0]  # the raw bytes that the next answer may have
        self._seconds = 0.0
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        reading = (self._process.stdout, self._answers, self._most)
        threading.Thread(target=_read, args=reading, name="attnviz-child-reads", daemon=True).start()
        writing = (self._process.stdin, self._requests)
        threading.Thread(target=_write_all, args=writing, name="attnviz-child-writes", daemon=True).start()
        self.end = weakref.finalize(self, _end, self._process, self._requests)

    @property
    def is_usable(self) -> bool:
        """Whether it runs and belongs to this process rather than to the parent of a fork."""
        return self._owner == os.getpid() and self.end.alive and self._process.poll() is None

    def answer(
        self, request: Mapping[str, Any], limits: Limits, should_stop: ShouldStop = never_stop, data: bytes = b""
    ) -> tuple[dict[str, Any], bytes]:
        """Send a request with raw bytes, and return the answer and its raw bytes; raises as `wait`."""
        self.send(encoded(request, data), limits.answer_bytes)
        return self.wait(limits, should_stop)

    def send(self, requests: bytes, answer_bytes: int = 0) -> None:
        """Send requests, each `encoded`; no answer may have more than ``answer_bytes`` raw bytes."""
        self._most[0] = answer_bytes
        if len(requests) > _FITS_INTO_PIPE:
            self._requests.put(requests)
        else:
            _write(self._process.stdin, requests)

    def wait(self, limits: Limits, should_stop: ShouldStop = never_stop) -> tuple[dict[str, Any], bytes]:
        """Return the next answer and its raw bytes.

        Raises:
            LimitError: it ended or exceeded a limit; it is to be ended.
            StoppedError: stopped; it is to be ended.
        """
        began, looks = time.monotonic(), 0
        while True:
            try:
                answer = self._answers.get(timeout=_LOOK)
            except queue.Empty:
                if should_stop():
                    raise StoppedError from None
                looks += 1
                self._check(limits, began, with_children=looks % _LOOKS_AT_CHILDREN == 0)
                continue
            if answer is None:
                why = Text("it ended its process: it needs too much memory, or is broken")
                code = self._code()
                raise LimitError("ended", why, code, self._traced())
            self._seconds = self._seconds_now()
            return answer

    def _code(self) -> int | None:
        try:
            return self._process.wait(_GRACE)
        except subprocess.TimeoutExpired:  # it has closed its end, but runs on
            return None

    def ask_for_trace(self, error: LimitError) -> LimitError:
        """Return an error of this process with the frames in which it is; it registers `faulthandler` for SIGUSR1."""
        if error.limit == "ended" or sys.platform == "win32":
            return error
        with contextlib.suppress(OSError):
            os.kill(self._process.pid, signal.SIGUSR1)
        end = time.monotonic() + _GRACE
        while not (trace := self._traced()) and time.monotonic() < end:
            time.sleep(_LOOK)
        return LimitError(error.limit, error.why, error.code, trace)

    def _traced(self) -> str:
        self._trace.seek(0)
        return self._trace.read(_MOST_TRACE).decode("utf-8", "replace")

    def _seconds_now(self) -> float:
        try:
            times = psutil.Process(self._process.pid).cpu_times()
        except psutil.Error:
            return self._seconds
        return float(times.user + times.system)

    def _check(self, limits: Limits, began: float, *, with_children: bool) -> None:
        try:
            process = psutil.Process(self._process.pid)
            size = process.memory_info().rss
            if with_children:
                children = process.children(recursive=True)
                if len(children) > _MOST_CHILDREN:
                    raise LimitError(
                        "processes", Text("it starts more than {most} processes", {"most": _MOST_CHILDREN})
                    )
                size += sum(_size(child) for child in children)
        except psutil.Error:
            return  # it has just ended, which the next answer shows
        if size > limits.bytes:
            raise LimitError("memory", Text("it needs more than {most}", {"most": readable(limits.bytes)}))
        for seconds, most in (
            (self._seconds_now() - self._seconds, limits.seconds),
            (time.monotonic() - began, limits.wall_seconds),
        ):
            if seconds > most:
                raise LimitError("seconds", Text("it takes more than {most} seconds", {"most": f"{most:g}"}))


def _size(process: psutil.Process) -> int:
    try:
        return int(process.memory_info().rss)
    except psutil.Error:
        return 0


def _read(file: IO[bytes], answers: "queue.SimpleQueue[tuple[dict[str, Any], bytes] | None]", most: list[int]) -> None:
    """Put every answer of a file into a queue, and None at its end or if it is none."""
    with file, contextlib.suppress(OSError, ValueError, RecursionError, MemoryError):  # closed, or not JSON
        while True:
            line = file.readline(_MOST_LINE)
            answer = json.loads(line) if line.endswith(b"\n") else None
            if not isinstance(answer, dict):
                break
            size = answer.get("bytes", 0)
            if not isinstance(size, int) or not 0 <= size <= most[0]:
                break
            data = file.read(size) if size else b""
            if len(data) != size:
                break
            answers.put((answer, data))
    answers.put(None)


def _write_all(file: IO[bytes], requests: "queue.SimpleQueue[bytes | None]") -> None:
    """Write what a queue holds into a file, up to None."""
    while (request := requests.get()) is not None:
        _write(file, request)
    with contextlib.suppress(OSError, ValueError):
        file.close()


def _write(file: IO[bytes] | None, request: bytes) -> None:
    assert file is not None
    with contextlib.suppress(OSError, ValueError):  # the process has ended, which the missing answer shows
        file.write(request)
        file.flush()


def _end(process: "subprocess.Popen[bytes]", requests: "queue.SimpleQueue[bytes | None]") -> None:
    """Kill a process and all that it has started; the threads close its pipes."""
    requests.put(None)
    if process.poll() is None:
        for _ in range(_ROUNDS):
            if not _kill_children(process.pid):
                break
    if os.name == "posix":
        with contextlib.suppress(OSError):  # its process group, whose leader may have ended
            os.killpg(process.pid, signal.SIGKILL)
    process.kill()
    process.wait()


def _kill_children(pid: int) -> bool:
    """Kill what a process has started, while it cannot start more; return whether there was any."""
    killed = False
    with contextlib.suppress(psutil.Error):
        process = psutil.Process(pid)
        process.suspend()
        for child in process.children(recursive=True):
            with contextlib.suppress(psutil.Error):
                if child.status() != psutil.STATUS_ZOMBIE:
                    child.kill()
                    killed = True
    return killed
