"""The tokenizer of a folder in a separate process, with limits of time and memory; cancelled by Stop.

A few bytes of a tokenizer.json may produce any amount of text, or a pattern that matches forever, and the library could
not be interrupted within this process.
"""

import contextlib
import json
import os
import queue
import subprocess
import sys
import threading
import weakref
from pathlib import Path
from typing import IO, Any

import psutil

from attnviz.definitions.text import Text
from attnviz.engine.memory import readable
from attnviz.experiment.run import ShouldStop, StoppedError

MOST_SECONDS = 10.0
"""The limit of processor time for one answer, in seconds; reading the largest tokenizers takes two."""
MOST_BYTES = 1 << 30
"""The limit of the process's memory."""
_ADDRESSES = 3 << 30
"""The limit of the process's address space, which includes libraries and stacks."""
_LOOK = 0.02
"""Seconds between two looks at Stop and the limits."""
_WORKER = Path(__file__).with_name("worker.py")


class UnansweredError(Exception):
    """The tokenizer fails or exceeds a limit; ``why`` is the message."""

    def __init__(self, why: Text | str) -> None:
        super().__init__(str(why))
        self.why = why


class TokenizerProcess:
    """Answers requests one after the other; the process starts with the first one, and again after it ended."""

    def __init__(self, content: str, rows: int) -> None:
        self._first = {"content": content, "rows": rows, "bytes": _ADDRESSES}
        self._lock = threading.Lock()
        self._running: _Running | None = None

    def describe(self, should_stop: ShouldStop) -> dict[str, Any]:
        """Return pieces, added tokens and kind of the tokenizer; raises as `ask`."""
        with self._lock:
            self._end()
            return self._begun(should_stop)

    def ask(self, request: dict[str, Any], should_stop: ShouldStop) -> dict[str, Any]:
        """Return the answer to a request.

        Raises:
            UnansweredError: the tokenizer fails or exceeds a limit.
            StoppedError: stopped before; the process has ended.
        """
        with self._lock:
            if self._running is None or not self._running.is_usable:
                self._begun(should_stop)
            return self._answer(request, should_stop)

    def _begun(self, should_stop: ShouldStop) -> dict[str, Any]:
        self._running = _Running()
        return self._answer(self._first, should_stop)

    def _answer(self, request: dict[str, Any], should_stop: ShouldStop) -> dict[str, Any]:
        assert self._running is not None
        try:
            answer = self._running.answer(request, should_stop)
        except BaseException:
            self._end()
            raise
        if "error" in answer:
            if request is self._first:
                self._end()
            raise UnansweredError(answer["error"])
        return answer

    def _end(self) -> None:
        running, self._running = self._running, None
        if running is not None:
            running.end()


class _Running:
    """A started process; it ends with this object."""

    def __init__(self) -> None:
        paths = os.pathsep.join(path for path in sys.path if path)
        self._process: subprocess.Popen[str] = subprocess.Popen(
            [sys.executable, "-P", str(_WORKER)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=os.environ | {"PYTHONPATH": paths, "TOKENIZERS_PARALLELISM": "false"},
            encoding="utf-8",
            errors="surrogatepass",
            start_new_session=True,  # keeps Ctrl+C away from it; this process ends it
            creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
        )
        self._owner = os.getpid()
        self._lines: queue.SimpleQueue[str] = queue.SimpleQueue()
        self._seconds = 0.0
        assert self._process.stdout is not None
        reading = (self._process.stdout, self._lines)
        threading.Thread(target=_pass_on, args=reading, name="attnviz-tokenizer", daemon=True).start()
        self.end = weakref.finalize(self, _end, self._process)

    @property
    def is_usable(self) -> bool:
        """Whether it runs and belongs to this process rather than to the parent of a fork."""
        return self._owner == os.getpid() and self._process.poll() is None

    def answer(self, request: dict[str, Any], should_stop: ShouldStop) -> dict[str, Any]:
        """Send a request and wait for its answer, within the limits; see `TokenizerProcess.ask`."""
        assert self._process.stdin is not None
        with contextlib.suppress(OSError, ValueError):  # the process has ended, which the missing answer shows
            self._process.stdin.write(json.dumps(request) + "\n")
            self._process.stdin.flush()
        while True:
            try:
                line = self._lines.get(timeout=_LOOK)
            except queue.Empty:
                if should_stop():
                    raise StoppedError from None
                self._check_limits()
                continue
            if not line:
                raise UnansweredError(Text("it ended its process: it needs too much memory, or is broken"))
            self._seconds = self._seconds_now()
            answer: dict[str, Any] = json.loads(line)
            return answer

    def _seconds_now(self) -> float:
        try:
            times = psutil.Process(self._process.pid).cpu_times()
        except psutil.Error:
            return self._seconds
        return float(times.user + times.system)

    def _check_limits(self) -> None:
        try:
            size = psutil.Process(self._process.pid).memory_info().rss
        except psutil.Error:
            return  # it has just ended, which the next line shows
        if size > MOST_BYTES:
            raise UnansweredError(Text("it needs more than {most}", {"most": readable(MOST_BYTES)}))
        if self._seconds_now() - self._seconds > MOST_SECONDS:
            raise UnansweredError(Text("it takes more than {most} seconds", {"most": f"{MOST_SECONDS:g}"}))


def _pass_on(file: IO[str], lines: "queue.SimpleQueue[str]") -> None:
    """Put every line of a file into a queue, and an empty one at its end."""
    with contextlib.suppress(OSError, ValueError):  # the file was closed, or its bytes are not text
        for line in file:
            lines.put(line)
    lines.put("")


def _end(process: "subprocess.Popen[str]") -> None:
    process.kill()
    process.wait()
    for pipe in (process.stdin, process.stdout):
        if pipe is not None:
            with contextlib.suppress(OSError):  # unsent data is lost with the process
                pipe.close()
