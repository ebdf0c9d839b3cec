"""The record of a stage: one step of an attention mechanism as pictures, figures, files and texts show it.

The functions of a record take an `attnviz.experiment.layers.layer.Layer`. Shape
letters: B batch, L tokens, Q queries, K keys, h heads, D hidden, d = D / h.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

from attnviz.definitions.text import English, Text

Formula = tuple[str, Text]
"""LaTeX, and its text for screen readers."""
Moves = Literal["", "meet", "carry", "weigh", "pool", "fold"]
"""How cells move to a stage from the one before: two rows meet in the number or row they make, rows slide to where they
are changed and out of there, scores become bars as high as their weights, values slide into the output, heads split or
merge. "": nothing moves, see `Stage.stays`."""
IN_PLACE = (
    "Each number is made of the one in the same cell: no place is between them, and colours between are no numbers."
)
"""Why nothing moves to a stage that changes each cell by itself."""


@dataclass(frozen=True, slots=True)
class Shape:
    """A shape in the book's letters and in numbers: B batch, L tokens, D hidden, h heads."""

    letters: str
    sizes: tuple[int, ...]

    def __str__(self) -> str:
        return f"({self.letters}) = ({', '.join(map(str, self.sizes))})"


@dataclass(frozen=True, slots=True, kw_only=True)
class Cells:
    """What a stage shows in each cell: one number for each head, query and key, (B, h, Q, K)."""

    tensor: str
    """The attribute of the layer whose numbers are drawn and read out."""
    heading: English
    """The title of a picture: "masked scores"."""
    name: English
    """What one number is called: "masked score"."""
    masked: bool
    """Whether the mask acts here, so that cells that it forbids are hatched."""
    weights: bool
    """Whether it comes after the softmax: from 0 to 1, in rows with sums; else it is a score, and diverging."""
    row_sums: str = ""
    """The attribute of the layer with the sums of the rows."""
    statistics: bool = False
    """Whether the statistics of heads are about these numbers, so that they are noted beside them."""
    dropped: bool = False
    """Whether dropout has set some of them to 0."""
    copies: int = 1
    """How many numbers a run holds for each cell to make these."""
    widened: bool = False
    """Whether half precision is widened for them."""

    @property
    def word(self) -> English:
        """What one number is called in short."""
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
    """Of a layer, and which of q, k and v is shown, see `chooses`."""
    shapes: Callable[[Any, str], tuple[Shape, ...]]
    """From its input to its output, of the same."""
    cells: Cells | None = None
    """None: it is drawn as matrices."""
    by_head: bool = False
    """Whether matrices are drawn for one head at a time."""
    before: str = ""
    """Where it changes the queries and keys of each head: what they are called in files before it, "unrotated"."""
    symbol: str = ""
    """What it makes of a name, ``{x}``, of such vectors: "R {x}"."""
    folds: bool = False
    """Whether it only reshapes a tensor: split and merge."""
    chooses: Callable[[Any], bool] = lambda layer: False
    """Whether, of a layer, one of q, k and v is shown at a time: that which the view settings choose."""
    projects: tuple[str, ...] = ("queries", "keys", "")
    """Which parameters its numbers depend on, by what these project; empty: those that the scores use."""

    moves: Moves = ""
    """How its cells come from the picture of the stage before."""
    stays: str = ""
    """Why nothing moves to it, where nothing does."""

    @property
    def shows_heads(self) -> bool:
        """Whether it is drawn for one head at a time, beside all of them."""
        return self.cells is not None or self.by_head
