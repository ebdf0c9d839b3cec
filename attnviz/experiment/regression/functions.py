"""The functions that synthetic regression samples are drawn from."""

from typing import Literal

FunctionName = Literal["book", "sine_plus_x", "step", "chirp", "sinc", "formula"]

DOMAIN = (0.0, 5.0)
"""Where the textbook draws its training inputs from."""

FORMULAS: dict[FunctionName, str] = {
    # For negative x the power of its size, with its sign, so that the textbook's 2 sin x + x^0.8 goes on.
    "book": "2*sin(x) + sign(x)*abs(x)^0.8",
    "sine_plus_x": "2*sin(x) + x",
    "step": "2*step(x - 2.5)",
    "chirp": "sin(x^2)",
    "sinc": "3*sinc(x - 2.5)",
}
"""What the named functions compute, as a user would type it."""


def formula_of(name: FunctionName, typed: str = "") -> str:
    """Return the formula of a function; that of "formula" is what the user has typed."""
    return FORMULAS.get(name, typed)
