"""B − A of two layers of which only the first queries, or keys, are compared."""

import numpy as np
import pytest

from attnviz.engine.run import run_to_end
from attnviz.experiment.labs import make_spec
from attnviz.experiment.layers.comparison import Aligned, HeadDifference, cell_difference, head_difference
from attnviz.experiment.layers.layer import Layer


def layer(**values: int) -> Layer:
    return run_to_end(make_spec({"device": "cpu", "num_kvpairs": 4, **values})).layer  # type: ignore[no-any-return, union-attr]


@pytest.mark.parametrize("aligned", [Aligned(3), Aligned(2, 3)])
def test_that_only_aligned_cells_have_a_difference(aligned: Aligned) -> None:
    a, b = layer(num_queries=3, seed=1), layer(num_queries=5, seed=2)
    found = head_difference(a, b, "weights", 1, 2, aligned)
    assert isinstance(found, HeadDifference)
    numbers = np.zeros((5, 4))
    numbers[: aligned.queries, : aligned.keys] = (
        b.weights[1, 2].astype(np.float64)[: aligned.queries, : aligned.keys]
        - a.weights[1, 2][: aligned.queries, : aligned.keys]
    )
    np.testing.assert_array_equal(found.values, numbers)
    for query, key in np.ndindex(5, 4):
        cell = cell_difference(a, b, "weights", (1, 2, query, key), aligned)
        assert (cell is not None) == aligned.has(query, key)
        assert cell is None or cell.value == pytest.approx(numbers[query, key])
        assert found.mask[query, key] <= aligned.has(query, key)


def test_that_what_is_not_aligned_must_match() -> None:
    a, b = layer(num_queries=3), layer(num_queries=5)
    assert "A has 3 queries and B has 5" in str(head_difference(a, b, "weights", 0, 0))
    narrow = layer(num_queries=3, num_kvpairs=3)
    assert "A has 3 keys and B has 4" in str(head_difference(narrow, b, "weights", 0, 0, Aligned(3)))
