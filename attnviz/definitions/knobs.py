"""The options of a record: numbers that a spec sets by name (knobs on screen)."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from attnviz.definitions.text import English


@dataclass(frozen=True, slots=True, kw_only=True)
class NumberKnob:
    """One number of a record, with its limits, both included."""

    name: str
    """Its name in files and specs; it never changes."""
    title: English
    help: English
    default: float
    least: float
    greatest: float
    whole: bool = True
    """Whether it is an integer."""
    most: Callable[[Mapping[str, int]], float] | None = None
    """A function from the sizes of a spec to the greatest value there, if they limit it further."""

    def most_for(self, sizes: Mapping[str, int]) -> float:
        """Return the greatest value in a spec of these sizes."""
        return self.greatest if self.most is None else max(self.least, min(self.greatest, self.most(sizes)))
