"""Causal multi-head attention as GPT-style code writes it."""

import math

import pytest
import torch
from exactly import exactly
from hypothesis import given
from hypothesis import strategies as st
from torch import nn
from torch.func import functional_call
from torch.testing import assert_close

from attnviz.attention import CausalMultiHeadAttention, MultiHeadAttention

seeds = st.integers(0, 2**16)
sizes = st.integers(1, 5)


def test_that_the_walkthrough_keeps_its_shape():
    ours = CausalMultiHeadAttention(512, 512, context_length=50, dropout=0.0, num_heads=8)
    with torch.no_grad():
        stages = ours.stages(torch.rand(30, 50, 512, generator=torch.Generator().manual_seed(0)))
    assert stages.output.shape == (30, 50, 512)
    assert stages.weights.shape == (30, 8, 50, 50)
    assert torch.equal((stages.weights != 0).any(dim=0).any(dim=0), torch.ones(50, 50).tril().bool())


def test_that_two_tokens_worked_by_hand_come_out():
    # Tokens 1 and 2; W_query = ln 3, W_key = W_value = 1, W_out = 2 with bias 1/2, one head, sqrt(d) = 1.
    #   token 1 sees itself alone:   pools 1;                                         2 * 1 + 1/2 = 2.5
    #   token 2, q = 2 ln 3: scores 2 ln 3 and 4 ln 3, exp 9 and 81: 0.1 * 1 + 0.9 * 2 = 1.9; 2 * 1.9 + 1/2 = 4.3
    ours = CausalMultiHeadAttention(1, 1, context_length=4, dropout=0.0, num_heads=1).double()
    with torch.no_grad():
        ours.W_query.weight.fill_(math.log(3))
        for layer, number in [(ours.W_key, 1.0), (ours.W_value, 1.0), (ours.out_proj, 2.0)]:
            layer.weight.fill_(number)
        ours.out_proj.bias.fill_(0.5)
    stages = ours.stages(torch.tensor([[[1.0], [2.0]]]).double())
    assert stages.weights.flatten().tolist() == pytest.approx([1, 0, 0.1, 0.9], abs=1e-7)
    assert stages.weights[0, 0, 0, 1] == 0
    assert stages.output.flatten().tolist() == pytest.approx([2.5, 4.3])


@pytest.mark.parametrize("dtype", [torch.float64, torch.float32, torch.bfloat16, torch.float16], ids=str)
@given(seed=seeds, batch=sizes, tokens=sizes, heads=sizes, size=sizes, qkv_bias=st.booleans(), with_lens=st.booleans())
def test_that_causal_attention_is_torchs_own(normal, dtype, seed, batch, tokens, heads, size, qkv_bias, with_lens):
    hiddens = heads * size
    ours = CausalMultiHeadAttention(hiddens, hiddens, 5, 0.0, heads, qkv_bias).to(dtype)
    with torch.no_grad():
        for number, parameter in enumerate(ours.parameters()):
            parameter.copy_(normal(seed + number, *parameter.shape) / math.sqrt(hiddens))
    x = normal(seed + 20, batch, tokens, hiddens, dtype=dtype)
    lens = torch.randint(1, tokens + 1, (batch,), generator=torch.Generator().manual_seed(seed))
    stages = ours.stages(x, lens if with_lens else None)

    twin = nn.MultiheadAttention(hiddens, heads, batch_first=True, dtype=torch.float64)
    layers = ours.double().W_query, ours.W_key, ours.W_value
    with torch.no_grad():
        twin.in_proj_weight.copy_(torch.cat([layer.weight for layer in layers]))
        twin.in_proj_bias.zero_()
        if qkv_bias:
            twin.in_proj_bias.copy_(torch.cat([layer.bias for layer in layers]))
        twin.out_proj.load_state_dict(ours.out_proj.state_dict())
    forbidden = torch.tensor(
        [[[k > q or (with_lens and k >= lens[b]) for k in range(tokens)] for q in range(tokens)] for b in range(batch)]
    )
    theirs, their_weights = twin(
        *(x.double(),) * 3, attn_mask=forbidden.repeat_interleave(heads, dim=0), average_attn_weights=False
    )
    rounding = 16 * torch.finfo(dtype).eps
    assert_close(stages.weights.double(), their_weights, rtol=0, atol=rounding)
    assert_close(stages.output.double(), theirs, rtol=0, atol=rounding * float(1 + stages.v.detach().abs().max()))


def test_that_it_is_the_books_module_under_a_triangle(normal):
    ours = CausalMultiHeadAttention(4, 6, 5, 0.0, 3, temperature=2.0).double()
    book = MultiHeadAttention(6, 3, 0.0, True, query_size=4, key_size=4, value_size=4, temperature=2.0).double()
    with torch.no_grad():
        for theirs, layer in [(book.W_q, ours.W_query), (book.W_k, ours.W_key), (book.W_v, ours.W_value)]:
            theirs.weight.copy_(layer.weight)
            theirs.bias.zero_()
        book.W_o.load_state_dict(ours.out_proj.state_dict())
    x = normal(0, 2, 4, 4)
    assert_close(ours(x), book(x, x, x, mask=torch.ones(4, 4, dtype=torch.bool).tril()))


