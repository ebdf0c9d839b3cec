"""Who may import whom: the table of the design, checked on every import, also on those inside functions."""

import ast
import sys
from pathlib import Path

import pytest
from source_tree import FILES, PACKAGE, each, imports_of, name_of, tree_of

# What a layer may import anywhere (of our own layers, itself is understood), and what only inside functions.
TABLE: dict[str, tuple[str, str]] = {
    "__init__": ("api", ""),
    "__main__": ("", "cli"),
    "palette": ("", ""),
    "resources": ("", ""),
    "state_folder": ("", ""),
    "versions": ("", ""),
    "log": ("state_folder", ""),
    "crash_report": ("__version__ log state_folder", ""),
    "window_size": ("", ""),
    "attention": ("torch typing_extensions", ""),
    "experiment": ("palette resources numpy pydantic pydantic_core annotated_types typing_extensions", ""),
    "engine": ("attention experiment log resources versions torch numpy psutil typing_extensions", ""),
    "export": ("experiment palette resources numpy typing_extensions", "matplotlib PIL pypdf"),
    "gui": (
        "__version__ crash_report experiment export log palette resources state_folder versions window_size PySide6 "
        "pyqtgraph ziamath numpy pydantic annotated_types typing_extensions",
        "pygments",
    ),
    "gui/runner": ("experiment gui log PySide6 typing_extensions", "engine"),
    "cli": ("__version__ experiment export resources window_size", "doctor engine gui log palette"),
    "api": ("experiment log numpy", "engine export palette"),
    "doctor": ("__version__ log resources versions", "engine"),
}


def layer_of(path: Path) -> str:
    parts = path.relative_to(PACKAGE).with_suffix("").parts
    return "gui/runner" if parts == ("gui", "run", "runner") else parts[0]


def strangers(layer: str, tree: ast.AST) -> list[str]:
    """Return the imports that the table does not grant to a layer."""
    anywhere, inside = (set(names.split()) for names in TABLE[layer])
    anywhere.add(layer)
    found = []
    for name, line, in_function in imports_of(tree):
        first, *rest = name.split(".")
        module = rest[0] if first == "attnviz" and rest else first
        ours = first in ("attnviz", "")
        if not ours and first in sys.stdlib_module_names:
            continue
        if module not in anywhere and not (in_function and module in inside):
            found.append(f"line {line}: {name}{' in a function' if in_function else ''}")
    return found


@each(FILES)
def test_that_a_file_imports_only_what_its_layer_may(path: Path) -> None:
    assert strangers(layer_of(path), tree_of(path)) == []


def test_that_every_layer_of_the_table_is_in_the_house() -> None:
    assert {layer_of(path) for path in FILES} == set(TABLE)


def test_that_torch_is_nowhere_in_the_gui_nor_in_the_nouns_nor_in_what_leaves() -> None:
    without = (
        "gui", "experiment", "export", "resources", "window_size", "cli", "api", "doctor", "log", "crash_report",
        "state_folder", "versions",
    )  # fmt: skip
    importers = {
        name_of(path) for path in FILES for found in imports_of(tree_of(path)) if found.name.startswith("torch")
    }
    assert importers
    assert [name for name in importers if name.startswith(without)] == []


def test_that_only_the_runner_the_command_line_and_the_api_reach_the_engine_and_only_inside_functions() -> None:
    reaching = {
        (name_of(path), found.in_function)
        for path in FILES
        for found in imports_of(tree_of(path))
        if found.name.startswith("attnviz.engine") and layer_of(path) != "engine"
    }
    reached_from = ("gui/run/runner.py", "cli/words.py", "api/__init__.py", "doctor.py")
    assert reaching == {(name, True) for name in reached_from}


@pytest.mark.parametrize(
    ("layer", "source"),
    [
        ("gui", "import torch"),
        ("gui", "def f():\n    import torch.nn"),
        ("gui", "class A:\n    def f(self):\n        from attnviz.engine.run import run"),
        ("gui", "from attnviz import cli"),
        ("gui", "if TYPE_CHECKING:\n    from attnviz.attention import masking"),
        ("gui", "import_module(f'attnviz.engine.{name}')"),
        ("gui", "importlib.import_module(name)"),
        ("gui", "from ..engine import run"),
        ("gui/runner", "from attnviz.engine.run import run"),
        ("cli", "from attnviz.gui.app import start"),
        ("api", "from attnviz.engine.run import run"),
        ("api", "def f():\n    import torch"),
        ("api", "def f():\n    from attnviz.gui.app import start"),
        ("engine", "f = lambda: __import__('PySide6')"),
        ("experiment", "import attnviz.attention.masking as masking"),
        ("experiment", "try:\n    import torch\nexcept ImportError:\n    torch = None"),
        ("export", "from matplotlib import pyplot"),
        ("attention", "import numpy as np"),
    ],
)
def test_that_a_breach_of_the_table_is_seen(layer: str, source: str) -> None:
    assert len(strangers(layer, ast.parse(source))) == 1


@pytest.mark.parametrize(
    ("layer", "source"),
    [
        ("gui/runner", "def run():\n    from attnviz.engine.run import run"),
        ("cli", "from attnviz import __version__\ndef f():\n    from attnviz.gui.app import start"),
        ("export", "def draw():\n    from matplotlib import pyplot\n    from PIL import Image"),
        (
            "engine",
            "import torch, json\nfrom attnviz.attention import masking\nimport_module('attnviz.engine.attention.run')",
        ),
    ],
)
def test_that_what_the_table_grants_is_let_pass(layer: str, source: str) -> None:
    assert strangers(layer, ast.parse(source)) == []
