"""Only a lab's own files know which lab it is: all others ask its row, its spec or its trace."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest
from source_tree import FILES, PACKAGE, called, name_of, tree_of

LABS = ("attention", "regression")
_TYPES = ("Spec", "Fields", "Trace", "ViewSettings")
LAB_TYPES = {f"{lab.capitalize()}{kind}" for lab in LABS for kind in _TYPES}
OWN_FOLDERS = [f"{layer}/{lab}" for layer in ("experiment", "engine", "gui/labs") for lab in LABS]
OWN_FILES = [f"{folder}/{lab}.py" for folder in ("export/code", "export/figures") for lab in LABS]


def is_a_labs_own(path: Path) -> bool:
    return name_of(path) in OWN_FILES or any(name_of(path).startswith(f"{folder}/") for folder in OWN_FOLDERS)


def questions(tree: ast.AST) -> Iterator[int]:
    """Yield the lines that ask of which lab a spec, a trace or a view is."""
    for node in ast.walk(tree):
        match node:
            case ast.Call(args=[_, kinds]) if (
                called(node) in ("isinstance", "issubclass") and _names(kinds) & LAB_TYPES
            ):
                yield node.lineno
            case ast.MatchClass(cls=kind) if _names(kind) & LAB_TYPES:
                yield node.lineno
            case ast.Compare(left=left, comparators=others):
                sides = [left, *others]
                if any(isinstance(side, ast.Attribute) and side.attr == "lab" for side in sides) and any(
                    isinstance(part, ast.Constant) and part.value in LABS for side in sides for part in ast.walk(side)
                ):
                    yield node.lineno


def _names(node: ast.AST) -> set[str]:
    found = {part.id for part in ast.walk(node) if isinstance(part, ast.Name)}
    return found | {part.attr for part in ast.walk(node) if isinstance(part, ast.Attribute)}


def test_that_no_file_but_a_labs_own_asks_which_lab_it_is() -> None:
    shared = [path for path in FILES if not is_a_labs_own(path)]
    assert len(shared) > 100
    found = {name_of(path): lines for path in shared if (lines := list(questions(tree_of(path))))}
    assert found == {}


def test_that_the_files_of_the_labs_are_where_this_test_looks_for_them() -> None:
    assert [name for name in OWN_FILES if not (PACKAGE / name).is_file()] == []
    assert [name for name in OWN_FOLDERS if not (PACKAGE / name).is_dir()] == []


@pytest.mark.parametrize(
    "source",
    [
        "isinstance(trace, AttentionTrace)",
        "isinstance(spec, (Study, RegressionSpec))",
        "isinstance(view, labs.AttentionViewSettings | None)",
        "spec.lab == 'attention'",
        "'regression' != self.trace.spec.lab",
        "spec.lab in ('attention', 'regression')",
        "match spec:\n    case AttentionSpec():\n        pass",
    ],
)
def test_that_a_question_is_seen(source: str) -> None:
    assert list(questions(ast.parse(source)))


@pytest.mark.parametrize("source", ["old.lab != new.lab", "isinstance(event, Failure)", "LABS[spec.lab].title"])
def test_that_what_names_no_lab_is_let_pass(source: str) -> None:
    assert list(questions(ast.parse(source))) == []
