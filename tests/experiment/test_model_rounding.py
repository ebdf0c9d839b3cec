"""When a difference from the model's own run is more than rounding."""

import math
from typing import Any

import pytest

from attnviz.experiment.model.trace import Check


def check(**values: Any) -> Check:
    same = {"weights_apart": 0.0, "outputs_apart": 0.0, "largest_output": 20.0, "dtype": "float32"}
    return Check(**{**same, "has_logits": True, "unexplained": 0, **values})


@pytest.mark.parametrize(
    ("values", "is_beyond"),
    [
        ({}, False),
        ({"outputs_apart": 0.0019}, False),  # 1e-4 of the largest logit, 20, is 0.002
        ({"outputs_apart": 0.0021}, True),
        ({"outputs_apart": 0.0021, "dtype": "float16"}, False),
        ({"outputs_apart": math.inf}, True),
        ({"outputs_apart": math.nan, "largest_output": math.nan}, False),  # not compared yet
        ({"weights_apart": 2e-4}, True),
        ({"weights_apart": math.inf, "unexplained": 1}, False),  # the weights shown are the model's own
    ],
)
def test_that_a_difference_beyond_the_bound_of_its_dtype_is_no_rounding(
    values: dict[str, Any], is_beyond: bool
) -> None:
    assert check(**values).beyond_rounding is is_beyond
