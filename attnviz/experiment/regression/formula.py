"""A typed formula evaluated with numpy's numbers, which do not raise where a function is undefined."""

import ast
from typing import Any

import numpy as np

from attnviz.definitions import formula
from attnviz.definitions.formula import SIGNS, Functions
from attnviz.experiment.array_functions import NUMPY


def evaluate_formula(text: str, x: Any, functions: Functions) -> Any:
    """Return the formula at x, of any type that ``functions`` and Python's operators accept; raises FormulaError.

    A formula without x gives a float: nan if undefined, inf on overflow.
    """
    return formula.evaluate(text, x, functions, numbers=_number)


def number_of(part: ast.expr) -> float | None:
    """Return the value of a subtree without x; None if it contains x."""
    return formula.number_of(part, _number)


def _number(name: str, *values: float) -> float:
    function = SIGNS.get(name) or NUMPY[name]
    with np.errstate(all="ignore"):
        return float(function(*map(np.float64, values)))  # Python's floats raise where these are inf or nan
