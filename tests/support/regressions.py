"""Specs of regressions."""

from functools import partial
from typing import Any

from wrong_values import the_problem as problem_of

from attnviz.experiment.labs import make_spec
from attnviz.experiment.regression.spec import RegressionSpec


def regression(**values: Any) -> RegressionSpec:
    """Return the spec of these values."""
    spec = make_spec({"lab": "regression", **values})
    assert isinstance(spec, RegressionSpec)
    return spec


the_problem = partial(problem_of, lab="regression")
