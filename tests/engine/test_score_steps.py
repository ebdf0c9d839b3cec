"""Soft cap and sink: by hand, against torch, and the laws that they keep."""

import json
import math
from typing import Any

import numpy as np
import pytest
import torch
from running import attention_trace

from attnviz.attention.array_functions import TORCH
from attnviz.definitions.mechanisms import MECHANISMS
from attnviz.definitions.score_steps.sink import SINK as SINK_RECORD
from attnviz.definitions.stages import stages_of
from attnviz.experiment.attention.spec import AttentionSpec
from attnviz.experiment.attention.trace import AttentionTrace
from attnviz.experiment.attention.view import AttentionViewSettings
from attnviz.experiment.labs import SpecError, make_spec
from attnviz.experiment.layers.cell import attention_cell
from attnviz.experiment.layers.sentences import sentence_of

COMPUTED = [name for name, record in MECHANISMS.items() if not record.is_given]
SIZES: dict[str, Any] = {"num_heads": 2, "num_hiddens": 8, "num_queries": 5, "num_kvpairs": 5, "dtype": "float64"}
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


@pytest.mark.parametrize(
    ("steps", "words"),
    [
        ({"softcap": {"cap": 0}}, "score_steps.softcap.cap 0 must be at least 0.001; nearest: 0.001"),
        ({"softcup": {}}, "there is no step 'softcup' in score_steps; nearest: softcap"),
        ({"sink": {"logit": 2000}}, "score_steps.sink.logit 2000 must be at most 50; nearest: 50"),
        ({"sink": {"level": 2}}, "there is no knob 'level' in score_steps.sink"),
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
    view = AttentionViewSettings(query=1)
    assert (
        f"The sink takes {100 * (1 - trace.row_sums[0, 0, 1]):.0f} %."
        in sentence_of(trace.layer, view.of_layer, view).text
    )
    assert any("the sink takes the rest" in str(fact) for fact in trace.weight_facts())
    alone = trace_of(score_steps=SINK, valid_lens=[1, 1])
    assert "all its attention" not in sentence_of(alone.layer, view.of_layer, view).text


def test_that_the_mask_acts_on_the_capped_scores() -> None:
    trace = trace_of(score_steps=CAP, valid_lens=[3, 3])
    allowed = np.broadcast_to(trace.mask, trace.scores.shape)
    assert np.array_equal(trace.masked_scores[allowed], trace.changed_scores["capped_scores"][allowed])
    assert np.abs(trace.layer.shown("masked_scores")).max() <= 0.7
