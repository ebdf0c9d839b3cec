"""The script of an encoder-decoder writes the same answer, and gives the same weights on all three sides."""

from pathlib import Path
from typing import Any

import numpy as np
from model_families import FAMILIES, tiny
from model_folders import written
from scripts import run_scripts

from attnviz.engine.run import run_to_end
from attnviz.experiment.model.spec import ModelSpec
from attnviz.experiment.model.trace import ModelTrace
from attnviz.export.code.script import pytorch_code

TEXT, TARGET = "the dog ran on a mat .", "the cat sat"
PATCH = [{"head": "cross 2.1", "token": 2, "from": "b"}, {"head": "1.1", "token": 3, "from": "b"}]
CASES: dict[str, dict[str, Any]] = {
    "reads": {"target": TARGET},
    "writes by itself": {},
    "writes": {"target": TARGET, "generate": 4, "forced_bos_token_id": 7},
    "draws": {"generate": 5, "choose": "sample", "sampling": {"temperature": 1.5, "top_k": 9}, "chosen": {"1": 6}},
    "off": {"target": TARGET, "heads_off": ["cross 1.2", "decoder 2.1", "2.3"], "ablation": "mean", "generate": 3},
    "masked": {
        "target": TARGET,
        "generate": 3,
        "tokens_hidden": [2],
        "painted": {"cross 1.2": "1: 3-4", "decoder 2": "4: 0-1", "1": "3: 1"},
    },
    "cooled": {"target": TARGET, "temperature": 2.5},
    "patched": {"target": TARGET, "text_b": "a dog sat on the mat", "patch": PATCH},
}


FAMILY = dict.fromkeys(CASES, "bart") | dict.fromkeys(("reads", "writes", "off", "cooled"), "t5")


def test_that_the_script_gives_the_same_weights_on_every_side(tmp_path: Path) -> None:
    folders = {name: written(tmp_path / name, tiny(FAMILIES[name])) for name in ("t5", "bart")}
    specs = {name: ModelSpec(folder=str(folders[FAMILY[name]]), text=TEXT, **CASES[name]) for name in CASES}
    left = run_scripts({name: pytorch_code(spec) for name, spec in specs.items()}, tmp_path)
    for name, spec in specs.items():
        trace = run_to_end(spec)
        assert isinstance(trace, ModelTrace), getattr(trace, "message", trace)
        arrays = trace.arrays()
        for side in ("encoder", "decoder", "cross"):
            np.testing.assert_array_equal(left[name][side], arrays[f"{side}/weights"], err_msg=f"{name} {side}")
        if trace.generated is not None:
            assert f"generated: {list(trace.generated.ids)}" in str(left[name]["printed"])
