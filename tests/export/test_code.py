"""What a script looks like: what it holds and what not, how long its lines are, and that nothing typed becomes code."""

import ast
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from legal_specs import attention_values, masked_values, regression_values, training_values
from scripts import run_scripts

from attnviz.definitions.tasks import TASKS
from attnviz.engine.memory import BLOCK_CELLS
from attnviz.experiment.attention.fields import SentenceInputs
from attnviz.experiment.files.specs_in_files import presets
from attnviz.experiment.labs import make_spec
from attnviz.experiment.regression.points import PointsError
from attnviz.export.code.regression import script as code_regression
from attnviz.export.code.script import pytorch_code
from attnviz.export.code.text import WIDTH, literal

NASTY = [
    '"',
    "'",
    '""" + open(\'x\') + """',
    "'''; import os; '''",
    "\\",
    'end with a backslash \\"',
    "two\nlines\rthree\u2028four\x85five",
    "tab\tnul\x00bell\x07",
    "{seed} {__import__('os')} %s %(x)s",
    "注意力 é ſ İ ß",
    "\u202e\u2066 turned \ufeff about",
    "😀\ufe0f👩‍👩‍👧",
    "#) ]; raise SystemExit",
    'word ")] ' * 60,
    "\u202e\x00\\'\"" * 200,
]


def code(**values: Any) -> str:
    return pytorch_code(make_spec(values))


def statements(script: str) -> str:
    """Return a script without its docstrings and comments."""
    tree = ast.parse(script)
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef) and ast.get_docstring(node, clean=False):
            node.body = node.body[1:] or [ast.Pass()]
    return ast.unparse(tree)


def imports(script: str) -> set[str]:
    """Return the modules that a script imports."""
    found = set()
    for node in ast.walk(ast.parse(script)):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            found.add(str(node.module))
    return found


@pytest.mark.parametrize("name", sorted(presets()))
def test_that_a_presets_script_is_short_and_imports_torch_and_what_it_uses(name: str) -> None:
    spec = presets()[name].spec
    script = pytorch_code(spec)
    of_a_folder = {"json", "tokenizers", "transformers"} if spec.lab == "model" else set()
    assert imports(script) <= {"torch", "os", "math", "hashlib"} | of_a_folder
    for module in imports(script):
        assert f"{module}." in statements(script)
    assert ("from torch import nn" in script) == ("nn." in statements(script))
    held_out = 15 if getattr(spec, "held_out", 0) else 0
    assert len(script.splitlines()) < (250 + held_out if spec.lab == "train" else 110)
    assert ast.get_docstring(ast.parse(script))


@pytest.mark.parametrize(
    ("values", "absent"),
    [
        ({}, ["mask", "dropout", "temperature", "dtype", "device", "bound", "valid_lens", "hashlib", "numpy"]),
        ({"num_heads": 1}, ["split", "merge", "num_heads"]),
        ({"scaled": False}, ["math", "sqrt"]),
        ({"mechanism": "dot_product"}, ["seed + 1", "__init__", "nn.Linear", "num_heads"]),
        ({"mechanism": "dot_product", "inputs": {"kind": "ones"}}, ["seed", "Generator"]),
        ({"dropout": 0.5}, ["dropout"]),
        ({"training": True}, ["dropout"]),
        ({"causal": True}, ["valid_lens", "any(", "1000000.0", "window", "document"]),
        ({"valid_lens": [1, 2]}, ["any(", "tril", "1000000.0"]),
        ({"valid_lens": [0, 2], "mask_policy": "inf"}, ["any(", "1000000.0"]),
        ({"valid_lens": [0, 2], "mask_policy": "book"}, ["any(", "inf"]),
        ({"dtype": "float16", "upcast": False}, ["float()"]),
        ({"dtype": "float64"}, ["float()", "device"]),
        ({"lab": "regression"}, ["nn.", "mask", "average", "over_sums", "overlays", "predict(", "device", "seed"]),
        ({"lab": "regression", "estimator": "average"}, ["gaussian", "nn.", "width"]),
        ({"lab": "regression", "estimator": "parametric", "leave_one_out": False}, ["mask", "others", "momentum"]),
        ({"lab": "regression", "estimator": "parametric", "w_init": 1}, ["mixture", "Generator", "Adam", "split"]),
        ({"lab": "regression", "data": {"kind": "points", "x": [1], "y": [2]}}, ["def f(", "y_truth", "Generator"]),
        ({"lab": "regression", "data": {"kind": "synthetic", "noise": 0}}, ["noise", "randn"]),
        (
            {"lab": "train"},
            ["FeedForward", "heads_off", "changes", "_bias", "Embedding(num_tokens", "device", "model.to", "answer("],
        ),
        ({"lab": "train", "positions": "none", "norm": False}, ["rotate", "angles", "Norm", "ones_", "sinusoidal"]),
        ({"lab": "train", "warmup": 0, "clip": None, "optimizer": "sgd"}, ["rate_at", "clip", "momentum", "Adam"]),
        ({"lab": "train", "tied_embedding": True, "task": {"kind": "add"}}, ["unembedding", "different", "symbols"]),
    ],
)
def test_that_nothing_is_there_which_the_spec_does_not_need(values: dict[str, Any], absent: list[str]) -> None:
    script = statements(code(**values))
    assert [word for word in absent if word in script] == []


