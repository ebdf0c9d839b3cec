"""Bilinear scores against torch's own bilinear form, with queries and keys of different sizes."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from running import attention_trace
from scripts import run_scripts

from attnviz.experiment.layers.cell import attention_cell
from attnviz.export.code.script import pytorch_code

SIZES: dict[str, Any] = {"mechanism": "bilinear", "query_size": 3, "key_size": 5, "num_queries": 4, "num_kvpairs": 6}


@pytest.mark.parametrize("scaled", [False, True])
def test_that_scores_are_those_of_a_bilinear_form(scaled: bool) -> None:
    trace = attention_trace(**SIZES, scaled=scaled, dtype="float64")
    q, k, w = (torch.from_numpy(x.copy()) for x in (trace.queries, trace.keys, trace.parameters["W_a"]))
    pairs = torch.broadcast_tensors(q[:, :, None, :1], k[:, None, :, :1])[0].shape[:3]
    left, right = q[:, :, None].expand(*pairs, 3), k[:, None].expand(*pairs, 5)
    form = torch.nn.functional.bilinear(left.contiguous(), right.contiguous(), w[None])[..., 0].numpy()
    np.testing.assert_allclose(trace.scores[:, 0], form / (3**0.5 if scaled else 1), rtol=1e-12)
    terms = attention_cell(trace.layer, 1, 0, 2, 3).terms
    assert [name for name, _ in terms.columns] == ["q W_a", "k", "product"]
    assert terms.total == pytest.approx(form[1, 2, 3], rel=1e-12)


def test_that_with_the_unit_matrix_it_is_a_dot_product(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    arrays = {name: rng.normal(size=(2, 4, 5)) for name in ("queries", "keys", "values")}
    np.savez(tmp_path / "unit.npz", W_a=np.eye(5), **arrays)
    inputs = {"inputs": {"kind": "file", "path": str(tmp_path / "unit.npz")}, "dtype": "float64"}
    ours, plain = (attention_trace(mechanism=name, **inputs) for name in ("bilinear", "dot_product"))
    np.testing.assert_allclose(ours.weights, plain.weights, rtol=1e-12)


def test_that_its_script_leaves_the_numbers_of_the_run(tmp_path: Path) -> None:
    trace = attention_trace(**SIZES, valid_lens=[0, 3], score_steps={"query_key_norm": {}})
    left = run_scripts({"script": pytorch_code(trace.spec)}, tmp_path)["script"]
    for name in ("weights", "output"):
        assert left[name].tobytes() == getattr(trace, name).tobytes(), name
