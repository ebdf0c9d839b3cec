import math

import pytest
import torch
from exactly import exactly
from hypothesis import given
from hypothesis import strategies as st
from torch.nn.functional import scaled_dot_product_attention
from torch.testing import assert_close

from attnviz.attention import AdditiveAttention, DotProductAttention, scaled_dot_product_scores

seeds = st.integers(0, 2**16)
sizes = st.integers(1, 6)
BOOK_OUTPUT = torch.tensor([[[2.0, 3.0, 4.0, 5.0]], [[10.0, 11.0, 12.0, 13.0]]])


@pytest.fixture
def book_keys_values():
    """Ten equal keys per sequence, values 0..39 for both, and lengths 2 and 6."""
    return torch.ones(2, 10, 2), torch.arange(40.0).reshape(1, 10, 4).repeat(2, 1, 1), torch.tensor([2, 6])


def assert_even_over(weights, lens):
    rows = [[1 / n] * n + [0.0] * (10 - n) for n in lens]
    assert_close(weights, torch.tensor(rows).reshape(weights.shape))


# The book's numbers


def test_that_dot_product_attention_gives_the_books_output(normal, book_keys_values):
    attention = DotProductAttention(dropout=0.5).eval()
    stages = attention.stages(normal(0, 2, 1, 2, dtype=torch.float32), *book_keys_values)
    assert_close(stages.output, BOOK_OUTPUT)
    assert_even_over(stages.weights, [2, 6])


def test_that_additive_attention_gives_the_books_output(normal, book_keys_values):
    attention = AdditiveAttention(num_hiddens=8, dropout=0.1).eval()
    stages = attention.stages(normal(0, 2, 1, 20, dtype=torch.float32), *book_keys_values)
    assert_close(stages.output, BOOK_OUTPUT)
    assert_even_over(stages.weights, [2, 6])


# Cases worked by hand


@pytest.mark.parametrize(
    ("options", "weights", "output"),
    [
        # d = 4, q . k is 2 ln 3 and 0; over sqrt(4): ln 3 and 0; exp: 3 and 1; 3/4 * 4 + 1/4 * 8 = 5.
        ({}, [3 / 4, 1 / 4], 5.0),
        # Not scaled: exp(2 ln 3) = 9 and 1; 9/10 * 4 + 1/10 * 8 = 4.4.
        ({"scaled": False}, [9 / 10, 1 / 10], 4.4),
        # Temperature 1/2 undoes the sqrt(4): 9 and 1 again.
        ({"temperature": 0.5}, [9 / 10, 1 / 10], 4.4),
        # Temperature 2 without sqrt(4): ln 3 and 0 again.
        ({"scaled": False, "temperature": 2.0}, [3 / 4, 1 / 4], 5.0),
    ],
    ids=["scaled", "unscaled", "cold", "unscaled and warm"],
)
def test_that_two_tokens_worked_by_hand_come_out_of_dot_product_attention(options, weights, output):
    queries = torch.tensor([[[2.0, 0.0, 0.0, 5.0]]], dtype=torch.float64)
    keys = torch.tensor([[[math.log(3), 0.0, 0.0, 0.0], [0.0, 3.0, 1.0, 0.0]]], dtype=torch.float64)
    values = torch.tensor([[[4.0], [8.0]]], dtype=torch.float64)
    stages = DotProductAttention(**options).stages(queries, keys, values)
    assert stages.weights.flatten().tolist() == pytest.approx(weights)
    assert stages.output.item() == pytest.approx(output)


def test_that_two_tokens_worked_by_hand_come_out_of_additive_attention():
    # W_q = (1, 2), W_k = ((1, 0), (0, 1)), w_v = (4 ln 3, 2 ln 3). With a = artanh(1/2) and q = a:
    #   key (0, -2a):  tanh(a + 0) = 1/2, tanh(2a - 2a) = 0;    score 4 ln 3 / 2 + 0 = 2 ln 3
    #   key (-a, -a):  tanh(a - a) = 0,   tanh(2a - a) = 1/2;   score 0 + 2 ln 3 / 2 = ln 3
    #   exp: 9 and 3; 9/12 * 4 + 3/12 * 8 = 5.
    a = math.atanh(0.5)
    attention = AdditiveAttention(2, query_size=1, key_size=2).double()
    with torch.no_grad():
        attention.W_q.weight.copy_(torch.tensor([[1.0], [2.0]]))
        attention.W_k.weight.copy_(torch.eye(2))
        attention.w_v.weight.copy_(torch.tensor([[4.0, 2.0]]).double() * math.log(3))
    queries, keys = torch.tensor([[[a]]]).double(), torch.tensor([[[0.0, -2 * a], [-a, -a]]]).double()
    stages = attention.stages(queries, keys, torch.tensor([[[4.0], [8.0]]]).double())
    assert stages.scores.flatten().tolist() == pytest.approx([2 * math.log(3), math.log(3)])
    assert stages.weights.flatten().tolist() == pytest.approx([3 / 4, 1 / 4])
    assert stages.output.item() == pytest.approx(5.0)


# Dot-product attention is torch's own


@pytest.mark.parametrize("dtype", [torch.float64, torch.float32, torch.bfloat16, torch.float16], ids=str)
@given(seed=seeds, batch=sizes, queries=sizes, keys=sizes, size=sizes, temperature=st.sampled_from([1.0, 0.5, 3.0]))
def test_that_dot_product_attention_is_torchs_own(normal, masks, dtype, seed, batch, queries, keys, size, temperature):
    q, k = normal(seed, batch, queries, size, dtype=dtype), normal(seed + 1, batch, keys, size, dtype=dtype)
    v, case = normal(seed + 2, batch, keys, 3, dtype=dtype), masks(seed, batch, queries, keys)
    ours = DotProductAttention(temperature=temperature)(q, k, v, case.lens, case.mask)
    scale = 1 / (temperature * math.sqrt(size))
    theirs = scaled_dot_product_attention(q.double(), k.double(), v.double(), case.allowed, scale=scale)
    assert ours.dtype == dtype
    rounding = 16 * torch.finfo(dtype).eps * float(v.abs().max())
    assert_close(ours.double(), theirs, rtol=0, atol=rounding)


