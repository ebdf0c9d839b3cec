"""A typed formula worked out with numpy's numbers, which do not raise where a function is not defined."""

import ast
from typing import Any

import numpy as np

from attnviz.definitions import formula
from attnviz.definitions.formula import SIGNS, Functions
from attnviz.experiment.array_functions import NUMPY


def evaluate_formula(text: str, x: Any, functions: Functions) -> Any:
    """Return the formula at x, which may be whatever ``functions`` and Python's signs work on; raises FormulaError.

    Where x does not occur that is a float: nan where it is not defined, inf where it is beyond a float.
    """
    return formula.evaluate(text, x, functions, numbers=_number)


def number_of(part: ast.expr) -> float | None:
    """Return the value of a part of a tree in which x does not occur, and None for one in which it does."""
    return formula.number_of(part, _number)


def _number(name: str, *values: float) -> float:
    function = SIGNS.get(name) or NUMPY[name]
    with np.errstate(all="ignore"):
        return float(function(*map(np.float64, values)))  # Python's floats raise where these are inf or nan
