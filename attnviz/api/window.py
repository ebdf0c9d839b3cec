"""A window for the caller's attention weights, in a separate process."""

import atexit
import contextlib
import importlib.util
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from attnviz.api.recording import Recorded
from attnviz.definitions.counting import LAYERS
from attnviz.definitions.text import quoted, untranslated
from attnviz.experiment.files.arrays_file import WARNING
from attnviz.experiment.files.given_weights import GivenError, array_name, check_length, given_weights
from attnviz.experiment.files.specs_in_files import write_spec
from attnviz.experiment.labs import make_spec
from attnviz.log import first_line

_CLOSING_S = 10.0  # the time a window may take to close; its worker has half of it
_SPEC = "Your arrays.json"  # names the session in the window
_UNSEEN = ("offscreen", "minimal")  # Qt platforms without a screen


def view(
    weights: Any,
    tokens: Sequence[str] | None = None,
    *,
    key_tokens: Sequence[str] | None = None,
    mask: Any = None,
    q: Any = None,
    k: Any = None,
    v: Any = None,
    scale: Any = None,
    wait: bool = False,
) -> "View":
    """Open the window on attention weights of your own: one layer of another model, or several.

    The window is a separate process: the call returns at once, and the window stays open when the caller ends.

    Args:
        weights: (queries, keys), (heads, queries, keys) or (batch, heads, queries, keys), half, single or double
            floats within 0..1, or NaN: an array, nested lists, or a torch tensor on any device. A list or tuple of
            arrays or tensors with heads has one entry per layer; then so have the other arguments except the tokens. Or
            the result of `attnviz.record`, which has all of them; if it differs from what the model computes by
            more than rounding, every picture and export of the window says so.
        tokens: the texts of the queries, and of the keys if there are as many.
        key_tokens: the texts of the keys, if they differ.
        mask: boolean, True = may attend, of a shape that broadcasts to the weights.
        q: the queries of each head, shaped like the weights except for the last axis, d features.
        k: the keys, with as many features, and as many heads or a divisor of it (grouped-query attention). Where
            softmax(q . k scale) under the mask differs from the weights, the stages before them are left out, and a
            message says by how much.
        v: the values, with as many heads as the keys.
        scale: the factor of q . k; 1 / sqrt(d) if not given.
        wait: return only when the window has been closed.

    Raises:
        ValueError: the arrays cannot be shown; the message names the value, the rule and the nearest valid value.
        RuntimeError: there is no display, or Qt is not installed.
    """
    further = {"mask": mask, "q": q, "k": k, "v": v, "scale": scale}
    layers: Sequence[int] | None = None
    warning = ""
    if isinstance(weights, Recorded):
        recorded = [name for name, value in further.items() if value is not None]
        if recorded:
            raise ValueError(f"{', '.join(recorded)} is recorded already; nearest: leave it out")
        layers = [LAYERS.position(number) for number in weights.layers]
        warning = weights.warning
        weights, further = list(weights.weights), dict(weights.shown())
    named = {
        name: _words("tokens" if name == "query_tokens" else name, words)
        for name, words in (("query_tokens", tokens), ("key_tokens", key_tokens))
        if words is not None
    }
    if warning:
        named[WARNING] = np.array(warning)
    count = len(weights) if _holds_layers(weights) else None
    arrays: dict[str, NDArray[Any]] = dict(named)
    for layer in (None,) if count is None else range(count):
        own = {name: _of_layer(name, value, layer, count) for name, value in further.items() if value is not None}
        held = {name: _array(name, value) for name, value in own.items() if value is not None}
        held["weights"] = _weights(weights) if layer is None else _weights(weights[layer], f"weights[{layer}]")
        try:
            given_weights(held | named)
        except GivenError as error:
            where = "" if layer is None else f"layer {layer}: "
            raise GivenError(error.code, untranslated(where + str(error).replace("query_tokens", "tokens"))) from None
        number = layer if layers is None or layer is None else layers[layer]
        arrays |= {array_name(name, number): array for name, array in held.items()}
    _check_screen()
    opened = View(arrays)
    if wait:
        try:
            opened.wait()
        except KeyboardInterrupt:
            opened.close()
            raise
    return opened


class View:
    """A window opened by `view`. Its temporary files are removed once it is closed."""

    def __init__(self, arrays: Mapping[str, NDArray[Any]]) -> None:
        """Write the (validated) arrays into a temporary folder and open a window on them."""
        self._folder = Path(tempfile.mkdtemp(prefix="attnviz-view-"))
        self._asked_to_close = False
        self._owner = os.getpid()
        try:
            np.savez(self._folder / "weights.npz", **dict[str, Any](arrays))
            source = {"kind": "file", "path": str(self._folder / "weights.npz")}
            write_spec(make_spec({"mechanism": "given", "inputs": source}), spec := self._folder / _SPEC)
            with (self._folder / "said.txt").open("wb") as errors:
                self._process = _start(spec, errors)
        except BaseException:
            shutil.rmtree(self._folder, ignore_errors=True)
            raise
        _windows.add(self)

    @property
    def closed(self) -> bool:
        """Whether the window has been closed."""
        if self._process.poll() is None:
            return False
        if os.getpid() == self._owner:  # in a fork the window is not a child process, and would seem closed
            shutil.rmtree(self._folder, ignore_errors=True)
        _windows.discard(self)
        return True

    def wait(self) -> None:
        """Wait until the window is closed.

        Raises:
            RuntimeError: it did not open, or ended with an error; the message quotes its last line of output.
        """
        code = self._process.wait()
        error = self._last_words()
        if self.closed and code and not self._asked_to_close:
            raise RuntimeError(f"the window ended with code {code}{f': {error}' if error else ''}")

    def close(self) -> None:
        """Close the window as its close button does; a window that does not respond is killed."""
        self._asked_to_close = True
        if not self.closed:
            # On Windows no signal can be handled by the window, which is therefore terminated at once.
            gently = signal.SIGTERM if sys.platform == "win32" else signal.SIGINT
            self._process.send_signal(gently)
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._process.wait(_CLOSING_S)
            if self._process.poll() is None:
                self._process.kill()
        self.wait()

    def __repr__(self) -> str:
        return f"<attnviz.View, {'closed' if self.closed else 'open'}>"

    def _last_words(self) -> str:
        """Return the last line that the window's process wrote to its stderr."""
        try:
            text = (self._folder / "said.txt").read_text(encoding="utf-8", errors="replace")
        except OSError:
            return ""
        return (text.strip().splitlines() or [""])[-1].removeprefix("attnviz: ")[:300]


