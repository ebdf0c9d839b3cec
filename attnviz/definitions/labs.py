"""The labs by name and title: what the command line has to know of them before anything is loaded."""

from dataclasses import dataclass

from attnviz.definitions.registry import Registry


@dataclass(frozen=True, slots=True)
class LabName:
    """What a lab is called. Its spec, run, exports and room are rows of the registries of their layers."""

    name: str
    title: str


LAB_NAMES: Registry[LabName] = Registry(
    "lab", (LabName("attention", "Attention"), LabName("regression", "Kernel regression"))
)
