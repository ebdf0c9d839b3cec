"""The mask policy of a run: what its empty rows weigh and predict, and what does not hang on it."""

import numpy as np
import pytest
from running import regression_trace

from attnviz.definitions.functions.kernels import KERNELS

SHORT_KERNELS = [kernel.name for kernel in KERNELS.values() if kernel.is_compact]

short_kernels = pytest.mark.parametrize("kernel", SHORT_KERNELS)
# Queries 0, 1, 2, 3 and 4; the points are within 1/2 of 1 and 4 alone, and their values' mean is 3.
APART = {
    "data": {"kind": "points", "x": [0.75, 1.25, 4.0], "y": [1.0, 3.0, 5.0], "function": "formula", "formula": "x"},
    "x_test": {"start": 0, "stop": 5, "step": 1},
    "width": 0.5,
}


@short_kernels
@pytest.mark.parametrize(
    ("policy", "filled", "predicted"), [("zero", 0.0, np.nan), ("book", 1 / 3, 3.0), ("inf", np.nan, np.nan)]
)
def test_that_empty_rows_follow_the_policy_and_the_curve_has_gaps_there_under_each(
    kernel: str, policy: str, filled: float, predicted: float
) -> None:
    trace = regression_trace(**APART, kernel=kernel, mask_policy=policy)
    empty = [True, False, True, True, False]
    assert trace.empty_rows.tolist() == empty
    np.testing.assert_array_equal(trace.weights[empty], np.full((3, 3), filled))
    np.testing.assert_allclose(trace.weights[[1, 4]], [[0.5, 0.5, 0], [0, 0, 1]])
    np.testing.assert_allclose(trace.y_hat, [predicted, 2, predicted, predicted, 5], rtol=1e-12)
    np.testing.assert_allclose(trace.curve, [np.nan, 2, np.nan, np.nan, 5], rtol=1e-12)
    np.testing.assert_array_equal(trace.kernel_values[empty], np.zeros((3, 3)))
    # The truth is x: errors of 1 at 1 and at 4, and the gaps count under no policy.
    assert trace.error_to_truth == pytest.approx(1.0)
    assert trace.contrast_scale.high == 1.0


def test_that_no_row_is_empty_to_an_estimator_that_reaches_everywhere() -> None:
    far = APART | {"x_test": {"start": 1e5, "stop": 1e5 + 2, "step": 1}}
    for values in (
        {"kernel": "gaussian"},
        {"kernel": "constant"},
        {"estimator": "average"},
        {"estimator": "parametric"},
    ):
        for policy in ("zero", "book", "inf"):
            trace = regression_trace(**far, **values, mask_policy=policy)
            assert not trace.empty_rows.any()
            assert np.isfinite(trace.y_hat).all()
            np.testing.assert_array_equal(trace.curve, trace.y_hat)


@short_kernels
def test_that_no_fill_reaches_the_overlays(kernel: str) -> None:
    overlays = [{"estimator": "nonparametric", "kernel": kernel, "width": 0.5}]
    for policy in ("zero", "book", "inf"):
        (curve,) = regression_trace(**APART, mask_policy=policy, overlays=overlays).curves
        np.testing.assert_allclose(curve.y_hat, [np.nan, 2, np.nan, np.nan, 5], rtol=1e-12)
        assert curve.error_to_truth == pytest.approx(1.0)
