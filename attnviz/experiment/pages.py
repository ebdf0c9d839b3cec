"""The pages of a lab, one of which fills the middle of the window."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class PageName:
    """The name of a page in session files, its title on the button, and a sentence about it."""

    name: str
    title: str
    help: str
