"""`attnviz.record` and `attnviz.view` on what it returns: any model that is loaded, whatever drives its attention."""

import pickle
import re
from typing import Any

import numpy as np
import pytest
import torch
from model_families import FAMILIES, HYBRIDS, inputs_of, tiny
from model_folders import made, written
from torch import nn

import attnviz
from attnviz.api import window
from attnviz.experiment.files.given_weights import array_name, layer_numbers


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


def llama_under(implementation: str) -> Any:
    model = tiny(FAMILIES["llama"])
    model.set_attn_implementation(implementation)  # type: ignore[operator]
    return model


@pytest.mark.parametrize("implementation", ["sdpa", "eager"])
def test_that_a_mask_of_booleans_means_what_it_means_to_the_implementation_of_the_model(implementation: str) -> None:
    model, inputs = llama_under(implementation), inputs_of(FAMILIES["llama"])
    allowed = torch.ones(12, 12, dtype=torch.bool).tril() | (torch.arange(12) < 3)
    inputs["attention_mask"] = allowed[None, None]
    with torch.no_grad():
        true = model(**inputs).logits
    found = attnviz.record(model, inputs)
    assert found.compared_with == implementation
    assert found.output_difference < 1e-5
    assert found.largest_output == pytest.approx(float(true.abs().max()))
    forbidden = found.weights[0][0] * ~allowed.numpy()
    assert (forbidden.max() == 0) == (implementation == "sdpa")  # "eager" adds True as 1 to the scores


def test_that_a_run_that_is_not_the_models_own_is_warned_of(
    monkeypatch: pytest.MonkeyPatch, opened: list[dict[str, Any]]
) -> None:
    from transformers.models.llama import modeling_llama

    own = modeling_llama.eager_attention_forward
    monkeypatch.setattr(
        modeling_llama,
        "eager_attention_forward",
        lambda module, q, *args, **given: own(module, 1.1 * q, *args, **given),
    )
    with pytest.warns(attnviz.RecordingWarning, match="not what the model computes: .*own under sdpa") as warned:
        found = attnviz.record(llama_under("sdpa"), inputs_of(FAMILIES["llama"]))
    assert warned[0].filename == __file__
    assert found.beyond_rounding
    assert found.output_difference > 1e-4 * found.largest_output
    assert found.warning.startswith("not what the model computes: logits differ by up to ")
    attnviz.view(found)
    assert str(opened[0]["warning"]) == found.warning


@pytest.mark.parametrize("dtype", [torch.float32, torch.float16, torch.bfloat16])
@pytest.mark.parametrize("name", ["llama", "bert", "gemma3", "modernbert", "t5", "bart"])
def test_that_another_implementation_of_the_same_model_is_within_rounding(name: str, dtype: torch.dtype) -> None:
    model, inputs = tiny(FAMILIES[name], dtype=dtype), inputs_of(FAMILIES[name], padded=True)
    model.set_attn_implementation("sdpa")  # type: ignore[operator]
    found = attnviz.record(model, inputs)
    assert found.output_difference > 0
    assert not found.beyond_rounding


def test_that_padding_is_not_compared_and_counted() -> None:
    """Under sdpa the padded rows of ModernBERT are others, by more than 0.1 here."""
    model, inputs = tiny(FAMILIES["modernbert"]), inputs_of(FAMILIES["modernbert"], padded=True)
    model.set_attn_implementation("sdpa")  # type: ignore[operator]
    found = attnviz.record(model, inputs)
    assert (found.padding, found.compared_with) == (2, "sdpa")
    assert found.output_difference < 1e-5


def test_that_a_batch_of_padding_alone_is_not_compared_and_not_known() -> None:
    module, x = nn.MultiheadAttention(12, 3, batch_first=True).eval(), torch.randn(2, 4, 12)
    padding = torch.ones(2, 4, dtype=torch.bool)
    found = attnviz.record(module, {"query": x, "key": x, "value": x, "key_padding_mask": padding})
    assert np.isnan(found.output_difference)
    assert found.padding == 8
    assert not found.known[0].any()
    assert not found.beyond_rounding


