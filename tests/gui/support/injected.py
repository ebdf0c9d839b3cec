"""Fault injection: raises at one call of all those that a run makes, at each call in turn."""

import sys
import threading
from collections.abc import Callable
from types import FrameType
from typing import Any

from attnviz.engine.run import start
from attnviz.experiment.run import Cursor

_OURS = tuple(f"/attnviz/{folder}/" for folder in ("engine", "attention", "experiment"))
_TELLING = ("/engine/run.py", "/experiment/fields/problems.py")
"""Functions that report a fault do not fail themselves."""
_STATES = ("known", "final", "_last_step", "nbytes")
"""A run's state may be read by its player any number of times."""


class Exploded(BaseException):
    """An unexpected exception."""


class Fault:
    """Counts the calls from attnviz's code, to its own, torch's and numpy's functions; one of them raises.

    It raises once. Calls inside the context are watched in its thread only.
    """

    def __init__(self, at: int = 0, error: Callable[[], BaseException] = RuntimeError) -> None:
        self.at, self.error = at, error
        self.calls = 0
        self.places: dict[tuple[str, int], list[int]] = {}
        """The first and the last call of each call site in attnviz's code, ordered by the first."""
        self.struck = ""
        """The function in which it was raised."""

    def __enter__(self) -> "Fault":
        sys.setprofile(self._look)
        return self

    def __exit__(self, *_: object) -> None:
        sys.setprofile(None)

    def _look(self, frame: FrameType, event: str, called: Any) -> None:
        code = frame.f_code
        file = code.co_filename.replace("\\", "/")
        # What stands in brackets is a generator, which is entered once more when it is thrown away.
        if event not in ("call", "c_call") or not file.endswith(".py") or code.co_name.startswith("<"):
            return
        if code.co_name in _STATES or code.co_qualname in ("TextError.__init__", "CodedError.__init__"):
            return
        if not any(ours in file for ours in _OURS) or file.endswith(_TELLING):
            return
        if code.co_name == "__getitem__":
            return  # a KeyError of a mapping means that it has no such key
        if getattr(called, "__name__", "") == "__exit__":
            return  # what sets a state back is no operation that fails
        self.calls += 1
        place = file, -code.co_firstlineno if event == "call" else frame.f_lineno
        self.places[place] = [*self.places.get(place, [])[:1], self.calls]
        if self.calls == self.at:
            self.struck = f"{file.rpartition('/')[2]}, {code.co_name}"
            raise self.error()


def places_in(work: Callable[[], object], last: bool = False) -> list[int]:
    """Return the calls to raise at: the first of each call site that the work reaches, or the last."""
    work()  # what is loaded or kept at the first time is there from now on
    with Fault() as watch:
        work()
    return sorted(calls[-1 if last else 0] for calls in watch.places.values())


def start_with(step: Callable[[Any], Fault | None], look: Callable[[Cursor], Fault | None]) -> Callable[..., Any]:
    """Return an engine's ``start`` whose runs are watched by the fault that ``step`` returns for a spec, if any.

    A trace at another cursor is watched by the fault that ``look`` returns. Calls by the test are not watched.
    """

    def start_watched(asked: Any, past: Any = None, **options: Any) -> Any:
        if threading.current_thread() is threading.main_thread():
            return start(asked, past, **options)
        watch = step(asked)
        run = _watched(watch, lambda what: start(what, past, **options), asked)
        advance, at = run.advance, run.at
        run.advance = lambda should_stop: _watched(watch, advance, should_stop)
        run.at = lambda cursor: _watched(look(cursor) or watch, at, cursor)
        return run

    return start_watched


def _watched(watch: Fault | None, act: Callable[[Any], Any], argument: Any) -> Any:
    if watch is None:
        return act(argument)
    with watch:
        return act(argument)