@given(seed=seeds, tokens=st.integers(1, 6), data=st.data())
def test_that_later_tokens_never_reach_earlier_ones(normal, seed, tokens, data):
    known = data.draw(st.integers(1, tokens), label="known")
    ours, x = CausalMultiHeadAttention(4, 6, 6, 0.0, 2).double(), normal(seed, 2, tokens, 4)
    assert_close(ours(x)[:, :known], ours(x[:, :known]))


def test_that_each_stage_is_what_forward_hands_on(normal):
    ours, x, lens = CausalMultiHeadAttention(4, 6, 8, 0.0, 2).double(), normal(0, 2, 5, 4), torch.tensor([2, 5])
    stages = ours.stages(x, lens)
    assert torch.equal(stages.projected_q, ours.W_query(x))
    assert torch.equal(stages.projected_k, ours.W_key(x))
    assert torch.equal(stages.projected_v, ours.W_value(x))
    for head_view, projected in [
        (stages.q, stages.projected_q),
        (stages.k, stages.projected_k),
        (stages.v, stages.projected_v),
    ]:
        assert head_view.untyped_storage().data_ptr() == projected.untyped_storage().data_ptr()
    assert_close(stages.heads, stages.weights @ stages.v)
    assert torch.equal(stages.merged, torch.cat([stages.heads[:, 0], stages.heads[:, 1]], dim=-1))
    assert torch.equal(stages.output, ours.out_proj(stages.merged))
    assert torch.equal(ours(x, lens), stages.output)


def test_that_the_mask_is_a_buffer_true_above_the_diagonal_and_is_not_written_to(normal):
    ours = CausalMultiHeadAttention(4, 6, 3, 0.0, 2).double()
    ours(normal(0, 2, 2, 4))
    assert dict(ours.named_buffers())["mask"].int().tolist() == [[0, 1, 1], [0, 0, 1], [0, 0, 0]]


def test_that_only_the_output_projection_has_a_bias_unless_asked():
    def biased(**options):
        ours = CausalMultiHeadAttention(4, 6, 5, 0.0, 2, **options)
        return {name for name, _ in ours.named_parameters() if name.endswith("bias")}

    assert biased() == {"out_proj.bias"}
    assert biased(qkv_bias=True) == {"out_proj.bias", "W_query.bias", "W_key.bias", "W_value.bias"}


@pytest.mark.parametrize(("options", "row_sum"), [({}, math.nan), ({"mask_policy": "zero"}, 0.0)], ids=str)
def test_that_a_sequence_of_length_zero_is_nan_as_in_gpt_code_unless_asked(normal, options, row_sum):
    ours = CausalMultiHeadAttention(4, 6, 5, 0.0, 2, **options).double()
    sums = ours.stages(normal(0, 2, 3, 4), torch.tensor([0, 3])).weights.sum(dim=-1)
    assert sums[0].flatten().tolist() == pytest.approx([row_sum] * 6, nan_ok=True, abs=0)
    assert_close(sums[1], torch.ones(2, 3).double())


def test_that_gradients_in_tokens_and_parameters_are_those_of_finite_differences(normal):
    ours = CausalMultiHeadAttention(3, 4, 5, 0.0, 2, qkv_bias=True).double()
    names = [name for name, _ in ours.named_parameters()]

    def run(x, *parameters):
        return functional_call(ours, dict(zip(names, parameters, strict=True)), (x,))

    leaves = [normal(0, 1, 3, 3), *(p.detach() for p in ours.parameters())]
    assert torch.autograd.gradcheck(run, [leaf.requires_grad_() for leaf in leaves])


def test_that_tokens_beyond_the_context_length_are_refused_with_both_numbers():
    sentence = "60 tokens are more than the context length 50; nearest: 50 tokens"
    ours = CausalMultiHeadAttention(4, 6, 50, 0.0, 2)
    with pytest.raises(ValueError, match=exactly(sentence)):
        ours(torch.zeros(1, 60, 4))
    assert ours(torch.zeros(1, 50, 4)).shape == (1, 50, 6)


def test_that_tokens_of_another_size_are_refused_with_both_numbers():
    with pytest.raises(ValueError, match=exactly("d_in is 4, but the tokens have size 3")):
        CausalMultiHeadAttention(4, 6, 5, 0.0, 2)(torch.zeros(1, 5, 3))


@pytest.mark.parametrize(
    ("lens", "sentence"),
    [
        ([1, 6], "valid length 6 is more than the 5 keys; nearest: 5"),
        ([1, 1, 1], "valid_lens has shape (3,), but the batch has 2 sequences"),
    ],
)
def test_that_lengths_which_do_not_fit_the_tokens_are_refused_with_the_numbers(lens, sentence):
    with pytest.raises(ValueError, match=exactly(sentence)):
        CausalMultiHeadAttention(4, 6, 8, 0.0, 2)(torch.zeros(2, 5, 4), torch.tensor(lens))


def test_that_an_uneven_head_size_is_refused_with_the_nearest_sizes():
    with pytest.raises(ValueError, match="not divisible by num_heads 6; nearest: 96, 102"):
        CausalMultiHeadAttention(4, 100, 5, 0.0, 6)