@pytest.mark.parametrize("by", ["multi_head_attention", "fused"])
def test_that_an_item_that_is_padding_alone_is_the_only_one_that_is_not_known(by: str) -> None:
    class Fused(nn.Module):
        def forward(self, query: torch.Tensor, key_padding_mask: torch.Tensor) -> torch.Tensor:
            x = query.unflatten(-1, (3, 4)).transpose(1, 2)
            allowed = ~key_padding_mask[:, None, None]
            return nn.functional.scaled_dot_product_attention(x, x, x, allowed).transpose(1, 2).flatten(2)

    torch.manual_seed(0)
    x, padding = torch.randn(2, 4, 12), torch.tensor([[False, False, True, True], [True] * 4])
    module = Fused() if by == "fused" else nn.MultiheadAttention(12, 3, batch_first=True).eval()
    others = {} if by == "fused" else {"key": x, "value": x}
    with torch.no_grad():
        alone = attnviz.record(module, {"query": x[:1], "key_padding_mask": padding[:1]} | dict.fromkeys(others, x[:1]))
    found = attnviz.record(module, {"query": x, "key_padding_mask": padding} | others)
    assert found.known[0].tolist() == [True, False]
    for name in ("weights", "q", "k", "v", "mask", "heads"):
        np.testing.assert_array_equal(getattr(found, name)[0][0], getattr(alone, name)[0][0])
    assert found.scale == alone.scale
    assert found.scale[0] is not None
    assert found.output_difference < 1e-6
    assert found.padding == 6
    assert not found.beyond_rounding


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
    assert "warning" not in arrays
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


def test_that_layers_of_a_hybrid_have_the_models_own_numbers_in_the_window(opened: list[dict[str, Any]]) -> None:
    family = HYBRIDS["lfm2"]
    found = attnviz.record(tiny(family), inputs_of(family))
    assert found.layers == (2, 4)
    attnviz.view(found)
    assert layer_numbers(opened[0]) == (1, 3)
    for at, layer in enumerate((1, 3)):
        np.testing.assert_array_equal(opened[0][array_name("weights", layer)], found.weights[at])


def test_that_a_generation_is_recorded_over_the_whole_text() -> None:
    model: Any = tiny(FAMILIES["llama"])
    model.generation_config.update(eos_token_id=None, pad_token_id=0)
    inputs = inputs_of(FAMILIES["llama"])
    found = attnviz.record(model, inputs, generate=4)
    own = model.generate(inputs["input_ids"], max_new_tokens=4, do_sample=False)[0]
    tokens = inputs["input_ids"].shape[1]
    assert list(found.generated) == own[tokens:].tolist()
    with torch.no_grad():
        weights = model(own[None, :-1], output_attentions=True, use_cache=False).attentions
    for mine, its in zip(found.weights, weights, strict=True):
        assert mine.shape == its.shape == (1, 4, tokens + 3, tokens + 3)
        assert np.abs(mine - its.numpy()).max() < 1e-6
    assert found.max_difference == 0.0
    assert found.output_difference < 1e-5
    assert not found.warning
    assert attnviz.record(model, inputs).generated == ()


@pytest.mark.parametrize(
    ("inputs", "generate", "words"),
    [
        ({"input_ids": torch.ones(2, 3, dtype=torch.long)}, 1, "one text"),
        ({"input_ids": torch.ones(1, 3, dtype=torch.long), "attention_mask": torch.tensor([[0, 1, 1]])}, 1, "padding"),
        ({"input_ids": torch.ones(1, 3, dtype=torch.long)}, -1, "-1 must be a whole number, 0 or more; nearest: 0"),
        ({"input_ids": torch.ones(1, 3, dtype=torch.long)}, True, "True"),
    ],
)
def test_that_what_cannot_be_continued_is_said(inputs: Any, generate: int, words: str) -> None:
    with pytest.raises((attnviz.RunFailed, ValueError), match=re.escape(words)):
        attnviz.record(tiny(FAMILIES["llama"]), inputs, generate=generate)


def test_that_a_model_without_generate_is_not_continued() -> None:
    for name in ("bert", "vit"):
        with pytest.raises(attnviz.RunFailed, match="generate=0"):
            attnviz.record(tiny(FAMILIES[name]), {"input_ids": torch.ones(1, 3, dtype=torch.long)}, generate=2)
