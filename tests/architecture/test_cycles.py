"""No module needs itself: imports inside functions and those for type checkers alone count as well."""

import ast
from collections.abc import Iterator, Mapping
from graphlib import CycleError, TopologicalSorter

import pytest
from source_tree import MODULES, imports, module_in, tree_of


def cycle(imported: Mapping[str, set[str]]) -> list[str]:
    """Return modules of which each is imported by the next and the last is the first, or nothing."""
    try:
        TopologicalSorter(imported).prepare()
    except CycleError as error:
        return list(error.args[1])
    return []


def own_imports(module: str, tree: ast.AST) -> Iterator[str]:
    """Yield the modules of the app that a file imports, besides itself."""
    yield from {module_in(name) for name in imports(tree)} & MODULES.keys() - {module}


def test_that_no_modules_import_each_other() -> None:
    imported = {module: set(own_imports(module, tree_of(path))) for module, path in MODULES.items()}
    assert sum(map(len, imported.values())) > len(imported) > 500
    assert cycle(imported) == []


@pytest.mark.parametrize("source", ["import attnviz.cli", "def f():\n    from attnviz.cli import main"])
def test_that_a_cycle_is_seen(source: str) -> None:
    back = set(own_imports("attnviz.log", ast.parse(source)))
    assert set(cycle({"attnviz.cli": {"attnviz.log"}, "attnviz.log": back})) == {"attnviz.cli", "attnviz.log"}
