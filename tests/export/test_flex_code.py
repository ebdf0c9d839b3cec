"""FlexAttention code against torch's flex_attention: masks, score steps and whole scripts, which test themselves."""

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given
from legal_specs import masked_values
from running import attention_trace
from torch.nn.attention.flex_attention import create_mask

from attnviz.attention.array_functions import TORCH
from attnviz.cli import main
from attnviz.definitions.masks import MASKS, in_force
from attnviz.definitions.masks.mask import Mask
from attnviz.definitions.mechanisms import MECHANISMS
from attnviz.definitions.score_steps import SCORE_STEPS
from attnviz.definitions.text import Refused
from attnviz.engine.attention.run import make_mask
from attnviz.experiment.attention.mods import digest_of
from attnviz.experiment.attention.spec import AttentionSpec
from attnviz.experiment.files import consent
from attnviz.experiment.files.specs_in_files import presets
from attnviz.experiment.labs import make_spec
from attnviz.export.code.attention.flex import (
    flex_functions,
    flex_script,
    flex_source,
    mask_name,
    score_blocks,
    why_not,
)
from attnviz.export.code.script import flex_code
from attnviz.export.code.text import WIDTH

CPU = torch.device("cpu")


def spec_of(**values: Any) -> AttentionSpec:
    spec = make_spec({"device": "cpu", **values})
    assert isinstance(spec, AttentionSpec)
    return spec


def names_after(source: str) -> dict[str, Any]:
    names: dict[str, Any] = {}
    exec(source, names)
    return names


def allowed_by(mask: Mask, state: Any, items: int, heads: int, queries: int, keys: int) -> Any:
    b, h, i, j = (torch.arange(size, dtype=torch.int32) for size in (items, heads, queries, keys))
    allowed = mask.allows(state, b[:, None, None, None], h[:, None, None], i[:, None], j, TORCH)
    return torch.as_tensor(allowed).expand(items, heads, queries, keys)


@pytest.mark.parametrize("name", sorted(MASKS))
def test_that_the_source_of_each_mask_makes_its_mask(name: str) -> None:
    mask = MASKS[name]
    items = 2 if mask.per_item else 1
    sizes = items, 2, 9, 12
    source = flex_source([(mask, mask.example_state)], *sizes[2:])
    made = create_mask(names_after(source)[mask_name(mask)], *sizes, device="cpu")
    assert torch.equal(made, allowed_by(mask, mask.example_state, *sizes))
    assert not made.all(), "an example that masks nothing shows nothing"


def test_that_no_two_masks_assign_one_name() -> None:
    owners: dict[str, str] = {}
    for mask in MASKS.values():
        code = mask.code(mask.example_state)
        for name in {*code.values, *re.findall(r"^(\w+) = ", "\n".join(code.flex_lines or code.lines), re.MULTILINE)}:
            assert owners.setdefault(name, mask.name) == mask.name, name


@given(values=masked_values())
def test_that_all_masks_of_an_experiment_together_make_the_mask_of_its_run(values: dict[str, Any]) -> None:
    spec = spec_of(**values)
    masks = tuple(in_force(spec))
    expected = make_mask(spec, CPU)
    if expected is None:
        return
    sizes = spec.batch_size, spec.heads_run, spec.num_queries, spec.num_kvpairs
    source = flex_source(masks, *sizes[2:])
    name = "mask_mod" if len(masks) > 1 else mask_name(masks[0][0])
    made = create_mask(names_after(source)[name], *sizes, device="cpu")
    trace = attention_trace(**values)
    np.testing.assert_array_equal(made.numpy(), trace.mask)
    assert max(map(len, source.splitlines())) <= WIDTH


PRESETS = "additive-book", "causal-book", "causal-sentence", "mask-laboratory", "masked-softmax-2d-book", "why-root-d"
OWN = """
import torch
from torch.nn.attention.flex_attention import and_masks

seed = 5
document = torch.tensor([0, 0, 0, 1, 1, 1, 2, 2])
slopes = torch.tensor([0.1, 0.2, 0.3, 0.4])

def same_document(b, h, q_idx, kv_idx):
    return document[q_idx] == document[kv_idx]

def causal(b, h, q_idx, kv_idx):
    return q_idx >= kv_idx

def head_window(width):
    def window(b, h, q_idx, kv_idx):
        return q_idx - kv_idx < width + h + b
    return window

packed = and_masks(causal, same_document)

def distance(score, b, h, q_idx, kv_idx):
    return score - slopes[h] * (q_idx - kv_idx).abs() * seed
"""
STEPS = {
    "scaled": {"scaled": True},
    "unscaled": {"scaled": False},
    "temperature": {"temperature": 1.7},
    "half": {"dtype": "float16", "upcast": True},
    "bfloat": {"dtype": "bfloat16", "upcast": True},
    "double": {"dtype": "float64"},
    **{step: {"score_steps": {step: {}}} for step in SCORE_STEPS},
    "all": {"score_steps": {"query_key_norm": {}, "softcap": {}, "sink": {}}, "causal": True, "window": 3},
    "own mask": {"mods": {"path": "", "mask_mod": "packed", "source": OWN}},
    "own factory and masks": {
        "mods": {"path": "", "mask_mod": "head_window(2)", "source": OWN},
        "causal": True,
        "valid_lens": [8, 5],
    },
    "own score": {"mods": {"path": "", "score_mod": "distance", "source": OWN}, "mechanism": "alibi"},
    "own mask of one head": {
        "mods": {"path": "", "mask_mod": "head_window(2)", "score_mod": "distance", "source": OWN},
        "mechanism": "dot_product",
        "score_steps": {"softcap": {}},
    },
    "grouped": {"num_kv_heads": 2, "causal": True},
    "no heads": {"mechanism": "dot_product", "valid_lens": [2, 5]},
    "one key-value head": {"num_kv_heads": 1, "valid_lens": [[0, 1, 2, 3, 4, 5, 6, 7], [3] * 8]},
    **{f"module {name}": {"mechanism": name} for name in MECHANISMS if name != "given"},
}


