"""Python files as the functions of a spec: opening one chooses its first functions, and a choice follows edits.

Nothing here runs a function.
"""

import ast
import io
import tokenize
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from attnviz.definitions.text import Text
from attnviz.experiment.attention.mods import COMBINED, Mods, called, names_in, read_source
from attnviz.experiment.attention.own_mask import Kind, Listed
from attnviz.experiment.files import consent
from attnviz.experiment.files.plain_files import DataFileError, write_atomically

ROLES: tuple[Kind, ...] = ("mask_mod", "score_mod")
"""What a function of a file can be chosen as, which are the names of the fields too."""
NEEDED = "..."
"""Stands for the arguments of a factory that has some without defaults."""
_BOM = b"\xef\xbb\xbf"


def offered_as(role: Kind, listed: Iterable[Listed]) -> tuple[Listed, ...]:
    """Return the names that may be chosen as a ``mask_mod`` or a ``score_mod``, the likeliest first.

    First the functions with its parameters, then the factories that return one, then names of unknown kind.
    """
    ranks = (role, ""), ("factory", role), ("factory", ""), ("", "")
    offered = [each for each in listed if (each.kind, each.makes) in ranks and each.name not in COMBINED]
    return tuple(sorted(offered, key=lambda each: ranks.index((each.kind, each.makes))))


def call_of(listed: Listed) -> str:
    """Return the text that chooses a name: a factory is called, with `NEEDED` in place of literals that it needs."""
    if listed.kind != "factory":
        return listed.name
    return f"{listed.name}({NEEDED if _required(listed) else ''})"


def first_functions(source: str) -> dict[str, str]:
    """Return the fields of the first functions of a source: of each role the first that no other one is made of.

    So it is ``packed = and_masks(causal, document)`` rather than ``causal``. A factory counts if all its parameters
    have defaults, and is called without arguments.
    """
    chosen: dict[str, str] = {}
    parts = _parts_in(source)
    for role in ROLES:
        likely = [each for each in offered_as(role, names_in(source)) if role in (each.kind, each.makes)]
        likely.sort(key=lambda each: each.name in parts)
        text = next((text for text in map(call_of, likely) if NEEDED not in text), None)
        chosen |= {} if text is None else {role: text}
    return chosen


def _parts_in(source: str) -> set[str]:
    """Return the names that another function or assignment of a source reads."""
    read: set[str] = set()
    for statement in ast.parse(source).body if syntax_error(source) is None else ():
        if isinstance(statement, ast.FunctionDef | ast.Assign | ast.AnnAssign):
            names = [each for each in ast.walk(statement) if isinstance(each, ast.Name)]
            bound = {each.id for each in names if isinstance(each.ctx, ast.Store)} | {getattr(statement, "name", "")}
            read |= {each.id for each in names if isinstance(each.ctx, ast.Load)} - bound
    return read


def with_text(mods: Mods | None, source: str, known: tuple[Listed, ...] = ()) -> Mods:
    """Return functions with an edited text.

    A function that was renamed stays chosen. Without a chosen one, the first ones of the text are.

    Args:
        mods: the functions before the edit; None without any.
        source: the new text.
        known: the names in the last text that could be parsed.
    """
    mods = mods or Mods()
    now = names_in(source)
    chosen: dict[str, str] = {str(role): text for role in ROLES if (text := getattr(mods, role)) is not None}
    if not chosen:
        chosen = first_functions(source)
    elif now:
        chosen = {role: _renamed(text, known, now) for role, text in chosen.items()}
    return mods.model_copy(update={**chosen, "source": source})


def _renamed(text: str, known: tuple[Listed, ...], now: tuple[Listed, ...]) -> str:
    """Return the text that chooses a function after an edit in which it may have got another name."""
    function = called(text)
    before = next((each for each in known if function is not None and each.name == function.name), None)
    names = {each.name for each in now}
    if before is None or before.name in names:
        return text
    old = {each.name for each in known}
    new = [each.name for each in now if each.name not in old and (each.kind, each.makes) == (before.kind, before.makes)]
    return text.replace(before.name, new[0], 1) if len(new) == 1 else text


def values_of_functions(path: Path) -> dict[str, Any]:
    """Return the fields of a spec for a file of functions that the user opens, which is consent to run it."""
    try:
        source = read_source(path)
    except DataFileError:  # the run says why
        return {"mods": Mods(path=str(path), mask_mod=path.stem if path.stem.isidentifier() else "mask_mod")}
    mods = Mods(path=str(path), source=source, **first_functions(source))
    consent.allow(mods.digest)
    return {"mods": mods}


def write_source(path: Path, source: str) -> None:
    """Write a source to its file, in the encoding that it declares and with the line ends of the file it replaces.

    Raises:
        OSError: the file cannot be written, or its encoding lacks a character of the source.
    """
    try:
        with path.open("rb") as file:
            before = file.read(1 << 16)
    except OSError:
        before = b""
    try:
        encoding, _ = tokenize.detect_encoding(io.BytesIO(source.encode(errors="replace")).readline)
        text = source.replace("\n", "\r\n") if b"\r\n" in before else source
        content = text.encode(encoding)
    except (SyntaxError, LookupError, UnicodeEncodeError) as error:
        raise OSError(0, str(error), str(path)) from error
    has_mark = before.startswith(_BOM) and encoding == "utf-8"
    write_atomically(path, lambda file: file.write((_BOM if has_mark else b"") + content))


def change_said(old: Any, new: Any) -> Text:
    """Return the text of an undo step in which only the text of the functions changed; empty for any other."""
    if old.mods is None or new.mods is None or old != new.model_copy(update={"mods": old.mods}):
        return Text()
    same = new.mods.model_copy(update={"source": old.mods.source}) == old.mods
    return Text("Edit {name}", {"name": new.mods.name}) if same else Text()


def syntax_error(source: str) -> tuple[str, int] | None:
    """Return Python's message about a source that cannot be parsed, and the line, 0 if unknown; None if it can be."""
    try:
        ast.parse(source)
    except SyntaxError as error:
        return error.msg, error.lineno or 0
    except (ValueError, MemoryError, RecursionError) as error:
        return str(error), 0
    return None


def _required(listed: Listed) -> int:
    """Return the number of parameters without a default; a signature that cannot be parsed counts as one."""
    try:
        function = ast.parse(f"def f{listed.signature}: ...").body[0]
    except SyntaxError:
        return 1
    assert isinstance(function, ast.FunctionDef)
    arguments = function.args
    missing = arguments.kw_defaults.count(None)
    return len(arguments.posonlyargs) + len(arguments.args) - len(arguments.defaults) + missing
