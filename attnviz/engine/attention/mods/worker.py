"""The program of the process that runs the user's functions: it answers requests until its input ends.

A request is one line of JSON, {"do": "prepare" | "load" | "mask" | "scores", ...}, and the raw bytes of its scores; see
`attnviz.engine.child` and `attnviz.engine.attention.mods.process`.
"""

import contextlib
import faulthandler
import gc
import io
import json
import os
import queue
import signal
import sys
import threading
from pathlib import Path
from typing import IO, Any

MOST_PRINTED = 20_000
"""The most bytes kept of what the functions print in one request."""


class _Printed(io.RawIOBase):
    """Keeps the beginning of what is written to it."""

    def __init__(self) -> None:
        self._kept = bytearray()
        self._lost = 0

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        size, room = len(data), MOST_PRINTED - len(self._kept)
        self._kept += bytes(memoryview(data)[: max(room, 0)])
        self._lost += max(size - max(room, 0), 0)
        return size

    def text(self) -> str:
        """Return what was written."""
        return self._kept.decode("utf-8", "replace") + (f"\n... ({self._lost} more bytes)" if self._lost else "")


class Worker:
    """The state between requests: the source that is loaded."""

    def __init__(self) -> None:
        self._loaded: Any = None
        self._is_clean = True
        self.skips = False
        """Whether the next request goes unanswered: it was sent together with a source that has failed."""

    def answer(self, request: dict[str, Any], data: bytes) -> tuple[dict[str, Any], bytes]:
        """Return the answer to a request, and its raw bytes."""
        from attnviz.engine.attention.mods import failures

        printed = _Printed()
        sys.stdout = sys.stderr = io.TextIOWrapper(printed, "utf-8", "backslashreplace", write_through=True)
        path, line = str(request.get("path", "")), [0]
        raw = b""
        try:
            answer, raw = self._done(request, data, line)
        except BaseException as error:  # SystemExit and KeyboardInterrupt are the user's own
            answer = {"error": failures.described(error, path, line[0])}
        return answer | {"printed": printed.text(), "is_alone": self._is_alone()}, raw

    def _done(self, request: dict[str, Any], data: bytes, line: list[int]) -> tuple[dict[str, Any], bytes]:
        from attnviz.engine.attention.mods import loading

        if request["do"] == "prepare":
            _prepare(request)
            return {}, b""
        if request["do"] == "load":
            if self._loaded is not None:
                loading.forget(self._loaded)
            self._loaded, self._is_clean = loading.Loaded(request["path"]), False
            self.skips = bool(request["is_followed"])
            loading.load(self._loaded, request["source"])
            self.skips = False
            return {"listed": loading.listed(self._loaded), "files": self._loaded.files()}, b""
        name, kind = request["name"], "mask_mod" if request["do"] == "mask" else "score_mod"
        function = loading.function_of(self._loaded, name, kind)
        line[0] = loading.line_of(function, self._loaded)
        if request["do"] == "mask":
            return self._mask(function, request, line[0])
        return _scores(function, request, data, line[0])

    def _mask(self, function: Any, request: dict[str, Any], line: int) -> tuple[dict[str, Any], bytes]:
        from attnviz.engine.attention.mods import clauses

        loaded = self._loaded
        root = clauses.taken_apart(function, tuple(request["sizes"]), request["name"], loaded.names, loaded.path, line)
        raw = b"".join(node.mask.numpy().tobytes() for node in root.walk() if node.mask is not None)
        return {"clause": _written(root), "bytes": len(raw)}, raw

    def rest(self) -> None:
        """Free what earlier sources have left; called while nothing is waited for."""
        if not self._is_clean:
            gc.collect()
            self._is_clean = True

    def _is_alone(self) -> bool:
        """Return whether the functions have left neither threads nor processes."""
        if any(each.name not in _OWN_THREADS for each in threading.enumerate()):
            return False
        if hasattr(os, "waitid"):
            with contextlib.suppress(ChildProcessError):
                os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
                return False
        return True


_OWN_THREADS = ("MainThread", "attnviz-requests", "attnviz-functions")


