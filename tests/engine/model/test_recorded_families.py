"""Every family of transformers: what is recorded is the model's own, bit for bit."""

from typing import Any

import pytest
import torch
from model_families import FAMILIES, WATCHED, Family, inputs_of, tiny
from torch import Tensor

from attnviz.engine.machine import RunError
from attnviz.engine.model.recording import Recording, record

ALL = FAMILIES | WATCHED
HALF = {torch.bfloat16: 5e-2, torch.float16: 5e-3}


def recorded(model: Any, inputs: Any, *args: Any, **values: Any) -> Recording:
    recording = record(model, inputs, *args, **values)
    assert recording is not None
    return recording


def own_weights(family: Family, model: Any, inputs: Any) -> tuple[dict[str, tuple[Tensor, ...]], Tensor]:
    """Return the weights of every kind of attention, and the output, that the model itself gives."""
    with torch.no_grad():
        truth = model(**inputs, output_attentions=True)
    output = truth.logits if "logits" in truth else truth.last_hidden_state
    if "encoder_attentions" not in truth:
        return {"self": truth.attentions}, output
    pairs = {"self": "encoder_attentions", "decoder": "decoder_attentions", "cross": "cross_attentions"}
    return {kind: truth[there] for kind, there in pairs.items()}, output


def check_weights(name: str, recording: Recording, own: dict[str, tuple[Tensor, ...]]) -> None:
    for kind, true in own.items():
        calls = [call for call in recording.calls if call.kind == kind]
        if name == "swin":
            calls = calls[1::2]  # it hands on the attention of every second block only
        assert len(calls) == len(true) > 0
        for call, weights in zip(calls, true, strict=True):
            for item in range(call.batch_size):
                assert torch.equal(call.at(item).weights(), weights[item])


@pytest.mark.parametrize("name", ALL)
def test_that_weights_and_output_are_the_models_own(name: str) -> None:
    family = ALL[name]
    model, inputs = tiny(family), inputs_of(family, padded=True)
    recording = recorded(model, inputs)
    assert recording.witness == recording.comparison.difference == 0.0
    assert recording.complete
    assert all(call.known for call in recording.calls)
    own, output = own_weights(family, model, inputs)
    assert torch.equal(recording.last_hidden if recording.logits is None else recording.logits, output[0])
    if family.takes == "text":
        with torch.no_grad():
            hidden = model.base_model(**inputs)[0]
        assert recording.last_hidden is not None
        assert torch.equal(recording.last_hidden, hidden[0])
    check_weights(name, recording, own)
    assert [call.layer for call in recording.shown] == list(range(family.layers))
    assert all(call.num_heads == family.heads for call in recording.calls)


@pytest.mark.parametrize("dtype", HALF)
@pytest.mark.parametrize("name", ALL)
def test_that_weights_are_the_models_own_in_half_precision_known_or_not(name: str, dtype: torch.dtype) -> None:
    family = ALL[name]
    model, inputs = tiny(family, dtype=dtype), inputs_of(family)
    inputs = {key: value.to(dtype) if value.is_floating_point() else value for key, value in inputs.items()}
    recording = recorded(model, inputs)
    own, _ = own_weights(family, model, inputs)
    assert recording.comparison.difference == 0.0
    check_weights(name, recording, own)
    assert 0 <= recording.witness < HALF[dtype]
    assert (recording.witness == 0) == all(call.known for call in recording.calls if call.scoring is not None)


@pytest.mark.parametrize("name", ["longformer", "big_bird", "led"])
def test_that_attention_in_bands_and_blocks_is_refused(name: str) -> None:
    sizes = {"vocab_size": 64, "attention_window": 4, "max_position_embeddings": 128, "block_size": 4}
    sizes |= {"d_model": 32, "encoder_ffn_dim": 48, "decoder_ffn_dim": 48, "encoder_layers": 2, "decoder_layers": 2}
    sizes |= {"encoder_attention_heads": 4, "decoder_attention_heads": 4}
    if name != "led":
        sizes |= {"hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 4, "intermediate_size": 48}
    classes = {"longformer": "LongformerForMaskedLM", "big_bird": "BigBirdForMaskedLM"}
    family = Family(classes.get(name, "LEDForConditionalGeneration"), sizes)
    with pytest.raises(RunError, match="cannot be followed"):
        record(tiny(family), inputs_of(family, 64))


def test_that_two_maps_that_are_subtracted_are_not_taken_for_two_layers() -> None:
    family = Family("DiffLlamaForCausalLM", FAMILIES["llama"].config)
    with pytest.raises(RunError, match=r"DiffLlamaAttention computes attention twice .*differential attention"):
        record(tiny(family), inputs_of(family))


def test_that_modules_that_are_replaced_in_the_run_have_their_names_on_the_first_call() -> None:
    family = Family("BigBirdForMaskedLM", dict(FAMILIES["bert"].config) | {"block_size": 4})
    model = tiny(family)
    first, second = (recorded(model, inputs_of(family)) for _ in range(2))
    names = [f"bert.encoder.layer.{layer}.attention.self" for layer in range(2)]
    assert [call.name for call in first.calls] == names
    assert [call.name for call in second.calls] == names
