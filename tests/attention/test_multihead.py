import math

import pytest
import torch
from exactly import exactly
from hypothesis import given
from hypothesis import strategies as st
from torch import nn
from torch.testing import assert_close

from attnviz.attention import DotProductAttention, MultiHeadAttention, merge_heads, split_heads

seeds = st.integers(0, 2**16)
sizes = st.integers(1, 5)


def torch_twin(ours, *, key_size, value_size, bias):
    """Return torch's own module with the projections of ours."""
    hiddens = ours.W_o.in_features
    twin = nn.MultiheadAttention(
        hiddens, ours.num_heads, bias=bias, kdim=key_size, vdim=value_size, batch_first=True, dtype=torch.float64
    )
    W_q, W_k, W_v, W_o = (layer.double() for layer in (ours.W_q, ours.W_k, ours.W_v, ours.W_o))
    with torch.no_grad():
        if twin.in_proj_weight is not None:
            twin.in_proj_weight.copy_(torch.cat([W_q.weight, W_k.weight, W_v.weight]))
        else:
            twin.q_proj_weight.copy_(W_q.weight)
            twin.k_proj_weight.copy_(W_k.weight)
            twin.v_proj_weight.copy_(W_v.weight)
        twin.out_proj.weight.copy_(W_o.weight)
        if bias:
            twin.in_proj_bias.copy_(torch.cat([W_q.bias, W_k.bias, W_v.bias]))
            twin.out_proj.bias.copy_(W_o.bias)
    return twin


# The heads


@given(seed=seeds, batch=sizes, tokens=sizes, heads=sizes, size=sizes)
def test_that_splitting_and_merging_heads_undo_each_other(normal, seed, batch, tokens, heads, size):
    x = normal(seed, batch, tokens, heads * size)
    split = split_heads(x, heads)
    assert split.shape == (batch, heads, tokens, size)
    assert torch.equal(merge_heads(split), x)
    assert torch.equal(split_heads(merge_heads(split), heads), split)


@pytest.mark.parametrize("shape", [(0, 3, 6), (2, 0, 6)], ids=["no sequence", "no token"])
def test_that_an_empty_batch_splits_into_empty_heads(shape):
    assert split_heads(torch.zeros(shape), 2).shape == (shape[0], 2, shape[1], 3)


def test_that_head_i_is_the_ith_slice_of_the_features_of_every_token():
    x = torch.tensor([[[1, 2, 3, 4], [5, 6, 7, 8], [9, 10, 11, 12]]])
    assert split_heads(x, 2).tolist() == [[[[1, 2], [5, 6], [9, 10]], [[3, 4], [7, 8], [11, 12]]]]


def test_that_splitting_heads_copies_nothing(normal):
    x = normal(0, 2, 3, 6)
    split_heads(x, 3)[1, 2, 0, 1] = 42.0
    assert x[1, 0, 5] == 42.0


@given(seed=seeds, batch=sizes, queries=sizes, keys=sizes, heads=sizes, size=sizes, per_query=st.booleans())
def test_that_the_books_batch_of_single_heads_with_repeated_lengths_gives_the_same_numbers(
    normal, seed, batch, queries, keys, heads, size, per_query
):
    def transpose_qkv(x):
        x = x.reshape(batch, -1, heads, size).permute(0, 2, 1, 3)
        return x.reshape(batch * heads, -1, size)

    def transpose_output(x):
        return x.reshape(batch, heads, queries, size).permute(0, 2, 1, 3).reshape(batch, queries, heads * size)

    generator = torch.Generator().manual_seed(seed)
    lens = torch.randint(0, keys + 1, (batch, queries) if per_query else (batch,), generator=generator)
    inputs = normal(seed, batch, queries, 3), normal(seed + 1, batch, keys, 3), normal(seed + 2, batch, keys, 3)
    ours = MultiHeadAttention(heads * size, heads, 0.0).double()
    stages = ours.stages(*inputs, lens)

    projected = [layer(x) for layer, x in zip((ours.W_q, ours.W_k, ours.W_v), inputs, strict=True)]
    q, k, v = (transpose_qkv(x) for x in projected)
    book = DotProductAttention().stages(q, k, v, lens.repeat_interleave(heads, dim=0))
    assert torch.equal(stages.q.flatten(0, 1), q)
    assert_close(stages.weights.flatten(0, 1), book.weights[:, 0])
    assert_close(stages.output, ours.W_o(transpose_output(book.output)))


# The book's numbers


@pytest.fixture
def ones():
    """Two sequences of 4 queries and 6 key-value pairs, all ones, with lengths 3 and 2, for a hidden size."""
    return lambda size: (torch.ones(2, 4, size), torch.ones(2, 6, size), torch.ones(2, 6, size), torch.tensor([3, 2]))


def test_that_a_hundred_hiddens_and_five_heads_give_the_books_shapes(ones):
    stages = MultiHeadAttention(100, 5, 0.5).eval().stages(*ones(100))
    assert stages.output.shape == (2, 4, 100)
    assert stages.q.shape == (2, 5, 4, 20)
    assert stages.k.shape == stages.v.shape == (2, 5, 6, 20)
    assert stages.weights.shape == (2, 5, 4, 6)


