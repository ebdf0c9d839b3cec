"""Sigmoid and sparsemax in place of the softmax, and cosine scores: by the papers' formulas, and the laws they keep."""

import math
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from running import attention_trace
from scripts import run_scripts

from attnviz.attention.array_functions import TORCH
from attnviz.definitions.score_steps.sparsemax import SPARSEMAX
from attnviz.definitions.stages import STAGES
from attnviz.experiment.arrays import NUMPY
from attnviz.experiment.attention.trace import AttentionTrace
from attnviz.experiment.attention.view import AttentionViewSettings
from attnviz.experiment.files.specs_in_files import preset
from attnviz.experiment.labs import SpecError, make_spec
from attnviz.experiment.layers.cell import attention_cell
from attnviz.experiment.layers.sentences import sentence_of
from attnviz.export.code.script import pytorch_code
from attnviz.gui.layers.inspector import steps_of

SIZES: dict[str, Any] = {"num_heads": 2, "num_hiddens": 8, "num_queries": 5, "num_kvpairs": 6, "dtype": "float64"}
STEPS: dict[str, dict[str, Any]] = {"sigmoid": {"sigmoid": {"bias": 0.5}}, "sparsemax": {"sparsemax": {}}}
LENGTHS = {"valid_lens": [0, 4]}


def trace_of(steps: dict[str, Any], **values: Any) -> AttentionTrace:
    return attention_trace(**SIZES | {"score_steps": steps} | values)


def nearest_weights(scores: Any) -> Any:
    """Return the point of the simplex nearest to the scores, by trying every set of keys that may have a weight."""
    best, found = math.inf, None
    for size in range(1, len(scores) + 1):
        for keys in map(list, combinations(range(len(scores)), size)):
            weights = np.zeros(len(scores))
            weights[keys] = scores[keys] - (scores[keys].sum() - 1) / size
            distance = float(((weights - scores) ** 2).sum())
            if (weights >= 0).all() and distance < best:
                best, found = distance, weights
    return found


def by_hand(name: str, scores: Any) -> Any:
    """Return the weights of a row's allowed scores (-inf elsewhere) by the paper's formula."""
    if name == "sigmoid":
        return 1 / (1 + np.exp(-(scores - math.log(len(scores)) + 0.5)))
    weights = np.zeros(len(scores))
    weights[np.isfinite(scores)] = nearest_weights(scores[np.isfinite(scores)])
    return weights


@pytest.mark.parametrize("policy", ["zero", "book", "inf"])
@pytest.mark.parametrize("name", STEPS)
def test_that_weights_are_those_of_the_paper_and_empty_rows_those_of_the_policy(name: str, policy: str) -> None:
    trace = trace_of(STEPS[name], mask_policy=policy, **LENGTHS)
    plain = trace_of({}, **LENGTHS)
    assert trace.scores.tobytes() == plain.scores.tobytes()
    in_empty = {"zero": 0.0, "book": 1 / 6, "inf": math.nan}[policy] if name == "sparsemax" else 0.0
    for row in np.ndindex(trace.weights.shape[:3]):
        scores = np.where(trace.mask[row], trace.scores[row], -np.inf)
        expected = by_hand(name, scores) if trace.mask[row].any() else np.full(6, in_empty)
        np.testing.assert_allclose(trace.weights[row], expected, rtol=1e-12, atol=1e-15)
    assert trace.empty_rows.any()


def test_that_rows_of_sparsemax_sum_to_1_with_exact_zeros_and_do_not_depend_on_a_shift() -> None:
    scores = torch.randn(40, 9, dtype=torch.float64, generator=torch.Generator().manual_seed(0)) * 3
    weights = SPARSEMAX.applied(scores, None, TORCH)
    assert ((weights == 0).any(-1) & (weights > 0).any(-1)).all()
    torch.testing.assert_close(weights.sum(-1), torch.ones(40, dtype=torch.float64), rtol=0, atol=1e-14)
    torch.testing.assert_close(SPARSEMAX.applied(scores + 7, None, TORCH), weights, rtol=0, atol=1e-13)
    assert SPARSEMAX.applied(scores * 0, None, TORCH).unique().tolist() == pytest.approx([1 / 9])
    np.testing.assert_allclose(NUMPY["sparsemax"](scores.numpy()), weights.numpy(), atol=1e-15)
    torch.testing.assert_close(SPARSEMAX.applied(scores * 1e6, None, TORCH).amax(-1), torch.ones(40).double())


def test_that_a_sigmoid_gives_equal_scores_equal_weights_and_no_key_takes_from_another() -> None:
    equal = trace_of({"sigmoid": {"bias": 0.0}}, inputs={"kind": "ones"}, mechanism="dot_product", scaled=False)
    score = equal.scores[0, 0, 0, 0]
    assert np.unique(equal.weights).tolist() == [pytest.approx(1 / (1 + 6 * math.exp(-score)))]
    all_keys, fewer = (trace_of(STEPS["sigmoid"], valid_lens=lens) for lens in (None, [2, 3]))
    assert np.array_equal(fewer.weights[fewer.mask], all_keys.weights[fewer.mask])
    assert not fewer.weights[~fewer.mask].any()


