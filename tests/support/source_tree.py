"""The source of attnviz for tests of its architecture: files, syntax trees, calls."""

import ast
import subprocess
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "attnviz"
FILES = sorted(PACKAGE.rglob("*.py"))
GUI_FILES = [path for path in FILES if path.is_relative_to(PACKAGE / "gui")]


def name_of(path: Path) -> str:
    """Return the name of a file in messages: ``gui/runner.py``."""
    return path.relative_to(PACKAGE).as_posix()


@cache
def tree_of(path: Path) -> ast.Module:
    """Return the syntax tree of a file."""
    return ast.parse(path.read_text(encoding="utf-8"))


@cache
def nodes_of(tree: ast.Module) -> list[ast.AST]:
    """Return all nodes of a syntax tree; each rule looks through them."""
    return list(ast.walk(tree))


def module_of(path: Path) -> str:
    """Return the dotted name of a file: ``attnviz.gui.theme``."""
    return ".".join(("attnviz", *path.relative_to(PACKAGE).with_suffix("").parts)).removesuffix(".__init__")


MODULES = {module_of(path): path for path in FILES}


def imports(tree: ast.AST) -> Iterator[str]:
    """Yield what a file imports, also inside functions: ``attnviz.gui.theme.Look``."""
    for node in ast.walk(tree):
        match node:
            case ast.Import(names=names):
                yield from (each.name for each in names)
            case ast.ImportFrom(module=str(module), names=names):
                yield from (f"{module}.{each.name}" for each in names)


def module_in(imported: str) -> str:
    """Return the module that holds what is imported: the name itself, if it is a module."""
    return imported if imported in MODULES else imported.rpartition(".")[0]


def called(call: ast.Call) -> str:
    """Return the name of the called function: ``setText`` of ``self.label.setText("x")``."""
    match call.func:
        case ast.Attribute(attr=name) | ast.Name(id=name):
            return name
    return ""


def tracked_files() -> list[str]:
    """Return the paths tracked by git; skip the test without git or a repository."""
    try:
        done = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True, timeout=30)
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("this is no git checkout, or there is no git")
    return sorted(done.stdout.decode().rstrip("\0").split("\0"))
