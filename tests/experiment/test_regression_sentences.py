"""The sentences of regression traces made by hand, for every special case; those of runs are the engine's tests."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from made_traces import regression_trace
from sentence_reader import written_well

from attnviz.experiment.regression.sentences import sentence_of
from attnviz.experiment.regression.view_settings import RegressionViewSettings

NAN = float("nan")
HEADS: dict[str, Any] = {"weights": [[0.75, 0.25]], "head_weights": [[[1.0, 0.0]], [[0.5, 0.5]]], "shares": [0.5, 0.5]}
HEADS |= {"w_start": [1.0, 2.0], "w": [[3.0, 4.0]], "loss": [1.0]}
NEARBY = {"kernel": "boxcar", "width": 1.5}
REGRESSIONS: list[tuple[dict[str, Any], dict[str, Any], str]] = [
    (
        {"weights": [[0.5, 0.5]]},
        {"stage": "differences", "key": 1},
        "Query x = 0 minus the training point x = 1 is −1.",
    ),
    ({"weights": [[1.0]]}, {"stage": "differences"}, "Query x = 0 is 0 from the one training point, x = 0."),
    (
        {"weights": [[0.5, 0.5]], "values": {"estimator": "average"}},
        {},
        "Query x = 0 spreads its attention evenly over 2 of 2 points, 50 % each.",
    ),
    (
        {"weights": [[0.5, 0.5]], "values": {"estimator": "average"}},
        {"stage": "kernel"},
        "The average has no kernel: each of the 2 training points has the height 1.",
    ),
    (
        {"weights": [[0.0, 0.0]], "values": NEARBY | {"width": 0.1}},
        {"stage": "kernel"},
        "The Boxcar of width 0.1 at x = 0 reaches 0 of 2 points; the nearest point, x = 0, has the height 0.",
    ),
    (
        {"weights": [[0.0, 0.0]], "values": NEARBY | {"width": 0.1}},
        {},
        "No training point is in reach of x = 0: the policy Zeros sets its 2 weights to 0.",
    ),
    (
        {"weights": [[0.5, 0.5, 0.0]], "values": NEARBY},
        {},
        "Query x = 0 spreads its attention evenly over 2 of 3 points, 50 % each.",
    ),
    (
        {"weights": [[0.5, 0.5, 0.0]], "values": NEARBY},
        {"key": 2},
        "Query x = 0 gives 0 % of its attention to x = 2, number 3 of 3 points.",
    ),
    (
        {"weights": [[0.4, 0.4, 0.2]]},
        {"key": 1},
        "Query x = 0 gives 40 % of its attention to each of 2 points of 3, x = 1 among them, the most.",
    ),
    (
        {"weights": [[NAN, NAN]], "w_start": 1.0, "w": [NAN], "loss": [1.0]},
        {},
        "Step 1 of 5, w = NaN (not a number): the 2 weights of x = 0 are NaN (not a number): the training diverged.",
    ),
    (
        {"weights": [[NAN, NAN]], "y_hat": [NAN], "w_start": 1.0, "w": [np.inf], "loss": [1.0]},
        {"stage": "pooling"},
        "Step 1 of 5, w = ∞: f(0) is not finite (NaN or infinite): the training diverged.",
    ),
    (
        {"weights": [[0.75, 0.25]], "w_start": 0.5},
        {},
        "Random start, w = 0.5: query x = 0 gives 75 % of its attention to x = 0, number 1 of 2 points.",
    ),
    (
        HEADS,
        {},
        "Step 1 of 5, average of 2 heads: query x = 0 gives 75 % of its attention to x = 0, number 1 of 2 points.",
    ),
    (
        HEADS,
        {"head": 2},
        "Step 1 of 5, head 2, w = 4: query x = 0 spreads its attention evenly over 2 of 2 points, 50 % each.",
    ),
    (
        HEADS,
        {"page": "learning"},
        "After 1 step the w of 2 heads are from 3 to 4; the loss before it was 1.",
    ),
    (
        {"weights": [[1.0]], "w_start": 1.0, "w": [2.0, 4.0], "loss": [2.5, 0.5]},
        {"page": "learning"},
        "After 2 steps w is 4, the kernel's width 0.25; the loss before the last step was 0.5.",
    ),
    (
        {"weights": [[1.0]], "w_start": 2.0, "w": [4.0], "loss": [2.5], "step": 0},
        {"page": "learning"},
        "Before the first step w is 2, the kernel's width 0.5.",
    ),
]


@pytest.mark.parametrize(("values", "view", "expected"), REGRESSIONS)
def test_that_a_special_case_of_regression_is_said_as_what_it_is(values: Any, view: Any, expected: str) -> None:
    settings = RegressionViewSettings(**{"query": 0, "key": None} | view)
    found = sentence_of(regression_trace(**values), settings, settings).text
    assert found == expected
    assert not written_well(found)


def test_that_points_of_the_same_x_have_their_numbers() -> None:
    trace = replace(regression_trace([[0.2, 0.5, 0.3]]), x_train=np.array([1.0, 1.0, 2.0]))
    view = RegressionViewSettings(query=0, key=1)
    assert "x = 1 (point 2), number 1" in sentence_of(trace, view, view).text


@pytest.mark.parametrize(
    ("values", "step", "note"),
    [
        ({"estimator": "parametric", "seed": 4}, 0, "Untrained: random w, seed 4"),
        ({"estimator": "parametric", "w_init": 0.9}, 0, "Untrained: w starts at 0.9"),
        ({"estimator": "parametric"}, 1, ""),
        ({"estimator": "nonparametric"}, 0, ""),
        ({"estimator": "average"}, 0, ""),
    ],
)
def test_that_a_regression_is_untrained_before_its_first_step(values: Any, step: int, note: str) -> None:
    trace = regression_trace([[1.0]], loss=[1.0], w=[2.0], w_start=1.0, step=step, values=values)
    assert trace.untrained_note.text == note
