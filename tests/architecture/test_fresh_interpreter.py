"""What an interpreter holds after an import. Each process answers several claims: starting one is what costs."""

import importlib.util
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from source_tree import FILES, PACKAGE, ROOT

from attnviz.definitions.labs import LAB_NAMES

QT = ("PySide6", "shiboken6", "pyqtgraph")
MODELS = {"transformers", "tokenizers", "safetensors", "huggingface_hub"}
"""What only opening a folder with a model may load: an optional extra, and seconds."""
SLOW = MODELS | {"torch", "pyqtgraph", "matplotlib", "PIL", "pygments", "superqt", "qtpy"}
"""What would keep a person waiting for the first window."""
LIGHT = ("experiment", "export", "api", "cli", "doctor", "folders")
"""What loads neither torch nor Qt."""
WITH_QT = pytest.mark.skipif(importlib.util.find_spec("PySide6") is None, reason="Qt is not installed here")

# Refuses modules by name, as a machine on which they are not installed does.
REFUSE = """
import importlib, json, sys

class Refuse:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in NAMES:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

sys.meta_path.insert(0, Refuse())
"""


def modules_of(*layers: str) -> list[str]:
    """Return every module of some layers, as Python names them."""
    paths = [path.relative_to(ROOT).with_suffix("") for path in FILES]
    names = [".".join(path.parts).removesuffix(".__init__") for path in paths]
    return [name for name in names if name.split(".")[1:2] and name.split(".")[1] in layers]


def fresh(code: str, cwd: Path) -> Any:
    """Run code in a new interpreter and return what it prints last, as JSON."""
    env = os.environ | {"PYTHONPATH": str(ROOT), "QT_QPA_PLATFORM": "offscreen"}
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=cwd, env=env, capture_output=True, text=True, check=False, timeout=60
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])


def added_by(statement: str, cwd: Path) -> set[str]:
    """Return the modules that a statement adds to a new interpreter."""
    code = "import json, sys; before = set(sys.modules)\n"
    return set(fresh(f"{code}{statement}\nprint(json.dumps(sorted(set(sys.modules) - before)))", cwd))


def tops(names: set[str]) -> set[str]:
    return {name.partition(".")[0] for name in names}


def test_that_importing_attnviz_itself_loads_nothing_else(tmp_path: Path) -> None:
    assert added_by("import attnviz", tmp_path) == {"attnviz"}


CLI = ("cli", "cli.animation", "cli.export", "cli.lesson", "cli.sweep", "cli.words")
FORMATS = ("definitions", *(f"definitions.{name}" for name in ("counting", "formats", "registry", "text")))


@pytest.mark.parametrize(
    ("module", "ours"),
    [
        (
            "cli",
            {
                *CLI,
                *FORMATS,
                "definitions.labs",
                "experiment",
                "experiment.texts",
                "experiment.texts.languages",
                "folders",
                "parent",
            },
        ),
        ("__main__", {"__main__"}),
        ("doctor", {"doctor", "folders", "inventory", "log", "versions"}),
    ],
)
def test_that_help_and_doctor_stand_on_python_alone(module: str, ours: set[str], tmp_path: Path) -> None:
    loaded = added_by(f"import attnviz.{module}", tmp_path)
    assert {name for name in loaded if name.startswith("attnviz")} == {"attnviz", *(f"attnviz.{name}" for name in ours)}
    assert tops(loaded) - sys.stdlib_module_names == {"attnviz"}


@WITH_QT
def test_that_the_window_is_imported_without_torch_and_without_the_engine(tmp_path: Path) -> None:
    loaded = added_by("import attnviz.gui.window.main_window, attnviz.gui.app, attnviz.cli", tmp_path)
    assert {"attnviz.gui.window.main_window", "PySide6", "numpy"} <= loaded
    assert [name for name in loaded if name.partition(".")[0] in SLOW] == []
    assert [name for name in loaded if name.startswith(("attnviz.engine", "attnviz.attention"))] == []
    labs = tuple(f"attnviz.{layer}.{lab}" for layer in ("gui.labs", "experiment") for lab in LAB_NAMES)
    assert [name for name in loaded if name.startswith(labs)] == [], "a lab is imported when it is entered"


