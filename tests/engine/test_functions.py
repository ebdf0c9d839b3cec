import math
import warnings
from typing import Any

import numpy as np
import pytest
import torch
from torch import Tensor

from attnviz.attention.array_functions import TORCH
from attnviz.definitions.functions.formula import FUNCTIONS
from attnviz.engine.regression.samples import function_at

X = torch.tensor([-2.5, -1.0, -0.0, 0.0, 0.3, 1.0, 2.0, 7.25], dtype=torch.float64)
OTHERS = {"asin": "arcsin", "acos": "arccos", "atan": "arctan", "ln": "log", "min": "minimum", "max": "maximum"}


def typed(formula: str, x: Tensor = X) -> Tensor:
    return function_at(x, "formula", formula)


@pytest.mark.parametrize(
    ("name", "x", "y"),
    [
        ("book", 1.0, 2 * math.sin(1) + 1),
        ("book", 4.0, 2 * math.sin(4) + 4**0.8),
        ("book", -4.0, -2 * math.sin(4) - 4**0.8),
        ("sine_plus_x", 3.0, 2 * math.sin(3) + 3),
        ("step", 2.499, 0.0),
        ("step", 2.5, 2.0),
        ("chirp", 2.0, math.sin(4)),
        ("sinc", 2.5, 3.0),
        ("sinc", 3.0, 3 * math.sin(math.pi / 2) / (math.pi / 2)),
    ],
)
def test_that_a_named_function_is_its_formula(name: Any, x: float, y: float) -> None:
    assert function_at(torch.tensor([x], dtype=torch.float64), name).item() == pytest.approx(y, rel=1e-12)


@pytest.mark.parametrize("name", sorted(FUNCTIONS.keys() - {"step", "box"}))
def test_that_every_function_is_the_one_that_numpy_has(name: str) -> None:
    arguments = ["x", "5.25 - x"][: FUNCTIONS[name]]
    with np.errstate(all="ignore"):
        expected = getattr(np, OTHERS.get(name, name))(*[X.numpy(), 5.25 - X.numpy()][: len(arguments)])
    np.testing.assert_allclose(typed(f"{name}({', '.join(arguments)})"), expected, rtol=1e-14, atol=1e-15)


def test_that_every_function_a_user_can_type_has_its_tensor() -> None:
    assert FUNCTIONS.keys() <= TORCH.keys()


@pytest.mark.parametrize(("formula", "values"), [("min(x, 1)", [0, 1]), ("max(x, 1)", [1, 2])])
def test_that_the_lesser_and_the_greater_take_a_number_on_either_side(formula: str, values: list[float]) -> None:
    x = torch.tensor([0.0, 2.0])
    turned = formula.replace("x, 1", "1, x")
    assert typed(formula, x).tolist() == typed(turned, x).tolist() == values


@pytest.mark.parametrize("name", ["sign", "step", "floor", "abs", "sinc"])
def test_that_what_is_not_defined_stays_so_through_every_function(name: str) -> None:
    assert math.isnan(typed(f"{name}(log(x))")[0])


def test_that_a_step_is_one_from_zero_on() -> None:
    assert typed("step(x)", torch.tensor([-1e-300, -0.0, 0.0, 2.0], dtype=torch.float64)).tolist() == [0, 1, 1, 1]


@pytest.mark.parametrize("text", ["x", "2", "pi", "x*0+1", "max(1, 2)", "9^9^9^9"])
@pytest.mark.parametrize("shape", [(), (0,), (1,), (5,), (2, 3)])
def test_that_the_values_have_the_shape_of_x_and_are_its_own_copy(text: str, shape: tuple[int, ...]) -> None:
    x = torch.ones(shape, dtype=torch.float64)
    found = typed(text, x)
    assert (found.shape, found.dtype) == (shape, torch.float64)
    found[...] = 7.0  # a shared tensor would show here
    assert bool((x == 1).all())


@pytest.mark.parametrize(
    ("formula", "value"),
    [
        ("1/(x-x)", math.inf),
        ("-1/(x-x)", -math.inf),
        ("(x-x)/(x-x)", math.nan),
        ("(-x)^.5", math.nan),
        ("sqrt(-x)", math.nan),
        ("log(x-x)", -math.inf),
        ("exp(1000*x)", math.inf),
        ("0*x + 1/0", math.inf),
    ],
)
def test_that_what_is_not_finite_stays_so_without_a_warning(formula: str, value: float) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = typed(formula, torch.ones(2, dtype=torch.float64))
    assert found.tolist() == pytest.approx([value, value], nan_ok=True)


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_that_the_values_have_the_number_format_of_x(dtype: Any) -> None:
    for name in ("book", "sine_plus_x", "step", "chirp", "sinc"):
        assert function_at(torch.ones(3, dtype=dtype), name).dtype == dtype