def test_that_ten_hiddens_and_five_heads_share_equal_keys_evenly_in_every_head(ones):
    weights = MultiHeadAttention(10, 5, 0.5).eval().stages(*ones(10)).weights
    third = torch.tensor([1 / 3, 1 / 3, 1 / 3, 0, 0, 0])
    half = torch.tensor([1 / 2, 1 / 2, 0, 0, 0, 0])
    assert_close(weights, torch.stack([third, half])[:, None, None].expand(2, 5, 4, 6))


def test_that_self_attention_returns_one_row_for_each_token_of_x(normal):
    X = normal(0, 2, 4, 10, dtype=torch.float32)
    stages = MultiHeadAttention(10, 5, 0.5).eval().stages(X, X, X, torch.tensor([3, 2]))
    assert stages.output.shape == X.shape
    assert stages.weights.shape == (2, 5, 4, 4)
    assert (stages.weights != 0).sum(dim=-1).tolist() == [[[n] * 4] * 5 for n in (3, 2)]


def test_that_two_heads_worked_by_hand_each_attend_on_their_own():
    # W_q, W_k, W_v are 1, so each head has one feature and sqrt(d) = 1. Query (1, 1), keys (ln 3, 0) and (0, ln 3).
    #   head 1: scores ln 3 and 0, exp 3 and 1: 3/4 * 4 + 1/4 * 8 = 5
    #   head 2: scores 0 and ln 3, exp 1 and 3: 1/4 * 8 + 3/4 * 16 = 14
    # W_o = ((1, 1), (0, 2)): (5 + 14, 2 * 14) = (19, 28).
    ours = MultiHeadAttention(2, 2, 0.0, query_size=2, key_size=2, value_size=2).double()
    with torch.no_grad():
        for layer in (ours.W_q, ours.W_k, ours.W_v):
            layer.weight.copy_(torch.eye(2))
        ours.W_o.weight.copy_(torch.tensor([[1.0, 1.0], [0.0, 2.0]]))
    queries = torch.ones(1, 1, 2).double()
    keys = torch.eye(2).double()[None] * math.log(3)
    stages = ours.stages(queries, keys, torch.tensor([[[4.0, 8.0], [8.0, 16.0]]]).double())
    assert stages.weights.flatten().tolist() == pytest.approx([3 / 4, 1 / 4, 1 / 4, 3 / 4])
    assert stages.merged.flatten().tolist() == pytest.approx([5, 14])
    assert stages.output.flatten().tolist() == pytest.approx([19, 28])


# Multi-head attention is torch's own


@pytest.mark.parametrize("dtype", [torch.float64, torch.float32, torch.bfloat16, torch.float16], ids=str)
@given(
    seed=seeds,
    batch=sizes,
    queries=sizes,
    keys=sizes,
    heads=sizes,
    size=sizes,
    same_sizes=st.booleans(),
    bias=st.booleans(),
)
def test_that_multi_head_attention_is_torchs_own(
    normal, masks, dtype, seed, batch, queries, keys, heads, size, same_sizes, bias
):
    hiddens = heads * size
    key_size, value_size = (hiddens, hiddens) if same_sizes else (hiddens + 1, 2)
    ours = MultiHeadAttention(
        hiddens, heads, 0.0, bias, query_size=hiddens, key_size=key_size, value_size=value_size
    ).to(dtype)
    with torch.no_grad():
        for number, parameter in enumerate(ours.parameters()):
            parameter.copy_(normal(seed + number, *parameter.shape) / math.sqrt(hiddens))
    q = normal(seed + 20, batch, queries, hiddens, dtype=dtype)
    k = normal(seed + 21, batch, keys, key_size, dtype=dtype)
    v = normal(seed + 22, batch, keys, value_size, dtype=dtype)
    case = masks(seed, batch, queries, keys)
    stages = ours.stages(q, k, v, case.lens, case.mask)
    theirs, their_weights = torch_twin(ours, key_size=key_size, value_size=value_size, bias=bias)(
        q.double(),
        k.double(),
        v.double(),
        attn_mask=~case.allowed.repeat_interleave(heads, dim=0),
        need_weights=True,
        average_attn_weights=False,
    )
    assert stages.weights.dtype == stages.output.dtype == dtype
    rounding = 16 * torch.finfo(dtype).eps
    assert_close(stages.weights.double(), their_weights, rtol=0, atol=rounding)
    assert_close(stages.output.double(), theirs, rtol=0, atol=rounding * float(1 + stages.v.detach().abs().max()))


# Sizes