_windows: set[View] = set()
"""Windows that may be open, referenced here so that their files are removed even if the caller drops the `View`."""


@atexit.register
def _tidy_up() -> None:
    """Remove the files of closed windows, and keep those of open windows.

    A window without a screen would stay open forever, so it is closed.
    """
    for opened in tuple(_windows):
        if not opened.closed and os.environ.get("QT_QPA_PLATFORM") in _UNSEEN:
            opened.close()


def _start(spec: Path, errors: Any) -> "subprocess.Popen[bytes]":
    """Start the window as a separate process, in its own session, so that Ctrl+C in this terminal does not end it."""
    command = [sys.executable, "-m", "attnviz", "gui", str(spec)]
    nothing = subprocess.DEVNULL
    return subprocess.Popen(command, stdin=nothing, stdout=nothing, stderr=errors, start_new_session=True)


def _check_screen() -> None:
    """Raise a RuntimeError where no window can open: the process would end without a message."""
    if importlib.util.find_spec("PySide6") is None:
        raise RuntimeError("the window needs Qt, which is not installed; 'attnviz doctor' says what to install")
    has_screen = any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"))
    if sys.platform.startswith("linux") and not has_screen:
        raise RuntimeError("there is no display to open a window on; 'attnviz --screenshot' draws without one")


def _weights(value: Any, name: str = "weights") -> NDArray[Any]:
    """Return weights as an array.

    Raises:
        ValueError: another output of a model; the message says how to get the weights.
    """
    parts = [part is None for part in value] if isinstance(value, tuple | list) and value else [value is None]
    if any(parts):
        missing = name if all(parts) else f"{name}[{parts.index(True)}]"
        raise ValueError(
            f"{missing} is None: the model returned no weights; nearest: load it with attn_implementation='eager' and "
            "call it with output_attentions=True"
        )
    if _holds_layers(value):
        problem = f"{name} is a {type(value).__name__} of {len(value)} layers, but must be one layer"
        raise ValueError(f"{problem}; nearest: {name}[0]")
    array = _array("weights", value)
    # Integers are accepted in nested lists, which have no dtype that the caller could change.
    return array.astype(np.float64) if not hasattr(value, "dtype") and array.dtype.kind in "iu" else array


def _of_layer(name: str, value: Any, layer: int | None, count: int | None) -> Any:
    """Return a layer's entry of a value with one entry per layer; a scale may be the same for all."""
    if layer is None or (name == "scale" and not isinstance(value, tuple | list)):
        return value
    if not isinstance(value, tuple | list) or len(value) != count:
        length = f"a list of {len(value)}" if isinstance(value, tuple | list) else "no list"
        raise ValueError(f"{name} is {length} for {count} layers; nearest: a list of {count}")
    return value[layer]


def _holds_layers(value: Any) -> bool:
    """Return whether a value is a sequence of arrays, one per layer as models return them, or of such sequences."""
    if not isinstance(value, tuple | list) or not value:
        return False
    return all(getattr(part, "ndim", 0) >= 3 or _holds_layers(part) for part in value)


def _array(name: str, value: Any) -> NDArray[Any]:
    """Convert nested lists or a tensor on any device to an array; a tensor's half types become float32."""
    try:
        if hasattr(value, "detach"):  # a torch tensor, recognised without importing torch
            value = value.detach().cpu()
            value = (value.float() if str(value.dtype) in ("torch.bfloat16", "torch.float16") else value).numpy()
        elif isinstance(value, tuple | list) and any(hasattr(part, "detach") for part in value):
            return np.stack([_array(name, part) for part in value])
        array = np.asarray(value)
        return array.astype(np.float32) if array.dtype.name == "bfloat16" else array
    except (TypeError, ValueError, RuntimeError) as error:
        if isinstance(value, tuple | list) and "inhomogeneous" in str(error):
            raise ValueError(f"{name} is a {type(value).__name__} whose entries differ in shape") from error
        raise ValueError(f"{name} cannot be read as an array of numbers: {first_line(error)}") from error


def _words(name: str, words: Sequence[str]) -> NDArray[np.str_]:
    if isinstance(words, str):
        raise ValueError(f"{name} is a string, but must be a sequence of tokens; nearest: {name}.split()")
    try:
        texts = list(words)
    except TypeError:
        raise ValueError(f"{name} is {quoted(words)}, but must be a sequence of tokens") from None
    for index, word in enumerate(texts):
        if not isinstance(word, str):
            raise ValueError(f"{name}[{index}] is {quoted(word)}, not text; nearest: {quoted(str(word))}")
        check_length(f"{name}[{index}]", word)
    return np.array([word.replace("\0", r"\x00") for word in texts], dtype=np.str_)  # numpy drops a NUL at the end
