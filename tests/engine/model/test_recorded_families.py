"""Every family of transformers: what is recorded is the model's own, bit for bit."""

import pytest
import torch
from model_families import FAMILIES, inputs_of, tiny

from attnviz.engine.model.recording import record


@pytest.mark.parametrize("name", FAMILIES)
def test_that_weights_and_output_are_the_models_own(name: str) -> None:
    family = FAMILIES[name]
    model, inputs = tiny(family), inputs_of(family, padded=True)
    recording = record(model, inputs)
    assert recording is not None
    assert recording.witness == recording.logits_apart == 0.0
    assert recording.complete
    with torch.no_grad():
        truth = model(**inputs, output_attentions=True)
    output = truth.logits if "logits" in truth else truth.last_hidden_state
    assert torch.equal(recording.last_hidden if recording.logits is None else recording.logits, output[0])
    kinds = {"self": "encoder_attentions" if "encoder_attentions" in truth else "attentions"}
    kinds |= {"decoder": "decoder_attentions", "cross": "cross_attentions"} if len(kinds["self"]) > 10 else {}
    for kind, there in kinds.items():
        calls = [call for call in recording.calls if call.kind == kind]
        true = truth[there]
        if name == "swin":  # it hands on the attention of every second block only
            calls = calls[1::2]
        assert len(calls) == len(true) > 0
        for call, weights in zip(calls, true, strict=True):
            assert call.known
            for item in range(call.batch_size):
                assert torch.equal(call.at(item).weights(), weights[item])
    assert [call.layer for call in recording.shown] == list(range(family.layers))
