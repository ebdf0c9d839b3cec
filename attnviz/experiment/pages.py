"""The pages of a lab: what its middle shows in place of each other."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class PageName:
    """What a page is called in a session's file and on its button, with a sentence about it."""

    name: str
    title: str
    help: str
