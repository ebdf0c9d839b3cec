"""Several learned w: each head predicts with its own, and shares that are learned too average them."""

import math

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch.testing import assert_close

from attnviz.attention import NadarayaWatson, kernel_weights, leave_one_out, predict

seeds = st.integers(0, 2**16)
counts = st.integers(1, 8)


def heads(*w, mixture=None):
    return NadarayaWatson(torch.tensor(w).double(), None if mixture is None else torch.tensor(mixture).double())


def without(x):
    """Return (K, K - 1): row i lacks the i-th, the textbook's way to leave one out."""
    return torch.stack([torch.cat([x[:i], x[i + 1 :]]) for i in range(len(x))])


def summed_loss(net, x, y, *, left_out):
    return (net(x, x, y, leave_one_out(torch.arange(len(x)), len(x)) if left_out else None) - y).square().sum()


def test_that_two_heads_worked_by_hand_come_out():
    # Distances 0 and 1. w = sqrt(2 ln 3): 3/4 and 1/4; w = sqrt(2 ln 9): 9/10 and 1/10. Shares 2/3 and 1/3.
    net = heads(math.sqrt(2 * math.log(3)), math.sqrt(2 * math.log(9)), mixture=[math.log(2), 0.0])
    q, k, v = (torch.tensor(x).double() for x in ([1.0], [1.0, 2.0], [4.0, 8.0]))
    stages = net.stages(q, k)
    assert net.shares().tolist() == pytest.approx([2 / 3, 1 / 3])
    assert stages.head_kernel_values.flatten().tolist() == pytest.approx([1, 1 / 3, 1, 1 / 9])
    assert stages.head_weights.flatten().tolist() == pytest.approx([3 / 4, 1 / 4, 9 / 10, 1 / 10])
    assert stages.weights.tolist() == [pytest.approx([4 / 5, 1 / 5])]
    assert net(q, k, v).tolist() == pytest.approx([2 / 3 * 5 + 1 / 3 * 4.4])


@given(seed=seeds, queries=counts, keys=counts, count=st.integers(2, 5))
def test_that_heads_are_averaged_by_their_shares(normal, seed, queries, keys, count):
    q, k, v = normal(seed, queries), normal(seed + 1, keys), normal(seed + 2, keys)
    w, mixture = 2 * normal(seed + 3, count), normal(seed + 4, count)
    net = NadarayaWatson(w, mixture)
    shares = mixture.exp() / mixture.exp().sum()
    assert_close(net.shares(), shares)
    stages = net.stages(q, k)
    alone = torch.stack([NadarayaWatson(each).weights(q, k) for each in w])
    assert torch.equal(stages.head_weights, alone)
    assert_close(stages.weights, sum(share * one for share, one in zip(shares, alone, strict=True)))
    assert_close(stages.weights.sum(dim=-1), torch.ones(queries).double())
    assert_close(net(q, k, v), sum(share * (one @ v) for share, one in zip(shares, alone, strict=True)))
    assert_close(net(q, k, v), predict(stages.weights, v))
    assert torch.equal(net.weights(q, k), stages.weights)


@given(seed=seeds, queries=counts, keys=counts, w=st.floats(-3, 3))
def test_that_heads_of_one_w_are_one_head_whatever_their_shares(normal, seed, queries, keys, w):
    q, k, v = normal(seed, queries), normal(seed + 1, keys), normal(seed + 2, keys)
    assert_close(heads(w, w, w, mixture=[1.0, -2.0, 0.3])(q, k, v), heads(w)(q, k, v))


def test_that_shares_start_even_and_one_head_learns_its_w_alone():
    assert heads(0.1, 0.2, 0.3, 0.4).shares().tolist() == pytest.approx([1 / 4] * 4)
    one, three = NadarayaWatson(0.5), heads(0.1, 0.2, 0.3)
    assert (one.shares().tolist(), len(one.learned)) == ([1.0], 1)
    assert one.learned[0] is one.w
    assert [each.shape for each in three.learned] == [(3,), (3,)]
    assert three.learned[1] is three.mixture


@pytest.mark.parametrize("w", [0.2, 1.0, 6.0])
def test_that_leaving_out_by_a_mask_is_leaving_out_as_the_textbook_does(book, w):
    x, y = book.x_train, book.y_train
    for net in (heads(w), heads(w, 2 * w, 0.5, mixture=[0.2, -0.4, 1.0])):
        textbook = (net(x, without(x), without(y)) - y).square().sum()
        masked = summed_loss(net, x, y, left_out=True)
        assert masked.item() == pytest.approx(textbook.item(), rel=1e-12)
        # The gradients too.
        for here, there in zip(
            torch.autograd.grad(masked, net.learned), torch.autograd.grad(textbook, net.learned), strict=True
        ):
            assert_close(here, there, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("kernel", ["gaussian", "boxcar", "epanechnikov", "triangular", "constant"])
def test_that_every_kernel_leaves_out_by_a_mask_as_the_textbook_does(book, kernel):
    x = book.x_train
    weights = kernel_weights(x, x, kernel, 0.4, mask=leave_one_out(torch.arange(50), 50))
    assert (weights.diagonal() == 0).all()
    for row, others in enumerate(without(x)):
        alone = kernel_weights(x[row : row + 1], others, kernel, 0.4)[0]
        assert_close(torch.cat([weights[row, :row], weights[row, row + 1 :]]), alone, rtol=1e-12, atol=1e-15)


@pytest.mark.parametrize("left_out", [True, False])
def test_that_the_gradients_of_w_and_mixture_are_those_of_finite_differences(book, left_out):
    x, y = book.x_train, book.y_train
    w, mixture = torch.tensor([0.4, 1.3, 3.0]).double(), torch.tensor([0.5, -0.2, 0.1]).double()
    net = NadarayaWatson(w, mixture)
    found = torch.cat(torch.autograd.grad(summed_loss(net, x, y, left_out=left_out), net.learned))
    numbers, step = torch.cat([w, mixture]), 1e-5
    for place in range(6):
        moved = [
            numbers.clone().index_add_(0, torch.tensor([place]), torch.tensor([s]).double()) for s in (step, -step)
        ]
        above, below = (summed_loss(NadarayaWatson(n[:3], n[3:]), x, y, left_out=left_out).item() for n in moved)
        assert found[place].item() == pytest.approx((above - below) / (2 * step), rel=1e-6, abs=1e-8)
