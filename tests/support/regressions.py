"""Specs of regressions, and what is wrong with one."""

from typing import Any

import pytest

from attnviz.experiment.labs import SpecError, make_spec
from attnviz.experiment.problems import Problem
from attnviz.experiment.regression.spec import RegressionSpec


def regression(**values: Any) -> RegressionSpec:
    """Return the spec of these values."""
    spec = make_spec({"lab": "regression", **values})
    assert isinstance(spec, RegressionSpec)
    return spec


def the_problem(**values: Any) -> Problem:
    """Return the one problem of these values."""
    with pytest.raises(SpecError) as caught:
        regression(**values)
    (only,) = caught.value.problems
    return only
