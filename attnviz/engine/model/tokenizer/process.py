"""The tokenizer of a folder in a separate process, with limits of time and memory; cancelled by Stop.

A few bytes of a tokenizer.json may produce any amount of text, or a pattern that matches forever, and the library could
not be interrupted within this process.
"""

import os
import sys
import threading
from pathlib import Path
from typing import Any

from attnviz.definitions.text import Text
from attnviz.engine.child import Child, LimitError, Limits
from attnviz.experiment.run import ShouldStop

MOST_SECONDS = 10.0
"""The limit of processor time for one answer, in seconds; reading the largest tokenizers takes two."""
MOST_BYTES = 1 << 30
"""The limit of the process's memory."""
_ADDRESSES = 3 << 30
"""The limit of the process's address space, which includes libraries and stacks."""
_WALL = 6
"""The limit of time on the clock, in units of `MOST_SECONDS`; this machine may be busy."""
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
        self._running: Child | None = None

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
        paths = os.pathsep.join(path for path in sys.path if path)
        self._running = Child(_WORKER, {"PYTHONPATH": paths, "TOKENIZERS_PARALLELISM": "false"})
        return self._answer(self._first, should_stop)

    def _answer(self, request: dict[str, Any], should_stop: ShouldStop) -> dict[str, Any]:
        assert self._running is not None
        try:
            limits = Limits(MOST_SECONDS, _WALL * MOST_SECONDS, MOST_BYTES)
            answer, _ = self._running.answer(request, limits, should_stop)
        except LimitError as error:
            self._end()
            raise UnansweredError(error.why) from error
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
