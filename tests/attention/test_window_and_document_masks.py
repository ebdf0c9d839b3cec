"""Sliding windows, packed documents, the fill in half precision, and the causal module under a mask of one's own."""

from collections.abc import Callable

import pytest
import torch
from exactly import exactly
from hypothesis import given
from hypothesis import strategies as st
from torch import Tensor
from torch.testing import assert_close

from attnviz.attention import (
    CausalMultiHeadAttention,
    MaskPolicy,
    causal_mask,
    combine_masks,
    document_mask,
    mask_scores,
    masked_softmax,
    sliding_window_mask,
    softmax_rows,
)

seeds = st.integers(0, 2**16)
sizes = st.integers(1, 7)
documents = st.lists(st.integers(1, 4), max_size=5)
HALVES = pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16], ids=str)
POLICIES = pytest.mark.parametrize("policy", ["zero", "book", "inf"])

Normal = Callable[..., Tensor]


# Windows


def test_that_a_window_of_two_sees_its_own_place_and_one_to_each_side() -> None:
    assert sliding_window_mask(3, 5, 2).int().tolist() == [[1, 1, 0, 0, 0], [1, 1, 1, 0, 0], [0, 1, 1, 1, 0]]


def test_that_a_query_far_beyond_the_keys_sees_none() -> None:
    assert sliding_window_mask(5, 2, 2).int().tolist() == [[1, 1], [1, 1], [0, 1], [0, 0], [0, 0]]


def test_that_a_causal_window_of_three_is_the_last_three_keys() -> None:
    both = combine_masks(sliding_window_mask(5, 5, 3), causal_mask(5, 5))
    assert both is not None
    assert both.int().tolist() == [
        [1, 0, 0, 0, 0],
        [1, 1, 0, 0, 0],
        [1, 1, 1, 0, 0],
        [0, 1, 1, 1, 0],
        [0, 0, 1, 1, 1],
    ]


@given(queries=sizes, keys=sizes, window=st.integers(1, 9))
def test_that_a_window_lets_through_what_is_less_than_it_away(queries: int, keys: int, window: int) -> None:
    mask = sliding_window_mask(queries, keys, window)
    assert mask.dtype == torch.bool
    assert mask.tolist() == [[-window < q - k < window for k in range(keys)] for q in range(queries)]


@given(queries=sizes, keys=sizes)
def test_that_a_window_of_one_is_the_diagonal(queries: int, keys: int) -> None:
    assert torch.equal(sliding_window_mask(queries, keys, 1), torch.eye(queries, keys, dtype=torch.bool))


@given(queries=sizes, keys=sizes, more=st.integers(0, 10**9))
def test_that_a_window_as_long_as_the_longer_side_forbids_nothing(queries: int, keys: int, more: int) -> None:
    assert sliding_window_mask(queries, keys, max(queries, keys) + more).all()


@given(queries=sizes, keys=sizes, window=st.integers(1, 8))
def test_that_a_wider_window_takes_no_cell_away(queries: int, keys: int, window: int) -> None:
    narrow, wide = (sliding_window_mask(queries, keys, w) for w in (window, window + 1))
    assert (wide | ~narrow).all()
    gained = sum(abs(q - k) == window for q in range(queries) for k in range(keys))
    assert int((wide & ~narrow).sum()) == gained


@given(queries=sizes, keys=sizes, window=st.integers(1, 9))
def test_that_a_window_looks_as_far_back_as_ahead(queries: int, keys: int, window: int) -> None:
    assert torch.equal(sliding_window_mask(queries, keys, window), sliding_window_mask(keys, queries, window).T)


@pytest.mark.parametrize("window", [0, -3])
def test_that_a_window_below_one_is_refused_with_the_nearest(window: int) -> None:
    with pytest.raises(ValueError, match=exactly(f"window {window} must be at least 1; nearest: 1")):
        sliding_window_mask(4, 4, window)


# Documents


def test_that_two_documents_and_the_rest_are_three_blocks() -> None:
    assert document_mask([2, 1], 5, 5).int().tolist() == [
        [1, 1, 0, 0, 0],
        [1, 1, 0, 0, 0],
        [0, 0, 1, 0, 0],
        [0, 0, 0, 1, 1],
        [0, 0, 0, 1, 1],
    ]


def test_that_documents_longer_than_the_sequence_are_cut_off_by_it() -> None:
    assert document_mask([1, 9, 4], 2, 3).int().tolist() == [[1, 0, 0], [0, 1, 1]]


