"""Query-key norm, soft cap and sink: by hand, against torch, and the laws that they keep."""

import json
import math
import re
from typing import Any

import numpy as np
import pytest
import torch
from attention_sentences import read_attention
from running import attention_trace

from attnviz.attention.array_functions import TORCH
from attnviz.attention.modules import make_module
from attnviz.definitions.mechanisms import MECHANISMS
from attnviz.definitions.score_steps.sink import SINK as SINK_RECORD
from attnviz.definitions.stages import STAGES, stages_of
from attnviz.experiment.attention.spec import AttentionSpec
from attnviz.experiment.attention.trace import AttentionTrace
from attnviz.experiment.attention.view import AttentionViewSettings
from attnviz.experiment.labs import SpecError, make_spec
from attnviz.experiment.layers.cell import attention_cell
from attnviz.experiment.layers.sentences import sentence_of

COMPUTED = [name for name, record in MECHANISMS.items() if not record.is_given]
SIZES: dict[str, Any] = {"num_heads": 2, "num_hiddens": 8, "num_queries": 5, "num_kvpairs": 5, "dtype": "float64"}
NORM: dict[str, dict[str, float]] = {"query_key_norm": {}}
PRODUCTS = [name for name in COMPUTED if MECHANISMS[name].features is None]
CAP = {"softcap": {"cap": 0.7}}
SINK = {"sink": {"logit": 0.5}}


def trace_of(mechanism: str = "multi_head", **values: Any) -> AttentionTrace:
    return attention_trace(**SIZES | {"mechanism": mechanism, "context_length": 8} | values)


def by_hand(**values: Any) -> AttentionTrace:
    # One-hot tokens of 4 features: q = e0, k = e0 and e1; scores 1 and 0.
    sizes = {"batch_size": 1, "num_queries": 1, "num_kvpairs": 2, "num_hiddens": 4, "temperature": 0.5}
    return attention_trace(mechanism="dot_product", inputs={"kind": "identity"}, dtype="float64", **sizes | values)


def test_that_a_cap_and_a_sink_worked_by_hand_come_out() -> None:
    trace = by_hand(score_steps=CAP | SINK)
    capped = 0.7 * math.tanh(1 / 0.7)
    total = math.exp(capped) + 1 + math.exp(0.5)
    assert trace.scores.ravel().tolist() == [1, 0]
    assert trace.changed_scores["capped_scores"].ravel().tolist() == pytest.approx([capped, 0])
    assert trace.weights.ravel().tolist() == pytest.approx([math.exp(capped) / total, 1 / total])
    cell = attention_cell(trace.layer, 0, 0, 0, 0)
    assert [(step.line.text, step.number) for step in cell.changes] == [("0.7 × tanh(score ÷ 0.7)", capped)]
    assert [step.line.text for step in cell.sinks] == ["Exp of the sink, 0.5"]
    assert cell.sinks[0].number == pytest.approx(math.exp(0.5 - capped))
    assert cell.quotient == pytest.approx(cell.weight)


@pytest.mark.parametrize("policy", ["zero", "book", "inf"])
@pytest.mark.parametrize("mechanism", COMPUTED)
def test_that_cap_mask_and_sink_are_those_of_torch(mechanism: str, policy: str) -> None:
    values: dict[str, Any] = {"valid_lens": [0, 3], "mask_policy": policy}
    trace, plain = trace_of(mechanism, score_steps=CAP | SINK, **values), trace_of(mechanism)
    assert trace.scores.tobytes() == plain.scores.tobytes(), "they stay what they are"
    scores = torch.from_numpy(plain.scores.copy())
    capped = 0.7 * torch.tanh(scores / 0.7)
    assert np.array_equal(trace.changed_scores["capped_scores"], capped.numpy())
    with_sink = torch.nn.functional.pad(capped.masked_fill(~torch.tensor(trace.mask), -torch.inf), (0, 1), value=0.5)
    expected = with_sink.softmax(-1)[..., :-1].numpy()
    np.testing.assert_allclose(trace.weights, expected, rtol=1e-13, atol=0)
    assert not trace.weights[trace.empty_rows].any(), "a row without a key is 0, whatever the policy"
    np.testing.assert_allclose(trace.row_sums, 1 - with_sink.softmax(-1)[..., -1].numpy(), rtol=1e-12, atol=1e-15)
    assert "capped_scores" in trace.arrays()


@pytest.mark.parametrize("dtype", ["float64", "float32", "float16", "bfloat16"])
@pytest.mark.parametrize("mechanism", PRODUCTS)
def test_that_the_norm_is_that_of_torch_and_acts_before_the_rotation(mechanism: str, dtype: str) -> None:
    trace, plain = trace_of(mechanism, score_steps=NORM | CAP, dtype=dtype), trace_of(mechanism, dtype=dtype)
    arrays = trace.arrays()
    d = trace.q.shape[-1]
    for letter, before, after in zip("qk", trace.before["norm"], trace.layer.after("norm"), strict=True):
        assert before.tobytes() == plain.split_into_heads(letter).tobytes(), "what comes before it stays what it is"
        assert arrays[f"unnormed_{letter}"] is before
        theirs = torch.nn.functional.rms_norm(torch.from_numpy(before.copy()), (d,), eps=1e-6)
        theirs = theirs.to(getattr(torch, dtype)).to(theirs.dtype).numpy()
        np.testing.assert_allclose(after, theirs, rtol=2 * torch.finfo(getattr(torch, dtype)).eps)
    turned = "rotate" in trace.before
    assert turned == (mechanism == "rotary")
    if turned:
        assert all(map(np.array_equal, trace.before["rotate"], trace.layer.after("norm")))
    assert np.abs(trace.scores - added_by(trace)).max() <= math.sqrt(d) * 1.02, "√d times a cosine"


