"""A number that a record declares: what a form, a spec's check and a sweep need to know about it."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class NumberKnob:
    """One number of a record, with its limits, both included."""

    name: str
    """Its name in files and specs; it never changes."""
    title: str
    help: str
    default: float
    least: float
    greatest: float
    whole: bool = True
    """Whether it takes integers only."""
