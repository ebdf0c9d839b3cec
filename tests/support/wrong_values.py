"""Problems of the values of a spec."""

from typing import Any

import pytest

from attnviz.experiment.fields.problems import Problem
from attnviz.experiment.labs import SpecError, make_spec


def the_problem(**values: Any) -> Problem:
    """Return the only problem of these values."""
    with pytest.raises(SpecError) as caught:
        make_spec(values)
    (only,) = caught.value.problems
    return only
