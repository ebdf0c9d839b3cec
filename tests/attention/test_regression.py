import math

import numpy as np
import pytest
import torch
from exactly import exactly
from hypothesis import given
from hypothesis import strategies as st
from torch.testing import assert_close

from attnviz.attention import NadarayaWatson, average_weights, kernel_weights, leave_one_out, predict

seeds = st.integers(0, 2**16)
counts = st.integers(1, 8)
kernels = pytest.mark.parametrize("kernel", ["gaussian", "boxcar", "epanechnikov", "triangular", "constant"])
dtypes = pytest.mark.parametrize("dtype", [torch.float32, torch.float64], ids=str)

HEIGHTS = {
    "gaussian": lambda u: np.exp(-(u**2) / 2),
    "boxcar": lambda u: np.where(abs(u) < 1, 1.0, 0.0),
    "epanechnikov": lambda u: np.maximum(0.0, 1 - u**2),
    "triangular": lambda u: np.maximum(0.0, 1 - abs(u)),
    "constant": np.ones_like,
}


def reference(queries, keys, kernel, width):
    """Return the weights row by row in float64, a row out of every key's reach as zeros."""
    rows = np.zeros((len(queries), len(keys)))
    for i, query in enumerate(queries):
        heights = HEIGHTS[kernel]((query - keys) / width)
        if heights.sum() > 0:
            rows[i] = heights / heights.sum()
    return rows


def summed_loss(book, w):
    net = NadarayaWatson(w)
    predictions = net(book.x_train, book.x_train, book.y_train, leave_one_out(torch.arange(50), 50))
    return net, ((predictions - book.y_train) ** 2).sum()


# The book's numbers


def test_that_average_pooling_predicts_the_books_mean_everywhere(book):
    weights = average_weights(book.x_test, book.x_train)
    assert_close(weights, torch.full((10, 50), 1 / 50, dtype=torch.float64))
    assert_close(predict(weights, book.y_train), book.y_hat_average.expand(10), rtol=0, atol=1e-4)


def test_that_nonparametric_pooling_predicts_the_books_numbers(book):
    weights = kernel_weights(book.x_test, book.x_train)
    assert weights.shape == (10, 50)
    assert_close(predict(weights, book.y_train), book.y_hat_nonparametric, rtol=0, atol=1e-4)


@pytest.mark.parametrize("start", [0.5, 0.6, 0.7, 0.8, 0.9, 0.99])
def test_that_the_learned_w_leaps_above_ten_in_the_first_step(book, start):
    net, loss = summed_loss(book, torch.tensor(start, dtype=torch.float64))
    before = loss.item()
    loss.backward()
    torch.optim.SGD(net.parameters(), lr=0.5).step()
    assert 10 < net.w.item() < 25
    _, after = summed_loss(book, net.w.detach())
    assert after.item() < before / 2


def test_that_the_runaway_w_nearly_interpolates_what_it_was_trained_on(book):
    def mean_error(w):
        return (NadarayaWatson(w)(book.x_train, book.x_train, book.y_train) - book.y_train).abs().mean().item()

    assert mean_error(17.0) < mean_error(1.0) / 2


# Cases worked by hand


@pytest.mark.parametrize(
    ("kernel", "keys", "width", "weights"),
    [
        # u = 0 and sqrt(2 ln 3): exp(0) = 1 and exp(-ln 3) = 1/3; over 4/3: 3/4 and 1/4.
        ("gaussian", [1.0, 1.0 + math.sqrt(2 * math.log(3))], 1.0, [3 / 4, 1 / 4]),
        # The same two at width 1/2: exp(-4 ln 3) = 1/81; 81/82 and 1/82.
        ("gaussian", [1.0, 1.0 + math.sqrt(2 * math.log(3))], 0.5, [81 / 82, 1 / 82]),
        # |u| = 1/2, 3/4, 3/2: two of three within reach.
        ("boxcar", [0.0, 2.5, 4.0], 2.0, [1 / 2, 1 / 2, 0.0]),
        # A key exactly one width away is out of reach.
        ("boxcar", [1.0, 3.0], 2.0, [1.0, 0.0]),
        # u = 0, 1/2, 1, 2: heights 1, 3/4, 0 and 0; over 7/4: 4/7 and 3/7.
        ("epanechnikov", [1.0, 2.0, 3.0, 5.0], 2.0, [4 / 7, 3 / 7, 0.0, 0.0]),
        # u = 0, 1/2, 3/4, 1 and 2: heights 1, 1/2, 1/4, 0 and 0; over 7/4: 4/7, 2/7 and 1/7.
        ("triangular", [1.0, 2.0, -0.5, 3.0, 5.0], 2.0, [4 / 7, 2 / 7, 1 / 7, 0.0, 0.0]),
        ("constant", [1.0, 100.0], 0.1, [1 / 2, 1 / 2]),
    ],
)
def test_that_kernel_weights_worked_by_hand_come_out(kernel, keys, width, weights):
    query = torch.tensor([1.0], dtype=torch.float64)
    got = kernel_weights(query, torch.tensor(keys, dtype=torch.float64), kernel, width)
    assert got.tolist() == [pytest.approx(weights)]


