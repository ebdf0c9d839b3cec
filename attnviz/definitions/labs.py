"""The labs by name and title: what the command line needs before the rest is loaded."""

from dataclasses import dataclass

from attnviz.definitions.registry import Registry


@dataclass(frozen=True, slots=True)
class LabName:
    """The name and title of a lab. Its spec, run, exports and room are rows of the registries of their layers."""

    name: str
    title: str


LAB_NAMES: Registry[LabName] = Registry(
    "lab", (LabName("attention", "Attention"), LabName("regression", "Kernel regression"))
)