@given(lens=documents, queries=sizes, keys=sizes)
def test_that_a_query_sees_the_keys_of_its_own_document_alone(lens: list[int], queries: int, keys: int) -> None:
    numbers = [number for number, length in enumerate(lens) for _ in range(length)]
    numbers += [len(lens)] * max(queries, keys)  # the positions after them are one more document
    mask = document_mask(lens, queries, keys)
    assert mask.dtype == torch.bool
    assert mask.tolist() == [[numbers[q] == numbers[k] for k in range(keys)] for q in range(queries)]


@given(lens=st.lists(st.integers(1, 4), min_size=1, max_size=5))
def test_that_documents_which_fill_the_sequence_are_its_block_diagonal(lens: list[int]) -> None:
    blocks = torch.block_diag(*(torch.ones(length, length) for length in lens)).bool()
    assert torch.equal(document_mask(lens, sum(lens), sum(lens)), blocks)


@given(lens=documents, length=sizes)
def test_that_belonging_to_one_document_is_mutual(lens: list[int], length: int) -> None:
    mask = document_mask(lens, length, length)
    assert torch.equal(mask, mask.T)
    assert mask.diagonal().all()


@given(lens=documents, length=sizes)
def test_that_a_sequence_without_documents_is_one_document(lens: list[int], length: int) -> None:
    assert document_mask([], length, length).all()
    assert document_mask([length, *lens], length, length).all()


@pytest.mark.parametrize(("lens", "least"), [([4, 0, 3], 0), ([1, -2, 0], -2)])
def test_that_a_document_without_a_position_is_refused_with_the_nearest(lens: list[int], least: int) -> None:
    with pytest.raises(ValueError, match=exactly(f"document length {least} must be at least 1; nearest: 1")):
        document_mask(lens, 8, 8)


# The fill in half precision

EMPTY_FIRST = torch.tensor([[[False, False], [True, False]]])


def test_that_the_books_fill_is_minus_infinity_in_float16_and_its_empty_row_no_number() -> None:
    scores = torch.tensor([[[1.0, 2.0], [3.0, 4.0]]], dtype=torch.float16)
    masked = mask_scores(scores, EMPTY_FIRST, "book", upcast=False)
    assert masked.dtype == torch.float16
    assert masked.tolist() == [[[-torch.inf, -torch.inf], [3.0, -torch.inf]]]
    weights = softmax_rows(masked, EMPTY_FIRST, "book")
    assert weights[0, 0].isnan().all()
    assert weights[0, 1].tolist() == [1.0, 0.0]


def test_that_the_books_fill_fits_into_bfloat16_and_its_empty_row_is_even() -> None:
    scores = torch.tensor([[[1.0, 2.0], [3.0, 4.0]]], dtype=torch.bfloat16)
    masked = mask_scores(scores, EMPTY_FIRST, "book", upcast=False)
    assert masked.dtype == torch.bfloat16
    assert float(masked[0, 0, 0]) == pytest.approx(-1e6, rel=2**-8)
    assert softmax_rows(masked, EMPTY_FIRST, "book").tolist() == [[[0.5, 0.5], [1.0, 0.0]]]


@HALVES
@given(seed=seeds, queries=sizes, keys=sizes)
def test_that_upcasting_keeps_the_books_fill_finite(
    normal: Normal, dtype: torch.dtype, seed: int, queries: int, keys: int
) -> None:
    scores = normal(seed, 1, queries, keys, dtype=dtype)
    mask = normal(seed + 1, 1, queries, keys) > 0
    masked = mask_scores(scores, mask, "book")
    assert masked.dtype == torch.float32
    assert torch.equal(masked, torch.where(mask, scores.float(), torch.tensor(-1e6)))
    assert softmax_rows(masked, mask, "book").isfinite().all()


@HALVES
@POLICIES
def test_that_half_precision_stays_as_it_is_when_it_is_not_upcast(dtype: torch.dtype, policy: MaskPolicy) -> None:
    scores = torch.zeros(1, 2, 2, dtype=dtype)
    assert mask_scores(scores, None, policy, upcast=False) is scores
    assert mask_scores(scores, EMPTY_FIRST, policy, upcast=False).dtype == dtype


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64], ids=str)
@POLICIES
def test_that_upcasting_changes_nothing_in_full_precision(
    normal: Normal, dtype: torch.dtype, policy: MaskPolicy
) -> None:
    scores = normal(3, 1, 2, 2, dtype=dtype)
    on, off = (mask_scores(scores, EMPTY_FIRST, policy, upcast=upcast) for upcast in (True, False))
    assert on.dtype == dtype
    assert torch.equal(on, off)


