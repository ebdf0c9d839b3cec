"""Modules that are not of transformers: nn.MultiheadAttention, and attention that a user wrote."""

from typing import Any

import pytest
import torch
from model_changes import changes
from torch import Tensor, nn

from attnviz.engine.machine import RunError
from attnviz.engine.model.recording import Recording, record

D, HEADS, TOKENS = 16, 4, 6


def recorded(model: nn.Module, inputs: Any, *args: Any, **values: Any) -> Recording:
    recording = record(model, inputs, *args, **values)
    assert recording is not None
    return recording


def tokens(batch: int = 2) -> Tensor:
    return torch.randn(batch, TOKENS, D, generator=torch.Generator().manual_seed(0))


@pytest.mark.parametrize("batch_first", [True, False])
@pytest.mark.parametrize(
    "options", [{}, {"bias": False}, {"add_zero_attn": True}, {"kdim": D, "vdim": D, "add_bias_kv": True}]
)
def test_that_multihead_attention_gives_the_weights_of_its_heads(batch_first: bool, options: dict[str, Any]) -> None:
    torch.manual_seed(0)
    module = nn.MultiheadAttention(D, HEADS, dropout=0.5, batch_first=batch_first, **options)
    x = tokens()
    given = (x, x, x) if batch_first else (x.transpose(0, 1),) * 3
    call = recorded(module, given).calls[0]
    with torch.no_grad():
        output, weights = module.eval()(*given, average_attn_weights=False)
    for item in range(2):
        assert torch.equal(call.at(item).weights(), weights[item])
        made = call.at(item).heads.transpose(0, 1).reshape(TOKENS, D) @ call.output_weight.T
        made = made if module.out_proj.bias is None else made + module.out_proj.bias
        torch.testing.assert_close(made, output[item] if batch_first else output[:, item])
    assert call.known


