"""Only a lab's own files know which lab it is: all others ask its row, its spec or its trace, and import none of them.

A file or a folder with the name of a lab is the lab's own, in every layer.
"""

import ast
import tomllib
from collections.abc import Iterable, Iterator
from typing import Any

import pytest
from source_tree import MODULES, ROOT, imports, module_in, name_of, tree_of

from attnviz.definitions.labs import LAB_NAMES

REGISTRIES = {
    "attnviz.experiment.labs",
    "attnviz.engine.labs",
    "attnviz.export.labs",
    "attnviz.gui.labs.rooms",
    "attnviz.cli",
}
"""The modules and packages that may import every lab."""
_WITHOUT_LABS = ("definitions", "attention")
"""Layers that stand below all labs; the second is named as a lab is."""


def lab_of(module: str) -> str:
    """Return the lab whose own a module is, "" if it is shared."""
    layer, *parts = module.split(".")[1:] or [""]
    return "" if layer in _WITHOUT_LABS else next((part for part in parts if part in LAB_NAMES), "")


def questions(tree: ast.AST) -> Iterator[int]:
    """Yield the lines that compare the name of a lab."""
    for node in ast.walk(tree):
        match node:
            case ast.Compare(left=left, comparators=others):
                sides = [left, *others]
                if any(isinstance(side, ast.Attribute) and side.attr == "lab" for side in sides) and any(
                    isinstance(part, ast.Constant) and part.value in LAB_NAMES
                    for side in sides
                    for part in ast.walk(side)
                ):
                    yield node.lineno


def is_registry(module: str) -> bool:
    return any(module == each or module.startswith(f"{each}.") for each in REGISTRIES)


def of_other_labs(module: str, imported: Iterable[str]) -> list[str]:
    """Return what a module imports of labs that it may not know."""
    own = lab_of(module)
    known = [each for each in imported if each.startswith("attnviz.") and lab_of(module_in(each)) not in ("", own)]
    return [] if is_registry(module) else known


def contracts() -> list[dict[str, Any]]:
    """Return the import linter's contracts that protect a lab."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"]
    return [each for each in settings["contracts"] if each["type"] == "protected"]


def test_that_no_module_imports_a_lab_that_is_not_its_own() -> None:
    shared = [module for module in MODULES if not lab_of(module)]
    assert len(shared) > 100
    assert {lab_of(module) for module in MODULES} == {"", *LAB_NAMES}
    found = {
        module: wrong for module, path in MODULES.items() if (wrong := of_other_labs(module, imports(tree_of(path))))
    }
    assert found == {}


def test_that_no_shared_file_asks_which_lab_it_is() -> None:
    shared = [path for module, path in MODULES.items() if not lab_of(module)]
    found = {name_of(path): lines for path in shared if (lines := list(questions(tree_of(path))))}
    assert found == {}


def test_that_the_import_linter_has_a_contract_for_every_lab_with_all_its_modules() -> None:
    protected = {}
    for each in contracts():
        modules = set(each["protected_modules"])
        assert set(each["allowed_importers"]) == modules | REGISTRIES
        assert "ignore_imports" not in each
        protected[lab_of(next(iter(modules)))] = modules
    own = {lab: {module for module in MODULES if lab_of(module) == lab} for lab in LAB_NAMES}
    tops = {
        lab: {module for module in modules if lab_of(module.rpartition(".")[0]) != lab} for lab, modules in own.items()
    }
    assert protected == tops


@pytest.mark.parametrize(
    "source", ["spec.lab == 'attention'", "'regression' != self.trace.spec.lab", "spec.lab in ('train', 'regression')"]
)
def test_that_a_question_is_seen(source: str) -> None:
    assert list(questions(ast.parse(source)))


@pytest.mark.parametrize("source", ["old.lab != new.lab", "isinstance(event, Failure)", "LABS[spec.lab].title"])
def test_that_what_names_no_lab_is_let_pass(source: str) -> None:
    assert list(questions(ast.parse(source))) == []


@pytest.mark.parametrize(
    ("module", "source"),
    [
        ("attnviz.gui.run.undo", "from attnviz.experiment.attention.masks import FurtherMasks"),
        ("attnviz.gui.run.undo", "def late():\n    import attnviz.experiment.regression.spec"),
        ("attnviz.gui.run.undo", "from attnviz.experiment import train"),
        ("attnviz.gui.labs.train.stage", "from attnviz.gui.labs.attention.formulas import formula_of"),
        ("attnviz.export.code.train", "from attnviz.export.code.attention.script import MERGE"),
    ],
)
def test_that_an_import_of_another_lab_is_seen(module: str, source: str) -> None:
    assert of_other_labs(module, imports(ast.parse(source)))


@pytest.mark.parametrize(
    ("module", "source"),
    [
        ("attnviz.experiment.labs", "from attnviz.experiment.train.spec import TrainSpec"),
        ("attnviz.gui.labs.train.stage", "from attnviz.experiment.train.spec import TrainSpec"),
        ("attnviz.engine.run", "from attnviz.attention.regression import fit"),
        ("attnviz.gui.run.undo", "from attnviz.experiment.labs import LABS"),
    ],
)
def test_that_an_import_of_shared_code_is_let_pass(module: str, source: str) -> None:
    assert of_other_labs(module, imports(ast.parse(source))) == []