@HALVES
@POLICIES
@pytest.mark.parametrize("upcast", [True, False])
def test_that_the_fill_stops_every_gradient_of_a_forbidden_score(
    dtype: torch.dtype, policy: MaskPolicy, upcast: bool
) -> None:
    scores = torch.tensor([[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]], dtype=dtype, requires_grad=True)
    mask = torch.tensor([[[True, False, True], [False, False, False]]])
    mask_scores(scores, mask, policy, upcast=upcast).nan_to_num(neginf=0.0).sum().backward()
    assert scores.grad is not None
    assert scores.grad.dtype == dtype
    assert scores.grad.tolist() == mask.to(torch.float32).tolist()


@POLICIES
@given(seed=seeds, queries=sizes, keys=sizes, window=st.integers(1, 4))
def test_that_the_gradient_under_a_window_is_that_of_finite_differences(
    normal: Normal, policy: MaskPolicy, seed: int, queries: int, keys: int, window: int
) -> None:
    queries = min(queries, keys)  # beyond the keys a row may be empty, and under "inf" no number
    mask = sliding_window_mask(queries, keys, window)
    scores = normal(seed, 1, queries, keys).requires_grad_()
    assert torch.autograd.gradcheck(lambda s: masked_softmax(s, mask=mask, policy=policy), scores)


# The causal module under a mask of one's own


def made(hiddens: int = 6, context_length: int = 8) -> CausalMultiHeadAttention:
    module = CausalMultiHeadAttention(hiddens, hiddens, context_length, 0.0, 2).double()
    generator = torch.Generator().manual_seed(5)
    with torch.no_grad():
        for parameter in module.parameters():
            parameter.copy_(torch.randn(parameter.shape, generator=generator, dtype=torch.float64))
    return module


@given(seed=seeds, batch=st.integers(1, 3), tokens=sizes, per_item=st.booleans(), with_lens=st.booleans())
def test_that_a_mask_narrows_the_causal_triangle_and_never_widens_it(
    normal: Normal, seed: int, batch: int, tokens: int, per_item: bool, with_lens: bool
) -> None:
    mask = normal(seed, *((batch,) if per_item else ()), tokens, tokens) > -0.5
    lens = torch.randint(0, tokens + 1, (batch,), generator=torch.Generator().manual_seed(seed))
    module = made()
    module.mask_policy = "zero"
    stages = module.stages(normal(seed + 1, batch, tokens, 6), lens if with_lens else None, mask)
    rows, columns = torch.arange(tokens)[:, None], torch.arange(tokens)
    allowed = (mask if per_item else mask[None]) & (columns <= rows)
    if with_lens:
        allowed = allowed & (columns < lens[:, None, None])
    allowed = allowed.expand(batch, tokens, tokens)
    assert stages.mask is not None
    assert torch.equal(stages.mask.expand(batch, 1, tokens, tokens)[:, 0], allowed)
    assert torch.equal(stages.weights > 0, allowed[:, None].expand(batch, 2, tokens, tokens))
    assert_close(stages.weights.sum(dim=-1), allowed.any(dim=-1).double()[:, None].expand(batch, 2, tokens))


@given(seed=seeds, tokens=sizes)
def test_that_a_mask_which_allows_all_leaves_the_causal_output_as_it_was(
    normal: Normal, seed: int, tokens: int
) -> None:
    x, module = normal(seed, 2, tokens, 6), made()
    everything = torch.ones(tokens, tokens, dtype=torch.bool)
    with torch.no_grad():
        assert torch.equal(module(x, mask=everything), module(x))


@given(seed=seeds, tokens=st.integers(1, 4))
def test_that_documents_packed_into_one_causal_sequence_come_out_as_each_alone(
    normal: Normal, seed: int, tokens: int
) -> None:
    one, other, module = normal(seed, 2, tokens, 6), normal(seed + 1, 2, 4, 6), made()
    with torch.no_grad():
        packed = module(torch.cat([one, other], dim=1), mask=document_mask([tokens], tokens + 4, tokens + 4))
        assert_close(packed, torch.cat([module(one), module(other)], dim=1))


def test_that_a_mask_of_another_shape_is_refused_with_both_shapes(normal: Normal) -> None:
    with pytest.raises(ValueError, match=exactly("mask has shape (3, 4); needed (3, 3) or (2, 3, 3)")):
        made()(normal(0, 2, 3, 6), mask=torch.ones(3, 4, dtype=torch.bool))
