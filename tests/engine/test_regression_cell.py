"""A cell's arithmetic is the trace's: its numbers are the trace's own, and its steps lead to them."""

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from legal_specs import regression_values
from running import events, regression_trace

from attnviz.definitions.functions.kernels import KERNELS
from attnviz.experiment.regression.cell import RegressionCell, regression_cell
from attnviz.experiment.regression.trace import RegressionTrace

SHORT_KERNELS = [kernel.name for kernel in KERNELS.values() if kernel.is_compact]


def a_head(values: dict[str, Any], data: st.DataObject) -> RegressionTrace:
    """Return one head of the last trace; where there is but one it is the trace itself."""
    trace = events(values)[-1]
    assert isinstance(trace, RegressionTrace), trace
    return trace.heads[data.draw(st.integers(0, trace.num_heads - 1), label="head")]


def row_of(trace: RegressionTrace, query: int) -> list[RegressionCell]:
    return [regression_cell(trace, query, key) for key in range(len(trace.x_train))]


def some_query(data: st.DataObject, trace: RegressionTrace) -> int:
    return data.draw(st.integers(0, len(trace.x_test) - 1))


@given(values=regression_values(), data=st.data())
def test_that_every_number_which_the_trace_holds_is_the_traces(values: dict[str, Any], data: st.DataObject) -> None:
    trace = a_head(values, data)
    query = some_query(data, trace)
    for key, cell in enumerate(row_of(trace, query)):
        place = query, key
        assert (cell.x, cell.x_i, cell.y) == (trace.x_test[query], trace.x_train[key], trace.y_train[key])
        assert cell.distance == trace.differences[place]
        assert cell.kernel_value == trace.kernel_values[place]
        assert cell.w == trace.w_now
        held = trace.weights[place], trace.contributions[place], trace.y_hat[query]
        np.testing.assert_array_equal([cell.weight, cell.contribution, cell.prediction], held)  # NaN is NaN


@given(values=regression_values(), data=st.data())
def test_that_the_steps_lead_from_the_distance_to_the_weight(values: dict[str, Any], data: st.DataObject) -> None:
    trace = a_head(values, data)
    query = some_query(data, trace)
    for cell in row_of(trace, query):
        if cell.u is not None:
            by_hand = cell.distance / cell.width if cell.width is not None else cell.distance * (cell.w or 0.0)
            assert cell.u == by_hand
        if cell.softmax is not None:
            assert cell.u is not None
            assert cell.softmax.score == -(cell.u * cell.u) / 2
            assert cell.kernel_value == pytest.approx(math.exp(cell.softmax.score), rel=1e-12, abs=1e-300)
            assert cell.softmax.exponential == pytest.approx(
                math.exp(cell.softmax.score - cell.softmax.largest), rel=1e-12
            )
        # What the mask policy fills into a row that nothing reaches is no quotient.
        weight = 0.0 if trace.empty_rows[query] else cell.weight
        assert cell.quotient == pytest.approx(weight, rel=1e-12, abs=1e-300)


@given(values=regression_values(), data=st.data())
def test_that_the_cells_of_a_row_make_its_sums_and_its_prediction(values: dict[str, Any], data: st.DataObject) -> None:
    trace = a_head(values, data)
    query = some_query(data, trace)
    cells = row_of(trace, query)
    size = 1 + max(abs(cell.y) for cell in cells)
    for cell in cells:
        assert cell.kernel_sum == pytest.approx(math.fsum(it.kernel_value for it in cells), rel=1e-12, abs=1e-300)
        if cell.softmax is not None:
            exponentials = [it.softmax.exponential for it in cells if it.softmax is not None]
            assert cell.softmax.normaliser == pytest.approx(math.fsum(exponentials), rel=1e-12)
            assert max(exponentials) == 1
    total = math.fsum(cell.contribution for cell in cells)
    if trace.empty_rows[query]:
        mean = math.fsum(cell.y for cell in cells) / len(cells)
        filled = {"zero": (0.0, math.nan), "book": (mean, mean), "inf": (math.nan, math.nan)}[values["mask_policy"]]
        assert (total, cells[0].prediction) == pytest.approx(filled, abs=1e-12 * size, nan_ok=True)
        assert cells[0].kernel_sum == 0
    else:
        assert total == pytest.approx(cells[0].prediction, abs=1e-12 * size)


@pytest.mark.parametrize("values", [{"estimator": "average"}, {"estimator": "average", "kernel": "boxcar"}], ids=str)
def test_that_the_average_has_no_distance_in_widths_and_each_key_the_same_height(values: dict[str, Any]) -> None:
    cell = regression_cell(regression_trace(**values), 3, 7)
    assert (cell.u, cell.width, cell.w, cell.softmax) == (None, None, None, None)
    assert (cell.kernel_value, cell.kernel_sum, cell.weight) == (1.0, 50.0, 1 / 50)


def test_that_the_constant_kernel_leaves_the_width_aside() -> None:
    cell = regression_cell(regression_trace(kernel="constant", width=0.3), 3, 7)
    assert (cell.u, cell.width, cell.softmax) == (None, None, None)
    assert (cell.kernel_value, cell.kernel_sum) == (1.0, 50.0)


@pytest.mark.parametrize("kernel", SHORT_KERNELS)
def test_that_a_query_out_of_every_reach_has_steps_of_zero_and_no_prediction(kernel: str) -> None:
    far = {"kind": "points", "x": [100.0, 101.0], "y": [3.0, 4.0]}
    cell = regression_cell(regression_trace(data=far, kernel=kernel, width=0.5), 0, 1)
    assert (cell.u, cell.kernel_value, cell.kernel_sum) == (-202.0, 0.0, 0.0)
    assert (cell.quotient, cell.weight, cell.contribution) == (0.0, 0.0, 0.0)
    assert math.isnan(cell.prediction)


def test_that_a_gaussian_whose_heights_all_underflow_still_has_the_softmaxs_own_numbers() -> None:
    far = {"kind": "points", "x": [100.0, 101.0], "y": [3.0, 4.0]}
    cell = regression_cell(regression_trace(data=far, width=0.5), 0, 0)
    assert (cell.kernel_value, cell.kernel_sum) == (0.0, 0.0)
    assert cell.softmax is not None
    assert (cell.softmax.score, cell.softmax.largest, cell.softmax.exponential) == (-20_000.0, -20_000.0, 1.0)
    assert (cell.quotient, cell.weight, cell.prediction) == (1.0, 1.0, 3.0)