@pytest.fixture(scope="module")
def without_qt(tmp_path_factory: pytest.TempPathFactory) -> tuple[dict[str, Any], Path]:
    """What a machine without Qt does: import everything but the gui, run a preset, ask for the window."""
    folder = tmp_path_factory.mktemp("without_qt")
    code = f"""
NAMES = {QT!r}
{REFUSE}
refused = []
for name in NAMES:
    try:
        importlib.import_module(name)
    except ImportError:
        refused.append(name)
for name in {modules_of("attention", "engine", *LIGHT)!r}:
    importlib.import_module(name)
loaded = sorted(sys.modules)
from attnviz.cli import main
codes = [main(["run", "preset:multi-head-random", "-o", "trace.npz"]), main(["doctor"])]
codes.append(main(["--screenshot", "out.png"]))
print(json.dumps(dict(refused=refused, loaded=loaded, codes=codes, after=sorted(sys.modules))))
"""
    return fresh(code, folder), folder


def test_that_the_run_and_all_below_it_load_no_qt(without_qt: tuple[dict[str, Any], Path]) -> None:
    said, _ = without_qt
    assert said["refused"] == list(QT)
    assert {"attnviz.engine.run", "attnviz.export.numbers", "torch"} <= set(said["loaded"])
    assert tops(set(said["after"])) & set(QT) == set()


def test_that_no_import_and_no_run_without_a_folder_loads_what_models_from_folders_take(
    without_qt: tuple[dict[str, Any], Path],
) -> None:
    assert "attnviz.engine.model.loading" in without_qt[0]["loaded"]
    assert tops(set(without_qt[0]["after"])) & MODELS == set()


def test_that_a_machine_without_qt_runs_a_preset_and_writes_its_arrays(without_qt: tuple[dict[str, Any], Path]) -> None:
    said, folder = without_qt
    assert said["codes"][0] == 0
    with np.load(folder / "trace.npz", allow_pickle=False) as arrays:
        assert arrays["weights"].sum(axis=-1) == pytest.approx(1)


def test_that_a_machine_without_qt_is_healthy_but_has_no_window(without_qt: tuple[dict[str, Any], Path]) -> None:
    assert without_qt[0]["codes"][1:] == [0, 1]


@pytest.fixture(scope="module")
def without_torch(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What a machine without torch and Qt does: import the nouns and what leaves, list the presets, try a run."""
    code = f"""
NAMES = {("torch", *QT)!r}
{REFUSE}
for name in {modules_of(*LIGHT)!r}:
    importlib.import_module(name)
loaded = sorted(sys.modules)
from attnviz.cli import main
codes = [main(["presets"]), main(["run", "preset:multi-head-random"])]
print(json.dumps(dict(loaded=loaded, codes=codes, after=sorted(sys.modules))))
"""
    said: dict[str, Any] = fresh(code, tmp_path_factory.mktemp("without_torch"))
    return said


def test_that_the_nouns_what_leaves_and_the_command_line_load_neither_torch_nor_qt(
    without_torch: dict[str, Any],
) -> None:
    assert {"attnviz.experiment.labs", "attnviz.export.numbers", "attnviz.cli", "numpy"} <= set(without_torch["loaded"])
    assert tops(set(without_torch["after"])) & {"torch", *QT} == set()


def test_that_a_machine_without_torch_lists_the_presets_and_says_that_a_run_needs_it(
    without_torch: dict[str, Any],
) -> None:
    assert without_torch["codes"] == [0, 1]


@pytest.mark.parametrize("layers", [("attention", "engine"), ("experiment", "export"), ("gui",)])
def test_that_the_list_of_modules_holds_every_file_of_its_layers(layers: tuple[str, ...]) -> None:
    files = [path for layer in layers for path in (PACKAGE / layer).rglob("*.py")]
    assert len(modules_of(*layers)) == len(files) > 0
