"""A recording: what it keeps and makes anew, what it leaves as it was, and what it says that it does not know."""

import math
from typing import Any

import pytest
import torch
from model_changes import changes
from model_families import FAMILIES, TOKENS, WATCHED, Family, inputs_of, tiny
from torch import Tensor, nn

from attnviz.engine.machine import RunError
from attnviz.engine.model.calls import Scoring
from attnviz.engine.model.recording import Recording, record

ALL = FAMILIES | WATCHED


def recorded(model: nn.Module, inputs: Any, *args: Any, **values: Any) -> Recording:
    recording = record(model, inputs, *args, **values)
    assert recording is not None
    return recording


@pytest.mark.parametrize("tokens", [7, 130, 600])
@pytest.mark.parametrize("name", ["gpt2", "qwen3", "gemma2", "gpt_oss", "t5", "bloom", "deberta"])
def test_that_a_head_alone_and_a_layer_are_made_anew_bit_for_bit(name: str, tokens: int) -> None:
    family = ALL[name]
    model, inputs = tiny(family, max_position_embeddings=1024), inputs_of(family, tokens)
    hot: list[Tensor] = []
    recording = recorded(model, inputs, compare=False, on_layer=lambda call, weights: hot.append(weights.clone()))
    assert len(hot) == len(recording.calls)
    for call, weights in zip(recording.calls, hot, strict=True):
        assert call.known
        assert torch.equal(call.weights(), weights)
        assert torch.equal(call.weights(slice(1, 3)), weights[1:3])
        for head in range(call.num_heads):
            assert torch.equal(call.weights(head), weights[head : head + 1])


@pytest.mark.parametrize(("name", "numbers"), [("llama", 12), ("gpt2", 16), ("gpt_neox", 16), ("phi3", 12)])
def test_that_it_keeps_q_k_v_and_outputs_and_no_weights(name: str, numbers: int) -> None:
    tokens = 256
    recording = recorded(
        tiny(ALL[name], max_position_embeddings=512), inputs_of(ALL[name], tokens), compare=False, rows=[0]
    )
    calls = 2 * tokens * numbers * 8 * 4  # heads of queries, keys, values and outputs, of 8 features each
    masks = 2 * tokens * tokens  # bytes; the layers of most families share one
    assert calls < recording.nbytes <= calls + masks + 4 * tokens * 34
    assert sum(call.weights().nbytes for call in recording.calls) > 2 * calls


def test_that_statistics_get_the_norms_of_values_while_the_weights_are_hot() -> None:
    family, seen = FAMILIES["qwen3"], []

    def see(call: Any, weights: Tensor) -> None:
        seen.append((call.layer, (weights * call.value_norms[:, None]).sum(-1)))

    recorded(tiny(family), inputs_of(family), compare=False, on_layer=see)
    assert [layer for layer, _ in seen] == [0, 1]
    assert all(norms.shape == (4, TOKENS) and (norms > 0).all() for _, norms in seen)


def test_that_the_layers_of_albert_are_numbered_by_their_calls() -> None:
    family = FAMILIES["albert"]
    shown = recorded(tiny(family, num_hidden_layers=3), inputs_of(family)).shown
    assert [call.layer for call in shown] == [0, 1, 2]
    assert len({call.name for call in shown}) == 1


def test_that_a_model_of_encoder_and_decoder_shows_its_encoder_from_the_text_alone() -> None:
    for name in ("t5", "bart", "marian"):
        model, inputs = tiny(FAMILIES[name]), inputs_of(FAMILIES[name], padded=True)
        whole = recorded(model, inputs)
        assert {call.kind for call in whole.calls} == {"self", "decoder", "cross"}
        assert whole.note == ""
        assert len(whole.last_hidden) == inputs.pop("decoder_input_ids").shape[1], "those of the decoder"
        encoder = recorded(model, inputs)
        assert (encoder.note, encoder.logits, encoder.comparison.difference) == ("encoder", None, 0.0)
        for alone, call in zip(encoder.calls, whole.shown, strict=True):
            assert torch.equal(alone.weights(), call.weights())


