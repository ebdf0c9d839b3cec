import math

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch.testing import assert_close

from attnviz.attention import NadarayaWatson, kernel_stages, kernel_values, kernel_weights

seeds = st.integers(0, 2**16)
counts = st.integers(1, 8)
kernels = pytest.mark.parametrize("kernel", ["gaussian", "boxcar", "epanechnikov", "triangular", "constant"])
dtypes = pytest.mark.parametrize("dtype", [torch.float32, torch.float64], ids=str)


# Cases worked by hand


@pytest.mark.parametrize(
    ("kernel", "heights"),
    [
        # Keys 0, 1, 2 and 4 seen from 1 with width 2: u = 1/2, 0, -1/2 and -3/2.
        ("gaussian", [math.exp(-1 / 8), 1.0, math.exp(-1 / 8), math.exp(-9 / 8)]),
        ("boxcar", [1.0, 1.0, 1.0, 0.0]),
        ("epanechnikov", [3 / 4, 1.0, 3 / 4, 0.0]),
        ("triangular", [1 / 2, 1.0, 1 / 2, 0.0]),
        ("constant", [1.0, 1.0, 1.0, 1.0]),
    ],
)
def test_that_heights_worked_by_hand_come_out(kernel, heights):
    query, keys = torch.tensor([1.0]).double(), torch.tensor([0.0, 1.0, 2.0, 4.0]).double()
    assert kernel_values(query, keys, kernel, 2.0).tolist() == [pytest.approx(heights)]


def test_that_a_learned_height_worked_by_hand_comes_out():
    # (1 - 3) * 0.5 = -1: exp(-1/2).
    stages = NadarayaWatson(0.5).stages(torch.tensor([1.0]), torch.tensor([1.0, 3.0]))
    assert stages.head_kernel_values.tolist() == [[pytest.approx([1.0, math.exp(-0.5)])]]


def test_that_a_gaussians_height_may_underflow_where_its_weight_does_not():
    stages = kernel_stages(torch.tensor([1000.0]), torch.tensor([-1.0, 0.0]))
    assert stages.kernel_values.tolist() == [[0, 0]]
    assert stages.weights.tolist() == [[0, 1]]


# Laws


@kernels
@dtypes
@given(seed=seeds, queries=counts, keys=counts, width=st.floats(0.05, 30))
def test_that_both_stages_are_bit_for_bit_what_each_function_gives(normal, kernel, dtype, seed, queries, keys, width):
    q, k = normal(seed, queries, dtype=dtype), normal(seed + 1, keys, dtype=dtype)
    stages = kernel_stages(q, k, kernel, width)
    assert torch.equal(stages.kernel_values, kernel_values(q, k, kernel, width))
    assert torch.equal(stages.weights, kernel_weights(q, k, kernel, width))
    assert stages.kernel_values.dtype == dtype


@dtypes
@given(seed=seeds, queries=counts, keys=counts, w=st.floats(-5, 5))
def test_that_the_learned_kernels_weights_are_bit_for_bit_those_it_trains_with(normal, dtype, seed, queries, keys, w):
    q, k = normal(seed, queries, dtype=dtype), normal(seed + 1, keys, dtype=dtype)
    net = NadarayaWatson(torch.tensor(w, dtype=dtype))
    assert torch.equal(net.stages(q, k).weights, net.weights(q, k))
    assert torch.equal(net.stages(q, k).head_weights, net.weights(q, k)[None])


@given(seed=seeds, queries=counts, keys=counts, width=st.floats(0.2, 3))
def test_that_the_learned_heights_are_those_of_one_over_the_width(normal, seed, queries, keys, width):
    q, k = normal(seed, queries), normal(seed + 1, keys)
    heights = NadarayaWatson(torch.tensor(1 / width).double()).stages(q, k).head_kernel_values
    assert_close(heights, kernel_values(q, k, "gaussian", width)[None], rtol=0, atol=1e-6)


@kernels
@given(seed=seeds, queries=counts, keys=counts, width=st.floats(0.05, 30))
def test_that_a_height_lies_between_0_and_1_and_is_1_where_query_and_key_meet(
    normal, kernel, seed, queries, keys, width
):
    q, k = normal(seed, queries), normal(seed + 1, keys)
    heights = kernel_values(q, k, kernel, width)
    assert ((heights >= 0) & (heights <= 1)).all()
    assert (kernel_values(k, k, kernel, width).diagonal() == 1).all()


@kernels
@given(seed=seeds, queries=counts, keys=counts, width=st.floats(0.3, 3))
def test_that_each_weight_is_its_height_over_the_sum_of_its_row(normal, kernel, seed, queries, keys, width):
    q, k = normal(seed, queries).double(), normal(seed + 1, keys).double()
    stages = kernel_stages(q, k, kernel, width)
    sums = stages.kernel_values.sum(dim=-1, keepdim=True)
    reached = (sums > 1e-200).expand_as(stages.weights)
    assert_close(stages.weights[reached], (stages.kernel_values / sums)[reached], rtol=1e-12, atol=1e-15)


@kernels
@pytest.mark.parametrize("width", [0.0, -1.0])
def test_that_a_width_not_above_zero_is_refused_with_its_number(kernel, width):
    for stage in (kernel_values, kernel_stages):
        with pytest.raises(ValueError, match=rf"^width {width} must be above 0$"):
            stage(torch.zeros(2), torch.zeros(3), kernel, width)


@pytest.mark.parametrize("width", [0.3, 1.0, 7.0])
def test_that_the_heights_and_weights_of_a_gaussian_are_those_of_the_same_scores(normal, width):
    q, k = normal(0, 3), normal(1, 4)
    stages = kernel_stages(q, k, "gaussian", width)
    scores = -(((q[:, None] - k) / width) ** 2) / 2
    assert torch.equal(stages.kernel_values, scores.exp())
    assert torch.equal(stages.weights, scores.softmax(dim=-1))