@pytest.mark.parametrize(
    ("values", "present"),
    [
        ({}, ["class MultiHeadAttention(nn.Module)", "W_q", "W_k", "W_v", "W_o", "num_hiddens", "num_heads"]),
        ({"valid_lens": [0, 2]}, ["def masked_softmax(scores, mask)", "valid_lens", "any(dim=-1"]),
        ({"valid_lens": [0, 2], "mask_policy": "book"}, ["-1000000.0"]),
        ({"dropout": 0.5, "training": True}, ["bernoulli_(1 - p", "seed + 2"]),
        (
            {"mechanism": "causal_multi_head"},
            [
                "class CausalMultiHeadAttention",
                "W_query",
                "W_key",
                "W_value",
                "out_proj",
                "self.register_buffer('mask'",
            ],
        ),
        ({"dtype": "float16"}, ["torch.float16", "scores.float()"]),
        ({"device": "cuda:0"}, ["torch.device('cuda:0')", "attention.to(device)"]),
        (
            {"device": "cuda:0", "causal": True, "training": True, "dropout": 0.1},
            ["mask.to(device)", "Generator(device)"],
        ),
        ({"lab": "regression", "device": "mps"}, ["x.to('mps', torch.float32)"]),
        (
            {"lab": "regression", "estimator": "parametric", "optimizer": "momentum", "momentum": 0.3},
            ["class NadarayaWatson(nn.Module)", "self.w", "torch.optim.SGD", "momentum=0.3", "def f(x)", "x_test"],
        ),
        (
            {"lab": "train", "task": {"kind": "reverse"}, "positions": "learned"},
            ["def draw(knobs, integers)", "def answer(asked)", "asked[::-1]", "self.position_embedding", "AdamW"],
        ),
        ({"lab": "train", "heads_off": ["2.1"], "device": "cuda:0"}, ["[(1, 0)]", "to(device)", "device=device"]),
    ],
)
def test_that_what_the_spec_needs_goes_by_the_textbooks_names(values: dict[str, Any], present: list[str]) -> None:
    script = statements(code(**values))
    assert [word for word in present if word not in script] == []


@given(attention_values() | masked_values() | regression_values() | training_values())
def test_that_every_line_of_every_script_is_short_and_python(values: dict[str, Any]) -> None:
    script = code(**values)
    compile(script, "script", "exec")
    assert max(map(len, script.splitlines())) <= WIDTH
    assert not any(line != line.rstrip() for line in script.splitlines())
    assert imports(script) <= {"torch", "os", "math", "hashlib"}


