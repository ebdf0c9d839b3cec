"""The user's own functions, evaluated in a process of their own that this one never waits for without Stop.

One process serves all runs: it keeps the last source loaded, and is started in the background by `prepare` and after
it had to be ended. Masks are kept by source, name and sizes. What the process sends is data, checked here.
"""

import math
import os
import re
import threading
from collections import OrderedDict
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psutil
import torch
from numpy.typing import NDArray
from torch import Tensor

from attnviz.engine.attention.mods.answers import Sizes, clause_in, files_in, listed_in, nonsense, printed_in
from attnviz.engine.attention.mods.messages import error_of, limit_error
from attnviz.engine.child import Child, LimitError, Limits, encoded
from attnviz.engine.machine import RunError
from attnviz.experiment.attention.mods import Mods, read_source
from attnviz.experiment.attention.own_mask import Clause, Listed
from attnviz.experiment.files.consent import is_allowed
from attnviz.experiment.files.plain_files import DataFileError, Stamp, stamp_of
from attnviz.experiment.run import ShouldStop, StoppedError, never_stop

IMPORT_SECONDS = 30.0
"""The limit for importing a file, in seconds of processor time and on the clock."""
SECONDS = 10.0
"""The limit of processor time for evaluating a function; on the clock it is three times that."""
MOST_BYTES = 2 << 30
"""The memory that the process may have, besides `_BYTES_PER_CELL`."""
_BYTES_PER_CELL = 64
_PREPARE_SECONDS = 120.0
"""The limit for starting the process, which imports torch."""
_SHARE_OF_FREE = 0.8
"""The share of the free memory that the process may take in addition to what it has."""
_MOST_KEPT = 64 << 20
"""The bytes of the masks that are kept."""
_LEAST = 512 << 20
"""The memory that torch itself needs."""
_MOST_KNOWN = 32
"""The sources of which the callables are kept."""
_THREADS = 1
_LOOK = 0.02
_REGISTERED = re.compile("multiple times|already (registered|defined|exists)", re.IGNORECASE)
"""Errors of registering an operator that an earlier source has registered: a new process has none."""
_WORKER = Path(__file__).with_name("worker.py")


@dataclass(frozen=True, slots=True)
class _Known:
    """What was learned from a source."""

    listed: tuple[Listed, ...]
    files: dict[str, Stamp]
    """The paths of the user's files that it has imported, with their versions."""
    printed: dict[str | None, str]
    """By function; None: while it was imported."""