def added_by(trace: AttentionTrace) -> Any:
    """What ALiBi adds: by how much the scores of equal tokens differ from those of multi-head attention."""
    if trace.spec.mechanism != "alibi":
        return 0.0
    slopes = np.array([2.0**-4, 2.0**-8])[:, None, None]
    return -slopes * np.abs(np.arange(5)[:, None] - np.arange(5))


@pytest.mark.parametrize("size", [1e-30, 1e4, 60000])
def test_that_a_norm_of_tiny_or_huge_halves_is_finite(size: float) -> None:
    module = make_module(MECHANISMS["dot_product"], {}, score_steps=NORM, scaled=False)
    x = torch.full((1, 1, 4), size, dtype=torch.float16)
    found = module.stages(x, x, x)  # type: ignore[operator]
    assert found.q.flatten().tolist() == pytest.approx([1.0 if size > 1 else 0.0] * 4, abs=1e-3)


def test_that_a_norm_without_a_dot_product_is_refused() -> None:
    with pytest.raises(SpecError, match=r"query_key_norm changes the vectors of a dot product, .* additive") as refused:
        make_spec({"mechanism": "additive", "score_steps": NORM | CAP})
    (repair,) = refused.value.problems[0].repairs
    assert make_spec({"mechanism": "additive", repair.field: repair.value}).score_steps == CAP  # type: ignore[union-attr]


@pytest.mark.parametrize("mechanism", COMPUTED)
def test_that_a_far_cap_and_a_low_sink_change_nothing(mechanism: str) -> None:
    plain = trace_of(mechanism)
    far = trace_of(mechanism, score_steps={"softcap": {"cap": 1e6}})
    np.testing.assert_allclose(far.weights, plain.weights, rtol=1e-9)
    assert far.changed_scores.keys() == {"capped_scores"}
    scores = torch.from_numpy(plain.masked_scores.copy())
    low = SINK_RECORD.applied(scores, -1000.0, TORCH).numpy()
    assert np.array_equal(low, plain.weights)


def test_that_a_spec_without_steps_is_written_as_before_and_one_with_them_is_read_back() -> None:
    assert not {"score_steps", "mechanism_knobs"} & set(json.loads(AttentionSpec().model_dump_json()))
    spec = make_spec({"score_steps": CAP | SINK})
    assert json.loads(spec.model_dump_json())["score_steps"] == CAP | SINK
    assert make_spec(json.loads(spec.model_dump_json())) == spec
    assert "capped_scores" not in stages_of(AttentionSpec())
    assert stages_of(spec).index("capped_scores") == stages_of(spec).index("scores") + 1
    spec = make_spec({"mechanism": "rotary", "score_steps": NORM, "num_hiddens": 20})
    assert stages_of(spec)[1:5] == ("split", "norm", "rotate", "scores")


@pytest.mark.parametrize(
    ("steps", "words"),
    [
        ({"softcap": {"cap": 0}}, "score_steps.softcap.cap 0 must be at least 0.001; nearest: 0.001"),
        ({"softcup": {}}, "there is no step 'softcup' in score_steps; nearest: softcap"),
        ({"sink": {"logit": 2000.0}}, "score_steps.sink.logit 2000 must be at most 50; nearest: 50"),
        ({"sink": {"level": 2}}, "there is no setting 'level' in score_steps.sink"),
    ],
)
def test_that_a_wrong_step_is_refused_with_the_nearest_one(steps: Any, words: str) -> None:
    with pytest.raises(SpecError, match=words.replace("(", r"\(")):
        make_spec({"score_steps": steps})


def test_that_sentences_say_what_the_cap_does_and_what_the_sink_takes() -> None:
    trace = trace_of(score_steps=CAP | SINK)
    view = AttentionViewSettings(stage="capped_scores", query=1, key=2)
    before, after = trace.scores[0, 0, 1, 2], trace.changed_scores["capped_scores"][0, 0, 1, 2]
    said = sentence_of(trace.layer, view.of_layer, view).text.replace("−", "-")
    assert "the cap of 0.7" in said
    assert f"{before:.3g}" in said
    assert f"{after:.3g}" in said
    view = AttentionViewSettings(query=1, key=2)
    whole = sentence_of(trace.layer, view.of_layer, view).text.replace("−", "-")
    assert f"its capped score, {after:.3g}, ranks number" in whole
    assert f"The sink takes {100 * (1 - trace.row_sums[0, 0, 1]):.0f} %." in whole
    assert any("the sink takes the rest" in str(fact) for fact in trace.weight_facts())


@pytest.mark.parametrize("key", [None, 2])
@pytest.mark.parametrize("mechanism", PRODUCTS)
def test_that_the_sentence_and_the_formula_say_what_the_norm_does(mechanism: str, key: int | None) -> None:
    trace = trace_of(mechanism, score_steps=NORM)
    for stage in ("norm", "scores"):
        view = AttentionViewSettings(stage=stage, query=1, key=key)
        read_attention(sentence_of(trace.layer, view.of_layer, view), trace, view)
    latex, spoken = STAGES["scores"].formula(trace.layer, "q")
    assert {r"\mathbf{Q}′", r"\mathbf{K}′"} <= set(re.findall(r"\\mathbf{[QK]}′?", latex))
    assert "each vector over its root mean square" in spoken.text


def test_that_the_mask_acts_on_the_capped_scores() -> None:
    trace = trace_of(score_steps=CAP, valid_lens=[3, 3])
    allowed = np.broadcast_to(trace.mask, trace.scores.shape)
    assert np.array_equal(trace.masked_scores[allowed], trace.changed_scores["capped_scores"][allowed])
    assert np.abs(trace.layer.shown("masked_scores")).max() <= 0.7