@given(seed=seeds, query_size=sizes, key_size=sizes, value_size=sizes, bias=st.booleans())
def test_that_multi_head_sizes_inferred_from_a_call_are_the_given_ones(
    normal, seed, query_size, key_size, value_size, bias
):
    inputs = normal(seed, 2, 3, query_size), normal(seed + 1, 2, 4, key_size), normal(seed + 2, 2, 4, value_size)
    named = {"query_size": query_size, "key_size": key_size, "value_size": value_size}
    given_sizes = MultiHeadAttention(6, 2, 0.0, bias, **named).double()
    inferred = MultiHeadAttention(6, 2, 0.0, bias).double()
    inferred(*inputs)
    layers = inferred.W_q, inferred.W_k, inferred.W_v
    assert [layer.in_features for layer in layers] == [query_size, key_size, value_size]
    inferred.load_state_dict(given_sizes.state_dict())
    assert torch.equal(inferred(*inputs), given_sizes(*inputs))


@pytest.mark.parametrize(("bias", "learned"), [(False, 4 * 36), (True, 4 * 42)])
def test_that_bias_adds_one_number_per_feature_of_each_projection(bias, learned):
    ours = MultiHeadAttention(6, 2, 0.0, bias, query_size=6, key_size=6, value_size=6)
    assert sum(parameter.numel() for parameter in ours.parameters()) == learned


@pytest.mark.parametrize("heads", [1, 2, 5, 20])
def test_that_more_heads_learn_no_more_numbers(heads):
    ours = MultiHeadAttention(20, heads, 0.0, query_size=3, key_size=4, value_size=5)
    assert sum(parameter.numel() for parameter in ours.parameters()) == 20 * (3 + 4 + 5 + 20)


@pytest.mark.parametrize(
    ("hiddens", "heads", "sentence"),
    [
        (100, 6, "num_hiddens 100 is not divisible by num_heads 6; nearest: 96, 102"),
        (4, 6, "num_hiddens 4 is not divisible by num_heads 6; nearest: 6"),
        (4, 0, "num_heads 0 must be at least 1; nearest: 1"),
    ],
)
def test_that_heads_which_do_not_share_the_hidden_size_are_refused_with_the_nearest_sizes(hiddens, heads, sentence):
    with pytest.raises(ValueError, match=exactly(sentence)):
        MultiHeadAttention(hiddens, heads, 0.0)
    with pytest.raises(ValueError, match=exactly(sentence)):
        split_heads(torch.zeros(1, 2, hiddens), heads)


@pytest.mark.parametrize("named", [{"query_size": 3, "key_size": 4, "value_size": 5}, {}], ids=["given", "inferred"])
@pytest.mark.parametrize(
    ("input_sizes", "sentence"),
    [
        ((2, 4, 5), "query_size is 3, but the input's size is 2"),
        ((3, 3, 5), "key_size is 4, but the input's size is 3"),
        ((3, 4, 6), "value_size is 5, but the input's size is 6"),
    ],
)
def test_that_multi_head_attention_names_its_size_and_the_inputs(named, input_sizes, sentence):
    ours = MultiHeadAttention(6, 2, 0.0, **named)
    ours(torch.zeros(1, 2, 3), torch.zeros(1, 2, 4), torch.zeros(1, 2, 5))
    with pytest.raises(ValueError, match=exactly(sentence)):
        ours(*(torch.zeros(1, 2, size) for size in input_sizes))


# Heads that share keys and values


@given(seed=seeds, heads=st.sampled_from([(4, 1), (4, 2), (6, 3), (5, 5)]), causal=st.booleans(), bias=st.booleans())
def test_that_shared_keys_and_values_are_torchs_grouped_query_attention(normal, seed, heads, causal, bias):
    num_heads, shared = heads
    torch.manual_seed(seed)
    ours = MultiHeadAttention(8 * num_heads, num_heads, 0.0, bias, num_kv_heads=shared, **SAME_SIZES).double().eval()
    x, y = normal(seed, 2, 5, 6).double(), normal(seed + 1, 2, 5, 6).double()
    stages = ours.stages(x, y, y, mask=torch.ones(5, 5, dtype=torch.bool).tril() if causal else None)
    assert stages.k.shape == stages.v.shape == (2, shared, 5, 8)
    assert ours.W_k.weight.shape == ours.W_v.weight.shape == (8 * shared, 6)
    with torch.no_grad():
        q, k, v = (
            split_heads(ours.W_q(x), num_heads),
            split_heads(ours.W_k(y), shared),
            split_heads(ours.W_v(y), shared),
        )
        pooled = nn.functional.scaled_dot_product_attention(q, k, v, is_causal=causal, enable_gqa=True)
        assert_close(stages.heads, pooled, atol=1e-12, rtol=0)
        assert_close(stages.output, ours.W_o(merge_heads(pooled)), atol=1e-12, rtol=0)


SAME_SIZES = {"query_size": 6, "key_size": 6, "value_size": 6}


@pytest.mark.parametrize(("shared", "nearest"), [(3, "2, 4"), (5, "4"), (0, "1")])
def test_that_heads_which_cannot_be_divided_among_shared_keys_are_refused(shared, nearest):
    said = f"num_heads 4 cannot be divided among num_kv_heads {shared}; nearest: {nearest}"
    with pytest.raises(ValueError, match=exactly(said)):
        MultiHeadAttention(8, 4, 0.0, num_kv_heads=shared)
