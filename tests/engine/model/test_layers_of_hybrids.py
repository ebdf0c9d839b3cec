"""Layers have the model's own numbers: where some have no attention, differ in shape, or share keys and values."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from model_families import HYBRIDS, Hybrid, inputs_of, tiny
from model_folders import WORDS, made, written

import attnviz
from attnviz.engine.labs import cores_for
from attnviz.engine.model.recording import record
from attnviz.engine.model.stack import stack_of
from attnviz.engine.run import run_to_end
from attnviz.experiment.labs import make_spec
from attnviz.experiment.model.spec import ModelSpec
from attnviz.experiment.model.studies import HeadsInTurn, HeadsInTurnTrace
from attnviz.experiment.model.trace import ModelTrace
from attnviz.experiment.model.view import ModelViewSettings
from attnviz.experiment.run import Failure

TEXT = "the cat sat on the mat the cat"
LFM: dict[str, Any] = {
    "hidden_size": 32,
    "num_hidden_layers": 5,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
    "intermediate_size": 48,
    "vocab_size": len(WORDS),
    "layer_types": ["conv", "full_attention", "conv", "conv", "full_attention"],
    "initializer_range": 0.4,
}


@pytest.fixture(scope="module")
def hybrid(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder whose layers 2 and 5 of 5 have attention."""
    return written(tmp_path_factory.mktemp("models") / "hybrid", made("lfm2", **LFM))


def values_of(folder: Path, **values: Any) -> dict[str, Any]:
    return {"lab": "model", "device": "cpu", "folder": str(folder), "text": TEXT, **values}


def trace_of(folder: Path, **values: Any) -> ModelTrace:
    trace = attnviz.run(values_of(folder, **values))
    assert isinstance(trace, ModelTrace)
    return trace


def failure_of(folder: Path, **values: Any) -> str:
    last = run_to_end(make_spec(values_of(folder, **values)))
    assert isinstance(last, Failure)
    return last.message


def own_run(folder: Path, trace: ModelTrace) -> Any:
    """Return what transformers alone computes."""
    import transformers

    model = transformers.AutoModelForCausalLM.from_pretrained(folder, attn_implementation="eager")
    with torch.no_grad(), cores_for(trace.spec):
        return model(torch.tensor([trace.read.ids]), output_attentions=True, use_cache=False)


@pytest.mark.parametrize("name", HYBRIDS)
def test_that_layers_of_a_hybrid_have_its_own_numbers_and_the_others_say_what_they_are(name: str) -> None:
    family: Hybrid = HYBRIDS[name]
    model, inputs = tiny(family), inputs_of(family)
    recorded = record(model, inputs, compare=False)
    assert recorded is not None
    stack = stack_of(model, [call.name for call in recorded.shown])
    assert stack.numbers == family.numbers
    assert tuple(map(str, stack.others.values())) == tuple(f"{kind}: no weights" for kind in family.others)
    assert sorted((*stack.numbers, *stack.others)) == list(range(stack.num_layers))
    with torch.no_grad():
        own = model(**inputs, output_attentions=True, use_cache=False).attentions
    if len(own) == stack.num_layers:  # MiniMax has the states of its linear attention among them
        own = [own[number] for number in stack.numbers]
    for call, weights in zip(recorded.shown, own, strict=True):
        assert (call.weights() - weights[0]).abs().max() <= 1e-6


@pytest.mark.parametrize(("family", "config"), [("albert", {"embedding_size": 16}), ("bert", {}), ("t5", {})])
def test_that_layers_are_in_the_order_of_the_calls_where_names_do_not_tell(family: str, config: Any) -> None:
    sizes = {"hidden_size": 32, "num_hidden_layers": 3, "num_attention_heads": 4, "intermediate_size": 48}
    sizes = {"d_model": 32, "d_kv": 8, "d_ff": 48, "num_layers": 3, "num_heads": 4} if family == "t5" else sizes
    model = made(family, "AutoModel", **sizes, vocab_size=40, **config)
    recorded = record(model, {"input_ids": torch.arange(4, 12)[None]}, compare=False)
    assert recorded is not None
    assert stack_of(model, [call.name for call in recorded.shown]) == stack_of(model, [""] * 3)
    assert stack_of(model, [""] * 3).numbers == (0, 1, 2)