class OwnProcess:
    """The process and what is known of it; its methods may be called from any thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._child: Child | None = None
        self._source: tuple[str, str] | None = None
        """Path and digest of the loaded source."""
        self._known: OrderedDict[tuple[str, str], _Known] = OrderedDict()
        """What was learned from the last sources."""
        self._masks: OrderedDict[tuple[Any, ...], Clause] = OrderedDict()
        self._has_loaded = False
        """Whether the process has run any source."""
        self._has_left_something = False
        """Whether the functions have left threads or processes running."""

    def prepare(self) -> None:
        """Start the process in the background if it does not run."""
        if self._lock.locked() or (self._child is not None and self._child.is_usable):
            return
        threading.Thread(target=self._prepare, name="attnviz-prepares-mods", daemon=True).start()

    def _prepare(self) -> None:
        with self._lock:
            try:
                self._started(never_stop)
            except (LimitError, OSError):
                self._end()  # the next request starts it again, and reports why that fails

    def listed(self, mods: Mods, should_stop: ShouldStop = never_stop) -> tuple[Listed, ...]:
        """Return the callables of the source; see the function `listed`."""
        mods = _read(mods)
        with self._held(should_stop):
            known = self._of(mods)
            if known is None:
                with self._errors(mods, imports=True):
                    self._load(mods, should_stop)
                known = self._known[_path_of(mods), mods.digest]
            return known.listed

    def mask_of(self, mods: Mods, sizes: Sizes, should_stop: ShouldStop = never_stop) -> Clause:
        """Return the evaluated mask with its clauses; see the function `mask_of`."""
        mods = _read(mods)
        with self._held(should_stop):
            key = (_path_of(mods), mods.digest, mods.mask_mod, sizes)
            if key in self._masks and self._of(mods) is not None:
                self._masks.move_to_end(key)
                return self._masks[key]
            cells = math.prod(sizes)
            request = {"do": "mask", "name": mods.mask_mod, "sizes": sizes}
            answer, raw = self._evaluated(mods, request, should_stop, sizes, most=65 * cells)
            with self._errors(mods):
                clause = clause_in(answer, raw, sizes)
            self._keep(key, clause)
            return clause

    def scores_after(self, mods: Mods, scores: Tensor, should_stop: ShouldStop = never_stop) -> Tensor:
        """Return scores changed by the ``score_mod``; see the function `scores_after`."""
        mods = _read(mods)
        wide = scores.detach().to("cpu", torch.float32 if scores.itemsize == 2 else scores.dtype).contiguous()
        array: NDArray[Any] = wide.numpy()
        batch, heads, queries, keys = array.shape
        request = {"do": "scores", "name": mods.score_mod, "sizes": array.shape, "dtype": str(array.dtype)}
        with self._held(should_stop):
            sizes = (batch, heads, queries, keys)
            data = array.tobytes()
            _, raw = self._evaluated(mods, request, should_stop, sizes, most=array.nbytes, data=data)
            with self._errors(mods):
                if len(raw) != array.nbytes:
                    raise nonsense()
        after = torch.frombuffer(bytearray(raw), dtype=wide.dtype).reshape(scores.shape)
        return after.to(scores.device, scores.dtype)

    def files(self, mods: Mods) -> Mapping[str, Stamp]:
        """Return the versions of the imported files; see the function `files`."""
        known = self._known.get((_path_of(mods), mods.digest))
        return {} if known is None else known.files

    def printed(self, mods: Mods) -> str:
        """Return what the functions printed; see the function `printed`."""
        known = self._known.get((_path_of(mods), mods.digest))
        texts = {} if known is None else known.printed
        return "".join(texts.get(name, "") for name in dict.fromkeys((None, mods.mask_mod, mods.score_mod)))

    def end(self) -> None:
        """End the process; the next request starts another one."""
        with self._lock:
            self._end()

    @contextmanager
    def _held(self, should_stop: ShouldStop) -> Iterator[None]:
        """Wait for the process, which may be starting or busy for another run; Stop ends the waiting."""
        while not self._lock.acquire(timeout=_LOOK):
            if should_stop():
                raise StoppedError
        try:
            yield
        finally:
            if self._has_left_something:
                self._replace()
            self._lock.release()

    @contextmanager
    def _errors(self, mods: Mods, *, imports: bool = False) -> Iterator[None]:
        """Turn the end of the process into an error of the run; another one is started in the background."""
        try:
            yield
        except StoppedError:
            self._replace()
            raise
        except LimitError as error:
            traced = error if self._child is None else self._child.ask_for_trace(error)
            self._replace()
            raise limit_error(traced, mods, _path_of(mods), imports=imports) from error

    def _replace(self) -> None:
        """End the process, with all that it has started, and start another one in the background."""
        self._end()
        threading.Thread(target=self._prepare, name="attnviz-prepares-mods", daemon=True).start()

    def _end(self) -> None:
        self._has_left_something = False
        child, self._child, self._source = self._child, None, None
        if child is not None:
            child.end()

    def _started(self, should_stop: ShouldStop) -> Child:
        if self._child is None or not self._child.is_usable:
            self._end()
            self._child, self._has_loaded = Child(_WORKER, {}), False
            limits = Limits(_PREPARE_SECONDS, _PREPARE_SECONDS, MOST_BYTES)
            self._child.answer({"do": "prepare", "threads": _THREADS}, limits, should_stop)
        return self._child

    def _of(self, mods: Mods) -> _Known | None:
        """Return what is known of a source; None if it, or a file that it has imported from its folder, is new."""
        known = self._known.get((_path_of(mods), mods.digest))
        return known if known is not None and _are_unchanged(known.files) else None

    def _is_loaded(self, mods: Mods) -> bool:
        is_last = self._child is not None and self._child.is_usable and self._source == (_path_of(mods), mods.digest)
        return is_last and self._of(mods) is not None

    def _load(self, mods: Mods, should_stop: ShouldStop, further: bytes = b"", answer_bytes: int = 0) -> None:
        """Load a source and learn its callables, and send a further request with it, whose answer is still to come.

        Raises:
            RunError: the source fails; the further request then has no answer.
        """
        child, source = self._started(should_stop), (_path_of(mods), mods.digest)
        self._source = None
        load = {"do": "load", "path": source[0], "source": mods.source, "is_followed": bool(further)}
        requests = encoded(load) + further
        limits = _limits(IMPORT_SECONDS, IMPORT_SECONDS)
        child.send(requests, answer_bytes)
        answer, _ = child.wait(limits, should_stop)
        if self._has_loaded and _REGISTERED.search(str(answer.get("error"))):
            self._end()
            child = self._started(should_stop)
            child.send(requests, answer_bytes)
            answer, _ = child.wait(limits, should_stop)
        self._has_loaded = True
        answer = self._checked(answer, mods)
        printed: dict[str | None, str] = {None: printed_in(answer)}
        before = self._known.pop(source, None)
        known = _Known(listed_in(answer), files_in(answer), printed)
        if before is not None and before.files != known.files:
            for key in [key for key in self._masks if key[:2] == source]:
                del self._masks[key]
        self._known[source], self._source = known, source
        if len(self._known) > _MOST_KNOWN:
            self._known.popitem(last=False)

    def _evaluated(
        self,
        mods: Mods,
        request: Mapping[str, Any],
        should_stop: ShouldStop,
        sizes: Sizes,
        *,
        most: int,
        data: bytes = b"",
    ) -> tuple[dict[str, Any], bytes]:
        asked = encoded({**request, "path": _path_of(mods)}, data)
        if self._is_loaded(mods):
            assert self._child is not None
            self._child.send(asked, most)
        else:
            with self._errors(mods, imports=True):
                self._load(mods, should_stop, asked, most)
        with self._errors(mods):
            limits = _limits(SECONDS, 3 * SECONDS, math.prod(sizes), most)
            assert self._child is not None
            answer, raw = self._child.wait(limits, should_stop)
            answer = self._checked(answer, mods, sizes)
            self._known[_path_of(mods), mods.digest].printed[request["name"]] = printed_in(answer)
            return answer, raw

    def _checked(self, answer: dict[str, Any], mods: Mods, sizes: tuple[int, ...] = ()) -> dict[str, Any]:
        self._has_left_something |= answer.get("is_alone") is not True
        failure = answer.get("error")
        if isinstance(failure, dict):
            raise error_of(failure, mods, sizes, printed_in(answer))
        return answer

    def _keep(self, key: tuple[Any, ...], clause: Clause) -> None:
        self._masks[key] = clause
        while sum(each.nbytes for each in self._masks.values()) > _MOST_KEPT and len(self._masks) > 1:
            self._masks.popitem(last=False)


_process = OwnProcess()


def listed(mods: Mods, should_stop: ShouldStop = never_stop) -> tuple[Listed, ...]:
    """Return the module-level callables of the user's file, in its order, after importing it.

    Raises:
        RunError: the file cannot be read or imported, is not allowed, or exceeds a limit; the text names its line.
        StoppedError: cancelled.
    """
    return _process.listed(mods, should_stop)


def mask_of(mods: Mods, sizes: Sizes, should_stop: ShouldStop = never_stop) -> Clause:
    """Return the mask of the user's ``mask_mod`` for sizes (B, h, Q, K), with its clauses, as `create_mask` makes it.

    Raises:
        RunError: as in `listed`, and if the function fails or returns something else; the text says what to write.
        StoppedError: cancelled.
    """
    return _process.mask_of(mods, sizes, should_stop)


def scores_after(mods: Mods, scores: Tensor, should_stop: ShouldStop = never_stop) -> Tensor:
    """Return scores (B, h, Q, K) as changed by the user's ``score_mod``, in their dtype and on their device.

    They are what ``flex_attention`` gives it: q · k times the scale, before the mask; half precision is widened.

    Raises:
        RunError: as in `mask_of`.
        StoppedError: cancelled.
    """
    return _process.scores_after(mods, scores, should_stop)


def files(mods: Mods) -> Mapping[str, Stamp]:
    """Return the paths of the user's files that the file imported, in its folder or a project, with their versions."""
    return _process.files(mods)


