import math

import pytest
import torch
from exactly import exactly
from hypothesis import given
from hypothesis import strategies as st
from torch.testing import assert_close

from attnviz.attention import (
    causal_mask,
    combine_masks,
    mask_scores,
    masked_softmax,
    sequence_mask,
    softmax_rows,
    valid_lens_mask,
)

seeds = st.integers(0, 2**16)
sizes = st.integers(1, 6)
dtypes = st.sampled_from([torch.float16, torch.bfloat16, torch.float32, torch.float64])
policies = pytest.mark.parametrize("policy", ["zero", "book", "inf"])


# Masks


def test_that_one_length_per_sequence_holds_for_each_of_its_queries():
    mask = valid_lens_mask(torch.tensor([1, 3]), num_queries=2, num_keys=4)
    assert mask.int().tolist() == [[[1, 0, 0, 0], [1, 0, 0, 0]], [[1, 1, 1, 0], [1, 1, 1, 0]]]


def test_that_one_length_per_query_holds_for_that_query_alone():
    mask = valid_lens_mask(torch.tensor([[1, 3], [2, 4]]), num_queries=2, num_keys=4)
    assert mask.int().tolist() == [[[1, 0, 0, 0], [1, 1, 1, 0]], [[1, 1, 0, 0], [1, 1, 1, 1]]]


@given(batch=sizes, queries=sizes, keys=sizes, data=st.data())
def test_that_key_k_counts_exactly_when_k_is_below_the_length(batch, queries, keys, data):
    length = st.integers(0, keys)
    rows = data.draw(
        st.lists(st.lists(length, min_size=queries, max_size=queries), min_size=batch, max_size=batch), label="lens"
    )
    mask = valid_lens_mask(torch.tensor(rows), queries, keys)
    assert mask.tolist() == [[[k < n for k in range(keys)] for n in row] for row in rows]


def test_that_the_causal_diagonal_starts_at_the_top_left_when_there_are_more_keys_than_queries():
    assert causal_mask(2, 4).int().tolist() == [[1, 0, 0, 0], [1, 1, 0, 0]]


def test_that_the_causal_diagonal_starts_at_the_top_left_when_there_are_more_queries_than_keys():
    assert causal_mask(4, 2).int().tolist() == [[1, 0], [1, 1], [1, 1], [1, 1]]


@given(queries=sizes, keys=sizes)
def test_that_a_causal_query_sees_the_keys_up_to_its_own_place(queries, keys):
    mask = causal_mask(queries, keys)
    assert mask.dtype == torch.bool
    assert mask.tolist() == [[k <= q for k in range(keys)] for q in range(queries)]


def test_that_combined_masks_allow_what_each_of_them_allows():
    left, right = torch.tensor([True, True, False, False]), torch.tensor([True, False, True, False])
    assert combine_masks(left, None, right).tolist() == [True, False, False, False]


def test_that_combining_nothing_leaves_everything_allowed():
    assert combine_masks() is None
    assert combine_masks(None, None) is None


def test_that_sequence_mask_fills_from_the_length_on_and_spares_its_input():
    x = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
    assert sequence_mask(x, torch.tensor([1, 2])).tolist() == [[1, 0, 0], [4, 5, 0]]
    assert sequence_mask(x, torch.tensor([0, 3]), value=-7).tolist() == [[-7, -7, -7], [4, 5, 6]]
    assert x.tolist() == [[1, 2, 3], [4, 5, 6]]


def test_that_sequence_mask_fills_whole_positions_of_longer_shapes():
    filled = sequence_mask(torch.ones(2, 3, 2, 2), torch.tensor([1, 2]))
    assert filled.sum(dim=(2, 3)).tolist() == [[4, 0, 0], [4, 4, 0]]


# The softmax under a mask


def test_that_two_keys_an_ln_3_apart_share_a_row_one_to_three():
    # exp(0) = 1 and exp(ln 3) = 3, so 1 / 4 and 3 / 4; the third key, by far the largest score, is masked.
    scores = torch.tensor([[[0.0, math.log(3), 50.0]]], dtype=torch.float64)
    assert_close(masked_softmax(scores, torch.tensor([2])), torch.tensor([[[1 / 4, 3 / 4, 0.0]]], dtype=torch.float64))


@pytest.mark.parametrize("lens", [[2, 3], [[1, 3], [2, 4]]], ids=["per sequence", "per query"])
@policies
def test_that_the_books_rows_are_a_softmax_over_their_first_keys(normal, lens, policy):
    scores = normal(0, 2, 2, 4)
    weights = masked_softmax(scores, torch.tensor(lens), policy=policy)
    for batch, per_query in enumerate([[n, n] if isinstance(n, int) else n for n in lens]):
        for query, length in enumerate(per_query):
            assert_close(weights[batch, query, :length], scores[batch, query, :length].softmax(dim=0))
            assert weights[batch, query, length:].tolist() == [0.0] * (4 - length)