def test_that_a_hybrid_is_shown_and_stored_under_its_own_numbers(hybrid: Path) -> None:
    trace = trace_of(hybrid)
    weights = [each for each in own_run(hybrid, trace).attentions if each is not None]
    arrays = trace.arrays()
    assert arrays["layers"].tolist() == [2, 5]
    np.testing.assert_array_equal(arrays["weights"], np.concatenate(weights))
    assert (trace.num_layers, trace.number, trace.layers.numbers) == (5, 1, (1, 4))
    np.testing.assert_array_equal(trace.layer_at(4).weights, weights[1])
    known = np.isfinite(trace.overview.of("entropy"))
    assert known.tolist() == [[layer in (1, 4)] * 4 for layer in range(5)]
    assert trace.overview.of("entropy")[4] == pytest.approx(trace.layer_at(4).statistics(0)["entropy"], abs=1e-6)
    assert [str(each) for each in trace.model.texts()][1] == "5 layers (2 with attention) × 4 heads"
    assert "layer 1: convolution: no weights" in trace.summary().splitlines()
    assert trace.arrays_of([4])["layers"].tolist() == [5]
    with pytest.raises(ValueError, match=r"layer 3 has no attention \(convolution: no weights\); nearest: 2"):
        trace.arrays_of([2])
    with pytest.raises(ValueError, match=r"layer 6 must be in 1..5; nearest: 5"):
        trace.arrays_of([5])


def test_that_interventions_act_in_the_layer_that_they_name(hybrid: Path) -> None:
    plain, other = trace_of(hybrid), "a dog ran on a mat the dog"
    source = trace_of(hybrid, text=other)
    off = trace_of(hybrid, heads_off=["5.2"])
    heads = off.layer_at(4).heads[0]
    assert not heads[1].any()
    np.testing.assert_array_equal(np.delete(heads, 1, 0), np.delete(plain.layer_at(4).heads[0], 1, 0))
    np.testing.assert_array_equal(off.layer_at(1).heads, plain.layer_at(1).heads)
    assert off.effect is not None
    assert np.isfinite(off.effect.heads).any(axis=1).tolist() == [False, True, False, False, True]
    painted = trace_of(hybrid, painted={"5": "4: 1-2"})
    assert not painted.layer_at(4).weights[0, :, 4, 1:3].any()
    np.testing.assert_array_equal(painted.layer_at(1).weights, plain.layer_at(1).weights)
    patched = trace_of(hybrid, text_b=other, patch=[{"head": "2.3", "token": 3, "from": "b"}])
    np.testing.assert_array_equal(patched.layer_at(1).heads[0, 2, 3], source.layer_at(1).heads[0, 2, 3])


@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        ({"heads_off": ["1.2"]}, "layer 1 of this model has no attention (convolution: no weights); nearest: 2.2"),
        ({"heads_off": ["4.9"]}, "layer 4 of this model has no attention (convolution: no weights); nearest: 5.4"),
        ({"painted": {"3": "0: 1"}}, "layer 3 of this model has no attention (convolution: no weights); nearest: 2"),
        ({"heads_off": ["5.5"]}, "this model has 5 layers of 4 heads; nearest: 5.4"),
        ({"heads_off": ["6.1"]}, "this model has 5 layers of 4 heads; nearest: 5.1"),
    ],
)
def test_that_a_head_of_a_layer_without_attention_is_refused_with_the_nearest(
    values: dict[str, Any], sentence: str, hybrid: Path
) -> None:
    assert failure_of(hybrid, **values).endswith(sentence)


def test_that_the_study_of_every_head_has_numbers_in_the_layers_with_attention(hybrid: Path) -> None:
    spec = make_spec(values_of(hybrid))
    assert isinstance(spec, ModelSpec)
    found = run_to_end(HeadsInTurn(of=spec))
    assert isinstance(found, HeadsInTurnTrace)
    assert np.isfinite(found.cosine).any(axis=1).tolist() == [False, True, False, False, True]
    off = trace_of(hybrid, heads_off=["5.3"])
    assert off.effect is not None
    assert found.cosine[4, 2] == pytest.approx(off.effect.cosine, abs=1e-5)


def test_that_a_view_of_a_layer_without_attention_shows_the_nearest(hybrid: Path) -> None:
    trace = trace_of(hybrid)
    assert [ModelViewSettings(layer=layer).within(trace).layer for layer in (0, 1, 2, 3, 4, 9)] == [1, 1, 1, 4, 4, 4]


def test_that_what_earlier_versions_called_another_layer_is_said(hybrid: Path, tmp_path: Path) -> None:
    (said,) = trace_of(hybrid).shown_otherwise
    assert str(said).startswith(
        "Layers now have the model's own numbers: layer 2 was called layer 1 when this file was saved"
    )
    assert not trace_of(written(tmp_path / "llama")).shown_otherwise