def test_that_two_predictions_worked_by_hand_come_out():
    # 3/4 * 4 + 1/4 * 8 = 5 and 1/2 * 4 + 1/2 * 8 = 6.
    weights = torch.tensor([[3 / 4, 1 / 4], [1 / 2, 1 / 2]])
    assert predict(weights, torch.tensor([4.0, 8.0])).tolist() == [5, 6]


def test_that_a_learned_w_worked_by_hand_comes_out():
    # q - k = 0 and 1 with w = sqrt(2 ln 9): scores 0 and -ln 9; exp 1 and 1/9; 9/10 * 4 + 1/10 * 8 = 4.4.
    net = NadarayaWatson(math.sqrt(2 * math.log(9)))
    predictions = net(torch.tensor([1.0]), torch.tensor([1.0, 2.0]), torch.tensor([4.0, 8.0]))
    assert predictions.tolist() == pytest.approx([4.4])


def test_that_leave_one_out_hides_each_point_from_itself_alone():
    assert leave_one_out(torch.arange(3), 3).int().tolist() == [[0, 1, 1], [1, 0, 1], [1, 1, 0]]
    assert leave_one_out(torch.tensor([2, 0]), 3).int().tolist() == [[1, 1, 0], [0, 1, 1]]
    assert leave_one_out(torch.arange(3), 3).dtype == torch.bool


# Laws


@kernels
@dtypes
@given(seed=seeds, queries=counts, keys=counts, width=st.floats(0.3, 3))
def test_that_kernel_weights_are_those_of_a_double_reference(normal, kernel, dtype, seed, queries, keys, width):
    q, k = normal(seed, queries, dtype=dtype), normal(seed + 1, keys, dtype=dtype)
    weights = kernel_weights(q, k, kernel, width)
    assert weights.dtype == dtype
    expected = torch.from_numpy(reference(q.double().numpy(), k.double().numpy(), kernel, width))
    assert_close(weights.double(), expected, rtol=0, atol=1000 * torch.finfo(dtype).eps)


@kernels
@given(seed=seeds, scale=st.floats(0.1, 10), shift=st.floats(-10, 10))
def test_that_only_distances_in_widths_count(normal, kernel, seed, scale, shift):
    q, k = normal(seed, 4), normal(seed + 1, 6)
    moved = kernel_weights(scale * q + shift, scale * k + shift, kernel, 0.5 * scale)
    assert_close(moved, kernel_weights(q, k, kernel, 0.5), rtol=0, atol=1e-8)


@kernels
@pytest.mark.parametrize("width", [0.1, 0.2, 0.5, 1.0])
def test_that_every_row_of_the_teaching_set_sums_to_one_or_is_empty(book, kernel, width):
    sums = kernel_weights(book.x_test, book.x_train, kernel, width).sum(dim=-1)
    in_reach = (book.x_test[:, None] - book.x_train).abs().min(dim=-1).values < width
    expected = in_reach.double() if kernel in ("boxcar", "epanechnikov", "triangular") else torch.ones(10).double()
    assert_close(sums, expected)


@pytest.mark.parametrize("kernel", ["boxcar", "epanechnikov", "triangular"])
def test_that_a_query_out_of_reach_has_zero_weights_and_a_gap_for_a_prediction(kernel):
    queries, keys = torch.tensor([0.0, 5.0, 1.0]), torch.tensor([0.0, 0.5, 1.0])
    weights = kernel_weights(queries, keys, kernel, width=0.6)
    assert weights[1].tolist() == [0, 0, 0]
    predictions = predict(weights, torch.tensor([1.0, 1.0, 1.0]))
    assert predictions.isnan().tolist() == [False, True, False]
    assert predictions[[0, 2]].tolist() == pytest.approx([1.0, 1.0])