@pytest.mark.parametrize("name", ["llama", "bert", "biogpt"])
def test_that_only_the_rows_asked_for_are_kept(name: str) -> None:
    model, inputs = tiny(FAMILIES[name]), inputs_of(FAMILIES[name])
    whole, rows = recorded(model, inputs), recorded(model, inputs, rows=[2, 11])
    torch.testing.assert_close(rows.logits, whole.logits[[2, 11]], rtol=1e-6, atol=1e-6)
    assert rows.comparison.difference == 0.0
    assert rows.last_hidden.shape == whole.last_hidden.shape


def test_that_logits_of_other_rows_are_not_even_computed() -> None:
    model, inputs = tiny(FAMILIES["bert"]), inputs_of(FAMILIES["bert"])
    made: list[torch.Size] = []
    model.get_output_embeddings().register_forward_hook(lambda _, __, result: made.append(result.shape))
    recorded(model, inputs, rows=[2, 11])
    assert [shape[1] for shape in made] == [2, 2]  # in the recorded run, and in the one by itself


@pytest.mark.parametrize("name", ["gpt2", "bert", "mpt"])
def test_that_the_model_is_left_as_it_was(name: str) -> None:
    model, inputs = tiny(ALL[name]), inputs_of(ALL[name])
    config, stops = model.config, iter([False, True])
    implementation = "sdpa" if model._supports_sdpa else "eager"
    config._attn_implementation_internal = implementation
    model.train()
    model.get_submodule(next(name for name, _ in model.named_modules() if name.endswith("dropout"))).eval()
    modes = [module.training for module in model.modules()]
    assert recorded(model, inputs).witness == 0.0
    assert record(model, inputs, should_stop=lambda: next(stops)) is None
    stops = iter([False, False, False, True])  # in the run of the model by itself
    assert record(model, inputs, should_stop=lambda: next(stops)) is None
    with pytest.raises(RunError):
        record(model, inputs, changes(painted={0: torch.ones(1, 3, 12, dtype=torch.bool)}))
    assert config._attn_implementation == implementation
    assert [module.training for module in model.modules()] == modes
    assert not any(module._forward_hooks or module._forward_pre_hooks for module in model.modules())


def test_that_it_is_stopped_between_layers() -> None:
    family, answers, seen = FAMILIES["gpt2"], [], []

    def stop() -> bool:
        answers.append(len(answers) == 3)
        return answers[-1]

    model = tiny(family, n_layer=6)
    assert record(model, inputs_of(family), should_stop=stop, on_layer=lambda call, _: seen.append(call.layer)) is None
    assert seen == [0, 1, 2]


@pytest.mark.parametrize("twisted", ["query", "output"])
def test_that_attention_of_another_formula_is_the_models_own_and_its_stages_not_known(
    monkeypatch: pytest.MonkeyPatch, twisted: str
) -> None:
    from transformers.models.llama import modeling_llama

    own = modeling_llama.eager_attention_forward

    def another(module: nn.Module, q: Tensor, *args: Any, **given: Any) -> tuple[Tensor, Tensor]:
        output, weights = own(module, q * 1.25 if twisted == "query" else q, *args, **given)
        return output * 0.5 if twisted == "output" else output, weights

    monkeypatch.setattr(modeling_llama, "eager_attention_forward", another)
    family = FAMILIES["llama"]
    model, inputs = tiny(family), inputs_of(family)
    recording = recorded(model, inputs)
    with torch.no_grad():
        truth = model(**inputs, output_attentions=True)
    assert (recording.witness > 1e-4) == (twisted == "query")
    assert recording.comparison.difference == 0.0
    for call, weights in zip(recording.calls, truth.attentions, strict=True):
        assert not call.known
        assert torch.equal(call.weights(), weights[0])
        assert torch.equal(call.weights(2), weights[0, 2:3])
    hidden = recorded(model, inputs, changes(hidden=frozenset({3}), heads_off=frozenset({(0, 0)})))
    assert not hidden.calls[1].weights()[..., 3].any()
    with pytest.raises(RunError, match="temperature"):
        record(model, inputs, changes(temperature=2.0))


