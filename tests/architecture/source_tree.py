"""The source of attnviz as the tests of its architecture read it: files, syntax trees, imports."""

import ast
import subprocess
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "attnviz"
FILES = sorted(PACKAGE.rglob("*.py"))
GUI_FILES = [path for path in FILES if path.is_relative_to(PACKAGE / "gui")]

Function = ast.FunctionDef | ast.AsyncFunctionDef
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)


class Import(NamedTuple):
    """One import: the full name of what comes in, its line, and whether it waits for a call."""

    name: str
    line: int
    in_function: bool


def name_of(path: Path) -> str:
    """Return how a file is called in a test's name and in a table of known offenders: ``gui/runner.py``."""
    return path.relative_to(PACKAGE).as_posix()


def each(files: list[Path]) -> pytest.MarkDecorator:
    """Return the decorator that runs a test for every file."""
    return pytest.mark.parametrize("path", [pytest.param(path, id=name_of(path)) for path in files])


@cache
def tree_of(path: Path) -> ast.Module:
    """Return the syntax tree of a file."""
    return ast.parse(path.read_text(encoding="utf-8"))


def imports_of(tree: ast.AST, in_function: bool = False) -> Iterator[Import]:
    """Yield every import of a tree, those inside functions and those by name (``import_module``) too."""
    for node in ast.iter_child_nodes(tree):
        match node:
            case ast.Import(names=names):
                yield from (Import(alias.name, node.lineno, in_function) for alias in names)
            case ast.ImportFrom(names=names):
                origin = "." * node.level + (node.module or "")
                yield from (Import(f"{origin}.{alias.name}", node.lineno, in_function) for alias in names)
            case ast.Call() if called(node) in ("import_module", "__import__"):
                yield Import(_beginning(node.args[0]), node.lineno, in_function)
        yield from imports_of(node, in_function or isinstance(node, _FUNCTIONS))


def called(call: ast.Call) -> str:
    """Return the last name of what is called: ``setText`` of ``self.label.setText("x")``."""
    match call.func:
        case ast.Attribute(attr=name) | ast.Name(id=name):
            return name
    return ""


def _beginning(argument: ast.expr) -> str:
    """Return what is known of a name put together at run time: ``attnviz.gui.labs.`` of ``f"attnviz.gui.labs.{x}"``."""
    first = argument.values[0] if isinstance(argument, ast.JoinedStr) else argument
    return str(first.value) if isinstance(first, ast.Constant) else "computed"


def length(node: ast.ClassDef | Function) -> int:
    """Return the lines of a class or function, its decorators not counted."""
    return (node.end_lineno or node.lineno) - node.lineno + 1


def tracked_files() -> list[str]:
    """Return the paths that git tracks; skips the test where there is no git or no repository."""
    try:
        done = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True, timeout=30)
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("this is no git checkout, or there is no git")
    return sorted(done.stdout.decode().rstrip("\0").split("\0"))
