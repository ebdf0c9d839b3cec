"""Builds a configuration, or a model without its weights, within limits of parts, time and memory; cancelled by Stop.

A configuration of a few bytes may request any number of layers, languages or lists under names known only to its model
family, and the code that builds them never checks for Stop.
"""

import ctypes
import threading
import time
from collections.abc import Callable
from typing import Any

import psutil
from torch.nn.modules.module import (
    register_module_module_registration_hook,
    register_module_parameter_registration_hook,
)

from attnviz.definitions.text import Text
from attnviz.engine.machine import RunError
from attnviz.engine.memory import readable
from attnviz.experiment.run import ShouldStop, StoppedError

MOST_SECONDS = 10.0
"""The limit of processor time for a build, in seconds; 80 layers take half a second, an import five."""
_MOST_WALL_SECONDS = 60.0
"""The limit of wall-clock time in seconds: a busy machine or a slow disk must not look like too large a model."""
MOST_BYTES = 1 << 30
"""The limit of memory for a build, during which weights have no storage."""
_PARTS_OF_A_WEIGHT, _PARTS_BESIDE = 8, 2000
"""A model with N weights has at most 8 N + 2000 modules and weights: some are not in the files, many have none."""
_LOOK = 0.05
"""The interval, in seconds, between checks for Stop and the limits."""
_GRACE = 0.5
"""The time in seconds for the thread to end; a longer call into a library is abandoned."""


class _EndedError(BaseException):
    """Ends the building thread; not caught by handlers of `Exception`."""


class _Build(threading.Thread):
    def __init__(self, make: Callable[[], Any], most_parts: int) -> None:
        super().__init__(name="attnviz-build", daemon=True)
        self._make = make
        self._left = most_parts
        self.model: Any = None
        self.error: BaseException | None = None
        self.has_too_many_parts = False
        self.is_ended = False
        self._clock: int | None = None

    def run(self) -> None:
        if hasattr(time, "pthread_getcpuclockid"):
            self._clock = time.pthread_getcpuclockid(threading.get_ident())
        registering = (register_module_module_registration_hook, register_module_parameter_registration_hook)
        handles: list[Any] = [register(self._count) for register in registering]
        try:
            self.model = self._make()
        except _EndedError:
            pass  # the thread that raised it knows the reason
        except BaseException as error:
            self.error = error
        finally:
            for handle in handles:
                handle.remove()

    @property
    def processor_seconds(self) -> float:
        """The processor time of the thread in seconds; 0 if the system does not report it, or the thread has ended."""
        try:
            return 0.0 if self._clock is None else time.clock_gettime(self._clock)
        except OSError:
            return 0.0

    def _count(self, *_: object) -> None:
        """Count a part of the model; the hooks are called in all threads."""
        if threading.current_thread() is not self:
            return
        self._left -= 1
        self.has_too_many_parts = self._left < 0
        if self.has_too_many_parts or self.is_ended:
            raise _EndedError

    def end(self) -> None:
        """Raise an error in the thread, wherever it is, and wait a moment for it to end."""
        self.is_ended = True
        if self.ident is not None and self.is_alive():
            ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(self.ident), ctypes.py_object(_EndedError))
        self.join(_GRACE)


def built(make: Callable[[], Any], weights: int, should_stop: ShouldStop) -> Any:
    """Return the result of ``make``, called in a thread of its own.

    Args:
        make: builds a configuration, or a model on the meta device, from an untrusted file.
        weights: the number of weights in the model's files.
        should_stop: whether the user has cancelled.

    Raises:
        RunError: it has many more parts than weights, or takes more time or memory than any real model.
        StoppedError: cancelled.
    """
    build = _Build(make, _PARTS_OF_A_WEIGHT * weights + _PARTS_BESIDE)
    process = psutil.Process()
    began, before = time.monotonic(), process.memory_info().rss
    build.start()
    try:
        while build.is_alive():
            build.join(_LOOK)
            if should_stop():
                raise StoppedError
            if build.processor_seconds > MOST_SECONDS or time.monotonic() - began > _MOST_WALL_SECONDS:
                raise _too_large(Text("more than {most} seconds", {"most": f"{MOST_SECONDS:g}"}))
            if process.memory_info().rss - before > MOST_BYTES:
                raise _too_large(Text("more than {most}", {"most": readable(MOST_BYTES)}))
    finally:
        if build.is_alive():
            build.end()
    if build.has_too_many_parts:
        sentence = "config.json describes a model of many more parts than the {found} weights of the files"
        raise RunError("weights_missing", sentence, found=weights)
    if build.error is not None:
        raise build.error
    return build.model


def _too_large(taken: Text) -> RunError:
    return RunError("model_config", "building the model that config.json describes takes {taken}", taken=taken)
