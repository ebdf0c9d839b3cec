"""Messages about failures of the user's functions: what happened, and what to write instead."""

import re
from collections.abc import Mapping
from typing import Any

from attnviz.definitions.text import English, Text, untranslated
from attnviz.engine.child import LimitError
from attnviz.engine.machine import RunError
from attnviz.experiment.attention.mods import Mods

_SENTENCES: dict[str, English] = {
    "syntax": "{error}",
    "module": "there is no module {module} in this environment; nearest: install it, or remove its import",
    "name": "there is no function {name}",
    "name_like": "there is no function {name}; nearest: {nearest}",
    "name_known": "there is no function {name}; the file has {known}",
    "no_function": "{name} is of type {type}, not a function",
    "no_function_returned": "{name} returns a value of type {type}, not a function",
    "call": "{name}{signature} cannot be called like this: {error}",
    "parameters": "{name} has the parameters {signature}; a {kind} has {needed}",
    "other_kind": "{name} has the parameters {signature}, so it is a {other}; a {kind} has {needed}",
    "factory": "{name}{signature} makes a function, and is none itself; nearest: a call of it with values, "
    "such as {name}(4)",
    "result_type": "{name} returns a value of type {type}; a {kind} returns a tensor computed from its arguments",
    "result_shape": "{name} returns a tensor of shape {shape}; a {kind} returns one value per cell, of shape ()",
    "result_dtype": "{name} returns {dtype}; a mask_mod returns bool; nearest: a comparison, such as q_idx >= kv_idx",
    "result_complex": "{name} returns {dtype}; a score_mod returns real numbers",
    "data_dependent": "vmap computes all cells at once, so a tensor has no single value here; nearest: {advice}",
    "data_dependent_in": 'vmap computes all cells at once, so a tensor has no single value for "{construct}"; '
    "nearest: {advice}",
    "random": "vmap forbids random numbers in a mod; nearest: a tensor drawn outside, indexed by the arguments",
    "dynamic_shape": "vmap forbids results whose size depends on values, such as nonzero; nearest: torch.where with "
    "three arguments",
    "in_place": "vmap forbids changing this tensor in place; nearest: a = a + b",
    "index": "an index is outside a captured tensor: {error}; the sizes here are {sizes}",
    "recursion": "the function calls itself without end",
    "memory": "there is not enough memory for it",
    "exit": "it ends the program (sys.exit); nearest: raise ValueError with a message",
    "raised": "{type}: {error}",
}
"""By the kinds of `attnviz.engine.attention.mods.failures`."""


def error_of(failure: Mapping[str, Any], mods: Mods, sizes: tuple[int, ...] = (), printed: str = "") -> RunError:
    """Return the error of a failed request; ``numbers`` has "file", "line" (0: not known), "what" and "printed"."""
    kind = str(failure.get("failure"))
    if kind == "name":
        kind = "name_like" if failure.get("nearest") else "name_known" if failure.get("known") else "name"
    if kind == "data_dependent" and failure.get("construct"):
        kind = "data_dependent_in"
    known = {name: str(value)[:600] for name, value in failure.items()}
    values = _Values(known | {"sizes": ", ".join(f"{n} {s}" for n, s in zip("bhqk", sizes, strict=False))})
    what = Text(_SENTENCES.get(kind, _SENTENCES["raised"]), values)
    if failure.get("inner"):
        what = Text("{what} ({inner})", {"what": what, "inner": untranslated(known["inner"])})
    line = failure.get("line")
    return _error(f"mods_{kind}", mods, line if isinstance(line, int) else 0, what, printed)


def limit_error(error: LimitError, mods: Mods, path: str, *, imports: bool) -> RunError:
    """Return the error of functions that exceeded a limit, or whose process ended, with the line where they were."""
    what = error.why
    if error.limit == "ended":
        what = Text(
            "its process ended ({code}); it exits, crashes or needs too much memory", {"code": _code(error.code)}
        )
    if imports:
        what = Text("while it is imported, {what}", {"what": what})
    frame = re.search(rf'File "{re.escape(path)}", line (\d+)', error.trace)
    return _error(f"mods_{error.limit}", mods, int(frame[1]) if frame else 0, what)


def _error(code: str, mods: Mods, line: int, what: Text, printed: str = "") -> RunError:
    values: dict[str, Any] = {"file": mods.name, "line": line, "what": what, "printed": printed}
    return RunError(code, "{file}, line {line}: {what}" if line else "{file}: {what}", **values)


def _code(code: int | None) -> str:
    if code is None:
        return "it closed its pipe"
    return f"signal {-code}" if code < 0 else f"exit code {code}"


class _Values(dict[str, Any]):
    """Values of a sentence; one that the process did not send is left out."""

    def __missing__(self, key: str) -> str:
        return "..."