@pytest.mark.parametrize("dtype", ["float64", "float32", "float16", "bfloat16"])
@pytest.mark.parametrize("name", STEPS)
def test_that_the_arithmetic_of_a_cell_ends_in_the_weight(name: str, dtype: str) -> None:
    trace = trace_of(STEPS[name], dtype=dtype, **LENGTHS)
    eps = torch.finfo(getattr(torch, dtype)).eps
    for place in np.ndindex(trace.weights.shape):
        cell = attention_cell(trace.layer, *place)
        assert cell.empty == (name == "sparsemax" and place[0] == 0)
        if not cell.empty:
            assert cell.quotient == pytest.approx(cell.weight, abs=8 * eps)
    lines = dict(steps_of(attention_cell(trace.layer, 1, 0, 2, 1), "may attend", dropout=False))
    assert not [line for line in lines if "exp" in line]
    if name == "sigmoid":
        assert (lines["− log 6"], lines["+ bias"]) == ("1.79176", "0.50000")
        assert lines["sigmoid"][:4] == lines["= weight"][:4]
        return
    row = trace.weights[1, 0, 2].astype(np.float64)
    count = np.count_nonzero(row)
    tau = float(lines[f"− τ = (sum of the {count} largest − 1) ÷ {count}"])
    scores = trace.masked_scores[1, 0, 2].astype(np.float64)
    np.testing.assert_allclose(row, np.maximum(scores - tau, 0), atol=1e-5 + 4 * eps)
    assert lines["at least 0"][:4] == lines["= weight"][:4]


@pytest.mark.parametrize("policy", ["zero", "book", "inf"])
@pytest.mark.parametrize("name", STEPS)
def test_that_formula_and_sentences_are_true(name: str, policy: str) -> None:
    trace = trace_of(STEPS[name], mask_policy=policy, **LENGTHS)
    latex, spoken = STAGES["weights"].formula(trace.layer, "")
    assert rf"\mathrm{{{name}}}(" in latex
    assert "M" in latex
    assert "softmax" not in latex
    assert "softmax" not in str(spoken)
    assert "sink" not in " ".join(map(str, trace.weight_facts()))

    def said(item: int) -> str:
        view = AttentionViewSettings(query=1, item=item, key=None)
        return sentence_of(trace.layer, view.of_layer, view).text

    in_empty = {"zero": "to 0", "book": "is 0.167", "inf": "NaN"}[policy]
    assert ("its weights are 0, whatever the policy" if name == "sigmoid" else in_empty) in said(0)
    total = trace.row_sums[1, 0, 1]
    share = f"they sum to {total:.3g}, not to 1" if name == "sigmoid" else "% of its attention"
    assert share in said(1)


def test_that_their_scripts_leave_the_numbers_of_the_run(tmp_path: Path) -> None:
    specs = {
        f"{name}_{policy}_{dtype}": trace_of(STEPS[name], mask_policy=policy, dtype=dtype, **lens).spec
        for name in STEPS
        for policy, dtype, lens in (("zero", "float32", LENGTHS), ("inf", "float16", LENGTHS), ("book", "float64", {}))
    }
    left = run_scripts({name: pytorch_code(spec) for name, spec in specs.items()}, tmp_path)
    for name, spec in specs.items():
        trace = attention_trace(**dict(spec))
        for array in ("weights", "output"):
            assert np.array_equal(left[name][array], getattr(trace, array), equal_nan=True), (name, array)


def test_that_two_steps_cannot_both_make_the_weights() -> None:
    with pytest.raises(SpecError, match=r"score_steps.sink and score_steps.sparsemax both make the weights") as refused:
        make_spec({"score_steps": {"sink": {}, "sparsemax": {}}})
    (repair,) = refused.value.problems[0].repairs
    assert make_spec({repair.field: repair.value}).score_steps == {"sink": {"logit": 0.0}}  # type: ignore[union-attr]


def test_that_softmax_off_by_one_has_one_more_in_its_denominator() -> None:
    trace = attention_trace(**dict(preset("off-by-one").spec) | {"dtype": "float64"})
    powers = np.exp(trace.scores)
    np.testing.assert_allclose(trace.weights, powers / (1 + powers.sum(-1, keepdims=True)), rtol=1e-12)


def test_that_cosine_scores_are_those_of_swin_transformers() -> None:
    trace = attention_trace(**dict(preset("cosine").spec) | {"dtype": "float64"})
    q, k = (torch.from_numpy(x.copy()) for x in trace.layer.before["norm"])
    normalised = (torch.nn.functional.normalize(x, dim=-1) for x in (q, k))
    first, second = normalised
    theirs = first @ second.transpose(-2, -1) / (1 / 8)  # cosines over a temperature
    np.testing.assert_allclose(trace.scores, theirs.numpy(), atol=1e-4)  # the norm adds 1e-6 to mean squares
    assert np.abs(trace.scores).max() <= 8
