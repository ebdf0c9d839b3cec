"""The user's own functions in an attention spec: a ``mask_mod`` and a ``score_mod`` of PyTorch's FlexAttention.

Nothing here runs a function: names are read from the text of the file, and calls are parsed.
"""

import ast
import io
import tokenize
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

from pydantic import Field, field_validator

from attnviz.definitions.text import quoted
from attnviz.experiment.attention.own_mask import Kind, Listed
from attnviz.experiment.fields.knob import Part
from attnviz.experiment.fields.problems import problem
from attnviz.experiment.files.consent import digest_of
from attnviz.experiment.files.plain_files import DataFileError, open_plain

LONGEST_SOURCE = 500_000
"""The limit of a file, in characters."""
_LONGEST_NAME = 1_000
_PARAMETERS: dict[int, Kind] = {4: "mask_mod", 5: "score_mod"}
"""The number of parameters of (b, h, q_idx, kv_idx) and of (score, b, h, q_idx, kv_idx)."""
COMBINED = ("and_masks", "or_masks")
"""The functions of torch that combine masks to another one."""


@dataclass(frozen=True, slots=True)
class Called:
    """A function by name, or the call of a factory with literals: ``sliding_window(4, causal=True)``."""

    name: str
    is_call: bool = False
    args: tuple[Any, ...] = ()
    kwargs: dict[str, Any] = field(default_factory=dict)


class Mods(Part):
    """The functions of a Python file that make the mask and change the scores, as in ``flex_attention``."""

    path: str = Field("", max_length=4096)
    """The file; its folder is where its imports are looked up first."""
    mask_mod: str | None = Field(None, max_length=_LONGEST_NAME)
    """The name of a module-level function (b, h, q_idx, kv_idx) -> bool, or the call of a factory with literals."""
    score_mod: str | None = Field(None, max_length=_LONGEST_NAME)
    """The same for (score, b, h, q_idx, kv_idx) -> score."""
    source: str | None = Field(None, max_length=LONGEST_SOURCE)
    """The text that is run; null: that of the file at the time of the run."""

    @field_validator("mask_mod", "score_mod", mode="after")
    @classmethod
    def _check_name(cls, text: str | None) -> str | None:
        if text is None or not text.strip():
            return None
        if called(text) is None:
            raise problem(
                "mods",
                "no_function",
                "{said} must be the name of a function in the file, or a call with literals such as sliding_window(4)",
                said=quoted(text),
            )
        return text.strip()

    @property
    def name(self) -> str:
        """The name of the file; of functions that were never saved, that of the first."""
        return Path(self.path).name or str(self.mask_mod or self.score_mod)

    @property
    def digest(self) -> str:
        """The SHA-256 of the source in hexadecimal digits; empty without a source."""
        return "" if self.source is None else digest_of(self.source)


def read_source(path: Path) -> str:
    """Return the text of a Python file, in the encoding that it declares, with lines that end in a line feed.

    Raises:
        DataFileError: it cannot be read, is not text, or is longer than `LONGEST_SOURCE`.
    """
    try:
        with open_plain(path) as file:
            content = file.read(4 * LONGEST_SOURCE + 1)
        encoding, _ = tokenize.detect_encoding(io.BytesIO(content).readline)
        text = io.TextIOWrapper(io.BytesIO(content), encoding).read()
    except OSError as error:
        why = error.strerror or str(error)
        raise DataFileError("the file {path} cannot be read: {why}", path=path, why=why) from None
    except (UnicodeDecodeError, SyntaxError, LookupError):
        raise DataFileError("{path} is not text that Python can read; nearest: a file in UTF-8", path=path) from None
    if len(text) > LONGEST_SOURCE:
        raise DataFileError("{path} has more than {most} characters", path=path, most=LONGEST_SOURCE)
    return text


def with_source(mods: Mods, folder: Path) -> Mods:
    """Return functions with the text of their file, whose path may be relative to a folder; a text is kept.

    A file that cannot be read leaves the source out, so that the run says why.
    """
    path = (folder / Path(mods.path).expanduser()).absolute() if mods.path else Path()
    mods = mods.model_copy(update={"path": str(path) if mods.path else ""})
    if mods.source is not None or not mods.path:
        return mods
    try:
        return mods.model_copy(update={"source": read_source(path)})
    except DataFileError:
        return mods


@lru_cache(maxsize=64)
def called(text: str) -> Called | None:
    """Return the function that a text names or the factory that it calls; None if it is neither."""
    try:
        expression = ast.parse(text.strip(), mode="eval").body
        match expression:
            case ast.Name(id=name):
                return Called(name)
            case ast.Call(func=ast.Name(id=name), args=args, keywords=keywords):
                if any(keyword.arg is None for keyword in keywords):
                    return None
                kwargs = {str(keyword.arg): ast.literal_eval(keyword.value) for keyword in keywords}
                return Called(name, True, tuple(map(ast.literal_eval, args)), kwargs)
    except (SyntaxError, ValueError, TypeError, MemoryError, RecursionError):
        pass
    return None


@lru_cache(maxsize=8)  # the form asks at every change of a field
def names_in(source: str) -> tuple[Listed, ...]:
    """Return the public names that a source binds at module level and that may be functions, without running it.

    Imported names and those of other objects have no known kind. A source with a syntax error has no names.
    """
    try:
        body = ast.parse(source).body
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        return ()
    found: dict[str, Listed] = {}
    for statement in body:
        for listed in _bound_by(statement):
            if not listed.name.startswith("_"):
                found[listed.name] = listed
    return tuple(found.values())


def _bound_by(statement: ast.stmt) -> list[Listed]:
    match statement:
        case ast.FunctionDef(name=name):
            return [_of_function(name, statement)]
        case ast.ImportFrom(names=names):
            bound = [alias.asname or alias.name for alias in names]
            return [Listed(name, line=statement.lineno) for name in bound if name != "*"]
        case ast.Assign(targets=[ast.Name(id=name)], value=ast.Lambda(args=arguments)):
            kind = _PARAMETERS.get(len(arguments.args), "")
            return [Listed(name, kind, f"({ast.unparse(arguments)})", line=statement.lineno)]
        case ast.Assign(targets=[ast.Name(id=name)], value=ast.Call(func=function)):
            kind = "mask_mod" if ast.unparse(function).rpartition(".")[2] in COMBINED else ""
            return [Listed(name, kind, line=statement.lineno)]
    return []


def _of_function(name: str, function: ast.FunctionDef) -> Listed:
    required = len(function.args.posonlyargs) + len(function.args.args) - len(function.args.defaults)
    inner = [each for each in ast.walk(function) if isinstance(each, ast.FunctionDef | ast.Lambda)][1:]
    made = [_PARAMETERS[count] for each in inner if (count := len(each.args.args)) in _PARAMETERS]
    kind: Kind = "factory" if made else _PARAMETERS.get(required, "factory" if inner else "")
    if kind != "factory" and {each.arg for each in function.args.args} & set(_PARAMETERS.values()):
        kind = ""  # a helper that is given a mod, such as ``create_block_mask(mask_mod, B, H, ...)``
    if not kind and any(isinstance(each, ast.Name) and each.id in COMBINED for each in ast.walk(function)):
        made, kind = ["mask_mod"], "factory"
    doc = (ast.get_docstring(function) or "").partition("\n")[0]
    signature = f"({ast.unparse(function.args)})"
    return Listed(name, kind, signature, doc, function.lineno, made[0] if made and kind == "factory" else "")
