"""In the process of the user's functions: a source as a module, its callables, and the function that a name means."""

import ast
import difflib
import functools
import importlib
import inspect
import linecache
import os
import random
import sys
import types
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import torch

from attnviz.engine.attention.mods.failures import Failure

_APP = Path(__file__).resolve().parents[3]
MOST_LISTED = 500
"""The most callables that are listed."""
_LIBRARIES = ("torch", "builtins", "typing", "functools", "math", "numpy", "_operator", "enum", "collections")
"""Packages whose callables are listed only if they take the parameters of a mod."""
KINDS = {4: "mask_mod", 5: "score_mod"}
PARAMETERS = {"mask_mod": "(b, h, q_idx, kv_idx)", "score_mod": "(score, b, h, q_idx, kv_idx)"}


@dataclass
class Loaded:
    """A source that is run as a module."""

    path: str
    names: dict[str, Any] = field(default_factory=dict)
    """The names that it binds."""
    imported: list[str] = field(default_factory=list)
    """Itself, and the user's modules that it has imported; the next source imports them afresh."""

    @property
    def file(self) -> str:
        """The name of its file."""
        return os.path.basename(self.path) or self.path

    def files(self) -> list[list[Any]]:
        """Return path, inode, size and time of change (ns) of the user's files that it has imported."""
        found = []
        for name in self.imported[1:]:
            path = getattr(sys.modules.get(name), "__file__", None)
            if path and os.path.isfile(path):
                status = os.stat(path)
                found.append([path, status.st_ino, status.st_size, status.st_mtime_ns])
        return found


def load(loaded: Loaded, source: str) -> None:
    """Run a source as a module whose file is the path of ``loaded``, and fill that in, also if it raises."""
    path = loaded.path
    _reset_torch()
    folder = os.path.dirname(path)
    sys.path.insert(0, folder)
    sys.argv[:] = [path]
    importlib.invalidate_caches()
    linecache.cache[path] = (len(source), None, source.splitlines(keepends=True), path)  # for tracebacks and inspect
    module = types.ModuleType(_module_name(path))
    module.__file__ = path
    known = set(sys.modules)
    sys.modules[module.__name__] = module
    loaded.names = module.__dict__
    try:
        exec(compile(tree_of(source, path), path, "exec", dont_inherit=True), module.__dict__)  # noqa: S102 - the user has consented
    finally:
        loaded.imported = [module.__name__, *(name for name in set(sys.modules) - known if _is_own(name))]


@functools.lru_cache(maxsize=16)
def tree_of(source: str, path: str) -> ast.Module:
    """Return the syntax tree of the source of a file."""
    return ast.parse(source, path)


def forget(loaded: Loaded) -> None:
    """Forget a source and the user's modules that it has imported, so that the next one imports them again."""
    for name in loaded.imported:
        sys.modules.pop(name, None)
    folder = os.path.dirname(loaded.path)
    if sys.path and sys.path[0] == folder:
        del sys.path[0]
    linecache.clearcache()


def _module_name(path: str) -> str:
    """Return the name under which the file would be imported, or another one where a library has that name."""
    name = Path(path).stem
    return name if name.isidentifier() and name not in sys.modules else "_attnviz_own_functions"


def _is_own(name: str) -> bool:
    """Return whether a module is the user's, beside the file or in a project: not the app's, and not installed."""
    path = getattr(sys.modules.get(name), "__file__", None) or ""
    installed = "site-packages" in path or any(
        Path(path).is_relative_to(p) for p in (sys.prefix, sys.base_prefix, _APP)
    )
    return path.endswith(".py") and not installed


def _reset_torch() -> None:
    """Undo what an earlier source may have set, and make random captured tensors the same in each run."""
    torch.set_default_dtype(torch.float32)
    torch.set_default_device(None)
    torch.set_grad_enabled(True)
    torch.default_generator.manual_seed(0)
    random.seed(0)  # noqa: TID251 - this process runs nothing else
    np.random.seed(0)  # noqa: TID251


def listed(loaded: Loaded) -> list[dict[str, Any]]:
    """Return the public module-level callables of a source, in its order."""
    found, lines = [], _lines_of(loaded.path)
    for name, value in list(loaded.names.items()):
        if name.startswith("_") or not callable(value) or isinstance(value, type):
            continue
        kind = kind_of(value)
        home = str(getattr(value, "__module__", "") or "").partition(".")[0]
        if home not in _LIBRARIES or kind in PARAMETERS:
            doc = inspect.getdoc(value) if isinstance(value, types.FunctionType) else None
            each = {"name": name, "kind": kind, "signature": signature_of(value), "line": lines.get(name, 0)}
            found.append(each | {"doc": (doc or "").strip().partition("\n")[0][:300]})
    return found[:MOST_LISTED]


def kind_of(function: Any) -> str:
    """Return what a callable can be used as; "" if that is not known."""
    if any(_required(code) in KINDS for code in _codes_in(_code_of(function))):
        return "factory"
    if (kind := KINDS.get(required_of(function), "")) or not isinstance(function, types.FunctionType):
        return kind
    returned = str(function.__annotations__.get("return", ""))
    if "mask_mod" in returned or "score_mod" in returned or "Callable" in returned:
        return "factory"
    made_by = {"and_masks", "or_masks", "partial"} & set(function.__code__.co_names)
    return "factory" if made_by else ""