@given(attention_values(most=5) | regression_values() | training_values())
def test_that_every_script_fixes_the_order_of_sums_before_it_loads_a_library(values: dict[str, Any]) -> None:
    lines = code(**values).splitlines()
    assert lines.index('os.environ.setdefault("MKL_CBWR", "AUTO,STRICT")') < lines.index("import torch")


@given(st.text())
def test_that_a_literal_is_its_text_and_stays_on_its_line(text: str) -> None:
    assert ast.literal_eval(literal(text)) == text
    assert len(literal(text).splitlines()) <= 1


@pytest.mark.parametrize("text", NASTY, ids=range(len(NASTY)))
def test_that_a_nasty_path_is_one_literal(text: str) -> None:
    script = code(inputs={"kind": "file", "path": f"{text}.npz"})
    calls = [node for node in ast.walk(ast.parse(script)) if isinstance(node, ast.Call)]
    (load,) = (call for call in calls if ast.unparse(call.func) == "np.load")
    assert ast.literal_eval(load.args[0]) == f"{text}.npz"
    assert max(map(len, script.split("\n"))) <= WIDTH
    assert statements(script).replace(repr(f"{text}.npz"), "'mine.npz'") == statements(
        code(inputs={"kind": "file", "path": "mine.npz"})
    )


def test_that_nasty_sentences_run_and_their_words_are_the_specs(tmp_path: Path) -> None:
    sentences = {f"s{number}": SentenceInputs(text=f"a {text}") for number, text in enumerate(NASTY)}
    scripts = {
        name: pytorch_code(make_spec({"inputs": inputs, "num_hiddens": 4, "num_heads": 1}))
        for name, inputs in sentences.items()
    }
    for name, script in scripts.items():
        (tokens,) = (
            node.value
            for node in ast.walk(ast.parse(script))
            if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "tokens"
        )
        words = tokens if isinstance(tokens, ast.List) else tokens.func.value  # type: ignore[attr-defined]
        found = ast.literal_eval(words)
        assert tuple(found if isinstance(found, list) else found.split()) == sentences[name].tokens
        assert max(map(len, script.split("\n"))) <= WIDTH
    left = run_scripts(scripts, tmp_path, fresh=True)
    assert [left[name]["weights"].shape[-1] for name in scripts] == [len(s.tokens) for s in sentences.values()]


def test_that_nasty_texts_to_learn_are_one_literal() -> None:
    for nasty in NASTY:
        text = f"a{nasty}" * 30
        script = code(lab="train", task={"kind": "text", "text": text}, num_tokens=4)
        (found,) = (
            node.value
            for node in ast.walk(ast.parse(script))
            if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "text"
        )
        assert ast.literal_eval(found) == text
        assert max(map(len, script.split("\n"))) <= WIDTH


@pytest.mark.parametrize("task", TASKS)
def test_that_the_lines_of_a_task_that_holds_sequences_out_are_short(task: str) -> None:
    script = code(lab="train", task={"kind": task}, held_out=0.2)
    assert "held_out" in script
    assert max(map(len, script.split("\n"))) <= WIDTH


def test_that_a_formula_which_the_spec_does_not_use_is_not_in_the_script() -> None:
    assert "HOSTILE" not in code(lab="regression", data={"kind": "synthetic", "formula": "HOSTILE"})


def test_that_a_file_of_points_that_cannot_be_read_is_told_as_the_reader_tells_it(tmp_path: Path) -> None:
    with pytest.raises(PointsError, match="cannot be read"):
        code(lab="regression", data={"kind": "file", "path": str(tmp_path / "none.csv")})


def test_that_a_script_goes_in_the_blocks_of_the_run() -> None:
    assert code_regression.BLOCK_CELLS == BLOCK_CELLS


def test_that_given_weights_are_read_and_nothing_is_computed() -> None:
    script = code(mechanism="given", inputs={"kind": "file", "path": "mine.npz"})
    assert imports(script) == {"numpy", "torch"}
    assert 'arrays["weights"]' in script
    assert "nn" not in statements(script)