@policies
@given(seed=seeds, batch=sizes, queries=sizes, keys=sizes, dtype=dtypes)
def test_that_a_row_with_a_key_sums_to_one_and_its_masked_keys_weigh_exactly_zero(
    normal, masks, policy, seed, batch, queries, keys, dtype
):
    scores, case = 3 * normal(seed, batch, queries, keys, dtype=dtype), masks(seed, batch, queries, keys)
    weights = masked_softmax(scores, case.lens, mask=case.mask, policy=policy)
    assert weights.dtype == dtype
    assert weights.shape == scores.shape
    assert not weights[~case.allowed].any()
    rounding = keys * torch.finfo(dtype).eps
    assert_close(weights.double().sum(dim=-1), torch.ones(batch, queries).double(), rtol=0, atol=rounding)


@given(seed=seeds, batch=sizes, queries=sizes, keys=sizes)
def test_that_weights_are_exponentials_over_the_sum_of_the_allowed_ones(normal, masks, seed, batch, queries, keys):
    scores, case = normal(seed, batch, queries, keys), masks(seed, batch, queries, keys, shortest=0)
    weights = masked_softmax(scores, case.lens, mask=case.mask)
    for row, allowed, got in zip(scores.flatten(0, 1), case.allowed.flatten(0, 1), weights.flatten(0, 1), strict=True):
        powers = [math.exp(s) if ok else 0.0 for s, ok in zip(row.tolist(), allowed.tolist(), strict=True)]
        assert got.tolist() == pytest.approx([p / (sum(powers) or 1.0) for p in powers])


@pytest.mark.parametrize(
    ("policy", "empty_row"),
    [("zero", [0.0] * 4), ("book", [0.25] * 4), ("inf", [math.nan] * 4)],
)
@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16, torch.float32, torch.float64], ids=str)
def test_that_a_row_without_a_key_becomes_what_its_policy_says(normal, policy, empty_row, dtype):
    scores = normal(1, 2, 3, 4, dtype=dtype)
    weights = masked_softmax(scores, torch.tensor([[2, 0, 4], [1, 1, 3]]), policy=policy)
    assert weights[0, 1].tolist() == pytest.approx(empty_row, nan_ok=True, abs=0)
    others = torch.ones(2, 3, dtype=torch.bool)
    others[0, 1] = False
    assert_close(weights[others].float().sum(dim=-1), torch.ones(5), rtol=0, atol=0.02)


@policies
def test_that_the_caller_keeps_its_scores_mask_and_lengths(normal, policy):
    scores, lens, mask = normal(2, 2, 3, 4), torch.tensor([0, 3]), causal_mask(3, 4)
    before = scores.clone(), lens.clone(), mask.clone()
    masked_softmax(scores, lens, mask=mask, policy=policy)
    assert all(torch.equal(now, then) for now, then in zip((scores, lens, mask), before, strict=True))


@given(seed=seeds, batch=sizes, heads=sizes, queries=sizes, keys=sizes)
def test_that_every_head_gets_the_mask_of_its_own_sequence(normal, masks, seed, batch, heads, queries, keys):
    scores, case = normal(seed, batch, heads, queries, keys), masks(seed, batch, queries, keys, shortest=0)
    together = masked_softmax(scores, case.lens, mask=case.mask)
    for head in range(heads):
        assert_close(together[:, head], masked_softmax(scores[:, head], case.lens, mask=case.mask))


@given(seed=seeds, shift=st.floats(-50, 50))
def test_that_adding_one_number_to_a_whole_row_changes_no_weight(normal, seed, shift):
    scores, lens = normal(seed, 2, 3, 4), torch.tensor([0, 3])
    assert_close(masked_softmax(scores + shift, lens), masked_softmax(scores, lens), rtol=0, atol=1e-12)


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16], ids=str)
def test_that_half_precision_is_softmaxed_as_float32_and_rounded_once(normal, dtype):
    scores, lens = 4 * normal(3, 2, 5, 40, dtype=dtype), torch.tensor([40, 17])
    assert mask_scores(scores, None).dtype == torch.float32
    assert torch.equal(masked_softmax(scores, lens), masked_softmax(scores.float(), lens).to(dtype))


@pytest.mark.parametrize(("policy", "fill"), [("zero", -math.inf), ("book", -1e6), ("inf", -math.inf)])
def test_that_a_forbidden_score_shows_the_fill_of_its_policy(policy, fill):
    scores, mask = torch.tensor([[[1.0, 2.0]]]), torch.tensor([[[True, False]]])
    assert mask_scores(scores, mask, policy).tolist() == [[[1.0, fill]]]
    assert scores.tolist() == [[[1.0, 2.0]]]