@dtypes
def test_that_a_gaussian_query_out_of_every_reach_still_finds_its_nearest_key(dtype):
    # exp(-1000² / 2) underflows to 0 in every float type; the softmax subtracts the largest exponent first.
    weights = kernel_weights(torch.tensor([1000.0], dtype=dtype), torch.tensor([-1.0, 0.0], dtype=dtype))
    assert weights.tolist() == [[0, 1]]


def test_that_a_weight_that_cancels_is_no_gap():
    weights = torch.tensor([[0.5, 0.5], [0.0, 0.0]])
    predictions = predict(weights, torch.tensor([1.0, -1.0]))
    assert predictions.tolist() == pytest.approx([0.0, math.nan], nan_ok=True)


@given(values=st.lists(st.integers(-100, 100), min_size=2, max_size=9))
def test_that_row_i_of_leave_one_out_lacks_the_ith_value_alone(values):
    mask = leave_one_out(torch.arange(len(values)), len(values))
    rows = [torch.tensor(values)[row].tolist() for row in mask]
    assert rows == [values[:i] + values[i + 1 :] for i in range(len(values))]


@given(seed=seeds, queries=counts, keys=counts, width=st.floats(0.2, 3))
def test_that_the_learned_w_is_one_over_the_width(normal, seed, queries, keys, width):
    q, k, v = normal(seed, queries), normal(seed + 1, keys), normal(seed + 2, keys)
    net, weights = NadarayaWatson(torch.tensor(1 / width).double()), kernel_weights(q, k, "gaussian", width)
    assert_close(net.weights(q, k), weights, rtol=0, atol=1e-6)
    assert_close(net(q, k, v), predict(weights, v), rtol=0, atol=1e-5)


@given(seed=seeds, queries=counts, keys=counts)
def test_that_keys_of_its_own_for_each_query_pool_like_shared_ones(normal, seed, queries, keys):
    q, k, v = normal(seed, queries), normal(seed + 1, keys), normal(seed + 2, keys)
    net = NadarayaWatson(torch.tensor(1.5).double())
    assert_close(net(q, k.expand(queries, keys), v.expand(queries, keys)), net(q, k, v))


@pytest.mark.parametrize("w", [0.2, 0.5, 1.0, 3.0])
def test_that_the_gradient_of_the_loss_in_w_is_that_of_finite_differences(book, w):
    net, loss = summed_loss(book, torch.tensor(w, dtype=torch.float64))
    loss.backward()
    step = 1e-5
    above, below = (summed_loss(book, torch.tensor(w + s, dtype=torch.float64))[1].item() for s in (step, -step))
    assert net.w.grad.item() == pytest.approx((above - below) / (2 * step), rel=1e-6)


@kernels
def test_that_the_caller_keeps_its_samples(normal, kernel):
    q, k, v = normal(0, 3), normal(1, 4), normal(2, 4)
    numbers, mask = torch.arange(3), torch.tensor([[True, False, True, True]] * 3)
    given = q, k, v, numbers, mask
    before = [each.clone() for each in given]
    predict(kernel_weights(q, k, kernel, 0.5, mask=mask, policy="book"), v)
    leave_one_out(numbers, 4).zero_()
    NadarayaWatson(0.5)(q, k, v, mask)
    assert all(torch.equal(now, then) for now, then in zip(given, before, strict=True))


def test_that_training_leaves_the_callers_start_value_alone():
    start = torch.tensor(0.5)
    net = NadarayaWatson(start)
    with torch.no_grad():
        net.w.add_(1.0)
    assert start.item() == 0.5


def test_that_a_whole_number_may_start_w():
    assert NadarayaWatson(1).w.item() == 1.0


# What is refused, and the sentence that says so


@kernels
@pytest.mark.parametrize(
    ("width", "sentence"), [(0.0, "width 0.0 must be above 0"), (-1.0, "width -1.0 must be above 0")]
)
def test_that_a_width_not_above_zero_is_refused_with_its_number(kernel, width, sentence):
    with pytest.raises(ValueError, match=exactly(sentence)):
        kernel_weights(torch.zeros(2), torch.zeros(3), kernel, width)


@pytest.mark.parametrize("count", [0, 1])
def test_that_leave_one_out_needs_two_points_and_says_how_many_came(count):
    with pytest.raises(ValueError, match=exactly(f"leave-one-out needs at least 2 training points, not {count}")):
        leave_one_out(torch.arange(count), count)
