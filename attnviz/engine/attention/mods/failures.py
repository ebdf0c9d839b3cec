"""In the process of the user's functions: from an exception to its kind, its line in the user's file, and its words."""

import ast
import linecache
import traceback
from pathlib import Path
from typing import Any

_APP = Path(__file__).resolve().parents[3]
_MOST = 500
"""The most characters of a user's or a library's message."""
_DATA_DEPENDENT = ("data-dependent control flow", "calling .item() on a Tensor")
_ADVICE = {
    "if": "torch.where(condition, a, b)",
    "and": "a & b",
    "or": "a | b",
    "not": "~a",
    "a < b < c": "(a < b) & (b < c)",
    "int(...)": ".to(torch.int64)",
    "float(...)": ".to(torch.float32)",
    "bool(...)": ".to(torch.bool)",
    "min(...)": "torch.minimum(a, b)",
    "max(...)": "torch.maximum(a, b)",
    ".item()": "tensor[index]",
    "in": "torch.isin(a, b)",
    "while": "torch.where(condition, a, b)",
    "range(...)": "torch.arange(n)[index]",
}
"""Python that needs one value of a tensor, and its equivalent for all cells at once."""


class Failure(Exception):  # noqa: N818 - it carries any failure of the user's functions
    """A failure with a known kind; see `attnviz.engine.attention.mods.messages`."""

    def __init__(self, kind: str, line: int = 0, /, **values: Any) -> None:
        super().__init__(kind)
        self.kind = kind
        self.line = line
        self.values = values


def is_data_dependent(error: BaseException) -> bool:
    """Return whether vmap refused to give a single value of a tensor."""
    return any(sign in _words(error) for sign in _DATA_DEPENDENT)


def described(error: BaseException, path: str, line: int = 0) -> dict[str, Any]:
    """Return kind, line and values of an exception; ``line`` is used if no frame of it is in the file ``path``."""
    if isinstance(error, Failure):
        return {"failure": error.kind, "line": error.line} | error.values
    if isinstance(error, SyntaxError) and error.filename == path:
        return {"failure": "syntax", "line": error.lineno or 0, "error": _cut(error.msg)}
    own = [frame.lineno or 0 for frame in traceback.extract_tb(error.__traceback__) if frame.filename == path]
    found = {"line": own[-1] if own else line} | _kind_of(error, path, own[-1] if own else 0)
    other = _other_file(error, path)
    return found | ({"inner": other} if other else {})


def _kind_of(error: BaseException, path: str, line: int) -> dict[str, Any]:
    words = _words(error)
    if isinstance(error, ModuleNotFoundError):
        return {"failure": "module", "module": _cut(str(error.name or words))}
    if isinstance(error, RecursionError):
        return {"failure": "recursion"}
    if isinstance(error, MemoryError) or "can't allocate memory" in words:
        return {"failure": "memory"}
    if isinstance(error, SystemExit):
        return {"failure": "exit"}
    if is_data_dependent(error):
        construct = _construct(path, line)
        return {"failure": "data_dependent", "construct": construct, "advice": _ADVICE.get(construct, _ADVICE["if"])}
    if "randomness error mode" in words:
        return {"failure": "random"}
    if "dynamic shape" in words:
        return {"failure": "dynamic_shape"}
    if "inplace arithmetic" in words or "doesn't match the broadcast shape" in words:
        return {"failure": "in_place"}
    if isinstance(error, IndexError) and "out of bounds" in words:
        return {"failure": "index", "error": words}
    return {"failure": "raised", "type": type(error).__name__, "error": words}


def _construct(path: str, line: int) -> str:
    """Return which construct of Python in a line asks a tensor for one value; "" if it is not found."""
    try:
        tree = ast.parse("".join(linecache.getlines(path)))
    except (SyntaxError, ValueError, RecursionError):
        return ""
    for node in ast.walk(tree):
        if getattr(node, "lineno", 0) <= line <= (getattr(node, "end_lineno", 0) or 0) and (
            name := _name_of(node, line)
        ):
            return name
    return ""


def _name_of(node: ast.AST, line: int) -> str:
    match node:
        case ast.BoolOp(op=op):
            return "and" if isinstance(op, ast.And) else "or"
        case ast.UnaryOp(op=ast.Not()):
            return "not"
        case ast.Compare(ops=ops) if len(ops) > 1:
            return "a < b < c"
        case ast.Compare(ops=[ast.In() | ast.NotIn()]):
            return "in"
        case ast.Call(func=ast.Name(id=called)) if f"{called}(...)" in _ADVICE:
            return f"{called}(...)"
        case ast.Call(func=ast.Attribute(attr="item")):
            return ".item()"
        case ast.IfExp():
            return "if"
        case ast.If(test=test) | ast.While(test=test) if test.lineno <= line <= (test.end_lineno or 0):
            inner = next((name for each in ast.walk(test) if (name := _name_of(each, line))), "")
            return inner or ("while" if isinstance(node, ast.While) else "if")
    return ""


def _other_file(error: BaseException, path: str) -> str:
    """Return "name.py, line 3" of the innermost frame if that is in a module beside the user's file."""
    folder = Path(path).parent
    last = traceback.extract_tb(error.__traceback__)[-1:]
    if not last or last[0].filename == path or "site-packages" in last[0].filename:
        return ""
    other = Path(last[0].filename)
    is_beside = other.is_relative_to(folder) and not other.is_relative_to(_APP)
    return f"{other.relative_to(folder)}, line {last[0].lineno}" if is_beside else ""


def _words(error: BaseException) -> str:
    try:
        return _cut(str(error))
    except Exception:  # a user's own __str__
        return ""


def _cut(text: str) -> str:
    return " ".join(text.split())[:_MOST]