def with_small_sizes(values: dict[str, Any]) -> AttentionSpec:
    sizes = {"batch_size": 2, "num_queries": 8, "num_kvpairs": 8, "num_hiddens": 32, "context_length": 8}
    return spec_of(**{"num_heads": 4, "self_attention": True, "mechanism": "multi_head", **sizes, **values})


def test_that_scripts_of_all_steps_and_mechanisms_agree_with_dense_tensors_and_with_the_run(tmp_path: Path) -> None:
    specs = {name: with_small_sizes(values) for name, values in STEPS.items()}
    specs |= {f"preset {name}": presets()[name].spec for name in PRESETS}
    consent.allow(digest_of(OWN), remember=False)
    refused = {name for name, spec in specs.items() if why_not(spec)}
    assert {"module additive", "preset additive-book"} <= refused
    assert not refused & {"all", "grouped", "softcap", "sink", "query_key_norm", "module alibi", "module rotary"}
    for name in refused:
        with pytest.raises(Refused, match="FlexAttention"):
            flex_code(specs.pop(name))
    for name, spec in specs.items():
        script = flex_code(spec)
        assert max(map(len, script.splitlines())) <= WIDTH, name
        (tmp_path / f"{name}.py").write_text(script, encoding="utf-8")
    wrong = flex_code(specs["all"]).replace("return kv_idx <= q_idx", "return kv_idx < q_idx")
    (tmp_path / "wrong.py").write_text(wrong, encoding="utf-8")
    outputs = outputs_of(tmp_path)
    assert "wrong" not in outputs, "a test in a script must fail where the two differ"
    assert set(outputs) == set(specs)
    for name, spec in specs.items():
        trace = attention_trace(**spec.model_dump() | {"device": "cpu", "mask_policy": "zero"})
        near = {"float16": 1e-2, "bfloat16": 5e-2}.get(spec.dtype, 1e-5)
        np.testing.assert_allclose(outputs[name], trace.output, atol=near, rtol=near, err_msg=name)


_RUNNER = """
import contextlib, io, sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
import numpy as np
for number, path in enumerate(sorted(Path(sys.argv[1]).glob("*.py"))):
    said = io.StringIO()
    spec = spec_from_file_location(f"script_{number}", path)
    script = sys.modules[f"script_{number}"] = module_from_spec(spec)  # flex_attention looks up its functions there
    try:
        with contextlib.redirect_stdout(said):
            spec.loader.exec_module(script)
    except AssertionError:
        continue
    assert said.getvalue().startswith("FlexAttention and dense tensors agree")
    assert "attnviz" not in sys.modules
    np.save(path.with_suffix(".npy"), script.output.double().numpy())
"""


def outputs_of(folder: Path) -> dict[str, Any]:
    """Return the outputs of the scripts in a folder, run in another process."""
    command = [sys.executable, "-I", "-c", _RUNNER, str(folder)]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == 0, done.stderr[-3000:]
    assert not done.stderr
    return {path.stem: np.load(path) for path in folder.glob("*.npy")}


def test_that_the_functions_of_an_experiment_are_a_file_of_their_own() -> None:
    steps = {"softcap": {"cap": 3.0}}
    spec = with_small_sizes({"mechanism": "alibi", "causal": True, "window": 3, "score_steps": steps})
    names = names_after(flex_functions(spec))
    slope, distance = names["slopes"][1], 2
    score = names["score_mod"](torch.tensor(1.5), 0, torch.tensor(1), torch.tensor(5), torch.tensor(3))
    assert score == pytest.approx(3 * float(torch.tanh((1.5 - slope * distance) / 3)))
    zero, five = torch.tensor(0), torch.tensor(5)
    assert [bool(names["mask_mod"](zero, zero, five, torch.tensor(key))) for key in (2, 3, 5, 6)] == [0, 1, 1, 0]
    assert flex_functions(with_small_sizes({})) == ""
    assert score_blocks(with_small_sizes({"temperature": 3})) == []


def test_that_dropout_and_other_labs_are_refused_in_a_sentence() -> None:
    with pytest.raises(Refused, match="nearest: train mode off"):
        flex_script(with_small_sizes({"dropout": 0.5, "training": True}))
    with pytest.raises(Refused, match="the lab regression has no FlexAttention code; nearest: attention"):
        flex_code(presets()["kernel-fixed"].spec)


def test_that_the_command_line_prints_it(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["code", "--flex", "preset:causal-sentence"]) == 0
    assert capsys.readouterr().out == flex_code(presets()["causal-sentence"].spec)
    assert main(["code", "--flex", "preset:additive-book"]) == 2
    complaint = capsys.readouterr()
    assert (complaint.out, complaint.err.count("\n")) == ("", 1)
