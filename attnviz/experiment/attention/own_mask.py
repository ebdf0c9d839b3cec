"""What a run learns about the user's own functions: their names, the mask with its clauses, and what they printed.

Shape letters: B batch, h heads, Q queries, K keys.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from attnviz.experiment.files.plain_files import Stamp

Kind = Literal["mask_mod", "score_mod", "factory", ""]
"""What a callable can be used as, by its parameters: four are those of a ``mask_mod``, five those of a ``score_mod``; a
factory returns one of them; "" is not known."""


@dataclass(frozen=True, slots=True)
class Listed:
    """One module-level callable of the user's file."""

    name: str
    kind: Kind = ""
    signature: str = ""
    """Its parameters as text: "(window_size)"."""
    doc: str = ""
    """The first line of its docstring."""
    line: int = 0
    """The line of its definition, counted from 1; 0 if it is not in the file."""
    makes: Kind = ""
    """What a factory returns, if that can be read from its text."""


@dataclass(frozen=True, slots=True, eq=False)
class Clause:
    """One mask of the user: the whole ``mask_mod``, or an operand of ``and_masks``, ``or_masks``, ``&`` or ``|``."""

    name: str
    """The name of its function, or the text of its expression."""
    allowed: NDArray[np.bool_]
    """(1 or B, 1 or h, Q, K), True = may attend; an axis of 1 if all items, or heads, have the same mask. Read-only."""
    does: Literal["and", "or", ""] = ""
    """How its operands are combined; "" if it has none."""
    clauses: "tuple[Clause, ...]" = ()
    """Its operands, in order."""
    line: int = 0
    """Its line in the file, counted from 1; 0 if not known."""

    @property
    def nbytes(self) -> int:
        """The bytes of its mask and of its operands'."""
        return self.allowed.nbytes + sum(clause.nbytes for clause in self.clauses)

    def at(self, b: Any, h: Any, i: Any, j: Any) -> Any:
        """Return whether item b, head h and query i may attend to key j; index arrays broadcast."""
        items, heads = self.allowed.shape[:2]
        return self.allowed[b if items > 1 else b * 0, h if heads > 1 else h * 0, i, j]

    def parts(self) -> "tuple[Clause, ...]":
        """Return the operands that a reader sees as separate clauses: those of ``and``; else the clause itself."""
        return tuple(part for clause in self.clauses for part in clause.parts()) if self.does == "and" else (self,)

    def forbidding(self, b: int, h: int, i: int, j: int) -> "tuple[Clause, ...]":
        """Return the `parts` that forbid one cell; empty if it is allowed."""
        return tuple(part for part in self.parts() if not part.at(b, h, i, j))

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Return the `parts` by their names in a file: their masks, (parts, 1 or B, 1 or h, Q, K), and their names."""
        parts = self.parts()
        masks = np.stack(np.broadcast_arrays(*(part.allowed for part in parts)))
        return {"clauses": masks, "clause_names": np.array([part.name for part in parts])}

    def walk(self) -> "Iterator[Clause]":
        """Yield the clause and all operands below it, outer ones first."""
        yield self
        for clause in self.clauses:
            yield from clause.walk()


@dataclass(frozen=True, slots=True, eq=False)
class OwnFunctions:
    """The user's functions in one run."""

    listed: tuple[Listed, ...] = ()
    """The callables of the file, in its order."""
    mask: Clause | None = None
    """The evaluated ``mask_mod``; None without one."""
    printed: str = ""
    """What the functions printed."""
    files: Mapping[str, Stamp] = field(default_factory=dict)
    """The paths of the user's files that the file imports, with the versions that were run."""
