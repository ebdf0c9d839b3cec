"""What a row holds that no training point reaches, and what a mask takes out of the others."""

import math

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch.testing import assert_close

from attnviz.attention import kernel_stages, kernel_values, kernel_weights, predict

seeds = st.integers(0, 2**16)
short_kernels = pytest.mark.parametrize("kernel", ["boxcar", "epanechnikov", "triangular"])
kernels = pytest.mark.parametrize("kernel", ["gaussian", "boxcar", "epanechnikov", "triangular", "constant"])
policies = pytest.mark.parametrize(
    ("policy", "filled", "predicted"), [("zero", 0.0, math.nan), ("book", 1 / 4, 5.0), ("inf", math.nan, math.nan)]
)

# Queries 0 and 10, keys 0, 1/2, 3 and 4, values 2, 4, 6 and 8 (their mean is 5); width 1 reaches from 0 to 1/2 alone.
QUERIES, KEYS = torch.tensor([0.0, 10.0]).double(), torch.tensor([0.0, 0.5, 3.0, 4.0]).double()
VALUES = torch.tensor([2.0, 4.0, 6.0, 8.0]).double()
NEAR = {"boxcar": [1 / 2, 1 / 2, 0, 0], "epanechnikov": [4 / 7, 3 / 7, 0, 0], "triangular": [2 / 3, 1 / 3, 0, 0]}


@short_kernels
@policies
def test_that_a_row_which_nothing_reaches_is_filled_as_the_policy_says_and_no_other_row(
    kernel, policy, filled, predicted
):
    weights = kernel_weights(QUERIES, KEYS, kernel, 1.0, policy=policy)
    assert weights[0].tolist() == pytest.approx(NEAR[kernel])
    assert weights[1].tolist() == pytest.approx([filled] * 4, nan_ok=True)
    near = sum(weight * value for weight, value in zip(NEAR[kernel], [2, 4, 6, 8], strict=True))
    assert predict(weights, VALUES).tolist() == pytest.approx([near, predicted], nan_ok=True)


@short_kernels
@policies
def test_that_a_row_which_a_mask_empties_is_filled_as_the_policy_says(kernel, policy, filled, predicted):
    mask = torch.tensor([[False, False, True, True], [True] * 4])
    weights = kernel_weights(QUERIES[[0, 0]], KEYS, kernel, 1.0, policy=policy, mask=mask)
    assert weights[0].tolist() == pytest.approx([filled] * 4, nan_ok=True)
    assert weights[1].tolist() == pytest.approx(NEAR[kernel])


def test_that_a_mask_worked_by_hand_comes_out():
    mask = torch.tensor([[True, False, True, True]])
    # triangular at width 4: heights 1, 7/8, 1/4 and 0; without the second 1 / (5/4) and (1/4) / (5/4).
    weights = kernel_weights(QUERIES[:1], KEYS, "triangular", 4.0, mask=mask)
    assert weights.tolist() == [pytest.approx([4 / 5, 0, 1 / 5, 0])]
    # gaussian: u²/2 = 0, 1/8, 9/2 and 8.
    heights = [1, 0, math.exp(-9 / 2), math.exp(-8)]
    weights = kernel_weights(QUERIES[:1], KEYS, "gaussian", 1.0, mask=mask)
    assert weights.tolist() == [pytest.approx([height / sum(heights) for height in heights])]


@kernels
@given(seed=seeds, queries=st.integers(1, 6), keys=st.integers(2, 8), width=st.floats(0.3, 3))
def test_that_what_is_masked_out_counts_as_if_it_were_not_there(normal, kernel, seed, queries, keys, width):
    q, k = normal(seed, queries), normal(seed + 1, keys)
    mask = normal(seed + 2, queries, keys) > -0.5
    mask[:, 0] = True
    weights = kernel_weights(q, k, kernel, width, mask=mask)
    assert (weights[~mask] == 0).all()
    for row, allowed in enumerate(mask):
        alone = kernel_weights(q[row : row + 1], k[allowed], kernel, width)[0]
        assert_close(weights[row][allowed], alone, rtol=1e-12, atol=1e-15)


@kernels
def test_that_a_mask_takes_no_height_away(normal, kernel):
    q, k = normal(0, 4), normal(1, 5)
    mask = torch.eye(4, 5) == 0
    stages = kernel_stages(q, k, kernel, 0.7, mask=mask)
    assert torch.equal(stages.kernel_values, kernel_values(q, k, kernel, 0.7))
    assert torch.equal(stages.weights, kernel_weights(q, k, kernel, 0.7, mask=mask))


@kernels
def test_that_a_mask_which_allows_everything_moves_no_bit(normal, kernel):
    q, k = normal(0, 4), normal(1, 5)
    everything = torch.ones(4, 5, dtype=torch.bool)
    assert torch.equal(kernel_weights(q, k, kernel, 0.7, mask=everything), kernel_weights(q, k, kernel, 0.7))