@pytest.mark.parametrize(("queries", "keys"), [(4, 4), (2, 5), (5, 2)])
def test_that_a_causal_mask_is_torchs_is_causal(normal, queries, keys):
    q, k, v = normal(0, 2, queries, 3), normal(1, 2, keys, 3), normal(2, 2, keys, 3)
    triangle = torch.ones(queries, keys, dtype=torch.bool).tril()
    assert_close(DotProductAttention()(q, k, v, mask=triangle), scaled_dot_product_attention(q, k, v, is_causal=True))


# The scores


@given(seed=seeds, batch=sizes, queries=sizes, keys=sizes, hiddens=sizes, query_size=sizes, key_size=sizes)
def test_that_an_additive_score_is_its_formula_for_every_pair(
    normal, seed, batch, queries, keys, hiddens, query_size, key_size
):
    attention = AdditiveAttention(hiddens, query_size=query_size, key_size=key_size).double()
    q, k = normal(seed, batch, queries, query_size), normal(seed + 1, batch, keys, key_size)
    stages = attention.stages(q, k, normal(seed + 2, batch, keys, 2))
    W_q, W_k, w_v = attention.W_q.weight, attention.W_k.weight, attention.w_v.weight[0]
    for b in range(batch):
        pairs = [[w_v @ torch.tanh(W_q @ q[b, i] + W_k @ k[b, j]) for j in range(keys)] for i in range(queries)]
        assert_close(stages.scores[b, 0], torch.stack([torch.stack(row) for row in pairs]))


def test_that_a_temperature_divides_the_additive_scores(normal):
    q, k, v = normal(0, 2, 3, 4), normal(1, 2, 5, 4), normal(2, 2, 5, 4)
    plain = AdditiveAttention(6, query_size=4, key_size=4).double()
    warm = AdditiveAttention(6, query_size=4, key_size=4, temperature=2.0).double()
    warm.load_state_dict(plain.state_dict())
    assert_close(warm.stages(q, k, v).scores * 2, plain.stages(q, k, v).scores)


def test_that_additive_attention_learns_no_bias():
    assert set(dict(AdditiveAttention(3, query_size=4, key_size=5).named_parameters())) == {
        "W_q.weight",
        "W_k.weight",
        "w_v.weight",
    }


@pytest.mark.parametrize("size", [4, 64, 256])
def test_that_dividing_by_sqrt_d_keeps_the_variance_of_a_score_at_one(normal, size):
    q, k = normal(7, 300, size), normal(8, 300, size)
    assert scaled_dot_product_scores(q, k).var().item() == pytest.approx(1, rel=0.15)
    assert scaled_dot_product_scores(q, k, scaled=False).var().item() == pytest.approx(size, rel=0.15)


@pytest.mark.parametrize("options", [{}, {"scaled": False}, {"temperature": 2.0}], ids=str)
def test_that_scoring_leaves_queries_and_keys_as_they_were(normal, options):
    q, k = normal(0, 2, 3, 4), normal(1, 2, 5, 4)
    before = q.clone(), k.clone()
    scores = scaled_dot_product_scores(q, k, **options)
    assert scores.shape == (2, 3, 5)
    assert torch.equal(q, before[0])
    assert torch.equal(k, before[1])


# Sizes


@given(seed=seeds, query_size=sizes, key_size=sizes)
def test_that_additive_sizes_inferred_from_a_call_are_the_given_ones(normal, seed, query_size, key_size):
    inputs = normal(seed, 2, 3, query_size), normal(seed + 1, 2, 4, key_size), normal(seed + 2, 2, 4, 5)
    given_sizes = AdditiveAttention(6, query_size=query_size, key_size=key_size).double()
    inferred = AdditiveAttention(6).double()
    inferred(*inputs)
    assert (inferred.W_q.in_features, inferred.W_k.in_features) == (query_size, key_size)
    inferred.load_state_dict(given_sizes.state_dict())
    assert torch.equal(inferred(*inputs), given_sizes(*inputs))


def test_that_queries_and_keys_of_different_size_have_no_dot_product():
    sentence = "queries of size 3 and keys of size 4 have no dot product; use equal sizes, or additive attention"
    with pytest.raises(ValueError, match=exactly(sentence)):
        DotProductAttention()(torch.zeros(2, 1, 3), torch.zeros(2, 5, 4), torch.zeros(2, 5, 4))


@pytest.mark.parametrize("given_first", [True, False], ids=["given", "inferred"])
@pytest.mark.parametrize(
    ("query_size", "key_size", "sentence"),
    [
        (20, 3, "key_size is 2, but the input's size is 3"),
        (19, 2, "query_size is 20, but the input's size is 19"),
    ],
)
def test_that_additive_attention_names_its_size_and_the_inputs(given_first, query_size, key_size, sentence):
    attention = AdditiveAttention(8, query_size=20, key_size=2) if given_first else AdditiveAttention(8)
    attention(torch.zeros(2, 1, 20), torch.zeros(2, 10, 2), torch.zeros(2, 10, 4))
    with pytest.raises(ValueError, match=exactly(sentence)):
        attention(torch.zeros(2, 1, query_size), torch.zeros(2, 10, key_size), torch.zeros(2, 10, 4))