def required_of(function: Any) -> int:
    """Return the number of parameters without a default; −1 if that is not known."""
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return -1
    positional = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    return sum(each.kind in positional and each.default is inspect.Parameter.empty for each in parameters)


def takes(function: Any, count: int) -> bool:
    """Return whether a callable can be called with a number of arguments."""
    try:
        inspect.signature(function).bind(*range(count))
    except TypeError:
        return False
    except ValueError:  # a function of C whose parameters are not known
        return True
    return True


def signature_of(function: Any) -> str:
    """Return the parameters of a callable as text: "(window_size)"."""
    try:
        parameters = inspect.signature(function).parameters.values()
        plain = [each.replace(annotation=inspect.Parameter.empty) for each in parameters]
        return str(inspect.Signature(plain))[:300]
    except Exception:  # the repr of a default may raise anything
        return ""


def line_of(function: Any, loaded: Loaded) -> int:
    """Return the line of a callable's definition in the file, else of the statement that binds it; 0 if not known."""
    code = _code_of(function)
    if code is not None and code.co_filename == loaded.path:
        return code.co_firstlineno
    name = next((name for name, value in loaded.names.items() if value is function), "")
    return _lines_of(loaded.path).get(name, 0)


def _lines_of(path: str) -> dict[str, int]:
    """Return the lines of the statements that bind the module-level names of a loaded file."""
    return _lines_in("".join(linecache.getlines(path)), path)


@functools.lru_cache(maxsize=4)
def _lines_in(source: str, path: str) -> dict[str, int]:
    lines: dict[str, int] = {}
    waiting = [*tree_of(source, path).body]
    while waiting:
        statement = waiting.pop(0)
        match statement:
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
                lines[name] = statement.lineno
            case ast.Import(names=names) | ast.ImportFrom(names=names):
                lines |= {each.asname or each.name: statement.lineno for each in names}
            case _:
                inner = [each for each in ast.walk(statement) if isinstance(each, ast.Name)]
                lines |= {each.id: each.lineno for each in inner if isinstance(each.ctx, ast.Store)}
                waiting += [each for each in ast.iter_child_nodes(statement) if isinstance(each, ast.stmt)]
    return lines


def function_of(loaded: Loaded, text: str, kind: str) -> Callable[..., Any]:
    """Return the function that a spec names: a name, or the call of a factory with literals.

    Raises:
        Failure: there is none, or its parameters are not those of the kind.
    """
    expression = ast.parse(text.strip(), mode="eval").body
    if isinstance(expression, ast.Call) and isinstance(expression.func, ast.Name):
        factory = _named(loaded, expression.func.id)
        args = [ast.literal_eval(arg) for arg in expression.args]
        kwargs = {str(keyword.arg): ast.literal_eval(keyword.value) for keyword in expression.keywords}
        try:
            inspect.signature(factory).bind(*args, **kwargs)
        except TypeError as error:
            values = {"name": expression.func.id, "signature": signature_of(factory), "error": str(error)}
            raise Failure("call", line_of(factory, loaded), **values) from error
        except ValueError:
            pass
        function = factory(*args, **kwargs)
        if not callable(function):
            values = {"name": text, "type": type(function).__name__}
            raise Failure("no_function_returned", line_of(factory, loaded), **values)
    elif isinstance(expression, ast.Name):
        function = _named(loaded, expression.id)
    else:
        raise Failure("name", name=text, nearest="")
    _check_parameters(loaded, function, text, kind)
    return function  # type: ignore[no-any-return]


def _named(loaded: Loaded, name: str) -> Any:
    if name not in loaded.names:
        public = [each["name"] for each in listed(loaded)]
        close = difflib.get_close_matches(name, public, 1, 0.5)
        raise Failure("name", name=name, nearest=close[0] if close else "", known=", ".join(public[:8]))
    value = loaded.names[name]
    if not callable(value):
        raise Failure("no_function", name=name, type=type(value).__name__)
    return value


def _check_parameters(loaded: Loaded, function: Any, text: str, kind: str) -> None:
    needed = {name: count for count, name in KINDS.items()}
    if takes(function, needed[kind]) and kind_of(function) != "factory":
        return
    values = {"name": text, "signature": signature_of(function), "kind": kind, "needed": PARAMETERS[kind]}
    line = line_of(function, loaded)
    if kind_of(function) == "factory":
        raise Failure("factory", line, **values)
    other = next(each for each in needed if each != kind)
    if takes(function, needed[other]):
        raise Failure("other_kind", line, **values, other=other)
    raise Failure("parameters", line, **values)


def _code_of(function: Any) -> types.CodeType | None:
    """Return the code of a callable: a function, a method, a partial, or an object with ``__call__``."""
    while hasattr(function, "func") and not hasattr(function, "__code__"):  # functools.partial
        function = function.func
    code = getattr(function, "__code__", None) or getattr(vars(type(function)).get("__call__"), "__code__", None)
    return code if isinstance(code, types.CodeType) else None


def _codes_in(code: types.CodeType | None) -> Iterator[types.CodeType]:
    """Yield the code of the functions that a function defines."""
    for constant in () if code is None else code.co_consts:
        if isinstance(constant, types.CodeType):
            yield constant
            yield from _codes_in(constant)


def _required(code: types.CodeType) -> int:
    return 0 if code.co_name.startswith("<") and code.co_name != "<lambda>" else code.co_argcount