def _prepare(request: dict[str, Any]) -> None:
    """Import torch, set the limits, and evaluate a mask so that the first one is fast."""
    import torch
    from torch.nn.attention.flex_attention import noop_mask

    from attnviz.engine.attention.mods import clauses, evaluation

    torch.set_num_threads(request["threads"])
    first = clauses.taken_apart(noop_mask, (1, 1, 2, 2), "", {}, "", 0)
    evaluation.scores_after(lambda score, *indices: score + indices[-1], torch.zeros(1, 1, 2, 2), "")
    assert not first.operands
    gc.collect()
    gc.freeze()  # the libraries' objects need not be looked at again


def _scores(function: Any, request: dict[str, Any], data: bytes, line: int) -> tuple[dict[str, Any], bytes]:
    import torch

    from attnviz.engine.attention.mods import evaluation

    dtype = {"float32": torch.float32, "float64": torch.float64}[request["dtype"]]
    scores = torch.frombuffer(bytearray(data), dtype=dtype).reshape(request["sizes"])
    raw = evaluation.scores_after(function, scores, request["name"], line).numpy().tobytes()
    return {"bytes": len(raw)}, raw


def _written(node: Any) -> dict[str, Any]:
    return {
        "name": node.name,
        "does": node.does,
        "line": node.line,
        "shape": list(node.mask.shape),
        "clauses": [_written(operand) for operand in node.operands],
    }


def _limit() -> None:
    """Let the system end this process rather than the window if memory runs out; adopt orphans, which end with it."""
    if sys.platform == "linux":
        import ctypes

        with contextlib.suppress(OSError):
            Path("/proc/self/oom_score_adj").write_text("1000")
        with contextlib.suppress(OSError, AttributeError):
            ctypes.CDLL(None).prctl(36, 1, 0, 0, 0)  # PR_SET_CHILD_SUBREAPER


def _read(file: IO[bytes], requests: "queue.SimpleQueue[tuple[dict[str, Any], bytes]]") -> None:
    """Put requests into a queue; end the process with the input, also while functions run."""
    while line := file.readline():
        request = json.loads(line)
        requests.put((request, file.read(request.get("bytes", 0))))
    os._exit(0)


def _serve(answers: IO[bytes], requests: "queue.SimpleQueue[tuple[dict[str, Any], bytes]]") -> None:
    worker, own = Worker(), os.getpid()
    while True:
        try:
            request, data = requests.get(timeout=0.05)
        except queue.Empty:
            worker.rest()
            request, data = requests.get()
        if worker.skips:
            worker.skips = False
            continue
        answer, raw = worker.answer(request, data)
        if os.getpid() != own:  # a fork of the functions, which has returned from them
            os._exit(0)
        answers.write(json.dumps(answer).encode() + b"\n" + raw)
        answers.flush()


def main() -> None:
    """Answer requests until the input ends."""
    answers, requests_file = os.fdopen(os.dup(1), "wb"), os.fdopen(os.dup(0), "rb")
    trace = os.dup(2)
    faulthandler.enable(trace)
    if hasattr(faulthandler, "register"):
        faulthandler.register(signal.SIGUSR1, trace)
    nothing = os.open(os.devnull, os.O_RDWR)
    for standard in (0, 1, 2):  # the functions' own reading and printing must not mix with requests and answers
        os.dup2(nothing, standard)
    sys.stdin = open(os.devnull, encoding="utf-8")  # noqa: SIM115 - open as long as the process
    sys.dont_write_bytecode = True  # nothing is left beside the user's file
    _limit()
    if getattr(sys, "frozen", False):  # such a program ignores it
        sys.path[:0] = filter(None, os.environ.get("PYTHONPATH", "").split(os.pathsep))
    sys.path.append(str(Path(__file__).resolve().parents[4]))  # attnviz, where it is not installed
    requests: queue.SimpleQueue[tuple[dict[str, Any], bytes]] = queue.SimpleQueue()
    threading.Thread(target=_read, args=(requests_file, requests), name="attnviz-requests", daemon=True).start()
    try:
        _serve(answers, requests)
    finally:
        os._exit(1)


if __name__ == "__main__":
    main()
