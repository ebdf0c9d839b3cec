"""The functions that synthetic regression samples are drawn from."""

from typing import Literal

import numpy as np
from numpy.typing import NDArray

from attnviz.experiment.formula import evaluate_formula

FunctionName = Literal["book", "sine_plus_x", "step", "chirp", "sinc", "formula"]

DOMAIN = (0.0, 5.0)
"""Where the textbook draws its training inputs from."""


def evaluate(name: FunctionName, x: NDArray[np.float64], formula: str = "") -> NDArray[np.float64]:
    """Return the noiseless function at ``x``; ``formula`` is what the function "formula" computes.

    book: 2 sin x + x^0.8 (for negative x the power of its size, with its sign, so that the function goes on);
    sine_plus_x: 2 sin x + x; step: 0 below 2.5, then 2; chirp: sin x²; sinc: sin(πu)/(πu) times 3 at u = x - 2.5;
    formula: what the user has typed, which may be inf or NaN at places.
    """
    match name:
        case "book":
            return 2 * np.sin(x) + np.sign(x) * np.abs(x) ** 0.8
        case "sine_plus_x":
            return 2 * np.sin(x) + x
        case "step":
            return np.where(x < 2.5, 0.0, 2.0)
        case "chirp":
            return np.sin(x**2)
        case "sinc":
            return np.asarray(3 * np.sinc(x - 2.5), dtype=np.float64)
        case "formula":
            return evaluate_formula(formula, x)
