"""How large a thing may grow before it is two things, and that it says what it is."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest
from source_tree import FILES, Function, each, length, tree_of

FILE_BELOW, CLASS_BELOW, FUNCTION_MOST = 300, 200, 60


def too_long(tree: ast.AST, kind: type[ast.ClassDef] | type[ast.FunctionDef], most: int) -> list[str]:
    """Return the classes or functions of a tree with more lines than that."""
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef) if kind is ast.FunctionDef else (kind,)
    found = [node for node in ast.walk(tree) if isinstance(node, kinds)]
    return [f"{node.name}: {length(node)}" for node in found if length(node) > most]


def silent(node: ast.Module | ast.ClassDef, name: str = "the module") -> Iterator[str]:
    """Yield what is public in a module or class and has no docstring; what overrides has its base's."""
    if not ast.get_docstring(node):
        yield name
    for each_ in node.body:
        if not isinstance(each_, ast.ClassDef | Function) or each_.name.startswith("_"):
            continue
        if isinstance(each_, ast.ClassDef):
            yield from silent(each_, each_.name)
        elif not ast.get_docstring(each_) and not _follows_another(each_):
            yield f"{name}.{each_.name}"


def _follows_another(function: Function) -> bool:
    decorators = map(ast.unparse, function.decorator_list)
    return any(decorator in ("override", "overload") or decorator.endswith(".setter") for decorator in decorators)


@each(FILES)
def test_that_a_file_is_short(path: Path) -> None:
    assert len(path.read_text(encoding="utf-8").splitlines()) < FILE_BELOW


@each(FILES)
def test_that_a_class_is_short(path: Path) -> None:
    assert too_long(tree_of(path), ast.ClassDef, CLASS_BELOW - 1) == []


@each(FILES)
def test_that_a_function_is_short(path: Path) -> None:
    assert too_long(tree_of(path), ast.FunctionDef, FUNCTION_MOST) == []


@each(FILES)
def test_that_whatever_is_public_says_what_it_is(path: Path) -> None:
    assert list(silent(tree_of(path))) == []


@pytest.mark.parametrize(
    ("source", "kind", "seen"),
    [
        ("def f():\n" + "    x = 1\n" * 59, ast.FunctionDef, False),
        ("def f():\n" + "    x = 1\n" * 60, ast.FunctionDef, True),
        ("@wraps\nasync def f():\n" + "    x = 1\n" * 60, ast.FunctionDef, True),
        ("class A:\n    def f(self):\n" + "        x = 1\n" * 60, ast.FunctionDef, True),
        ("class A:\n" + "    x = 1\n" * 59, ast.ClassDef, False),
        ("if x:\n    class A:\n" + "        x = 1\n" * 60, ast.ClassDef, True),
    ],
)
def test_that_a_line_too_many_is_seen(
    source: str, kind: type[ast.ClassDef] | type[ast.FunctionDef], seen: bool
) -> None:
    assert bool(too_long(ast.parse(source), kind, 60)) is seen


@pytest.mark.parametrize(
    ("source", "names"),
    [
        ("x = 1", ["the module"]),
        ('"""m"""\nclass A: ...\nclass _B: ...', ["A"]),
        ('"""m"""\ndef f(): ...\ndef _g(): ...\nasync def h(): ...', ["the module.f", "the module.h"]),
        ('"""m"""\nclass A:\n    """a"""\n    def f(self): ...\n    def __init__(self): ...', ["A.f"]),
        ('"""m"""\nclass A:\n    """a"""\n    @override\n    def f(self): ...', []),
        ('"""m"""\nclass A:\n    """a"""\n    class B: ...', ["B"]),
    ],
)
def test_that_silence_is_seen(source: str, names: list[str]) -> None:
    assert list(silent(ast.parse(source))) == names
