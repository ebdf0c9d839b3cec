"""The kernels of regression: how the weight of a training point falls with its distance from the query.

To add one, add a record. Its height is a formula of u, the distance in widths; the maths evaluates it, the exported
script writes it as PyTorch, and the window typesets it as LaTeX.
"""

from dataclasses import dataclass
from typing import Any

from attnviz.definitions.functions.formula import Functions, evaluate, latex, plain
from attnviz.definitions.registry import Registry
from attnviz.definitions.text import English


@dataclass(frozen=True, slots=True, kw_only=True)
class Kernel:
    """One kernel K(u), up to a factor that makes its height at 0 equal to 1."""

    name: str
    title: English
    help: English
    height: str
    """K(u): a formula of u. Functions are called on u, never on a number alone."""
    spoken: English
    """K(u) for screen readers, after "K of u is"."""
    log_height: str | None = None
    """log K(u), if the weights are the softmax over it, so that no row underflows to 0."""
    is_compact: bool = True
    """Whether it is 0 beyond one width, so that a query may have no training point in reach."""
    has_width: bool = True
    """Whether the weights depend on the distance; without a width they are 1 / K each."""
    width_is_learned: bool = False
    """Whether its width can be learned (`NadarayaWatson` is a gaussian)."""

    def heights(self, u: Any, functions: Functions) -> Any:
        """Return K(u); a float where the formula has no u."""
        return evaluate(self.height, u, functions, variable="u")

    def log_heights(self, u: Any, functions: Functions) -> Any:
        """Return log K(u); only for kernels that have a ``log_height``."""
        return evaluate(self.log_height or "0", u, functions, variable="u")

    def latex(self, u: str = "u_i") -> str:
        """Return K(u) as LaTeX, with ``u`` for the variable."""
        return latex(self.height, variable="u", shown=u)

    def log_latex(self, u: str = "u") -> str:
        """Return log K(u) as LaTeX on one line."""
        return latex(self.log_height or "0", variable="u", shown=u, upright=False)

    @property
    def text(self) -> str:
        """K(u) as a line of text: "max(0, 1 − u²)"."""
        return plain(self.height, variable="u")

    @property
    def log_text(self) -> str:
        """Log K(u) as a line of text: "−u² / 2"."""
        return plain(self.log_height or "0", variable="u")


KERNELS = Registry(
    "kernel",
    (
        Kernel(
            name="gaussian",
            title="Gaussian",
            help="Every training point counts, near ones most.",
            height="exp(-u^2/2)",
            log_height="-u^2/2",
            spoken="e to the minus u squared over 2",
            is_compact=False,
            width_is_learned=True,
        ),
        Kernel(
            name="boxcar",
            title="Boxcar",
            help="Points within one width count equally, others not at all.",
            height="box(u)",
            spoken="1 where u is within 1 of 0, else 0",
        ),
        Kernel(
            name="epanechnikov",
            title="Epanechnikov",
            help="Weight falls with the squared distance, to 0 at one width.",
            height="max(0, 1 - u^2)",
            spoken="1 minus u squared, at least 0",
        ),
        Kernel(
            name="triangular",
            title="Triangular",
            help="Weight falls with the distance, to 0 at one width.",
            height="max(0, 1 - abs(u))",
            spoken="1 minus the size of u, at least 0",
        ),
        Kernel(
            name="constant",
            title="Constant",
            help="Every point counts equally: the average.",
            height="1",
            spoken="1",
            is_compact=False,
            has_width=False,
        ),
    ),
)