def test_that_scores_with_nothing_forbidden_pass_through_uncopied(normal):
    scores = normal(4, 1, 2, 3)
    assert mask_scores(scores, None) is scores


def test_that_an_empty_row_sends_back_zeros_and_leaves_the_other_gradients_alone(normal):
    scores, upstream = normal(5, 2, 2, 4), normal(6, 2, 2, 4)
    mask = valid_lens_mask(torch.tensor([[0, 3], [2, 4]]), 2, 4)
    leaf = scores.clone().requires_grad_()
    softmax_rows(mask_scores(leaf, mask), mask).backward(upstream)
    alone = scores[:, 1].clone().requires_grad_()
    softmax_rows(mask_scores(alone, mask[:, 1]), mask[:, 1]).backward(upstream[:, 1])
    assert leaf.grad[~mask].tolist() == [0.0] * int((~mask).sum())
    assert_close(leaf.grad[:, 1], alone.grad)


def test_that_an_empty_row_is_clean_on_the_way_back_even_before_the_mask_is_undone():
    mask = torch.tensor([[[False, False], [True, False]]])
    masked_scores = torch.tensor([[[-torch.inf, -torch.inf], [1.0, -torch.inf]]], requires_grad=True)
    softmax_rows(masked_scores, mask).backward(torch.tensor([[[1.0, 2.0], [3.0, 4.0]]]))
    assert masked_scores.grad.tolist() == [[[0, 0], [0, 0]]]


def test_that_a_score_which_is_not_a_number_is_shown_and_not_swept_under_zero():
    scores = torch.tensor([[[math.nan, 1.0], [0.0, 1.0]]])
    weights = masked_softmax(scores, torch.tensor([[2, 0]]))
    assert weights.tolist() == [[pytest.approx([math.nan] * 2, nan_ok=True), [0, 0]]]


def test_that_the_gradient_under_any_mask_is_that_of_finite_differences(normal, masks):
    case = masks(7, 2, 2, 3, shortest=0)
    scores = normal(7, 2, 2, 3).requires_grad_()
    assert torch.autograd.gradcheck(lambda s: masked_softmax(s, case.lens, mask=case.mask), scores)


# What is refused, and the sentence that says so


@pytest.mark.parametrize(
    ("lens", "sentence"),
    [
        ([3, 9], "valid length 9 is more than the 6 keys; nearest: 6"),
        ([3, -1], "valid length -1 is negative; nearest: 0"),
        ([[3, 1, 1], [1, 1, 9]], "valid_lens has shape (2, 3); needed (batch,) or (batch, 4)"),
        ([[[3]], [[1]]], "valid_lens has shape (2, 1, 1); needed (batch,) or (batch, 4)"),
        (
            [3, 2, 1],
            "valid_lens of shape (3,) does not fit scores of shape (2, 4, 6); "
            "needed (batch, ..., queries, keys) with one length per batch item or query",
        ),
    ],
)
def test_that_lengths_which_do_not_fit_the_scores_are_refused_with_the_numbers(lens, sentence):
    with pytest.raises(ValueError, match=exactly(sentence)):
        masked_softmax(torch.zeros(2, 4, 6), torch.tensor(lens))


def test_that_a_length_per_query_is_refused_by_the_same_sentence_as_one_per_sequence():
    with pytest.raises(ValueError, match=exactly("valid length 9 is more than the 6 keys; nearest: 6")):
        valid_lens_mask(torch.tensor([[1, 9]]), num_queries=2, num_keys=6)


@pytest.mark.parametrize("lens", [[0, 0], [6, 6]], ids=["none", "all"])
def test_that_the_lengths_at_both_ends_are_allowed(lens):
    assert valid_lens_mask(torch.tensor(lens), 4, 6).sum(dim=-1).tolist() == [[n] * 4 for n in lens]


@pytest.mark.parametrize(
    ("lens", "sentence"),
    [
        ([1], "valid_lens has shape (1,), but x has 2 sequences; needed (2,)"),
        ([[1, 1]], "valid_lens has shape (1, 2), but x has 2 sequences; needed (2,)"),
        ([1, 4], "valid length 4 is more than the 3 keys; nearest: 3"),
        ([1, -2], "valid length -2 is negative; nearest: 0"),
    ],
)
def test_that_sequence_mask_refuses_lengths_which_do_not_fit_with_the_numbers(lens, sentence):
    with pytest.raises(ValueError, match=exactly(sentence)):
        sequence_mask(torch.zeros(2, 3), torch.tensor(lens))
