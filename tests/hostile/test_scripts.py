"""What a spec holds as text goes into the PyTorch script as text: nothing of it becomes code."""

import ast
import json
from pathlib import Path

import pytest
from calling import attnviz
from scripts import run_scripts

BREAKOUTS = (
    "x');import os;os.mkdir('sprung');('",
    'x");import os;os.mkdir("sprung");("',
    "'''\nimport os\nos.mkdir('sprung')\n'''",
    '"""\nimport os\nos.mkdir("sprung")\n"""',
    "x\nimport os; os.mkdir('sprung')",
    "x\r\u2028\u2029\x0c\x85import os; os.mkdir('sprung')",
    "\\');import os;os.mkdir('sprung')#",
    "{__import__('os').mkdir('sprung')}",
)


@pytest.mark.parametrize("text", BREAKOUTS, ids=range(len(BREAKOUTS)))
@pytest.mark.parametrize("place", ["path", "path of weights", "sentence"])
def test_that_no_text_of_a_spec_becomes_code(place: str, text: str, tmp_path: Path) -> None:
    inputs = {"kind": "sentence", "text": text} if place == "sentence" else {"kind": "file", "path": f"{text}.npz"}
    mechanism = {"mechanism": "given"} if place == "path of weights" else {}
    (tmp_path / "spec.json").write_text(json.dumps({"inputs": inputs, **mechanism}))
    said = attnviz("code", str(tmp_path / "spec.json"))
    assert (said.code, said.err) == (0, "")
    tree = ast.parse(said.out)
    names = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    attributes = {ast.unparse(node) for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    # The script's own first lines set a variable of the environment and count the cores; nothing else of os is used.
    assert {each for each in attributes if each.startswith("os.")} <= {
        "os.environ",
        "os.environ.setdefault",
        "os.cpu_count",
    }
    assert "mkdir" not in "".join(attributes)
    assert "__import__" not in names


@pytest.mark.parametrize(
    "formula",
    [
        "().__class__",
        "x if x else x",
        "lambda: x",
        "[x for x in x]",
        "x:=1",
        "f'{x}'",
        "x.real",
        "print(x)",
        "'a'*9**9",
        "x@x",
    ],
)
def test_that_a_formula_is_arithmetic_and_nothing_else(formula: str, tmp_path: Path) -> None:
    data = {"kind": "synthetic", "function": "formula", "formula": formula}
    (tmp_path / "spec.json").write_text(json.dumps({"lab": "regression", "data": data}))
    for command in ("run", "code"):
        assert attnviz(command, str(tmp_path / "spec.json")).is_one_line(2, "formula")


@pytest.mark.parametrize(
    "formula", ["9**9**9**9**9**9**9", "-" * 199 + "x", "(" * 99 + "x" + ")" * 99, "x" + "**x" * 66]
)
def test_that_a_formula_is_worked_out_at_once_or_refused(formula: str, tmp_path: Path) -> None:
    data = {"kind": "synthetic", "function": "formula", "formula": formula}
    (tmp_path / "spec.json").write_text(json.dumps({"lab": "regression", "data": data}))
    said = attnviz("run", str(tmp_path / "spec.json"))
    assert said.code == 0 or said.is_one_line(said.code, "formula")


def test_that_a_list_of_heads_without_end_is_refused() -> None:
    said = attnviz("export", "preset:multi-head-random", "-o", "x.png", "--heads", "1-9999," * 15_000 + "1")
    assert said.is_one_line(2, "must be at most 10000 characters")


def test_that_a_script_prints_no_control_character_of_the_text_that_it_learns(tmp_path: Path) -> None:
    text = "ab\x1b[2J\x07\u202e\n" * 9
    spec = {"lab": "train", "task": {"kind": "text", "text": text}, "steps": 1, "batch_size": 2, "num_layers": 1}
    (tmp_path / "spec.json").write_text(json.dumps(spec | {"num_tokens": 8, "probe": list("ab\x1b[2J\x07\u202e")}))
    script = attnviz("code", str(tmp_path / "spec.json")).out
    printed = str(run_scripts({"made": script}, tmp_path)["made"]["printed"])
    assert r"tokens a b '\x1b' [ 2 J '\x07' '\u202e'" in printed
    assert all(line.isprintable() for line in printed.splitlines())
