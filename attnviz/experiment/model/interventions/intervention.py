"""The record of an intervention: its effect on a run, its names on screen, and its lines in the script.

An intervention is one file with such a record and the type of its field, and one line in
`attnviz.experiment.model.spec.ModelSpec`, whose field carries the record: ``Annotated[Value, RECORD]``. No part has a
default: an intervention without a name on screen, without a text for undo or without its lines in the script cannot be
defined.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from numpy.typing import NDArray

from attnviz.definitions.masks.mask import Mask
from attnviz.definitions.text import Text
from attnviz.experiment.model.sides import Kind

NAMED = 3
"""The most tokens, or heads at tokens, named in a line."""


class At(NamedTuple):
    """A call of attention in a run."""

    layer: int
    kind: Kind
    queries: int
    keys: int


class RunOf(NamedTuple):
    """The inputs for preparing a value: the run of the text without interventions."""

    cells: Callable[[Kind], tuple[int, int]]
    """Returns the numbers of queries and keys."""
    heads: Callable[[Kind, int], int]
    """Returns the number of heads of a layer."""
    outputs_b: Callable[[Kind, int], Any]
    """Returns the heads' outputs (h, Q, e) of a layer in the run of text B."""


@dataclass(frozen=True, slots=True, eq=False)
class Forbids:
    """An effect that masks keys."""

    allowed: Callable[[Any, At], NDArray[Any] | None]
    """From the prepared value: the cells that a query may attend to, bool (1 or h, 1 or Q, K); None: all."""
    mask: Mask
    """Explains the masked cells."""
    state: Callable[[Any, NDArray[Any]], Any]
    """The state of the mask, from the prepared value and its cells."""


@dataclass(frozen=True, slots=True, eq=False)
class Divides:
    """Divides the scores of all heads, after scale, soft cap and biases; learned sinks are not divided."""

    divisor: Callable[[Any], float]


@dataclass(frozen=True, slots=True, eq=False)
class ChangesOutputs:
    """An effect that changes the outputs of heads."""

    of_call: Callable[[Any, At], Callable[[Any, int], None] | None]
    """From the prepared value and a call: a function that changes a tensor (.., Q, h, e), whose first row is that of a
    token, in place; None: not in this call."""


@dataclass(frozen=True, slots=True, eq=False)
class Undo:
    """The names of an intervention's undo steps."""

    done: Text
    undone: Text
    values: Callable[[Collection[Any]], Mapping[str, Any]]
    """The values of both, from the entries that are added or removed; ``count`` is their number."""


@dataclass(frozen=True, slots=True, eq=False)
class InScript:
    """Its lines in the script."""

    values: Callable[[Any], Mapping[str, Any]]
    """From the spec: the names that the script assigns, and their values. In lists, a `HeadAt` at the beginning of an
    entry becomes its layer and head; of an encoder-decoder, the pair of its side and layer, and its head."""
    comment: str
    """After the last of them."""
    lines: str
    """The code of the effect. `Forbids`: on ``allowed`` (1, h, Q, K), in ``layer``; `Divides`: an expression;
    `ChangesOutputs`: on ``pooled`` (1, Q, h, e), in ``layer``, beside ``heads_of_b``, those of text B, layer by layer.
    """
    generating: str
    """In place of `lines` where a generation has passes of new tokens only, the first of which is token ``first``, and
    ``means`` keeps a tensor for each layer; "": the same."""


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Intervention:
    """One intervention. Its field is the one of the spec that carries it, whose default has no effect."""

    prepared: Callable[[Any, RunOf], Any]
    """From the spec: the argument of `effect`."""
    effect: Forbids | Divides | ChangesOutputs
    heads: Callable[[Any], Iterable[str]]
    """The heads ("3.4", "cross 3.4") and layers ("3") in a value."""
    tokens: Callable[[Any], Iterable[int]]
    """The tokens in a value, from 0; such a value is meaningless for another text."""
    reads_b: bool
    """Whether it uses the run of text B."""
    said: Callable[[Any, Callable[[int], str]], Text]
    """From the spec, and a function that names a token: a short text for badge, inspector, comparison and figure."""
    undo: Undo | None
    """None: the default, the old and the new value."""
    script: InScript


def few(names: Sequence[str]) -> str:
    """Return the first of some names, with dots for the others."""
    return ", ".join(names[:NAMED]) + " ..." * (len(names) > NAMED)