def printed(mods: Mods) -> str:
    """Return what the file printed when it was imported, and its functions when they were evaluated last."""
    return _process.printed(mods)


def prepare() -> None:
    """Start the process in the background, so that the first run does not wait for it."""
    _process.prepare()


def _read(mods: Mods) -> Mods:
    """Return the value with its source, read from its file if it has none.

    Raises:
        RunError: the file cannot be read, or its text was not allowed to run.
    """
    if mods.source is None:
        try:
            mods = mods.model_copy(update={"source": read_source(Path(mods.path))})
        except DataFileError as error:
            raise RunError("file_unreadable", error.text) from error
    if not is_allowed(mods.digest):
        raise RunError(
            "code_not_allowed",
            "{file} is Python code that was not allowed to run; read it first, then allow it (in a terminal: "
            "--allow-code)",
            file=mods.name,
        )
    return mods


def _path_of(mods: Mods) -> str:
    """Return the path that errors and imports go by; functions that were never saved are in the current folder."""
    return os.path.abspath(mods.path or "own_functions.py")


def _limits(seconds: float, wall: float, cells: int = 0, answer: int = 0) -> Limits:
    free = int(_SHARE_OF_FREE * psutil.virtual_memory().available) + _LEAST
    return Limits(seconds, wall, min(MOST_BYTES + _BYTES_PER_CELL * cells, free), answer)


def _are_unchanged(files: Mapping[str, Stamp]) -> bool:
    return all(stamp_of(Path(path)) == stamp for path, stamp in files.items())