def test_that_it_gets_the_weights_that_it_asked_for() -> None:
    torch.manual_seed(0)
    attention, asked = nn.MultiheadAttention(D, HEADS, batch_first=True).eval(), []

    class Asks(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.attention = attention

        def forward(self, x: Tensor) -> Tensor:
            asked.append([self.attention(x, x, x, need_weights=need)[1] for need in (True, False)])
            return x

    recorded(Asks(), tokens())
    (seen, none), (truth, _) = asked
    assert none is None
    torch.testing.assert_close(seen, truth)


def test_that_a_transformer_of_torch_has_three_kinds_of_attention() -> None:
    torch.manual_seed(0)
    model, x = nn.Transformer(D, HEADS, 2, 2, 32, batch_first=True), tokens(1)
    causal = nn.Transformer.generate_square_subsequent_mask(TOKENS)
    recording = recorded(model, {"src": x, "tgt": x, "tgt_mask": causal, "tgt_is_causal": True})
    assert [call.kind for call in recording.calls] == ["self", "self", *["decoder", "cross"] * 2]
    assert not recording.calls[2].weights().triu(1).any()
    assert recording.comparison.difference < 1e-6  # by itself the encoder takes its fast path
    hidden = recorded(model, (x, x), changes(hidden=frozenset({1}), heads_off=frozenset({(1, 0)})))
    assert not hidden.calls[0].weights()[..., 1].any()
    assert not hidden.calls[1].heads[0].any()


class Written(nn.Module):
    """Attention as a user writes it, with letters, operators or functions."""

    def __init__(self, how: str, heads: int = HEADS) -> None:
        super().__init__()
        torch.manual_seed(0)
        self.how, self.heads = how, heads
        self.qkv, self.project = nn.Linear(D, 3 * D), nn.Linear(D, D)

    def forward(self, x: Tensor) -> Tensor:
        q, k, v = (each.unflatten(-1, (self.heads, -1)) for each in self.qkv(x).chunk(3, -1))
        mask = torch.ones(x.shape[1], x.shape[1], dtype=torch.bool).tril()
        if self.how == "letters":
            scores = torch.einsum("bqhd,bkhd->bhqk", q, k) / D**0.5
            weights = torch.softmax(scores.masked_fill(~mask, float("-inf")), -1)
            pooled = torch.einsum("bhqk,bkhd->bqhd", weights, v)
        elif self.how == "operators":
            scores = (q.transpose(1, 2) @ k.permute(0, 2, 3, 1)) * D**-0.5
            pooled = (torch.where(mask, scores, -1e10).softmax(dim=-1) @ v.transpose(1, 2)).transpose(1, 2)
        else:
            q, k, v = (each.transpose(1, 2) for each in (q, k, v))
            pooled = nn.functional.scaled_dot_product_attention(q, k, v, is_causal=True, scale=D**-0.5).transpose(1, 2)
        return self.project(pooled.flatten(2))


@pytest.mark.parametrize("how", ["letters", "operators", "fused"])
def test_that_attention_that_a_user_wrote_is_found(how: str) -> None:
    module, x = Written(how), tokens()
    recording = recorded(module, x)
    (call,) = recording.calls
    assert call.known
    assert recording.witness < (1e-6 if how == "fused" else 1e-30)
    assert call.scoring.scale == pytest.approx(D**-0.5)
    with torch.no_grad():
        q, k, v = (each.unflatten(-1, (HEADS, -1)).transpose(1, 2) for each in module.qkv(x).chunk(3, -1))
        scores = (q @ k.transpose(-1, -2)) * D**-0.5
        weights = scores.masked_fill(torch.ones(TOKENS, TOKENS).triu(1).bool(), -torch.inf).softmax(-1)
    for item in range(2):
        torch.testing.assert_close(call.at(item).weights(), weights[item])
        torch.testing.assert_close(call.at(item).heads, (weights @ v)[item])
    assert call.output_weight.untyped_storage().data_ptr() == module.project.weight.untyped_storage().data_ptr()
    off = recorded(module, x, changes(heads_off=frozenset({(0, 1)}), hidden=frozenset({2}), temperature=2.0))
    assert not off.calls[0].heads[1].any()
    assert not off.calls[0].weights()[..., 2].any()
    assert off.calls[0].scoring.temperature == 2.0
    truth = off.calls[0].heads.transpose(0, 1).reshape(TOKENS, D) @ module.project.weight.T + module.project.bias
    torch.testing.assert_close(off.last_hidden, truth)


def test_that_scores_by_an_unknown_function_give_true_weights_that_can_be_changed() -> None:
    class Sine(Written):
        def forward(self, x: Tensor) -> Tensor:
            q, k, v = (each.unflatten(-1, (HEADS, -1)).transpose(1, 2) for each in self.qkv(x).chunk(3, -1))
            self.weights = torch.softmax(torch.sin(q @ k.transpose(-1, -2)), -1)
            return self.project((self.weights @ v).transpose(1, 2).flatten(2))

    module = Sine("")
    (call,) = recorded(module, tokens()).calls
    assert not call.known
    assert call.q is None
    assert call.scoring is None
    assert torch.equal(call.weights(), module.weights[0])
    assert call.value_norms.shape == (HEADS, TOKENS)
    changed = recorded(module, tokens(), changes(hidden=frozenset({2}), heads_off=frozenset({(0, 3)}))).calls[0]
    assert not changed.weights()[..., 2].any()
    torch.testing.assert_close(changed.weights().sum(-1), torch.ones(HEADS, TOKENS))
    assert not changed.heads[3].any()
    with pytest.raises(RunError, match="temperature"):
        record(module, tokens(), changes(temperature=2.0))


def test_that_one_head_without_a_batch_is_found() -> None:
    class One(nn.Module):
        def forward(self, x: Tensor) -> Tensor:
            return torch.softmax(x @ x.T, -1) @ x

    x = tokens()[0]
    (call,) = recorded(One(), x).calls
    assert torch.equal(call.weights()[0], torch.softmax(x @ x.T, -1))


def test_that_a_model_without_attention_and_a_gate_by_softmax_are_none() -> None:
    class Gates(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.gate, self.experts = nn.Parameter(torch.randn(D, 3)), nn.Parameter(torch.randn(3, D))

        def forward(self, x: Tensor) -> Tensor:
            return torch.softmax(x @ self.gate, -1) @ self.experts

    for module, said in ((nn.Linear(D, D), "no attention was seen"), (Gates(), "cannot be followed")):
        with pytest.raises(RunError, match=said):
            record(module, tokens())


def test_that_a_model_on_the_meta_device_is_refused_in_a_sentence() -> None:
    module = nn.TransformerEncoderLayer(D, HEADS, 2 * D, batch_first=True).to("meta")
    for inputs in (tokens(), tokens().to("meta")):
        with pytest.raises(RunError, match="have no values"):
            record(module, inputs)


def compiled_encoder() -> nn.Module:
    torch.manual_seed(0)
    return nn.TransformerEncoder(nn.TransformerEncoderLayer(D, HEADS, 32, batch_first=True), 2).eval()


@pytest.mark.parametrize("compiled", ["all of it", "a layer", "in place"])
def test_that_a_compiled_module_is_recorded_as_it_was_before(compiled: str) -> None:
    true = recorded(compiled_encoder(), tokens())
    model: Any = compiled_encoder()
    if compiled == "all of it":
        model = torch.compile(model, backend="eager")
    elif compiled == "a layer":
        model.layers[1] = torch.compile(model.layers[1], backend="eager")
    else:
        model.compile(backend="eager")
    recording = recorded(model, tokens())
    assert [call.name for call in recording.calls] == ["layers.0.self_attn", "layers.1.self_attn"]
    for call, other in zip(recording.calls, true.calls, strict=True):
        assert torch.equal(call.weights(), other.weights())
    assert recording.comparison.difference < 1e-5


@pytest.mark.filterwarnings("ignore:`torch.jit.script:DeprecationWarning")
def test_that_a_scripted_module_is_refused_with_what_to_record() -> None:
    with pytest.raises(RunError, match=r"torch\.jit compiled this model.*nearest: the module before that"):
        record(torch.jit.script(compiled_encoder()), tokens())


def test_that_an_exported_module_is_recorded() -> None:
    exported = torch.export.export(Written("fused"), (tokens(),)).module()
    (call,) = recorded(exported, tokens()).calls
    (true,) = recorded(Written("fused"), tokens()).calls
    assert torch.equal(call.weights(), true.weights())


class Flex(Written):
    def forward(self, x: Tensor) -> Tensor:
        from torch.nn.attention.flex_attention import flex_attention

        q, k, v = (each.unflatten(-1, (HEADS, -1)).transpose(1, 2) for each in self.qkv(x).chunk(3, -1))
        return self.project(flex_attention(q, k, v).transpose(1, 2).flatten(2))  # type: ignore[union-attr]


@pytest.mark.filterwarnings("ignore:flex_attention called without torch.compile")
def test_that_attention_in_one_fused_call_without_weights_is_named() -> None:
    with pytest.raises(RunError, match=r"Flex computes its attention in one fused call \(flex_attention\)"):
        record(Flex(""), tokens())
    both = recorded(nn.Sequential(Written("operators"), Flex("")), tokens())
    assert not both.complete
    assert [call.name for call in both.calls] == ["0"]


def test_that_a_model_that_draws_numbers_draws_the_same_in_both_runs_and_leaves_the_generator_alone() -> None:
    class Noisy(Written):
        def forward(self, x: Tensor) -> Tensor:
            return super().forward(x + torch.randn_like(x))

    module = Noisy("operators")
    state = torch.random.get_rng_state()
    recording = recorded(module, tokens())
    assert recording.comparison.difference == 0.0
    assert torch.equal(torch.random.get_rng_state(), state)
    with torch.no_grad():
        own = module(tokens())
    assert torch.equal(recording.last_hidden, own[0])
