"""The functions that synthetic training points are drawn from; noise is added to their values."""

from dataclasses import dataclass

from attnviz.definitions.registry import Registry
from attnviz.definitions.text import English

DOMAIN = (0.0, 5.0)
"""The interval from which Zhang et al. draw their training inputs."""


@dataclass(frozen=True, slots=True)
class SampleFunction:
    """One function of x."""

    name: str
    title: English
    formula: str
    """Its formula, as a user would type it; empty if the user types it."""

    def formula_with(self, typed: str) -> str:
        """Return the formula; ``typed`` if the user types it."""
        return self.formula or typed


SAMPLE_FUNCTIONS = Registry(
    "function",
    (
        # For negative x: sign(x) |x|^0.8, which extends Zhang et al.'s 2 sin x + x^0.8.
        SampleFunction("book", "2 sin x + x^0.8", "2*sin(x) + sign(x)*abs(x)^0.8"),
        SampleFunction("sine_plus_x", "2 sin x + x", "2*sin(x) + x"),
        SampleFunction("step", "Step function", "2*step(x - 2.5)"),
        SampleFunction("chirp", "Chirp", "sin(x^2)"),
        SampleFunction("sinc", "Sinc", "3*sinc(x - 2.5)"),
        SampleFunction("formula", "Formula ...", ""),
    ),
)