def test_that_a_gate_on_the_first_of_many_tokens_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    from transformers.models.llama import modeling_llama

    own = modeling_llama.eager_attention_forward

    def gated(*args: Any, **given: Any) -> tuple[Tensor, Tensor]:
        output, weights = own(*args, **given)
        return torch.cat([output[:, :1] * 0.5, output[:, 1:]], 1), weights

    monkeypatch.setattr(modeling_llama, "eager_attention_forward", gated)
    ids = torch.arange(100)[None] % 8
    assert not any(call.known for call in recorded(tiny(FAMILIES["llama"]), {"input_ids": ids}).calls)


def test_that_attention_whose_own_function_gives_no_weights_is_found_by_its_softmax(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from transformers.models.llama import modeling_llama

    own = modeling_llama.eager_attention_forward
    monkeypatch.setattr(
        modeling_llama, "eager_attention_forward", lambda *args, **given: (own(*args, **given)[0], None)
    )
    family = FAMILIES["llama"]
    recording = recorded(tiny(family), inputs_of(family))
    assert recording.note == "watched"
    assert recording.comparison.difference == 0.0
    assert all(call.known for call in recording.calls)


def test_that_weights_mixed_among_heads_after_their_softmax_are_refused() -> None:
    family = WATCHED["deberta"]
    with pytest.raises(RunError, match="cannot be followed"):
        record(tiny(family, talking_head=True), inputs_of(family))


def test_that_a_model_whose_layers_shorten_the_text_is_said_to_be_incomplete() -> None:
    sizes = {"vocab_size": 64, "block_sizes": [1, 1], "d_model": 32, "n_head": 4, "d_head": 8, "d_inner": 48}
    family = Family("FunnelForMaskedLM", sizes | {"num_decoder_layers": 1})
    recording = recorded(tiny(family), inputs_of(family))
    assert not recording.complete
    assert [call.name for call in recording.calls] == [
        "funnel.encoder.blocks.0.0.attention",
        "funnel.decoder.layers.0.attention",
    ]


def test_that_attention_that_pools_the_tokens_is_no_layer_and_said() -> None:
    family = FAMILIES["llama"]

    class Pools(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.model, self.query = tiny(family).model, nn.Parameter(torch.ones(1, 1, 32))
            self.pool = nn.MultiheadAttention(32, 4, batch_first=True)

        def forward(self, input_ids: Tensor) -> Tensor:
            hidden = self.model(input_ids, use_cache=False).last_hidden_state
            return self.pool(self.query, hidden, hidden)[0]

    recording = recorded(Pools(), inputs_of(family))
    assert [call.name for call in recording.shown] == ["model.layers.0.self_attn", "model.layers.1.self_attn"]
    assert not recording.complete


def test_that_the_option_of_gpt2_that_asks_for_its_name_computes_as_by_itself() -> None:
    family = FAMILIES["gpt2"]
    model = tiny(family, reorder_and_upcast_attn=True, scale_attn_by_inverse_layer_idx=True)
    recording = recorded(model, inputs_of(family))
    assert recording.note == "watched"
    assert recording.witness == recording.comparison.difference == 0.0
    assert [round(call.scoring.scale * math.sqrt(8), 6) for call in recording.calls] == [1.0, 0.5]


def test_that_memory_that_runs_out_in_the_comparison_is_not_taken_for_an_unknown_score(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def apart(_scoring: Scoring, _weights: Tensor) -> float:
        raise RuntimeError("DefaultCPUAllocator: can't allocate memory: you tried to allocate 4096 bytes")

    monkeypatch.setattr(Scoring, "apart", apart)
    with pytest.raises(RuntimeError, match="allocate"):
        recorded(tiny(FAMILIES["gpt2"]), inputs_of(FAMILIES["gpt2"]))
