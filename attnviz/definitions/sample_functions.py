"""The functions that synthetic training points are drawn from; noise is added to their values."""

from dataclasses import dataclass

from attnviz.definitions.registry import Registry

DOMAIN = (0.0, 5.0)
"""Where the textbook draws its training inputs from."""


@dataclass(frozen=True, slots=True)
class SampleFunction:
    """One function of x."""

    name: str
    title: str
    formula: str
    """What it computes, as a user would type it; empty where the user types it."""

    def formula_with(self, typed: str) -> str:
        """Return the formula; ``typed`` where the user types it."""
        return self.formula or typed


SAMPLE_FUNCTIONS = Registry(
    "function",
    (
        # For negative x the power of its size, with its sign, so that the textbook's 2 sin x + x^0.8 goes on.
        SampleFunction("book", "2 sin x + x^0.8", "2*sin(x) + sign(x)*abs(x)^0.8"),
        SampleFunction("sine_plus_x", "2 sin x + x", "2*sin(x) + x"),
        SampleFunction("step", "Step", "2*step(x - 2.5)"),
        SampleFunction("chirp", "Chirp", "sin(x^2)"),
        SampleFunction("sinc", "Sinc", "3*sinc(x - 2.5)"),
        SampleFunction("formula", "Formula ...", ""),
    ),
)
