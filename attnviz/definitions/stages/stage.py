"""The record of a stage: one step of an attention mechanism, with its pictures, figures, files and texts.

The functions of a record take an `attnviz.experiment.layers.layer.Layer`. Shape letters: B batch, L tokens, Q queries,
K keys, h heads, D hidden, d = D / h.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

from attnviz.definitions.text import English, Text

Formula = tuple[str, Text]
"""LaTeX, and its text for screen readers."""
Moves = Literal["", "meet", "carry", "weigh", "pool", "fold"]
"""How cells move to a stage from the previous one: two rows meet in their product, rows slide to the place of their
change and out of it, scores become bars as high as their weights, values slide into the output, heads split or merge.
"": nothing moves, see `Stage.stays`."""
IN_PLACE = (
    "Each number is made of the one in the same cell: no place is between them, and colours between are no numbers."
)
"""The reason why nothing moves to a stage that changes each cell by itself."""


@dataclass(frozen=True, slots=True)
class Shape:
    """A shape in the letters of Zhang et al. and in numbers: B batch, L tokens, D hidden, h heads."""

    letters: str
    sizes: tuple[int, ...]

    def __str__(self) -> str:
        return f"({self.letters}) = ({', '.join(map(str, self.sizes))})"


@dataclass(frozen=True, slots=True, kw_only=True)
class Cells:
    """The content of a stage's cells: one number for each head, query and key, (B, h, Q, K)."""

    tensor: str
    """The attribute of the layer whose numbers are drawn and read out."""
    heading: English
    """The title of a picture: "masked scores"."""
    name: English
    """The name of one number: "masked score"."""
    masked: bool
    """Whether the mask acts here, so that masked cells are hatched."""
    weights: bool
    """Whether it comes after the softmax: from 0 to 1, in rows with sums; else it is a score, and diverging."""
    row_sums: str = ""
    """The attribute of the layer with the sums of the rows."""
    statistics: bool = False
    """Whether the statistics of heads are about these numbers, and noted beside them."""
    dropped: bool = False
    """Whether dropout has set some of them to 0."""
    copies: int = 1
    """The number of values per cell that a run holds to compute these."""
    widened: bool = False
    """Whether half precision is widened for them."""

    @property
    def word(self) -> English:
        """The short name of one number."""
        return "weight" if self.weights else "score"


@dataclass(frozen=True, slots=True, kw_only=True)
class Stage:
    """One stage. Every picture and text about it is made from this record and the layer."""

    name: str
    """In files, view settings and flags; it never changes."""
    title: English
    """In the strip."""
    exists: Callable[[Any], bool]
    """Whether the module of an attention spec has it."""
    formula: Callable[[Any, str], Formula]
    """From a layer and the chosen one of q, k and v, see `chooses`."""
    shapes: Callable[[Any, str], tuple[Shape, ...]]
    """From its input to its output, with the same arguments."""
    cells: Cells | None = None
    """None: it is drawn as matrices."""
    by_head: bool = False
    """Whether matrices are drawn for one head at a time."""
    before: str = ""
    """The name in files of the queries and keys before it, if it changes them per head: "unrotated"."""
    symbol: str = ""
    """The symbol of a changed vector named ``{x}``: "R {x}"."""
    folds: bool = False
    """Whether it only reshapes a tensor: split and merge."""
    chooses: Callable[[Any], bool] = lambda layer: False
    """Whether one of a layer's q, k and v is shown at a time, chosen by the view settings."""
    projects: tuple[str, ...] = ("queries", "keys", "")
    """The parameters that its numbers depend on, by their inputs; empty: those of the scores."""

    moves: Moves = ""
    """How its cells move from the picture of the previous stage."""
    stays: str = ""
    """The reason why nothing moves to it, if nothing does."""

    @property
    def shows_heads(self) -> bool:
        """Whether it is drawn for one head at a time, beside all of them."""
        return self.cells is not None or self.by_head
