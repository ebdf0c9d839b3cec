"""Every statistic of a head, by its record: the words, the numbers and the line of PyTorch say the same."""

import math

import numpy as np
import pytest
import torch

from attnviz.definitions.statistics import STATISTICS, Statistic
from attnviz.experiment.files.session import session_from_json
from attnviz.experiment.files.specs_in_files import preset
from attnviz.experiment.labs import SpecError
from attnviz.experiment.layers.statistics import head_statistics

ALL = pytest.mark.parametrize("statistic", STATISTICS.values(), ids=list(STATISTICS))
ROWS = [[1, 0, 0], [0.5, 0.5, 0], [0.25, 0.5, 0.25]]
BY_HAND = {  # of ROWS
    "entropy": (0 + 1 + 1.5) / 3,
    "diagonal": (1 + 0.5 + 0.25) / 3,
    "previous": (0.5 + 0.5) / 2,
    "first": (1 + 0.5 + 0.25) / 3,
    "distance": (0 + 0.5 + (0.25 * 2 + 0.5)) / 3,
    "sum_error": 0.0,
}


def test_that_every_statistic_is_worked_out_by_hand_here() -> None:
    assert list(BY_HAND) == list(STATISTICS)
    assert {name: values.tolist() for name, values in head_statistics(np.array([ROWS])).items()} == {
        name: [pytest.approx(value, rel=1e-15)] for name, value in BY_HAND.items()
    }


@ALL
def test_that_a_statistic_has_all_that_the_window_says_of_it(statistic: Statistic) -> None:
    for text in (statistic.title, statistic.help, statistic.heading, statistic.latex, statistic.spoken):
        assert text
    assert "{0}" in statistic.unit
    assert statistic.number(0.5)
    assert len(statistic.heading) <= 6  # of a narrow column


@ALL
@pytest.mark.parametrize("shape", [(3, 5, 5), (2, 3, 6), (1, 4, 4)])
def test_that_the_line_of_pytorch_computes_the_same(statistic: Statistic, shape: tuple[int, int, int]) -> None:
    scores = torch.randn(shape, generator=torch.Generator().manual_seed(5), dtype=torch.float64)
    weights = torch.softmax(3 * scores, -1)
    found = eval(statistic.torch, {"torch": torch, "math": math, "weights": weights})
    ours = head_statistics(weights.numpy())[statistic.name]
    np.testing.assert_allclose(found.numpy(), ours, rtol=1e-13, atol=1e-15)


@ALL
def test_that_the_formula_is_one_that_can_be_drawn(statistic: Statistic) -> None:
    from matplotlib.mathtext import MathTextParser

    assert MathTextParser("path").parse(f"${statistic.latex}$").width > 0


def session(statistic: str) -> str:
    spec = preset("multi-head-random").spec.model_dump_json()
    return f'{{"format": 1, "spec": {spec}, "view": {{"lab": "attention", "statistic": "{statistic}"}}}}'


@pytest.mark.parametrize("name", ["", *STATISTICS])
def test_that_a_session_may_name_every_statistic_and_none(name: str) -> None:
    assert session_from_json(session(name)).view.statistic == name  # type: ignore[union-attr]


def test_that_a_session_may_name_no_other_statistic() -> None:
    with pytest.raises(SpecError, match=r"statistic 'entropie' must be one of '', 'entropy', .*; nearest: entropy"):
        session_from_json(session("entropie"))
