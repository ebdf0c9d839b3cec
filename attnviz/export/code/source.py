"""Source code of attnviz's functions for a script: without annotations, including the functions they call."""

import ast
import inspect
import re
from collections.abc import Callable, Iterator
from textwrap import dedent
from types import FunctionType, ModuleType
from typing import Any


def source_of(*functions: Callable[..., Any]) -> list[str]:
    """Return the source of functions as blocks of a script, after that of the functions and constants they use.

    Each appears once, by its name without a leading underscore. A function may use others of its module, closure
    variables, and Python's own. A first parameter ``torch``, or a last one ``xp`` (an array library's functions), is
    removed from definitions and calls: a script imports torch.
    """
    blocks: dict[str, str] = {}
    for function in functions:
        _collect(_name(function.__name__), function, blocks)
    return list(blocks.values())


def _collect(name: str, found: Any, blocks: dict[str, str]) -> None:
    if name in blocks or isinstance(found, ModuleType):  # the script imports it
        return
    found = inspect.unwrap(found)  # the function that a cache wraps
    if not isinstance(found, FunctionType):
        blocks[name] = f"{name} = {found!r}"
        return
    text = _without_annotations(dedent(inspect.getsource(found)).rstrip())
    text = text.replace("(torch, ", "(").replace(', device="cpu"', "")  # the default in a script
    text = re.sub(r'xp\["(\w+)"\]', r"torch.\1", text).replace(", xp)", ")")
    known = {**found.__globals__, **inspect.getclosurevars(found).nonlocals}
    names = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Name | ast.arg)]
    own = {each.arg if isinstance(each, ast.arg) else each.id for each in names if not _is_read(each)}
    used = [each for each in names if isinstance(each, ast.Name) and each.id in known and each.id not in own]
    for each in used:
        _collect(_name(each.id), known[each.id], blocks)
    edits = [(each.lineno - 1, each.col_offset, each.end_col_offset or 0, _name(each.id)) for each in used]
    defined = len("def ")
    blocks[name] = _edited(text, [*edits, (0, defined, defined + len(found.__name__), name)])


def _is_read(node: ast.Name | ast.arg) -> bool:
    return isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)


def _name(name: str) -> str:
    return name.lstrip("_")


Span = tuple[int, int, int]
"""A line, counted from 0, and the first and the last column of a part of it."""


def _without_annotations(text: str) -> str:
    return _edited(text, [(*span, "") for span in _annotations(ast.parse(text), text.split("\n"))])


def _annotations(tree: ast.AST, lines: list[str]) -> Iterator[Span]:
    """Yield the spans of annotations, with the colon or arrow before them; each is on one line with its name."""
    for node in ast.walk(tree):
        match node:
            case ast.arg(annotation=ast.expr() as annotation):
                yield node.lineno - 1, node.col_offset + len(node.arg), annotation.end_col_offset or 0
            case ast.FunctionDef(returns=ast.expr() as annotation):
                line = annotation.lineno - 1
                yield line, lines[line].rindex(" ->", 0, annotation.col_offset), annotation.end_col_offset or 0
            case ast.AnnAssign(target=target, annotation=annotation):
                yield target.lineno - 1, target.end_col_offset or 0, annotation.end_col_offset or 0


def _edited(text: str, edits: list[tuple[int, int, int, str]]) -> str:
    """Return a text with parts of its lines replaced."""
    lines = text.split("\n")
    for line, start, end, new in sorted(edits, reverse=True):
        lines[line] = lines[line][:start] + new + lines[line][end:]
    return "\n".join(lines)
