"""Intercepts attention in transformers where its models look their attention function up.

Models look a function up by the name of their implementation, and some branch on that name: DeepSeek-V3.2 selects its
keys only under "eager" and "sdpa", GPT-2 and Falcon compute differently. So models run here under "eager", the name of
their own function, and the lookup passes that function to `Attend`.

Both apply to the recording thread only. Models in other threads, recorded or not, keep their names and functions, and
no configuration is modified.
"""

import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import partial
from typing import Any

EAGER = "eager"
"""The name of a model's own attention function, which returns weights."""

Attend = Callable[..., Any]
"""Called like the model's attention function, with that function before the other arguments."""

_recording: ContextVar[tuple[Attend | None] | None] = ContextVar("recording", default=None)
_lock = threading.Lock()
_inside: set[object] = set()
"""One token for every thread inside `attention_through`."""
_replaced: list[tuple[type, str, Any]] = []
"""The attributes of transformers replaced while any thread is inside, with their original values."""


@contextmanager
def attention_through(attend: Attend | None) -> Iterator[None]:
    """Run the models of this thread under "eager", and route their attention calls through ``attend``, if given.

    transformers is not imported here; if the model uses it, it already is.
    """
    inside = object()
    with _lock:
        _inside.add(inside)
        if not _replaced and "transformers.modeling_utils" in sys.modules:
            _replace()
    token = _recording.set((attend,))
    try:
        yield
    finally:
        _recording.reset(token)
        with _lock:
            _inside.remove(inside)
            while not _inside and _replaced:
                setattr(*_replaced.pop())


def own_implementation(config: Any) -> str:
    """Return the name of the implementation that a configuration has outside `attention_through`; "" if it has none."""
    return getattr(config, "_attn_implementation_internal", None) or ""


def _replace() -> None:
    from transformers import AttentionInterface, PreTrainedConfig

    own_name: Any = vars(PreTrainedConfig)["_attn_implementation"]
    own_lookup: Callable[..., Callable[..., Any]] = AttentionInterface.get_interface

    def get_interface(self: Any, attn_implementation: str, default: Callable[..., Any]) -> Callable[..., Any]:
        recording = _recording.get()
        if recording is None or recording[0] is None or attn_implementation != EAGER:
            return own_lookup(self, attn_implementation, default)
        return partial(recording[0], default)

    def name(config: Any) -> Any:
        return own_name.fget(config) if _recording.get() is None else EAGER

    for owner, attribute, value in (
        (AttentionInterface, "get_interface", get_interface),
        (PreTrainedConfig, "_attn_implementation", own_name.getter(name)),
    ):
        _replaced.append((owner, attribute, vars(owner)[attribute]))
        setattr(owner, attribute, value)
