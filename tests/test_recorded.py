"""`attnviz.record` and `attnviz.view` on what it returns: any model that is loaded, whatever drives its attention."""

import pickle
from typing import Any

import numpy as np
import pytest
import torch
from model_families import FAMILIES, inputs_of, tiny
from model_folders import made, written
from torch import nn

import attnviz
from attnviz.api import window
from attnviz.experiment.given_weights import array_name


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
    """The arrays of every window that would have been opened."""
    found: list[dict[str, Any]] = []
    monkeypatch.setattr(window, "View", found.append)
    monkeypatch.setattr(window, "_check_screen", lambda: None)
    return found


@pytest.mark.parametrize("name", ["gpt2", "llama", "bert", "t5"])
def test_that_what_is_recorded_is_the_models_own(name: str) -> None:
    model, inputs = tiny(FAMILIES[name]), inputs_of(FAMILIES[name])
    found = attnviz.record(model, inputs)
    with torch.no_grad():
        output = model(**inputs, output_attentions=True)
    truth = output["encoder_attentions" if "encoder_attentions" in output else "attentions"]
    assert len(found) == len(truth) == 2
    for weights, true in zip(found.weights, truth, strict=True):
        assert (weights == true.numpy()).all()
    assert found.max_difference == 0
    assert found.complete


def test_that_the_attention_of_torch_itself_is_recorded_with_every_item_of_a_batch() -> None:
    torch.manual_seed(0)
    layer = nn.TransformerEncoderLayer(16, 4, 32, batch_first=True).eval()
    x = torch.randn(3, 5, 16)
    found = attnviz.record(layer, x)
    with torch.no_grad():
        _, true = layer.self_attn(x, x, x, average_attn_weights=False)
    assert found.weights[0].shape == (3, 4, 5, 5)
    np.testing.assert_allclose(found.weights[0], true.numpy(), atol=1e-6)


def test_that_each_kind_of_an_encoder_and_decoder_is_asked_for_by_its_name() -> None:
    model, inputs = tiny(FAMILIES["bart"]), inputs_of(FAMILIES["bart"])
    shapes = [attnviz.record(model, inputs, kind=kind).weights[0].shape for kind in ("self", "decoder", "cross")]  # type: ignore[arg-type]
    assert shapes == [(1, 4, 12, 12), (1, 4, 7, 7), (1, 4, 7, 12)]
    with pytest.raises(ValueError, match="kind 'both' must be one of self, cross, decoder"):
        attnviz.record(model, inputs, kind="both")  # type: ignore[arg-type]


def test_that_a_model_without_attention_is_a_sentence_with_a_code() -> None:
    with pytest.raises(attnviz.RunFailed, match="no attention was seen") as raised:
        attnviz.record(nn.Linear(3, 3), torch.randn(1, 3))
    assert raised.value.code == "no_attention"
    with pytest.raises(TypeError, match=r"model must be a torch.nn.Module, not str"):
        attnviz.record("models/induction", torch.randn(1, 3))


@pytest.mark.parametrize("inputs", ["hello", ["a", "b"], None, {"input_ids": [[1, 2]]}, {}])
def test_that_inputs_without_a_tensor_are_told_what_a_tokenizer_returns(inputs: Any) -> None:
    with pytest.raises(ValueError, match=r"inputs must be tensors .*nearest: tokenizer\(.*return_tensors=\"pt\"\)"):
        attnviz.record(tiny(FAMILIES["gpt2"]), inputs)


def test_that_keys_of_an_earlier_run_are_refused_and_not_changed() -> None:
    model, inputs = tiny(FAMILIES["llama"]), inputs_of(FAMILIES["llama"])
    with torch.no_grad():
        kept = model(**inputs, use_cache=True).past_key_values
    with pytest.raises(ValueError, match=r"inputs hold past_key_values.*nearest: every token in input_ids"):
        attnviz.record(model, inputs | {"past_key_values": kept})
    assert kept.get_seq_length() == inputs["input_ids"].shape[1]


def test_that_the_window_gets_weights_and_what_leads_to_them(opened: list[dict[str, Any]]) -> None:
    model, inputs = tiny(FAMILIES["llama"]), inputs_of(FAMILIES["llama"])
    found = attnviz.record(model, inputs)
    attnviz.view(found, [f"t{place}" for place in range(12)])
    arrays = opened[0]
    for layer in range(2):
        q, k, mask = (arrays[array_name(name, layer)] for name in ("q", "k", "mask"))
        scores = np.einsum("bhqd,bhkd->bhqk", q, k.repeat(2, axis=1)) * arrays[array_name("scale", layer)]
        shares = np.where(mask, np.exp(scores), 0)
        weights = arrays[array_name("weights", layer)]
        np.testing.assert_allclose(shares / shares.sum(-1, keepdims=True), weights, atol=1e-6)


def test_that_the_window_gets_weights_alone_where_more_than_q_and_k_makes_them(opened: list[dict[str, Any]]) -> None:
    model, inputs = tiny(FAMILIES["gemma2"]), inputs_of(FAMILIES["gemma2"])
    attnviz.view(attnviz.record(model, inputs))
    assert array_name("q", 0) not in opened[0]
    assert array_name("v", 0) in opened[0]


def test_that_what_is_recorded_is_not_given_again() -> None:
    model, inputs = tiny(FAMILIES["gpt2"]), inputs_of(FAMILIES["gpt2"])
    found = attnviz.record(model, inputs)
    with pytest.raises(ValueError, match="mask is recorded already; nearest: leave it out"):
        attnviz.view(found, mask=[True])


def test_that_a_trace_of_a_model_is_sent_to_another_process_with_all_its_layers(tmp_path: Any) -> None:
    folder = written(tmp_path / "model", made("gpt2", n_layer=2, n_head=2, n_embd=16, vocab_size=40))
    trace = attnviz.run({"lab": "model", "device": "cpu", "folder": str(folder), "text": "the cat sat"})
    again = pickle.loads(pickle.dumps(trace))
    for name, array in trace.arrays().items():
        np.testing.assert_array_equal(again.arrays()[name], array)
