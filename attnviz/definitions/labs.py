"""The labs by name and title, and the sizes of the window: needed by the command line before the rest is loaded."""

from dataclasses import dataclass

from attnviz.definitions.registry import Registry
from attnviz.definitions.text import English


@dataclass(frozen=True, slots=True)
class LabName:
    """The name and title of a lab. Its spec, run, exports and room are rows of the registries of their layers."""

    name: str
    title: English


LAB_NAMES: Registry[LabName] = Registry(
    "lab",
    (
        LabName("attention", "Attention"),
        LabName("regression", "Kernel regression"),
        LabName("train", "Train"),
        LabName("model", "Model"),
    ),
)


FIRST_LAB = "attention"
"""The default lab of specs, and the one that opens first."""


@dataclass(frozen=True, slots=True)
class LabRow:
    """A row of a layer's registry of labs."""

    name: str

    @property
    def title(self) -> str:
        """The lab's title."""
        return LAB_NAMES[self.name].title


def help_pages() -> tuple[str, ...]:
    """Return the pages of the manual, in search order; a lab's page has its name."""
    further = ("functions", "families", "files", "export", "sweeps", "glossary")
    return ("window", "shortcuts", "lessons", *LAB_NAMES, *further)


LEAST_WINDOW = (853, 440)
"""Width and height in pixels; a screen of 1280 x 800, scaled by 1.5, has 853 x 533 of them."""
GREATEST_WINDOW = (7680, 4320)
